// The machine of the transaction coordinator: records in force once durable, their steps, failures, loading and losing.
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../../src/base/java-hash.ts';
import { ID, Stage } from '../support/stage.ts';

const STEPS = ['deciding', 'appended', 'durable'] as const;

describe('a transaction from end to end', () => {
  test('txn T-17, T-78, T-81, T-88: one record a step, one request a leader, CompleteX last', () => {
    const stage = new Stage();
    const producer = stage.open();
    expect(producer).toEqual({ producerId: 1000, producerEpoch: 0 });
    const end = stage.end(producer, true);
    expect(end.response).toEqual({ error: 'NONE', producerId: 1000, producerEpoch: 1 });
    expect(stage.written.map(({ partition, outcome }) => [partition, outcome])).toEqual([
      ['orders-0', 'commit'],
      ['orders-1', 'commit'],
    ]);
    expect(stage.markers.map(({ to, timeoutMs }) => [to, timeoutMs])).toEqual([
      [2, 30_000],
      [3, 30_000],
    ]);
    const states = stage.broker
      .ofType('txn.record')
      .filter(({ phase }) => phase === 'applied')
      .map(({ record }) => [record?.state, record?.producerEpoch]);
    expect(states).toEqual([
      ['Empty', 0],
      ['Ongoing', 0],
      ['PrepareCommit', 1],
      ['CompleteCommit', 1],
    ]);
    expect(stage.describe()).toMatchObject({ state: 'CompleteCommit', topics: [], partition: 0, coordinatorEpoch: 0 });
  });

  test.each([
    { version: 2, epoch: 1 },
    { version: 1, epoch: 0 },
  ])('txn T-118, T-190: markers carry the variant of the request ($version)', ({ version, epoch }) => {
    const stage = new Stage();
    const producer = stage.open();
    stage.end(producer, false, version);
    expect(stage.written[0]).toEqual({
      ...{ partition: 'orders-0', producerId: 1000, producerEpoch: epoch, outcome: 'abort', coordinatorEpoch: 0 },
      transactionVersion: version === 2 ? 2 : 0,
    });
  });

  test('txn T-20, T-8: a write waits as long as the transaction may last, and refuses a small ISR', () => {
    const stage = new Stage();
    stage.init({ transactionTimeoutMs: 4321 });
    expect(stage.broker.lastWrite.options).toEqual({ refuseBelowMinIsr: true, timeoutMs: 4321 });
  });

  test('the steps of every record come in order, and the answer after its own', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.points.names();
    stage.end(producer, true);
    const steps = (name: string) => STEPS.map((step) => `${name}.${step}`);
    expect(stage.broker.points.names()).toEqual([
      ...steps('txn.prepare-commit'),
      'txn.end.responding',
      'txn.marker.sending',
      'txn.marker.sending',
      'txn.marker.acked',
      'txn.marker.acked',
      ...steps('txn.complete'),
    ]);
  });

  test('identities and answers are traced when they are given (txn T-51, T-75, T-78)', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.end(producer, true);
    expect(stage.broker.ofType('producer.identity').map(({ by, producerEpoch }) => [by, producerEpoch])).toEqual([
      ['init', 0],
      ['end', 1],
    ]);
    expect(stage.broker.ofType('txn.end.answered')).toEqual([
      {
        ...{ type: 'txn.end.answered', partition: 0, coordinatorEpoch: 0, transactionalId: ID },
        ...{ outcome: 'commit', error: 'NONE' },
      },
    ]);
  });

  test('txn T-60: offsets are the partition of the group, among those that the topic has', () => {
    const stage = new Stage();
    stage.widen('__consumer_offsets', 7);
    const producer = stage.open();
    expect(stage.addOffsets(producer, 'readers').response).toEqual({ error: 'NONE' });
    expect(coordinatorPartition('readers', 7)).not.toBe(coordinatorPartition(ID, 7));
    expect(stage.describe().topics).toEqual([
      { topic: '__consumer_offsets', partitions: [coordinatorPartition('readers', 7)] },
      { topic: 'orders', partitions: [0, 1] },
    ]);
  });

  test('txn T-76, T-88: an empty abort completes without markers', () => {
    const stage = new Stage();
    const { producerId } = stage.init().response!;
    expect(stage.end({ producerId, producerEpoch: 0 }, false).response).toMatchObject({ error: 'NONE' });
    expect(stage.describe().state).toBe('CompleteAbort');
    expect(stage.markers).toEqual([]);
  });
});

