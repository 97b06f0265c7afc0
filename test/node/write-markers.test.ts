// Markers at a leader (txn T-84, T-85, T-89, T-115 to T-118): each error, several markers in one request, and what is in the
// log then. Real broker, real log; the coordinators that send markers are the test.
import { describe, expect, test } from 'vitest';
import { decodeMarker } from '../../src/log/control-batch.ts';
import { readBatchHeader } from '../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import type { TxnMarker } from '../../src/protocol/generated/index.ts';
import { topicLedBy, transactional, type Batch } from './support/scripted-coordinator.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, TOPIC, type StageOptions } from './support/stage.ts';

const alone = (options: StageOptions = {}): Stage => new Stage({ replicas: [1], partitions: 3, ...options }).start();

/** A marker of producer 7 at epoch 3 for partition 0. */
function marker(more: Partial<TxnMarker> & { partitions?: readonly number[]; topic?: string } = {}): TxnMarker {
  const { partitions = [0], topic = TOPIC, ...fields } = more;
  return {
    ...{ producerId: 7, producerEpoch: 3, committed: true, coordinatorEpoch: 0, transactionVersion: 0 },
    ...{ topics: [{ topic, partitions: [...partitions] }] },
    ...fields,
  };
}

/** Errors of a request, marker by marker and partition by partition. */
function written(stage: Stage, ...markers: TxnMarker[]): ErrorName[][] {
  const { markers: answers } = stage.call('WriteTxnMarkers', { markers });
  expect(answers.map(({ producerId }) => producerId)).toEqual(markers.map(({ producerId }) => producerId));
  return answers.map(({ partitions }) => partitions.map(({ error }) => error));
}

/** Opens a transaction in a partition of a broker that does not verify. */
function open(stage: Stage, batch: Batch = {}, partition = 0): void {
  const records = transactional(batch);
  expect(stage.produced('', { partition, records, transactionalId: 'id', transactionVersion: 1 }).error).toBe('NONE');
}
const unverified = { config: { 'transaction.partition.verification.enable': false } };

function batches(stage: Stage, partition = 0, fromOffset = 0): Buffer {
  return stage.call('DescribeReplicas', { topic: TOPIC, partition, fromOffset, maxBatches: 10 }).replicas[0]!.records;
}

describe('txn T-115: a marker in the log', () => {
  test('is one control batch of one record and one offset, of the producer and its epoch', () => {
    const stage = alone();
    expect(written(stage, marker({ committed: false, coordinatorEpoch: 4 }))).toEqual([['NONE']]);
    const records = batches(stage);
    expect(readBatchHeader(records)).toMatchObject({
      ...{ magic: 2, attributes: 0x30, baseOffset: 0, lastOffset: 0, recordCount: 1 },
      ...{ producerId: 7, producerEpoch: 3, baseSequence: -1, sizeBytes: records.length },
    });
    expect(decodeMarker(records)).toMatchObject({ type: 'abort', coordinatorEpoch: 4 });
    const [key, value, headers] = [[0, 0, 0, 0], [0, 0, 0, 0, 0, 4], 0];
    expect(records.subarray(-13)).toEqual(Buffer.from([8, ...key, 12, ...value, headers]));
  });

  test('T-84: is written though the producer has nothing open, or is unknown', () => {
    const stage = alone();
    expect(written(stage, marker({ producerId: 99 }))).toEqual([['NONE']]);
    expect(stage.replica.logEndOffset).toBe(1);
  });

  test('T-89, T-129: the first closes the transaction, repetitions have no effect and are written all the same', () => {
    const stage = alone(unverified);
    open(stage);
    expect(written(stage, marker({ committed: false }))).toEqual([['NONE']]);
    expect(written(stage, marker({ committed: true }))).toEqual([['NONE']]);
    expect(stage.replica).toMatchObject({ logEndOffset: 3, lastStableOffset: 3 });
  });
});

