// kcat while the leader that it sends to dies, against real processes (wire section 14, step 5).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { equals, faultSpec } from '../../../src/fault/spec.ts';
import { installed, kcat } from '../run-client.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { RunningKcat } from '../support/running-kcat.ts';
import { leaderId } from '../support/transactions.ts';
import { autoCreate } from '../topics.ts';

let cluster: Highwater;
beforeAll(async () => {
  cluster = await startHighwater({ config: { 'default.replication.factor': '3', 'min.insync.replicas': '2' } });
});
afterAll(() => cluster.close());

const values = Array.from({ length: 100 }, (_, i) => `v${i}`);
const asLines = (each: readonly string[]) => each.map((value) => `${value}\n`).join('');

test.skipIf(!installed.kcat)(
  'wire ladder 5: the leader is killed under a producer and a consumer: both find the next one, and nothing is lost',
  async () => {
    await autoCreate(cluster.ports[0]!, 'five');
    const leader = await leaderId(cluster.ports, 'five');
    const place = ['-t', 'five', '-p', '0'];
    const kill = faultSpec({
      ...{ id: 'five', point: 'rpc.Produce.request', nth: 4, times: 1, action: 'kill' },
      where: [equals('topic', 'five'), equals('node', leader)],
    });
    expect(await cluster.running.agent.faults.arm(kill)).toBe('');
    const consumer = new RunningKcat(cluster.bootstrap, ['-C', ...place, '-o', 'beginning', '-q']);
    try {
      const settings = ['acks=all', 'linger.ms=0', 'batch.num.messages=10', 'enable.idempotence=true'];
      const options = settings.flatMap((each) => ['-X', each]);
      await kcat(cluster.bootstrap, ['-P', ...place, ...options], asLines(values));
      await consumer.untilMessages('all of them', (messages) => messages.length >= values.length);
      expect(consumer.messages).toEqual(values);
    } finally {
      await consumer.kill();
    }
    expect(cluster.running.agent.list().find(({ id }) => id === leader)?.state).not.toBe('running');
    expect(await cluster.running.agent.faults.disarm('*')).toBe('');
    await cluster.restart(leader);
    expect(await kcat(cluster.bootstrap, ['-C', ...place, '-e', '-q'])).toBe(asLines(values));
  },
);
