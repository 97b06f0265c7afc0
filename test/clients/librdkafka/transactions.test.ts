// Transactions of librdkafka's programs against real processes, on clusters of transaction.version 1 and 2 (wire section 14,
// steps 18, 20 and 21): one commits, one copies exactly once while it and its brokers are killed, and what was decided is
// carried out whoever dies.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { equals, faultSpec, type FaultDraft } from '../../../src/fault/spec.ts';
import { installed, kcat, PYTHON } from '../run-client.ts';
import { autoCreate } from '../topics.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { Lines } from '../support/lines.ts';
import { leaderId, offsetOf, transactionCoordinator, transactionState } from '../support/transactions.ts';
import { until } from '../support/until.ts';

const COPY_LOOP = fileURLToPath(new URL('copy-loop.py', import.meta.url));
const withKcat = test.skipIf(!installed.kcat);
const withPython = test.skipIf(!installed.kcat || !installed.confluentKafka);

const values = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const asLines = (each: readonly string[]): string => each.map((value) => `${value}\n`).join('');

/** A line of copy-loop.py. */
interface Step {
  readonly step: 'ready' | 'written' | 'offsets' | 'committed' | 'failed';
  readonly why?: string;
}

describe.each(['1', '2'])('transaction.version %s', (version) => {
  let cluster: Highwater;
  const copiers: Lines<Step>[] = [];

  beforeAll(async () => {
    const small = { 'offsets.topic.num.partitions': '5', 'transaction.state.log.num.partitions': '5' };
    const topics = { 'num.partitions': '2', 'default.replication.factor': '3', 'min.insync.replicas': '2' };
    cluster = await startHighwater({ config: { ...small, ...topics, 'transaction.version': version } });
  });
  afterEach(async () => {
    for (const copier of copiers.splice(0)) if (!copier.hasEnded) await copier.kill();
  });
  afterAll(() => cluster.close());

  /** What is in a partition, "offset value" a line. */
  async function read(topic: string, partition: number, isolation = 'read_committed'): Promise<string[]> {
    const how = ['-o', 'beginning', '-f', '%o %s\\n', '-X', `isolation.level=${isolation}`];
    const text = await kcat(cluster.bootstrap, ['-C', '-e', '-q', '-t', topic, '-p', String(partition), ...how]);
    return text.split('\n').filter((line) => line !== '');
  }

  /** Waits until a reader of committed records sees exactly these. */
  const untilRead = (topic: string, partition: number, expected: readonly string[]) =>
    until(
      `${expected.length} committed records of ${topic}-${partition}`,
      () => read(topic, partition),
      (lines) => lines.length >= expected.length,
    ).then((lines) => expect(lines).toEqual(expected));

  const transactionally = (topic: string, id: string, each: readonly string[]) =>
    kcat(cluster.bootstrap, ['-P', '-t', topic, '-p', '0', '-X', `transactional.id=${id}`], asLines(each));

  /** Whoever reaches a point is killed there, once. */
  async function armKill(fault: Omit<FaultDraft, 'id' | 'action' | 'nth'>): Promise<void> {
    const refused = await cluster.running.agent.faults.arm(faultSpec({ id: 'kill', nth: 1, action: 'kill', ...fault }));
    if (refused !== '') throw new Error(refused);
  }

  /** Waits until a node is dead, and starts it again without the fault. */
  async function revive(id: number): Promise<void> {
    await until(
      `broker ${id} killed`,
      () => cluster.running.agent.list().find((node) => node.id === id)?.state,
      (state) => state !== 'running',
    );
    await cluster.running.agent.faults.disarm('kill');
    await cluster.restart(id);
  }

  withKcat('wire ladder 8: kcat numbers its batches; answers are lost, and nothing is twice or missing', async () => {
    await autoCreate(cluster.ports[0]!, 'eight');
    const lost = { point: 'rpc.Produce.response', where: [equals('topic', 'eight')], times: 2 };
    expect(await cluster.running.agent.faults.arm(faultSpec({ id: 'lost', action: 'drop', ...lost }))).toBe('');
    const impatient = ['-X', 'socket.timeout.ms=500', '-X', 'request.timeout.ms=500'];
    const idempotent = ['-X', 'enable.idempotence=true', '-X', 'linger.ms=0', '-X', 'batch.num.messages=10'];
    const sent = values(100, 'n');
    await kcat(cluster.bootstrap, ['-P', '-t', 'eight', '-p', '0', ...idempotent, ...impatient], asLines(sent));
    const { faults } = await cluster.running.agent.faults.list();
    expect(faults.reduce((sum, { firings }) => sum + Number(firings), 0)).toBe(2);
    expect(await cluster.running.agent.faults.disarm('lost')).toBe('');
    expect(await read('eight', 0)).toEqual(sent.map((value, offset) => `${offset} ${value}`));
  });

  withKcat('wire ladder 18: kcat commits; what it wrote is visible, and the markers are skipped', async () => {
    await autoCreate(cluster.ports[0]!, 'eighteen');
    await transactionally('eighteen', 'kcat-18', ['a', 'b']);
    await transactionally('eighteen', 'kcat-18', ['c']);
    // The markers have offsets 2 and 4.
    await untilRead('eighteen', 0, ['0 a', '1 b', '3 c']);
    expect(await read('eighteen', 0, 'read_uncommitted')).toEqual(['0 a', '1 b', '3 c']);
    expect(await kcat(cluster.bootstrap, ['-Q', '-t', 'eighteen:0:-1'])).toBe('eighteen [0] offset 5\n');
  });

  withKcat(
    'wire ladder 21: the coordinator is killed when the commit is decided; its successor carries it out',
    async () => {
      await autoCreate(cluster.ports[0]!, 'coordinator-dies');
      const id = 'kcat-21';
      const found = () => transactionCoordinator(cluster.ports, id);
      const coordinator = (await until('a coordinator', found, (at) => at !== undefined))!.nodeId;
      await armKill({ point: 'txn.prepare-commit.durable', where: [equals('transactionalId', id)] });
      // The answer to its EndTxn is lost with the coordinator: it asks the next one.
      await Promise.all([transactionally('coordinator-dies', id, ['a', 'b']), revive(coordinator)]);
      await untilRead('coordinator-dies', 0, ['0 a', '1 b']);
      await until(
        'the end',
        () => transactionState(cluster.ports, id),
        (state) => state === 'CompleteCommit',
      );
    },
  );

  withKcat(
    'wire ladder 21: a leader is killed before it writes the marker; the LSO moves on the next one',
    async () => {
      await autoCreate(cluster.ports[0]!, 'leader-dies');
      const leader = await leaderId(cluster.ports, 'leader-dies');
      await armKill({ point: 'txn.marker.received', where: [equals('topic', 'leader-dies')] });
      await Promise.all([transactionally('leader-dies', 'kcat-21-leader', ['a', 'b']), revive(leader)]);
      await untilRead('leader-dies', 0, ['0 a', '1 b']);
      const ended = () => transactionState(cluster.ports, 'kcat-21-leader');
      await until('the end', ended, (state) => state === 'CompleteCommit');
    },
  );

  withPython('wire ladder 20: a copy is exact, whoever is killed; offsets that are not decided are 88', async () => {
    const [from, to, group] = ['twenty-in', 'twenty-out', 'copying'];
    for (const topic of [from, to]) await autoCreate(cluster.ports[0]!, topic);
    const sent = [values(100, 'p'), values(100, 'q')];
    for (const [partition, each] of sent.entries()) {
      await kcat(cluster.bootstrap, ['-P', '-t', from, '-p', String(partition), '-X', 'acks=all'], asLines(each));
    }
    const copier = (...hold: string[]): Lines<Step> => {
      const started = new Lines<Step>(PYTHON, [COPY_LOOP, cluster.bootstrap, 'copier', group, from, to, ...hold]);
      copiers.push(started);
      return started;
    };
    const reached = (of: Lines<Step>, step: Step['step'], count: number) =>
      of.until(`${count} times ${step}`, (said) => said.filter((each) => each.step === step).length >= count);
    const offset = (partition: number, requireStable: boolean) =>
      offsetOf(cluster.ports, group, { topic: from, partition, requireStable });
    const stable = (errorCode: number) =>
      until(
        'stable offsets',
        () => Promise.all([offset(0, true), offset(1, true)]),
        (both) => both.some((each) => each?.errorCode === errorCode),
      );

    // It dies when its offsets are with the transaction, and the transaction is not decided.
    const first = copier('offsets', '2');
    await reached(first, 'offsets', 2);
    await stable(88);
    for (const partition of [0, 1]) expect(await offset(partition, false)).toMatchObject({ errorCode: 0 });
    await first.kill();
    // The next one dies when its records are written.
    const second = copier('written', '3');
    await reached(second, 'written', 3);
    await second.kill();
    // The third loses its coordinator, and goes on.
    const third = copier();
    await reached(third, 'committed', 2);
    const { nodeId } = (await transactionCoordinator(cluster.ports, 'copier'))!;
    await cluster.kill(nodeId);
    await reached(third, 'committed', 5);
    await cluster.restart(nodeId);
    await third.kill();
    const last = copier();
    const done = () => Promise.all([offset(0, true), offset(1, true)]);
    await until('all is copied', done, (both) => both.every((each) => each?.offset === 100), 60_000);
    await last.kill();
    for (const [partition, each] of sent.entries()) {
      const copied = (await read(to, partition)).map((line) => line.split(' ')[1]);
      expect(copied).toEqual(each);
    }
  });
});
