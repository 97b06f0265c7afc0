// What a coordinator does when the level of transaction.version changes under it (txn T-10, T-48, T-49, T-190), and in which
// order it refuses whom (txn T-7, T-38 to T-41, T-55, T-56, T-72).
import { describe, expect, test } from 'vitest';
import { featureLevelRecord } from '../../../src/metadata/records.ts';
import { decodeBatch } from '../../../src/log/decode-batch.ts';
import { batchHeaders } from '../../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import { Stage } from '../support/stage.ts';

/** Versions of all record values in the log, tombstones left out. */
function valueVersions({ broker }: Stage): number[] {
  const records = broker.recordsBelow(broker.replica.logEndOffset);
  return [...batchHeaders(records)].flatMap((header) => {
    const batch = decodeBatch(records, header.at);
    return batch.kind === 'records' ? batch.records.flatMap(({ value }) => value?.readInt16BE(0) ?? []) : [];
  });
}

const level = (stage: Stage, to: number): void => stage.apply(featureLevelRecord('transaction.version', to));
const TIMEOUT = { transactionTimeoutMs: 1000 };
const SCAN_MS = 10_000;

describe('txn T-190: the level changes', () => {
  test('T-10: it decides the version of the records from then on, and old ones are read as they are', () => {
    const stage = new Stage({ level: 0 });
    const producer = stage.open();
    level(stage, 2);
    expect(stage.end(producer, true, 0).response?.error).toBe('NONE');
    expect(valueVersions(stage)).toEqual([0, 0, 1, 1]);
    stage.failOver();
    expect(stage.describe()).toMatchObject({ state: 'CompleteCommit', producerId: producer.producerId });
  });

  test('raised: a client of version 1 ends what it began as it began it', () => {
    const stage = new Stage({ level: 1 });
    const producer = stage.open();
    level(stage, 2);
    expect(stage.end(producer, true, 0).response).toMatchObject({ error: 'NONE', producerEpoch: -1 });
    expect(stage.written).toMatchObject([
      { producerEpoch: 0, transactionVersion: 0 },
      { producerEpoch: 0, transactionVersion: 0 },
    ]);
  });

  test('raised: its transaction that times out is aborted with the numbers of version 2, which fences it', () => {
    const stage = new Stage({ level: 1 });
    const producer = stage.open(TIMEOUT);
    level(stage, 2);
    stage.clock.runFor(SCAN_MS + 2000);
    expect(stage.written).toMatchObject([
      { outcome: 'abort', producerEpoch: 1, transactionVersion: 2 },
      { producerEpoch: 1, transactionVersion: 2 },
    ]);
    expect(stage.end(producer, false, 0).response?.error).toBe('PRODUCER_FENCED');
  });

  test('lowered: requests of version 2 are not spoken any more; what they began times out as version 1 does', () => {
    const stage = new Stage({ level: 2 });
    const producer = stage.open(TIMEOUT);
    level(stage, 1);
    expect(stage.end(producer, true, 2).response?.error).toBe('UNSUPPORTED_VERSION');
    expect(stage.verify(producer, false).response?.transactions[0]?.partitions[0]?.error).toBe('UNSUPPORTED_VERSION');
    stage.clock.runFor(SCAN_MS + 2000);
    expect(stage.written).toMatchObject([
      { outcome: 'abort', producerEpoch: 1, transactionVersion: 0 },
      { producerEpoch: 1, transactionVersion: 0 },
    ]);
    expect(stage.init().response).toMatchObject({ error: 'NONE', producerEpoch: 2 });
  });

  test('lowered between the decision and its end: CompleteX keeps the identity that was promised', () => {
    const stage = new Stage({ level: 2 });
    stage.takes = false;
    const producer = stage.open();
    const { producerEpoch } = stage.end(producer, true).response!;
    level(stage, 0);
    for (const markers of stage.markers.splice(0)) stage.take(markers);
    expect(stage.describe()).toMatchObject({ state: 'CompleteCommit', producerEpoch });
  });
});