describe('txn T-84: refusals', () => {
  test('a partition that this broker does not host, and one that does not exist', () => {
    const stage = alone();
    stage.commit(...topicLedBy('elsewhere', [2], [2]));
    expect(written(stage, marker({ topic: 'elsewhere' }))).toEqual([['UNKNOWN_TOPIC_OR_PARTITION']]);
    expect(written(stage, marker({ topic: 'nothing' }))).toEqual([['UNKNOWN_TOPIC_OR_PARTITION']]);
    expect(written(stage, marker({ partitions: [9] }))).toEqual([['UNKNOWN_TOPIC_OR_PARTITION']]);
  });

  test('an identity that no producer has is INVALID_REQUEST, and nothing is written', () => {
    const stage = alone();
    for (const wrong of [{ producerId: -1 }, { producerEpoch: -1 }, { producerEpoch: 32_768 }])
      expect(written(stage, marker(wrong))).toEqual([['INVALID_REQUEST']]);
    expect(stage.replica.logEndOffset).toBe(0);
  });

  test('a follower', () => {
    const stage = new Stage({ leader: 2 }).start();
    expect(written(stage, marker())).toEqual([['NOT_LEADER_OR_FOLLOWER']]);
  });

  test('too few in sync', () => {
    const stage = new Stage({ isr: [1], minIsr: 2 }).start();
    expect(written(stage, marker())).toEqual([['NOT_ENOUGH_REPLICAS']]);
    expect(stage.replica.logEndOffset).toBe(0);
  });

  test('acks=all within request.timeout.ms: answered when the high watermark covers it, else REQUEST_TIMED_OUT', () => {
    const stage = new Stage({ isr: [1, 2], config: { 'request.timeout.ms': 2000 } }).start();
    const asked = stage.ask('WriteTxnMarkers', { markers: [marker()] });
    stage.runFor(1000);
    expect([asked.value, stage.replica.logEndOffset]).toEqual([undefined, 1]);
    new ScriptedFollower(stage, 2).fetch(1);
    stage.until(() => asked.value !== undefined);
    expect(asked.value).toMatchObject({ response: { markers: [{ partitions: [{ error: 'NONE' }] }] } });
    expect(written(stage, marker())).toEqual([['REQUEST_TIMED_OUT']]);
    expect(stage.replica.logEndOffset).toBe(2);
  });

  test('leadership that is lost while it waits', () => {
    const stage = new Stage({ isr: [1, 2] }).start();
    const asked = stage.ask('WriteTxnMarkers', { markers: [marker()] });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.change({ leader: 2 });
    stage.until(() => asked.value !== undefined);
    expect(asked.value).toMatchObject({
      response: { markers: [{ partitions: [{ error: 'NOT_LEADER_OR_FOLLOWER' }] }] },
    });
  });
});

test('BUG-15, txn T-84: leadership that is lost and won again while it waits is another one', () => {
  const stage = new Stage({ isr: [1, 2] }).start();
  const asked = stage.ask('WriteTxnMarkers', { markers: [marker()] });
  stage.until(() => stage.replica.logEndOffset === 1);
  stage.change({ leader: 1 });
  stage.until(() => asked.value !== undefined, 100);
  expect(asked.value).toMatchObject({
    response: { markers: [{ partitions: [{ error: 'NOT_LEADER_OR_FOLLOWER' }] }] },
  });
});

describe('txn T-116, T-117: who may end a transaction', () => {
  test('an epoch below the stored one is INVALID_PRODUCER_EPOCH, an equal or a higher one is taken', () => {
    const stage = alone(unverified);
    open(stage);
    expect(written(stage, marker({ producerEpoch: 2 }))).toEqual([['INVALID_PRODUCER_EPOCH']]);
    expect(written(stage, marker({ producerEpoch: 3 }))).toEqual([['NONE']]);
    expect(written(stage, marker({ producerEpoch: 5 }))).toEqual([['NONE']]);
    expect(written(stage, marker({ producerEpoch: 4 }))).toEqual([['INVALID_PRODUCER_EPOCH']]);
  });

  test('an older coordinator is TRANSACTION_COORDINATOR_FENCED, the same one is taken again', () => {
    const stage = alone();
    expect(written(stage, marker({ coordinatorEpoch: 6 }))).toEqual([['NONE']]);
    expect(written(stage, marker({ coordinatorEpoch: 5 }))).toEqual([['TRANSACTION_COORDINATOR_FENCED']]);
    expect(written(stage, marker({ coordinatorEpoch: 6 }))).toEqual([['NONE']]);
    expect(stage.replica.logEndOffset).toBe(2);
  });

  test('the producer epoch is judged first', () => {
    const stage = alone();
    written(stage, marker({ coordinatorEpoch: 6 }));
    expect(written(stage, marker({ producerEpoch: 2, coordinatorEpoch: 5 }))).toEqual([['INVALID_PRODUCER_EPOCH']]);
  });

  test('T-117: a newer coordinator fences only where it has written, and only for that producer', () => {
    const stage = alone();
    written(stage, marker({ coordinatorEpoch: 6 }));
    expect(written(stage, marker({ coordinatorEpoch: 5, partitions: [1] }))).toEqual([['NONE']]);
    expect(written(stage, marker({ coordinatorEpoch: 5, producerId: 8 }))).toEqual([['NONE']]);
  });
});

