// A cluster in one container, as the tests of an application start it (`highwater/testcontainers`): where clients find it, how
// it is broken, and what it says when it cannot start.
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HighwaterClient } from '../../src/client/index.ts';
import { HighwaterContainer, StartFailed, type StartedHighwaterContainer } from '../../src/testcontainers/index.ts';
import { output } from './compose.ts';
import { IMAGE, missingEngine, skipped } from './engine.ts';

const LABEL = { 'highwater.test': 'fails' };

const skip = skipped(missingEngine());

describe.skipIf(skip)('HighwaterContainer', () => {
  let cluster: StartedHighwaterContainer;
  let client: HighwaterClient;

  beforeAll(async () => {
    cluster = await new HighwaterContainer(IMAGE)
      .withTopic('orders')
      .withConfig({ 'min.insync.replicas': '2' })
      .start();
    client = await cluster.client();
  });
  afterEach(async () => {
    await cluster.fault.heal();
    await cluster.untilWhole();
  });
  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  const send = (value: string) => client.producer({ acks: 'all' }).send({ topic: 'orders', value });

  test('clients are told addresses that they can reach, and these survive kill -9 and restart of a node', async () => {
    await send('before');
    await cluster.node.kill('leader(orders-0)');
    await send('after');
    const dead = (await cluster.node.list()).find(({ state }) => state === 'killed');
    await cluster.node.start(dead!.id);
    await cluster.untilWhole();

    const admin = new Kafka({ brokers: [...cluster.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    expect(brokers.map(({ host, port }) => `${host}:${port}`).sort()).toEqual([...cluster.brokers].sort());
    expect(cluster.bootstrap).toBe(cluster.brokers.join(','));
    expect(brokers.map(({ port }) => port)).toContain(cluster.getMappedPort(19_092));
  });

  test('a flow is held at a point of the protocol until it is released', async () => {
    const gate = await cluster.fault.add({ at: 'log.append.leader', do: 'hold', where: { topic: 'orders' }, nth: 1 });
    const sent = send('held');
    await gate.reached();
    expect((await cluster.fault.list()).map(({ fault }) => fault?.id)).toEqual([gate.id]);
    await gate.release();
    await sent;
    await gate.fired();
    await gate.remove();
    await expect(gate.status()).rejects.toThrow(`fault ${gate.id} is not armed any more`);
  });

  test('a fault that does not strike fails with its nearest misses', async () => {
    const never = await cluster.fault.add({ at: 'log.append.leader', do: 'kill', where: { topic: 'none' } });
    await send('x');
    await expect(never.fired({ within: '100ms' })).rejects.toThrow(/did not strike within 100ms.*Nearest: /);
    await expect(cluster.fault.add({ at: 'log.apend.leader', do: 'kill' })).rejects.toThrow(
      /Nearest: log\.append\.leader/,
    );
  });

  test('nodes are elected, cut off, frozen, wiped; safeguards are switched; heal ends all of it', async () => {
    const [leader] = await cluster.node.find('leader(orders-0)');
    const [other] = await cluster.node.find('followers(orders-0)');
    expect(await cluster.elect('orders-0', { to: other! })).toBe(other);
    await cluster.fault.cut(other!, leader!);
    await cluster.fault.switch('hw.bound', 'off');
    expect(await cluster.fault.safeguardsOff()).toEqual(['hw.bound']);
    await cluster.node.pause(leader!);
    expect((await cluster.node.list()).find(({ id }) => id === leader)?.state).toBe('paused');
    await cluster.fault.heal();
    expect(await cluster.fault.safeguardsOff()).toEqual([]);
    expect((await cluster.node.list()).map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running']);
    await cluster.node.restart(leader!, { wipe: true });
    await cluster.untilWhole();
    expect(await cluster.elect('orders-0', 'preferred')).toBeGreaterThan(0);
    await expect(cluster.node.kill(7)).rejects.toThrow(/no node 7\. Brokers: 1, 2, 3/);
  });
});

describe.skipIf(skip)('what cannot start says why, and leaves nothing', () => {
  test('an image that is not there', async () => {
    const start = new HighwaterContainer('highwater:none').start();
    await expect(start).rejects.toThrow(StartFailed);
    await expect(start).rejects.toThrow(/image highwater:none is not there\. Build it with `npm run image`/);
  });

  test('a container that ends, and one that is too late: with its log', async () => {
    const ends = new HighwaterContainer(IMAGE).withEntrypoint(['highwater', 'status']).withLabels(LABEL);
    await expect(ends.start()).rejects.toThrow(/ended with exit code 4\. The end of its log:\n.*no cluster "default"/s);
    const late = new HighwaterContainer(IMAGE).withEntrypoint(['sleep', '60']).withLabels(LABEL);
    await expect(late.withStartupTimeout(300).start()).rejects.toThrow(/its agent did not answer within 0\.3 s/);
    expect(await output('docker', ['ps', '--all', '--quiet', '--filter', 'label=highwater.test=fails'])).toBe('');
  });
});