describe('who is refused first', () => {
  type Ask = readonly [string, (stage: Stage) => ErrorName | undefined];
  const nobody = { producerId: 5, producerEpoch: 5 };
  /** Each request of an id that nobody knows, by somebody who owns nothing. */
  const ASKS: readonly Ask[] = [
    ['InitProducerId', (stage) => stage.init().response?.error],
    ['AddPartitionsToTxn', (stage) => stage.add(nobody).response?.partitions[0]?.error],
    ['AddOffsetsToTxn', (stage) => stage.addOffsets(nobody, 'g').response?.error],
    ['EndTxn', (stage) => stage.end(nobody, true).response?.error],
    ['verify', (stage) => stage.verify(nobody, true).response?.transactions[0]?.partitions[0]?.error],
    ['add of a leader', (stage) => stage.verify(nobody, false).response?.transactions[0]?.partitions[0]?.error],
    ['DescribeTransactions', (stage) => stage.describe().error],
  ];

  test.each(ASKS)('txn T-7: %s of an unknown id: loading, then not owning, come before it', (_name, ask) => {
    const stage = new Stage();
    stage.broker.resign(1);
    expect(ask(stage)).toBe('NOT_COORDINATOR');
    stage.broker.points.hold('txn.load.started');
    stage.broker.elect(2);
    stage.clock.settle();
    expect(ask(stage)).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(ask(stage)).not.toMatch(/COORDINATOR/);
  });

  test('txn T-38, T-40, T-41: a request that is wrong in itself is told so by anybody', () => {
    const stage = new Stage();
    stage.broker.resign(1);
    expect(stage.init({ producerId: 3 }).response?.error).toBe('INVALID_REQUEST');
    expect(stage.init({ transactionalId: '' }).response?.error).toBe('INVALID_REQUEST');
    expect(stage.init({ transactionTimeoutMs: 0 }).response?.error).toBe('INVALID_TRANSACTION_TIMEOUT');
    expect(stage.init({ transactionTimeoutMs: 900_001 }).response?.error).toBe('INVALID_TRANSACTION_TIMEOUT');
    expect(stage.init({ transactionTimeoutMs: 900_000 }).response?.error).toBe('NOT_COORDINATOR');
    const named = { ...nobody, transactionalId: '' };
    expect(stage.add(named).response?.partitions[0]?.error).toBe('INVALID_REQUEST');
    expect(stage.end(named, true).response?.error).toBe('INVALID_REQUEST');
    expect(stage.addOffsets(named, 'g').response?.error).toBe('INVALID_REQUEST');
  });

  test('wire W-22: an id that Kafka cannot write down is wrong in itself; the longest that it can is not', () => {
    const stage = new Stage();
    const tooLong = 'é'.repeat(16_384);
    expect(stage.init({ transactionalId: tooLong }).response?.error).toBe('INVALID_REQUEST');
    const named = { ...nobody, transactionalId: tooLong };
    expect(stage.add(named).response?.partitions[0]?.error).toBe('INVALID_REQUEST');
    expect(stage.end(named, true).response?.error).toBe('INVALID_REQUEST');
    expect(stage.init({ transactionalId: `${'é'.repeat(16_383)}x` }).response?.error).toBe('NONE');
    stage.failOver();
    expect(stage.describe(`${'é'.repeat(16_383)}x`).state).toBe('Empty');
  });

  test('txn T-55: a partition that is not there fails the add before anybody asks whose id it is', () => {
    const stage = new Stage();
    stage.broker.resign(1);
    expect(stage.add(nobody, [0, 9]).response?.partitions.map(({ error }) => error)).toEqual([
      'OPERATION_NOT_ATTEMPTED',
      'UNKNOWN_TOPIC_OR_PARTITION',
    ]);
  });
});
