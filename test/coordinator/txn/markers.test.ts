// Markers on their way (txn T-81 to T-89): batching, the limit in flight, leaders unknown and topics gone, every answer.
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import { Stage } from '../support/stage.ts';

const RETRIED: readonly ErrorName[] = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'NOT_LEADER_OR_FOLLOWER',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'REQUEST_TIMED_OUT',
  'KAFKA_STORAGE_ERROR',
];

/** A decided transaction whose markers nobody has taken yet: one request to each of the brokers 2 and 3. */
function decided(options = {}) {
  const stage = new Stage(options);
  const producer = stage.open();
  stage.takes = false;
  stage.end(producer, true);
  const [toTwo, toThree] = stage.markers;
  return { stage, producer, toTwo: toTwo!, toThree: toThree! };
}

describe('txn T-81: batching', () => {
  test('one request is in flight to a destination; what comes meanwhile goes together in the next', () => {
    const { stage, toTwo, toThree } = decided();
    for (const transactionalId of ['a', 'b']) stage.end(stage.open({ transactionalId }), true);
    expect(stage.markers.length).toBe(2);
    stage.take(toTwo);
    const next = stage.markers.slice(2);
    expect(next.map(({ to, request }) => [to, request.markers.map(({ producerId }) => producerId)])).toEqual([
      [2, [1001, 1002]],
    ]);
    stage.take(toThree);
    for (const markers of stage.markers.slice(2)) stage.take(markers);
    expect(['billing', 'a', 'b'].map((id) => stage.describe(id).state)).toEqual(Array(3).fill('CompleteCommit'));
  });

  test('partitions of one transaction at one leader are one marker with many partitions', () => {
    const stage = new Stage();
    stage.topic('wide', [2, 2, 3, 2]);
    const { producerId, producerEpoch } = stage.init().response!;
    stage.add({ producerId, producerEpoch }, [3, 1, 2, 0], 'wide');
    stage.end({ producerId, producerEpoch }, true);
    expect(stage.markers.map(({ to, request }) => [to, request.markers.map(({ topics }) => topics)])).toEqual([
      [2, [[{ topic: 'wide', partitions: [0, 1, 3] }]]],
      [3, [[{ topic: 'wide', partitions: [2] }]]],
    ]);
  });

  test('markers to this broker go over the network too', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.addOffsets(producer, 'readers');
    stage.end(producer, true);
    expect(stage.markers.map(({ to }) => to).sort()).toEqual([1, 2, 3]);
  });

  test('a marker says by whom: the epoch in which its coordinator leads', () => {
    const { stage } = decided();
    stage.takes = true;
    stage.failOver();
    expect(stage.written.map(({ partition, coordinatorEpoch }) => [partition, coordinatorEpoch])).toEqual([
      ['orders-0', 1],
      ['orders-1', 1],
    ]);
  });

  test('a marker held at its step does not hold the others; let go, it is sent once', () => {
    const stage = new Stage();
    stage.topic('wide', [2, 2]);
    const { producerId, producerEpoch } = stage.init().response!;
    stage.add({ producerId, producerEpoch }, [0, 1], 'wide');
    stage.broker.points.hold('txn.marker.sending', { dataPartition: 0 });
    stage.end({ producerId, producerEpoch }, true);
    expect(stage.written.map(({ partition }) => partition)).toEqual(['wide-1']);
    expect(stage.describe().topics).toEqual([{ topic: 'wide', partitions: [0] }]);
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(stage.written.map(({ partition }) => partition)).toEqual(['wide-1', 'wide-0']);
    expect(stage.describe().state).toBe('CompleteCommit');
  });
});

