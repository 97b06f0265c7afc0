// What a log knows of its producers: on leaders and followers, over rolls, restarts, cuts and time (txn T-90 to T-112).
import { describe, expect, test } from 'vitest';
import type { PartitionLog } from '../../src/log/api.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/log/producer-snapshot.ts';
import { withBatch } from '../../src/log/producer-entry.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import { Bench, NOW, append, batchOf, settings } from './bench.ts';
import type { Disk } from './memory-store.ts';

const OUT = 'OUT_OF_ORDER_SEQUENCE_NUMBER';
const DAY = 86_400_000;

const numbered = (baseSequence: number, count = 1, more: { producerId?: number; epoch?: number } = {}): Buffer =>
  batchOf(count, { producerId: more.producerId ?? 7, producerEpoch: more.epoch ?? 0, baseSequence });

/** Appends and waits; the error, or [base offset, whether it is a duplicate]. */
function sent(bench: Bench, log: PartitionLog, batch: Buffer, config = settings()): unknown {
  const { refusal, info } = append(log, batch, 0, config);
  bench.settle();
  return refusal?.error ?? [info()?.baseOffset, info()?.duplicate];
}

/** A log with sequences 0 to `count - 1`, one a batch. */
function started(count: number): { bench: Bench; log: PartitionLog } {
  const bench = new Bench();
  const log = bench.open();
  for (let sequence = 0; sequence < count; sequence++) sent(bench, log, numbered(sequence));
  return { bench, log };
}

const lastSequence = (log: PartitionLog, producerId = 7): number | undefined =>
  log.producer(producerId)?.batches.at(-1)?.lastSequence;

/** Offsets of the snapshots on a disk. */
const snapshots = (disk: Disk): number[] =>
  [...disk.keys()].filter((key) => key.startsWith('0c')).map((key) => parseInt(key.slice(-16), 16));

describe('leaders', () => {
  test('txn T-98, wire W-73: a duplicate is answered with its offsets and timestamp, and nothing is appended', () => {
    const { bench, log } = started(3);
    const { info } = append(log, numbered(1), 0, settings({ 'message.timestamp.type': 'LogAppendTime' }));
    bench.settle();
    expect(info()).toEqual({ baseOffset: 1, lastOffset: 1, logAppendTimeMs: NOW, duplicate: true });
    expect(log.logEndOffset).toBe(3);
  });

  test('design section 4: a duplicate of what is reserved is answered when that is counted', () => {
    const bench = new Bench();
    const log = bench.open();
    const first = append(log, numbered(0, 2));
    const again = append(log, numbered(0, 2));
    const next = append(log, numbered(2));
    expect([log.reservedEndOffset, log.logEndOffset, again.info()]).toEqual([3, 0, undefined]);
    bench.store.step();
    expect([first.info()?.duplicate, again.info()]).toEqual([false, undefined]);
    bench.settle();
    expect([again.info(), next.info()?.baseOffset]).toMatchObject([{ baseOffset: 0, duplicate: true }, 2]);
  });

  test('txn T-101, T-104: gaps and old batches are out of order; nothing is appended', () => {
    const { bench, log } = started(7);
    expect([sent(bench, log, numbered(8)), sent(bench, log, numbered(1)), sent(bench, log, numbered(2))]).toEqual([
      OUT,
      OUT,
      [2, true],
    ]);
    expect(sent(bench, log, numbered(7))).toEqual([7, false]);
  });

  test('txn T-100: an older epoch is fenced, a newer one begins at 0', () => {
    const { bench, log } = started(2);
    expect(sent(bench, log, numbered(2, 1, { epoch: 1 }))).toBe(OUT);
    expect(sent(bench, log, numbered(0, 1, { epoch: 1 }))).toEqual([2, false]);
    expect(sent(bench, log, numbered(2))).toBe('INVALID_PRODUCER_EPOCH');
  });

  test('producers do not know each other, and plain batches know none (wire W-49)', () => {
    const { bench, log } = started(2);
    expect(sent(bench, log, numbered(0, 1, { producerId: 8 }))).toEqual([2, false]);
    const plain = batchOf(1, { producerId: -1, producerEpoch: 0, baseSequence: 0 });
    expect([sent(bench, log, plain), sent(bench, log, plain)]).toEqual([
      [3, false],
      [4, false],
    ]);
  });

  test('repl R-8: a duplicate that does not fit rolls the segment all the same', () => {
    const { bench, log } = started(1);
    const config = settings({ 'segment.bytes': numbered(0).length });
    expect(sent(bench, log, numbered(0), config)).toEqual([0, true]);
    expect(snapshots(bench.store.kill(Infinity))).toEqual([1]);
  });
});