describe('while a record is not durable (txn T-18)', () => {
  test('nothing is in force, nothing is answered, and others are told CONCURRENT_TRANSACTIONS', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    const end = stage.end(producer, true);
    stage.broker.lastWrite.append();
    stage.clock.settle();
    expect(end.response).toBeUndefined();
    expect(stage.describe().state).toBe('Ongoing');
    expect(stage.add(producer, [0]).response?.partitions[0]?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.end(producer, false).response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.markers).toEqual([]);
    stage.broker.auto = true;
    stage.broker.lastWrite.commit();
    stage.clock.settle();
    expect(end.response?.error).toBe('NONE');
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('txn T-19: CompleteX is pending from the decision to its end', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    const next = { ...producer, producerEpoch: 1 };
    expect(stage.describe()).toMatchObject({ state: 'PrepareCommit', topics: [{ partitions: [0, 1] }] });
    expect(stage.end(producer, true).response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.end(producer, false).response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.add(next, [0]).response?.partitions[0]?.error).toBe('CONCURRENT_TRANSACTIONS');
    for (const markers of stage.markers) stage.take(markers);
    expect(stage.end(producer, true).response).toEqual({ error: 'NONE', producerId: 1000, producerEpoch: 1 });
  });

  test('txn.prepareDurable off: it answers and sends markers at its own append', () => {
    const stage = new Stage({ off: ['txn.prepareDurable'] });
    const producer = stage.open();
    stage.broker.auto = false;
    const end = stage.end(producer, true);
    stage.broker.lastWrite.append();
    stage.clock.settle();
    expect(end.response?.error).toBe('NONE');
    expect(stage.written.length).toBe(2);
    stage.broker.writes.at(-2)!.commit();
    expect(end.answers).toBe(1);
  });
});

describe('appends that fail (txn T-21 to T-23)', () => {
  test('txn T-22: the state before stays, the request gets the mapped error, a retry succeeds', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    const end = stage.end(producer, true);
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    expect(end.response).toEqual({ error: 'COORDINATOR_NOT_AVAILABLE', producerId: -1, producerEpoch: -1 });
    expect(stage.describe().state).toBe('Ongoing');
    stage.broker.auto = true;
    expect(stage.end(producer, true).response?.error).toBe('NONE');
  });

  test('txn T-42: a new id keeps its producer id over a failed append', () => {
    const stage = new Stage();
    stage.broker.auto = false;
    const init = stage.init();
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    expect(init.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
    stage.broker.auto = true;
    expect(stage.init().response).toEqual({ error: 'NONE', producerId: 1000, producerEpoch: 0 });
  });

  test('txn T-37: no producer id at hand is COORDINATOR_LOAD_IN_PROGRESS', () => {
    const stage = new Stage();
    stage.producerIds = 0;
    expect(stage.init().response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  });

  test('txn T-23, CP-35: a commit that timed out, then an abort: the last record wins, no marker for the loser', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    const commit = stage.end(producer, true);
    stage.broker.lastWrite.append().fail('REQUEST_TIMED_OUT');
    expect(commit.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
    stage.broker.auto = true;
    expect(stage.end(producer, false).response?.error).toBe('NONE');
    expect(new Set(stage.written.map(({ outcome }) => outcome))).toEqual(new Set(['abort']));
    stage.failOver();
    expect(stage.describe().state).toBe('CompleteAbort');
  });

  test('txn T-23, CP-35: the same commit decides if nothing comes after it', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    stage.end(producer, true);
    stage.broker.lastWrite.append().fail('REQUEST_TIMED_OUT');
    expect(stage.written).toEqual([]);
    stage.failOver();
    expect(stage.describe().state).toBe('CompleteCommit');
    expect(stage.written.map(({ outcome }) => outcome)).toEqual(['commit', 'commit']);
  });

  test('txn T-22, CP-56: CompleteX that is refused is tried until it is written; the id waits', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    stage.broker.auto = false;
    for (const markers of [...stage.markers]) stage.take(markers);
    for (let i = 0; i < 4; i++) {
      stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
      expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
      const before = stage.broker.writes.length;
      stage.clock.runFor(1000);
      expect(stage.broker.writes.length).toBe(before + 1);
    }
    stage.broker.lastWrite.commit();
    stage.clock.settle();
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('txn T-22: CompleteX that is not ours any more is dropped', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    stage.broker.auto = false;
    for (const markers of [...stage.markers]) stage.take(markers);
    const before = stage.broker.writes.length;
    stage.broker.lastWrite.fail('NOT_LEADER_OR_FOLLOWER');
    stage.clock.runFor(60_000);
    expect([stage.broker.writes.length, stage.broker.halted]).toEqual([before, undefined]);
  });

  test('txn T-22: any other failure of CompleteX stops the broker', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    stage.broker.auto = false;
    for (const markers of [...stage.markers]) stage.take(markers);
    stage.broker.lastWrite.fail('INVALID_RECORD');
    expect(stage.broker.halted).toMatch(/txn T-22/);
  });
});

describe('stopping', () => {
  test('every request that waits is answered once, and nothing happens afterwards', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    const end = stage.end(producer, true);
    stage.broker.coordinator.stop();
    expect(end.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
    stage.broker.lastWrite.commit();
    stage.clock.runFor(100_000);
    expect([end.answers, stage.markers.length]).toEqual([1, 0]);
    expect(stage.clock.timers).toBe(0);
  });
});