describe('txn T-118: markers of version 2', () => {
  const v2 = (producerEpoch: number): TxnMarker => marker({ producerEpoch, transactionVersion: 2 });

  test('must be newer than what their producer wrote; repeated, they are appended again', () => {
    const stage = alone(unverified);
    open(stage);
    expect(written(stage, v2(3))).toEqual([['INVALID_PRODUCER_EPOCH']]);
    expect(written(stage, v2(4))).toEqual([['NONE']]);
    expect(written(stage, v2(4))).toEqual([['NONE']]);
    expect(stage.replica.logEndOffset).toBe(3);
  });

  test('W-5: late, they do not end the next transaction, which has their epoch', () => {
    const stage = alone(unverified);
    open(stage);
    written(stage, v2(4));
    open(stage, { producerEpoch: 4 });
    expect(written(stage, v2(4))).toEqual([['INVALID_PRODUCER_EPOCH']]);
    expect(stage.replica).toMatchObject({ lastStableOffset: 2, logEndOffset: 3 });
  });

  test('of the last epoch they recover what hangs', () => {
    const stage = alone(unverified);
    open(stage, { producerEpoch: 32767 });
    expect(written(stage, v2(32767))).toEqual([['NONE']]);
    expect(stage.replica.lastStableOffset).toBe(2);
  });

  test('T-179: an administrator has no version: the equal epoch passes', () => {
    const stage = alone(unverified);
    open(stage);
    const { markers } = stage.call('AbortTransaction', {
      markers: [marker({ committed: false, transactionVersion: 2 })],
    });
    expect(markers).toMatchObject([{ partitions: [{ error: 'NONE' }] }]);
  });
});

describe('several markers in one request', () => {
  test('each partition of each has its own error, in their order', () => {
    const stage = alone();
    written(stage, marker({ coordinatorEpoch: 6, partitions: [1] }));
    const mixed = written(
      stage,
      marker({ coordinatorEpoch: 5, partitions: [0, 1, 9] }),
      marker({ producerId: 8, committed: false, partitions: [2, 0] }),
      marker({ producerId: 7, producerEpoch: 2, partitions: [1] }),
    );
    expect(mixed).toEqual([
      ['NONE', 'TRANSACTION_COORDINATOR_FENCED', 'UNKNOWN_TOPIC_OR_PARTITION'],
      ['NONE', 'NONE'],
      ['INVALID_PRODUCER_EPOCH'],
    ]);
    expect([decodeMarker(batches(stage, 2))?.type, decodeMarker(batches(stage, 0, 1))?.producerId]).toEqual([
      'abort',
      8,
    ]);
  });

  test('the answer waits until the last append is decided', () => {
    const stage = new Stage({ isr: [1, 2], partitions: 2, config: { 'request.timeout.ms': 2000 } }).start();
    const follower = new ScriptedFollower(stage, 2);
    const asked = stage.ask('WriteTxnMarkers', { markers: [marker({ partitions: [0, 1] })] });
    stage.until(() => stage.replica.logEndOffset === 1);
    follower.fetch(1);
    stage.runFor(500);
    expect([asked.value, stage.replica.highWatermark]).toEqual([undefined, 1]);
    stage.until(() => asked.value !== undefined);
    expect(asked.value).toMatchObject({
      response: { markers: [{ partitions: [{ error: 'NONE' }, { error: 'REQUEST_TIMED_OUT' }] }] },
    });
  });

  test('a request without markers is answered', () => {
    expect(written(alone())).toEqual([]);
  });
});

describe('txn T-85: markers for offsets go through the group coordinator', () => {
  test('where it has moved away the sender is told NOT_LEADER_OR_FOLLOWER', () => {
    const stage = alone();
    stage.commit(...topicLedBy('__consumer_offsets', [2]));
    expect(written(stage, marker({ topic: '__consumer_offsets' }))).toEqual([['NOT_LEADER_OR_FOLLOWER']]);
  });

  test('without the refusal below min ISR, bounded by offsets.commit.timeout.ms', () => {
    const stage = alone({ config: { 'offsets.commit.timeout.ms': 700, 'request.timeout.ms': 60_000 } });
    stage.commit(...topicLedBy('__consumer_offsets', [1]));
    stage.runFor(1000);
    const before = stage.world.now;
    expect(written(stage, marker({ topic: '__consumer_offsets' }))).toEqual([['REQUEST_TIMED_OUT']]);
    expect(stage.world.now - before).toBeLessThan(5000);
  });
});
