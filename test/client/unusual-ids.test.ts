// Transactional ids at the edges, from the client to the log on real brokers in the simulated world: epochs that run out and
// producer ids that follow them (txn T-46, T-47, T-77), and texts whose hash is special (txn T-1, T-2, T-40).
import { describe, expect, test } from 'vitest';
import { coordinatorPartition, javaHashCode } from '../../src/base/java-hash.ts';
import type { AdminResult } from '../../src/client/core/admin.ts';
import { encodeKey, encodeValue } from '../../src/coordinator/txn/record-codec.ts';
import type { TransactionMetadata } from '../../src/coordinator/txn/metadata.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import type { Outcome } from '../../src/runtime/ports.ts';
import { OK, asValue, aWorld } from './support/transactions-on-cluster.ts';
import { readValues, waitFor } from './support/wait.ts';

const STATE_TOPIC = '__transaction_state';
const PARTITIONS = 50;
const CONTROL = 0x20;

type World = ReturnType<typeof aWorld>;

/** Who leads a partition, as brokers know it. */
function leaderOf({ world, client }: World, topic: string, partition: number): number {
  type Told = AdminResult<ResponseOf<'Metadata'>>;
  const told = asValue(waitFor<Told>(world, (done) => client.admin().describeTopics([topic], done)));
  return told.topics[0]!.partitions[partition]!.leader;
}

/** Headers of the batches of a partition, as its leader has them. */
function logOf(made: World, topic = 't', partition = 0) {
  type Told = AdminResult<ResponseOf<'DescribeReplicas'>>;
  const question = { topic, partition, fromOffset: 0, maxBatches: 1000 };
  const node = leaderOf(made, topic, partition);
  const told = waitFor<Told>(made.world, (done) => made.client.admin().describeReplicas(node, question, done));
  return [...batchHeaders(asValue(told).replicas[0]!.records)];
}

/** Writes a record of `app` behind the coordinator's back and has another broker read it: as if it had come so far. */
function comeTo(made: World, changes: Partial<TransactionMetadata>): void {
  const { cluster, world } = made;
  const partition = coordinatorPartition('app', PARTITIONS);
  const old = leaderOf(made, STATE_TOPIC, partition);
  const metadata: TransactionMetadata = {
    ...{ transactionalId: 'app', producerId: 0, previousProducerId: -1, nextProducerId: -1, producerEpoch: 0 },
    ...{ lastProducerEpoch: -1, timeoutMs: 10_000, state: 'CompleteCommit', partitions: [], startTimeMs: -1 },
    ...{ lastUpdateMs: 0, clientTransactionVersion: 0, ...changes },
  };
  const record = { key: encodeKey('app'), value: encodeValue(metadata, { level: 2 }), headers: [], timestamp: 0 };
  const records = encodeBatch([record], {});
  const outcome = cluster.spawnClient(1900, ({ network }) => {
    const answers: ResponseOf<'Produce'>[] = [];
    const stream = network.open(old, 'Produce', { message: (answer) => answers.push(answer), closed: () => undefined });
    stream.send({
      ...{ correlationId: 1, acks: -1, timeoutMs: 5000, transactionalId: '', transactionVersion: 0 },
      ...{ clientId: '__admin_client', partitions: [{ topic: STATE_TOPIC, partition, records }] },
    });
    return answers;
  });
  expect(world.run({ until: () => outcome.length > 0, maxMs: 10_000 })).toBe(true);
  expect(outcome[0]!.partitions[0]!.error).toBe('NONE');
  cluster.kill(old);
  const moved = () => leaderOf(made, STATE_TOPIC, partition) !== old;
  for (let tries = 0; !moved() && tries < 100; tries++) world.runFor(100);
  cluster.start(old);
  world.runFor(3000);
}