describe('txn T-86: answers of leaders', () => {
  test.each(RETRIED)('%s: sent again to whoever leads, until it is written', (error) => {
    const { stage, toTwo, toThree } = decided();
    stage.take(toThree);
    stage.take(toTwo, () => error);
    for (let i = 0; i < 5; i++) {
      stage.clock.runFor(1000);
      stage.take(stage.markers.at(-1)!, () => error);
    }
    expect(stage.describe()).toMatchObject({ state: 'PrepareCommit', topics: [{ topic: 'orders', partitions: [0] }] });
    stage.lead('orders', 0, 3);
    stage.clock.runFor(1000);
    expect(stage.markers.at(-1)!.to).toBe(3);
    stage.take(stage.markers.at(-1)!);
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('retries are not a tight loop, and never stop', () => {
    const { stage, toTwo } = decided();
    stage.take(toTwo, () => 'NOT_ENOUGH_REPLICAS');
    stage.takes = false;
    const before = stage.markers.length;
    for (let i = 0; i < 100; i++) {
      stage.clock.runFor(1000);
      stage.take(stage.markers.at(-1)!, () => 'NOT_ENOUGH_REPLICAS');
    }
    const again = stage.markers.length - before;
    expect(again).toBeGreaterThan(90);
    expect(again).toBeLessThan(110);
  });

  test.each(['disconnected', 'timed-out'] as const)('%s: everything of that request is sent again', (kind) => {
    const stage = new Stage();
    stage.topic('wide', [2, 2]);
    const { producerId, producerEpoch } = stage.init().response!;
    stage.add({ producerId, producerEpoch }, [0, 1], 'wide');
    stage.takes = false;
    stage.end({ producerId, producerEpoch }, true);
    stage.markers[0]!.answer(kind === 'timed-out' ? { kind } : { kind, reason: 'cut' });
    stage.clock.runFor(1000);
    expect(stage.markers[1]!.request).toEqual(stage.markers[0]!.request);
  });

  test('a partition that the answer leaves out is sent again', () => {
    const { stage, toTwo } = decided();
    toTwo.answer({ kind: 'ok', response: { markers: [{ producerId: 1000, partitions: [] }] } });
    stage.clock.runFor(1000);
    expect(stage.markers.length).toBe(3);
  });

  test.each(['INVALID_PRODUCER_EPOCH', 'TRANSACTION_COORDINATOR_FENCED'] as const)(
    'txn W-12: %s of one partition gives the transaction up; the next coordinator sends all again',
    (error) => {
      const { stage, toTwo, toThree } = decided();
      stage.take(toTwo, () => error);
      stage.take(toThree);
      stage.clock.runFor(100_000);
      expect(stage.markers.length).toBe(2);
      expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
      stage.takes = true;
      stage.failOver();
      expect(stage.describe().state).toBe('CompleteCommit');
      expect(stage.written.map(({ partition }) => partition)).toEqual(['orders-1', 'orders-0', 'orders-1']);
    },
  );

  test('UNSUPPORTED_VERSION: the partition can hold no marker and is left out', () => {
    const { stage, toTwo, toThree } = decided();
    stage.take(toTwo, () => 'UNSUPPORTED_VERSION');
    stage.take(toThree);
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test.each(['CORRUPT_MESSAGE', 'MESSAGE_TOO_LARGE', 'INVALID_REQUIRED_ACKS', 'UNKNOWN_SERVER_ERROR'] as const)(
    '%s is nothing a leader should say: the broker stops',
    (error) => {
      const { stage, toTwo } = decided();
      stage.take(toTwo, () => error);
      expect(stage.broker.halted).toMatch(/txn T-86: orders-0 answered a marker/);
    },
  );

  test('txn.markerRetry off: one attempt; the partition that missed it stays without', () => {
    const { stage, toTwo, toThree } = decided({ off: ['txn.markerRetry'] });
    stage.take(toTwo, () => 'NOT_ENOUGH_REPLICAS');
    stage.take(toThree);
    expect(stage.describe().state).toBe('CompleteCommit');
    expect(stage.written.map(({ partition }) => partition)).toEqual(['orders-1']);
  });

  test('txn.markerRetry off: nothing is sent again after a failover', () => {
    const { stage } = decided({ off: ['txn.markerRetry'] });
    const before = stage.markers.length;
    stage.failOver();
    expect([stage.describe().state, stage.markers.length]).toEqual(['CompleteCommit', before]);
  });
});

describe('where markers go', () => {
  test('txn T-82, CP-49: without a leader a marker waits, and goes when there is one', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.lead('orders', 0, -1);
    stage.end(producer, true);
    stage.clock.runFor(100_000);
    expect(stage.written.map(({ partition }) => partition)).toEqual(['orders-1']);
    stage.lead('orders', 0, 3);
    stage.clock.settle();
    expect(stage.describe().state).toBe('CompleteCommit');
    expect(stage.markers.at(-1)!.to).toBe(3);
  });

  test('txn T-83, CP-50: a deleted topic counts as done; the others complete', () => {
    const stage = new Stage();
    stage.topic('gone', [2]);
    const producer = stage.open();
    stage.add(producer, [0], 'gone');
    stage.lead('gone', 0, -1);
    stage.end(producer, true);
    expect(stage.describe().topics).toEqual([{ topic: 'gone', partitions: [0] }]);
    stage.deleteTopic('gone');
    stage.clock.settle();
    expect(stage.describe().state).toBe('CompleteCommit');
    expect(stage.written.map(({ partition }) => partition)).toEqual(['orders-0', 'orders-1']);
  });

  test('txn T-31, W-11: what a view that is not complete does not know is not deleted', () => {
    const stage = new Stage({ caughtUp: false });
    stage.topic('late', [2]);
    const producer = stage.open();
    stage.add(producer, [0], 'late');
    stage.deleteTopic('late');
    stage.end(producer, true);
    stage.clock.runFor(100_000);
    expect(stage.describe()).toMatchObject({ state: 'PrepareCommit', topics: [{ topic: 'late', partitions: [0] }] });
    stage.topic('late', [2]);
    stage.broker.coordinator.metadataChanged();
    stage.clock.settle();
    expect(stage.written.map(({ partition }) => partition)).toContain('late-0');
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('txn T-87: an answer that comes after the shard was lost changes nothing', () => {
    const { stage, toTwo, toThree } = decided();
    const before = stage.broker.writes.length;
    stage.broker.resign(1);
    stage.take(toTwo);
    stage.take(toThree, () => 'NOT_ENOUGH_REPLICAS');
    stage.clock.runFor(100_000);
    expect([stage.broker.writes.length, stage.markers.length]).toEqual([before, 2]);
  });

  test('a marker that was acknowledged while its step is held, and whose shard is lost meanwhile, is not noted', () => {
    const { stage, toTwo, toThree } = decided();
    stage.broker.points.hold('txn.marker.acked');
    const before = stage.broker.writes.length;
    stage.take(toTwo);
    stage.take(toThree);
    expect(stage.describe().topics).toEqual([{ topic: 'orders', partitions: [0, 1] }]);
    stage.broker.resign(1);
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(stage.broker.writes.length).toBe(before);
  });
});