describe('KAFKA-15591: an unknown producer begins at 0 where nothing can have been forgotten', () => {
  test('on a log that has all it ever held', () => {
    const bench = new Bench();
    const log = bench.open();
    expect(sent(bench, log, numbered(3))).toBe(OUT);
    bench.off.add('seq.firstIsZero');
    expect(sent(bench, log, numbered(3))).toEqual([0, false]);
  });

  test('but not where records were deleted, or are old enough for their producer to be forgotten', () => {
    const { bench, log } = started(3);
    log.setHighWatermark(3);
    bench.run((done) => log.raiseLogStart(1, () => done(undefined)));
    expect(sent(bench, log, numbered(3, 1, { producerId: 8 }))).toEqual([3, false]);
    const old = started(1);
    const late = batchOf(1, { producerId: 8, producerEpoch: 0, baseSequence: 5, timestamp: NOW + DAY });
    const appendAt = (now: number) =>
      old.log.appendAsLeader(
        { batch: late, leaderEpoch: 0, now, config: settings(), origin: 'client' },
        () => undefined,
      );
    expect(appendAt(NOW + DAY - 1)?.error).toBe(OUT);
    expect(appendAt(NOW + DAY)).toBeUndefined();
  });
});

describe('followers', () => {
  const fetched = (baseOffset: number, baseSequence: number): Buffer =>
    batchOf(1, { baseOffset, leaderEpoch: 0, producerId: 7, producerEpoch: 0, baseSequence });

  test('BUG-62, txn T-91: they learn from what they fetch and refuse nothing', () => {
    const bench = new Bench();
    const log = bench.open();
    log.appendAsFollower(Buffer.concat([fetched(0, 50), fetched(1, 60)]), 0, 0, () => undefined);
    bench.settle();
    expect([log.logEndOffset, lastSequence(log)]).toEqual([2, 60]);
    expect([sent(bench, log, fetchedAsSent(60)), sent(bench, log, numbered(61))]).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test('seq.replicatedState off: they know nothing, and a retry is appended twice (BUG-07)', () => {
    const bench = new Bench();
    bench.off.add('seq.replicatedState');
    const log = bench.open();
    log.appendAsFollower(fetched(0, 0), 0, 0, () => undefined);
    bench.settle();
    expect(sent(bench, log, numbered(0))).toEqual([1, false]);
  });

  test('txn T-93: markers count there too', () => {
    const bench = new Bench();
    const log = bench.open();
    const marker = { type: 'commit', producerId: 7, producerEpoch: 1, coordinatorEpoch: 4, timestamp: NOW } as const;
    const bytes = [fetched(0, 0), encodeMarker(marker, { baseOffset: 1, leaderEpoch: 0 })];
    log.appendAsFollower(Buffer.concat(bytes), 0, 0, () => undefined);
    bench.settle();
    expect(log.producer(7)).toMatchObject({ epoch: 1, coordinatorEpoch: 4, batches: [] });
    expect(bench.kill().open().producer(7)).toMatchObject({ epoch: 1, coordinatorEpoch: 4, batches: [] });
  });

  const fetchedAsSent = (baseSequence: number): Buffer => numbered(baseSequence);
});

describe('txn T-110: snapshots', () => {
  test('bytes are read back as they were, with the newest batch alone; damaged ones are told', () => {
    const one = { producerId: 7, producerEpoch: 3, baseOffset: 9, lastOffset: 10, maxTimestamp: 5, baseSequence: 4 };
    const entry = withBatch(
      withBatch(undefined, { ...one, baseOffset: 8, lastOffset: 8, baseSequence: 3 }, true),
      one,
      true,
    );
    const bytes = encodeSnapshot(new Map([[7, entry]]));
    expect(bytes.toString('hex').slice(0, 4)).toBe('0001');
    expect(decodeSnapshot(bytes)).toEqual(new Map([[7, { ...entry, batches: entry.batches.slice(-1) }]]));
    expect(decodeSnapshot(encodeSnapshot(new Map()))).toEqual(new Map());
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      expect(decodeSnapshot(damaged)).toBeUndefined();
    }
    expect(decodeSnapshot(bytes.subarray(0, -1))).toBeUndefined();
  });

  test('are taken at a roll, at a clean stop and at a load', () => {
    const { bench, log } = started(2);
    expect(snapshots(bench.store.kill(Infinity))).toEqual([]);
    const next = new Bench({ disk: bench.store.kill(Infinity) });
    const reopened = next.open();
    expect(snapshots(next.store.kill(Infinity))).toEqual([2]);
    sent(next, reopened, numbered(2), settings({ 'segment.bytes': 200 }));
    sent(next, reopened, numbered(3), settings({ 'segment.bytes': 100 }));
    expect(snapshots(next.store.kill(Infinity))).toEqual([2, 3]);
    next.run((done) => next.manager.closeCleanly(1, () => done(undefined)));
    expect(snapshots(next.store.kill(Infinity))).toEqual([2, 3, 4]);
    expect(log.logEndOffset).toBe(2);
  });

  describe('txn T-111: after a clean stop a snapshot holds the newest batch of a producer', () => {
    const retried = (off: readonly Safeguard[]) => {
      const { bench } = started(7);
      bench.run((done) => bench.manager.closeCleanly(1, () => done(undefined)));
      const next = bench.kill();
      for (const name of off) next.off.add(name);
      const log = next.open();
      return [1, 2, 5, 6, 7].map((sequence) => sent(next, log, numbered(sequence)));
    };

    test('the log has the four before it, which are known again; no more than that', () => {
      expect(retried([])).toEqual([OUT, [2, true], [5, true], [6, true], [7, false]]);
    });

    test('seq.wholeWindow off: the one before the newest is not known, as in Kafka', () => {
      expect(retried(['seq.wholeWindow'])).toEqual([OUT, OUT, OUT, [6, true], [7, false]]);
    });
  });

  test('txn T-112: a damaged snapshot goes, and the next older one is used', () => {
    const { bench, log } = started(3);
    const silent = { producerId: 9 };
    sent(bench, log, numbered(0, 1, silent));
    for (const sequence of [3, 4]) sent(bench, log, numbered(sequence));
    const next = bench.kill();
    const again = next.open();
    // A segment of its own, so that the snapshot at its beginning stays.
    sent(next, again, numbered(5), settings({ 'segment.bytes': 200 }));
    // The batch of the silent producer is gone: only a snapshot knows it.
    again.setHighWatermark(again.logEndOffset);
    next.run((done) => again.raiseLogStart(4, () => done(undefined)));
    next.run((done) => next.manager.closeCleanly(1, () => done(undefined)));
    const disk = next.store.kill(Infinity);
    expect(snapshots(disk)).toEqual([6, 7]);
    const newest = [...disk.keys()].filter((key) => key.startsWith('0c')).at(-1)!;
    disk.set(newest, Buffer.from('damaged'));
    const last = new Bench({ disk });
    const read = last.open();
    expect([lastSequence(read), lastSequence(read, 9)]).toEqual([5, 0]);
    expect(decodeSnapshot(last.store.kill(Infinity).get(newest)!)?.size).toBe(2);
  });
});

describe('txn T-112: what is known follows from the log', () => {
  test('after a kill everything counted is known, five batches deep', () => {
    const { bench } = started(6);
    const next = bench.kill();
    const log = next.open();
    expect([sent(next, log, numbered(1)), sent(next, log, numbered(5))]).toEqual([
      [1, true],
      [5, true],
    ]);
  });

  test('power loss takes what is known of the batches with them, and snapshots beyond the end', () => {
    const { bench } = started(3);
    const first = bench.kill();
    first.open(); // Takes a snapshot at 3; nothing is flushed.
    const next = first.kill(Infinity, { truncateTail: 2 });
    expect(lastSequence(next.open())).toBe(0);
    expect(snapshots(next.store.kill(Infinity))).toEqual([1]);
  });

  test('repl R-20: a truncation takes what it cuts out of mind, and snapshots with it', () => {
    const { bench, log } = started(4);
    bench.run((done) => log.truncateTo(2, () => done(undefined)));
    expect(lastSequence(log)).toBe(1);
    expect(snapshots(bench.store.kill(Infinity))).toEqual([2]);
    expect(sent(bench, log, numbered(3))).toBe(OUT);
    expect(sent(bench, log, numbered(2))).toEqual([2, false]);
    bench.run((done) => log.truncateTo(1, () => done(undefined)));
    expect([lastSequence(log), snapshots(bench.store.kill(Infinity))]).toEqual([0, [1]]);
  });

  test('a truncation to the end, or beyond, changes nothing', () => {
    const { bench, log } = started(3);
    bench.run((done) => log.truncateTo(3, () => done(undefined)));
    expect(log.producer(7)?.batches).toHaveLength(3);
  });

  test('a log that is wiped knows nobody', () => {
    const { bench, log } = started(3);
    bench.run((done) => log.truncateFullyAndStartAt(10, () => done(undefined)));
    expect(log.producer(7)).toBeUndefined();
    expect(snapshots(bench.store.kill(Infinity))).toEqual([]);
  });

  test('a raised log start takes snapshots at or below it, not what is known', () => {
    const { bench } = started(2);
    const next = bench.kill();
    const log = next.open();
    sent(next, log, numbered(2));
    log.setHighWatermark(3);
    next.run((done) => log.raiseLogStart(2, () => done(undefined)));
    expect([lastSequence(log), snapshots(next.store.kill(Infinity))]).toEqual([2, []]);
    expect(sent(next, log, numbered(1))).toEqual([1, true]);
  });

  test('nothing of it is left when the log is deleted', () => {
    const { bench } = started(2);
    const next = bench.kill();
    const log = next.open();
    next.run((done) => log.delete(() => done(undefined)));
    expect(snapshots(next.store.kill(Infinity))).toEqual([]);
  });
});

describe('txn T-109: producers expire', () => {
  test('after a day of silence, and are told of', () => {
    const { bench, log } = started(1);
    bench.now = NOW + DAY - 1;
    log.expireProducers();
    expect([lastSequence(log), bench.ofType('producers.expired')]).toEqual([0, []]);
    bench.now = NOW + DAY;
    log.expireProducers();
    expect(log.producer(7)).toBeUndefined();
    expect(bench.ofType('producers.expired')).toMatchObject([{ topic: 'orders', producerIds: [7] }]);
  });

  test('W-19: a retry that comes after that is not known again: it is new, or out of order', () => {
    const { bench, log } = started(2);
    bench.now = NOW + DAY;
    log.expireProducers();
    expect([sent(bench, log, numbered(1)), sent(bench, log, numbered(0))]).toEqual([OUT, [2, false]]);
  });

  test('txn T-112: those that expired meanwhile are not taken from a snapshot', () => {
    const { bench } = started(1);
    bench.run((done) => bench.manager.closeCleanly(1, () => done(undefined)));
    const next = bench.kill();
    next.now = NOW + DAY;
    expect(next.open().producer(7)).toBeUndefined();
  });
});