describe('epochs run out', () => {
  test('under version 2 the commit at 32766 gives another producer id; both are read as committed', () => {
    const made = aWorld(2);
    expect(made.init()).toEqual(OK);
    const { producerId } = made.txn.current!;
    comeTo(made, { producerId, producerEpoch: 32_764, lastProducerEpoch: 32_763 });

    const next = made.another(1002);
    expect(next.init()).toEqual(OK);
    expect(next.txn.current).toEqual({ producerId, epoch: 32_765 });
    const seen: (readonly [number, number])[] = [];
    for (const [value, end] of [
      ['a', 'commit'],
      ['b', 'abort'],
      ['c', 'commit'],
      ['d', 'commit'],
    ] as const) {
      // prettier-ignore
      next.begin();
      expect(next.send(value)).toMatchObject(OK);
      expect(next[end]()).toEqual(OK);
      seen.push([next.txn.current!.producerId, next.txn.current!.epoch]);
    }
    const rotated = seen[1]![0];
    expect(rotated).not.toBe(producerId);
    expect(seen).toEqual([[producerId, 32_766], [rotated, 0], [rotated, 1], [rotated, 2]]); // prettier-ignore
    expect(readValues(made.world, made.reader('read_committed'), 3)).toEqual(['a', 'c', 'd']);
    made.world.runFor(1000);
    const log = logOf(made).map((one) => [one.producerId, one.producerEpoch, (one.attributes & CONTROL) !== 0]);
    expect(log).toEqual([
      ...[[producerId, 32_765, false], [producerId, 32_766, true], [producerId, 32_766, false], [producerId, 32_767, true]],
      ...[[rotated, 0, false], [rotated, 1, true], [rotated, 1, false], [rotated, 2, true]],
    ]); // prettier-ignore
  });

  test.each([1, 2] as const)(
    'version %d: an instance after epoch 32766 gets another id, and the old one is fenced',
    (version) => {
      const made = aWorld(version);
      expect(made.init()).toEqual(OK);
      const { producerId } = made.txn.current!;
      comeTo(made, { producerId, producerEpoch: 32_765 });
      const last = made.another(1002);
      expect(last.init()).toEqual(OK);
      expect(last.txn.current).toEqual({ producerId, epoch: 32_766 });
      last.begin();
      expect(last.send('zombie')).toMatchObject(OK);

      const next = made.another(1003);
      expect(next.init()).toEqual(OK);
      // The takeover's own abort is what rotates under version 2; the initialization that was waiting raises the epoch then.
      expect(next.txn.current!.epoch).toBe(version === 1 ? 0 : 1);
      expect(next.txn.current!.producerId).not.toBe(producerId);
      next.begin();
      expect(next.send('new')).toMatchObject(OK);
      expect(next.commit()).toEqual(OK);
      expect(last.commit()).toMatchObject({ kind: 'failed', errorClass: 'fatal' });
      expect(readValues(made.world, made.reader('read_committed'), 1)).toEqual(['new']);
      const abort = logOf(made).find(({ attributes }) => (attributes & CONTROL) !== 0)!;
      expect([abort.producerId, abort.producerEpoch]).toEqual([producerId, 32_767]);
    },
  );
});

describe.each([1, 2] as const)('version %d: ids', (version) => {
  test.each([
    ['polygenelubricants', -2_147_483_648, 0],
    ['DESIGNING WORKHOUSES', -2_147_483_648, 0],
    ['pay-😀', -993_499_992, 42],
    ['Ünïcode 中 id', javaHashCode('Ünïcode 中 id'), coordinatorPartition('Ünïcode 中 id', PARTITIONS)],
  ])('txn T-1, T-2: "%s" (hash %d) is kept in partition %d of the log, and by its leader', (id, hash, partition) => {
    expect(javaHashCode(id)).toBe(hash);
    const made = aWorld(version, { 'transactional.id': id });
    expect(made.init()).toEqual(OK);
    made.begin();
    expect(made.send('v')).toMatchObject(OK);
    expect(made.commit()).toEqual(OK);
    expect(readValues(made.world, made.reader('read_committed'), 1)).toEqual(['v']);
    const { transactions } = made.client.admin();
    type Found = AdminResult<{ nodeId: number }>;
    const found = waitFor<Found>(made.world, (done) => transactions.findCoordinator('transaction', id, done));
    expect(asValue(found).nodeId).toBe(leaderOf(made, STATE_TOPIC, partition));
    expect(logOf(made, STATE_TOPIC, partition).length).toBeGreaterThan(2);
    for (const other of [partition + 1, partition + 2]) expect(logOf(made, STATE_TOPIC, other)).toEqual([]);
  });
});

describe('txn T-40: the empty id', () => {
  test('a client refuses it as a setting', () => {
    const { client } = aWorld(2);
    expect(() => client.producer({ 'transactional.id': '' })).toThrow(/transactional\.id/);
  });

  test('a coordinator refuses it whoever it is', () => {
    const { cluster, world } = aWorld(2);
    type Answer = Outcome<ResponseOf<'InitProducerId'>>;
    const ask = (node: number) =>
      waitFor<Answer>(world, (done) => {
        cluster.spawnClient(1900 + node, ({ network }) => {
          const request = { hasTransactionalId: true, transactionalId: '', transactionTimeoutMs: 1000 };
          network.request(node, 'InitProducerId', { ...request, producerId: -1, producerEpoch: -1 }, 5000, done);
        });
      });
    expect([1, 2, 3].map(ask)).toMatchObject(
      Array(3).fill({ kind: 'ok', response: { error: 'INVALID_REQUEST', producerId: -1, producerEpoch: -1 } }),
    );
  });
});
