// Transactions in one log: what may be appended, how far readers of decided data may read, and what was aborted
// (txn T-98 to T-149).
import { describe, expect, test } from 'vitest';
import type { PartitionLog } from '../../src/log/api.ts';
import { nodeConfig } from '../../src/protocol/config.ts';
import { ALL, Bench, ORDERS, settings } from './bench.ts';
import { begin, data, guardOf, marker, plain, readCommitted } from './transaction-bench.ts';

const DAY = 86_400_000;

function started(): { bench: Bench; log: PartitionLog } {
  const bench = new Bench();
  return { bench, log: bench.open() };
}

/** Everything is counted and replicated. */
function replicate(bench: Bench, log: PartitionLog): void {
  bench.settle();
  log.setHighWatermark(log.logEndOffset);
}

const aborted = (log: PartitionLog, from = 0, upTo = ALL): number[][] =>
  log.abortedIn(from, upTo).map((one) => [one.producerId, one.firstOffset, one.lastOffset, one.lastStableOffset]);

describe('txn T-99, T-119, T-122: the guard', () => {
  test('a transactional batch needs the guard of its producer, or an open transaction at its very epoch', () => {
    const { log } = started();
    expect(data(log).error).toBe('INVALID_TXN_STATE');
    const guard = guardOf(log);
    expect(data(log, { guard: { ...guard } }).error).toBe('INVALID_TXN_STATE');
    expect(data(log, { guard }).error).toBeUndefined();
    expect(log.guardFor({ producerId: 7, producerEpoch: 0, baseSequence: 1, version2: false })).toBeUndefined();
    expect(data(log, { sequence: 1 }).error).toBeUndefined();
  });

  test('one guard a producer, until a transactional batch or a marker takes it away (W-4)', () => {
    const { log } = started();
    const guard = guardOf(log);
    expect(guardOf(log)).toBe(guard);
    marker(log, 'abort');
    expect(data(log, { guard }).error).toBe('INVALID_TXN_STATE');
    expect(guardOf(log)).not.toBe(guard);
  });

  test('W-22: a marker of the epoch that version 2 is just adding leaves its guard; version 1 does not', () => {
    const { log } = started();
    begin(log);
    const next = guardOf(log, { producerEpoch: 1, version2: true });
    marker(log, 'commit', { epoch: 1, version: 2 });
    expect(data(log, { epoch: 1, guard: next }).error).toBeUndefined();
    begin(log, { producerId: 8 });
    const plainNext = guardOf(log, { producerId: 8, producerEpoch: 1 });
    marker(log, 'commit', { producerId: 8, epoch: 1 });
    expect(data(log, { producerId: 8, epoch: 1, guard: plainNext }).error).toBe('INVALID_TXN_STATE');
  });

  test('W-22: openness is judged at the very epoch, so that the next transaction does not join this one', () => {
    const { log } = started();
    begin(log);
    expect(data(log, { epoch: 1 }).error).toBe('INVALID_TXN_STATE');
  });

  test('an older epoch hears INVALID_PRODUCER_EPOCH, at the guard and at the append', () => {
    const { log } = started();
    begin(log);
    marker(log, 'abort', { epoch: 1 });
    const asked = log.guardFor({ producerId: 7, producerEpoch: 0, baseSequence: 1, version2: true });
    expect(asked).toMatchObject({ error: 'INVALID_PRODUCER_EPOCH' });
    expect(data(log, { sequence: 1 }).error).toBe('INVALID_PRODUCER_EPOCH');
  });

  test('txn T-98: a duplicate is known before the guard is asked for; txn T-105: not once its transaction is over', () => {
    const { bench, log } = started();
    begin(log);
    const again = data(log);
    bench.settle();
    expect([again.error, again.info()?.duplicate]).toEqual([undefined, true]);
    marker(log, 'commit', { epoch: 1, version: 2 });
    expect(data(log).error).toBe('INVALID_PRODUCER_EPOCH');
  });

  test('txn T-107: coordinators need it too, and no sequence: what looks the same is another batch', () => {
    const { bench, log } = started();
    expect(data(log, { origin: 'coordinator' }).error).toBe('INVALID_TXN_STATE');
    const guard = guardOf(log, { baseSequence: undefined });
    expect(data(log, { origin: 'coordinator', guard }).error).toBeUndefined();
    const same = data(log, { origin: 'coordinator' });
    bench.settle();
    expect([same.error, same.info()?.duplicate, log.logEndOffset]).toEqual([undefined, false, 2]);
  });

  test('txn T-124: with verification switched off nobody needs one; below its epoch a producer is fenced all the same', () => {
    const config = nodeConfig({ 'transaction.partition.verification.enable': false });
    const log = new Bench({ config }).open();
    expect(data(log, { epoch: 1 }).error).toBeUndefined();
    marker(log, 'commit', { epoch: 1 });
    expect([data(log, { epoch: 1, sequence: 1 }).error, data(log).error]).toEqual([
      undefined,
      'INVALID_PRODUCER_EPOCH',
    ]);
  });

  test('a new leader epoch, and a day of silence, end a verification (txn T-109, T-122)', () => {
    const { bench, log } = started();
    const guard = guardOf(log);
    bench.run((done) => log.assignLeaderEpoch(0, () => done(undefined)));
    expect(data(log, { guard }).error).toBe('INVALID_TXN_STATE');
    const second = guardOf(log);
    bench.now += DAY;
    log.expireProducers();
    expect(data(log, { guard: second }).error).toBe('INVALID_TXN_STATE');
  });

  test('W-2: with txn.verify off whatever comes is taken', () => {
    const { bench, log } = started();
    bench.off.add('txn.verify');
    expect(data(log).error).toBeUndefined();
  });
});

describe('txn T-101: sequences of what was verified', () => {
  test('nothing above the lowest sequence that was seen while it was verified', () => {
    const { bench, log } = started();
    bench.off.add('seq.firstIsZero');
    const guard = guardOf(log, { baseSequence: 9 });
    guardOf(log, { baseSequence: 4 });
    expect(data(log, { guard, sequence: 5 }).error).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER');
    expect(data(log, { guard, sequence: 4 }).error).toBeUndefined();
  });

  test('a higher epoch begins anew', () => {
    const { bench, log } = started();
    bench.off.add('seq.firstIsZero');
    guardOf(log, { baseSequence: 2 });
    const guard = guardOf(log, { producerEpoch: 1, baseSequence: 6 });
    expect(data(log, { guard, epoch: 1, sequence: 6 }).error).toBeUndefined();
  });

  test('version 2 begins with 0', () => {
    const { bench, log } = started();
    bench.off.add('seq.firstIsZero');
    const guard = guardOf(log, { baseSequence: 3, version2: true });
    expect(data(log, { guard, sequence: 3 }).error).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER');
  });
});

describe('txn T-103: a batch outside an open transaction', () => {
  test('is refused', () => {
    const { log } = started();
    begin(log);
    expect(data(log, { sequence: 1, transactional: false }).error).toBe('INVALID_TXN_STATE');
  });
});

describe('txn T-116, T-118: markers', () => {
  test('of an older producer or coordinator are refused, of the same taken, of an unknown producer always', () => {
    const { log } = started();
    expect(marker(log, 'commit', { epoch: 3, coordinatorEpoch: 5 }).error).toBeUndefined();
    expect(marker(log, 'commit', { epoch: 2, coordinatorEpoch: 5 }).error).toBe('INVALID_PRODUCER_EPOCH');
    expect(marker(log, 'commit', { epoch: 3, coordinatorEpoch: 4 }).error).toBe('TRANSACTION_COORDINATOR_FENCED');
    expect(marker(log, 'commit', { epoch: 3, coordinatorEpoch: 5 }).error).toBeUndefined();
  });

  test('txn.coordEpochFence off: a zombie coordinator is obeyed', () => {
    const { bench, log } = started();
    bench.off.add('txn.coordEpochFence');
    marker(log, 'commit', { coordinatorEpoch: 5 });
    expect(marker(log, 'commit', { coordinatorEpoch: 4 }).error).toBeUndefined();
  });

  test('version 2 wants a newer epoch while a transaction is open (W-5), unless txn.markerEpoch is off', () => {
    const { bench, log } = started();
    begin(log);
    expect(marker(log, 'commit', { version: 2 }).error).toBe('INVALID_PRODUCER_EPOCH');
    bench.off.add('txn.markerEpoch');
    expect(marker(log, 'commit', { version: 2 }).error).toBeUndefined();
  });

  test('version 2 takes a repeated one (W-6), unless txn.markerIdempotent is off; and always one of epoch 32767', () => {
    const { bench, log } = started();
    begin(log);
    marker(log, 'commit', { epoch: 1, version: 2 });
    expect(marker(log, 'commit', { epoch: 1, version: 2 }).error).toBeUndefined();
    bench.off.add('txn.markerIdempotent');
    expect(marker(log, 'commit', { epoch: 1, version: 2 }).error).toBe('INVALID_PRODUCER_EPOCH');
    bench.off.delete('txn.markerIdempotent');
    begin(log, { producerId: 8, epoch: 32767 });
    expect(marker(log, 'abort', { producerId: 8, epoch: 32767, version: 2 }).error).toBeUndefined();
  });

  test('txn T-93: the window stays if the epoch does, and goes with it', () => {
    const { log } = started();
    begin(log);
    marker(log, 'commit');
    expect(log.producer(7)).toMatchObject({ currentTxnFirstOffset: undefined, batches: [{ lastSequence: 0 }] });
    marker(log, 'commit', { epoch: 1 });
    expect(log.producer(7)).toMatchObject({ epoch: 1, batches: [] });
  });
});

describe('txn T-125 to T-132, repl R-1, T-36: the last stable offset', () => {
  test('T-147 ex-lso: the marker pins until it is replicated, then everything is visible at once', () => {
    const { bench, log } = started();
    plain(log, 80);
    begin(log, { producerId: 1 });
    begin(log, { producerId: 2, count: 5 });
    marker(log, 'commit', { producerId: 2 });
    plain(log, 3);
    replicate(bench, log);
    expect([log.highWatermark, log.lastStableOffset]).toEqual([90, 80]);
    const commit = marker(log, 'commit', { producerId: 1 });
    bench.settle();
    expect(commit.info()?.baseOffset).toBe(90);
    expect([log.logEndOffset, log.highWatermark, log.lastStableOffset]).toEqual([91, 90, 80]);
    log.setHighWatermark(91);
    expect([log.highWatermark, log.lastStableOffset, log.firstUnstableOffset]).toEqual([91, 91, undefined]);
  });

  test('T-128: a transaction that begins at or above the high watermark pins nothing', () => {
    const { bench, log } = started();
    plain(log, 4);
    replicate(bench, log);
    begin(log);
    bench.settle();
    expect([log.lastStableOffset, log.firstUnstableOffset]).toEqual([4, 4]);
  });

  test('T-148 ex-long: short transactions above a long one stay invisible until it ends', () => {
    const { bench, log } = started();
    plain(log, 10);
    begin(log, { producerId: 1 });
    for (const producerId of [2, 3]) {
      begin(log, { producerId, count: 10 });
      marker(log, 'commit', { producerId });
    }
    replicate(bench, log);
    expect([log.lastStableOffset, readCommitted(log, 10)]).toEqual([10, []]);
    marker(log, 'abort', { producerId: 1 });
    replicate(bench, log);
    expect([log.lastStableOffset, readCommitted(log, 10).length]).toEqual([log.logEndOffset, 20]);
  });

  test('T-149 ex-demo: values before, between and after come in order when the transaction commits', () => {
    const { bench, log } = started();
    begin(log, { count: 9 });
    plain(log);
    data(log, { sequence: 9, count: 29 });
    replicate(bench, log);
    expect(readCommitted(log, 0)).toEqual([]);
    marker(log, 'commit');
    replicate(bench, log);
    expect(readCommitted(log, 0)).toEqual(Array.from({ length: 39 }, (_, i) => i));
    expect(log.lastStableOffset).toBe(40);
  });

  test('INV-1: what is reserved and not counted changes nothing', () => {
    const { bench, log } = started();
    begin(log);
    replicate(bench, log);
    marker(log, 'commit');
    begin(log, { producerId: 8 });
    expect([log.lastStableOffset, log.firstUnstableOffset, aborted(log)]).toEqual([0, 0, []]);
  });

  test('INV-16: a high watermark that falls below a marker makes its transaction undecided again', () => {
    const { bench, log } = started();
    plain(log, 2);
    begin(log);
    marker(log, 'commit');
    replicate(bench, log);
    expect([log.setHighWatermark(3), log.lastStableOffset]).toEqual([3, 2]);
    expect([log.setHighWatermark(4), log.lastStableOffset]).toEqual([4, 4]);
  });

  test('T-127: it follows the high watermark past a marker; without txn.lsoFollowsHw only with the next rise', () => {
    for (const [off, then] of [
      [[], [2, 3]],
      [['txn.lsoFollowsHw'], [0, 3]],
    ] as const) {
      const bench = new Bench();
      for (const name of off) bench.off.add(name);
      const log = bench.open();
      begin(log);
      replicate(bench, log);
      marker(log, 'commit');
      replicate(bench, log);
      const afterMarker = log.lastStableOffset;
      plain(log);
      replicate(bench, log);
      expect([afterMarker, log.lastStableOffset]).toEqual(then);
    }
  });

  test('T-126: the log start raises it', () => {
    const { bench, log } = started();
    begin(log, { count: 3 });
    plain(log, 3);
    replicate(bench, log);
    bench.run((done) => log.raiseLogStart(4, () => done(undefined)));
    expect([log.logStartOffset, log.lastStableOffset, log.firstUnstableOffset]).toEqual([4, 4, 4]);
  });
});

test('txn T-131, T-133: what an idempotent producer writes outside transactions opens none', () => {
  const { bench, log } = started();
  data(log, { transactional: false });
  replicate(bench, log);
  expect([log.lastStableOffset, log.firstUnstableOffset]).toEqual([1, undefined]);
});

describe('txn T-138 to T-142, repl R-34: the aborted index', () => {
  /** The log of T-145. */
  function example(bench: Bench, log: PartitionLog): void {
    begin(log, { producerId: 1, count: 3 });
    plain(log, 2);
    begin(log, { producerId: 2, count: 2 });
    marker(log, 'abort', { producerId: 1 });
    begin(log, { producerId: 1, sequence: 3, count: 2 });
    marker(log, 'commit', { producerId: 2 });
    marker(log, 'commit', { producerId: 1 });
    plain(log);
    replicate(bench, log);
  }

  test('T-145: one entry; fetches that overlap it carry it, later ones nothing', () => {
    const { bench, log } = started();
    example(bench, log);
    expect(aborted(log)).toEqual([[1, 0, 7, 5]]);
    expect([aborted(log, 0, 13).length, aborted(log, 6, 13).length, aborted(log, 8, 13).length]).toEqual([1, 1, 0]);
  });

  test('T-145: the same is delivered however the range is split', () => {
    const { bench, log } = started();
    example(bench, log);
    for (const maxBytes of [1, 100, 150, 250, ALL]) {
      expect(readCommitted(log, 0, maxBytes)).toEqual([3, 4, 5, 6, 8, 9, 12]);
    }
  });

  test('T-140, T-141: an entry ends the search only if whatever was open then began behind what is asked for', () => {
    const { bench, log } = started();
    for (const producerId of [1, 2, 3]) begin(log, { producerId });
    for (const producerId of [2, 1, 3]) marker(log, 'abort', { producerId });
    begin(log, { producerId: 4 });
    marker(log, 'abort', { producerId: 4 });
    replicate(bench, log);
    const all = [
      [2, 1, 3, 0],
      [1, 0, 4, 2],
      [3, 2, 5, 6],
      [4, 6, 7, 8],
    ];
    expect([aborted(log, 0, 3), aborted(log, 2, 3), aborted(log, 0, 8)]).toEqual([
      all.slice(0, 3),
      all.slice(0, 3),
      all,
    ]);
    expect([aborted(log, 0, 1), aborted(log, 5, 6)]).toEqual([all.slice(1, 2), all.slice(2, 3)]);
  });

  test('T-139: an ABORT without data makes no entry, a COMMIT none', () => {
    const { bench, log } = started();
    marker(log, 'abort');
    begin(log, { producerId: 8 });
    marker(log, 'commit', { producerId: 8 });
    replicate(bench, log);
    expect(aborted(log)).toEqual([]);
  });

  test('CP-54, BUG-66: the entry is in the same atomic write as the marker, so that none is ever without it', () => {
    const { bench, log } = started();
    begin(log);
    bench.settle();
    const before = bench.store.writes.length;
    marker(log, 'abort');
    bench.settle();
    const kinds = bench.store.writes.slice(before).map(({ ops }) => ops.map(({ key }) => key[0]));
    expect(kinds.filter((one) => one.includes(0x08))).toEqual([expect.arrayContaining([0x08, 0x0d])]);
    for (const applied of [0, 1]) {
      const killed = started();
      begin(killed.log);
      killed.bench.settle();
      marker(killed.log, 'abort');
      const log2 = killed.bench.kill(applied).open();
      expect([log2.logEndOffset, aborted(log2)]).toEqual([1 + applied, applied === 0 ? [] : [[7, 0, 1, 2]]]);
      log2.setHighWatermark(ALL);
      expect(log2.lastStableOffset).toBe(applied === 0 ? 0 : 2);
    }
  });

  test('CP-54: an entry that is missing is made again when the log is read', () => {
    const { bench, log } = started();
    begin(log);
    marker(log, 'abort');
    bench.settle();
    const disk = bench.store.kill(Infinity);
    for (const key of [...disk.keys()]) if (key.startsWith('0d')) disk.delete(key);
    expect(aborted(new Bench({ disk }).open())).toEqual([[7, 0, 1, 2]]);
    expect([...disk.keys()].filter((key) => key.startsWith('0d'))).toHaveLength(1);
  });

  test('T-142: a truncation and a raised log start take entries away, from the disk as well', () => {
    const { bench, log } = started();
    for (const producerId of [1, 2, 3]) {
      begin(log, { producerId });
      marker(log, 'abort', { producerId });
    }
    replicate(bench, log);
    bench.run((done) => log.truncateTo(5, () => done(undefined)));
    bench.run((done) => log.raiseLogStart(2, () => done(undefined)));
    expect(aborted(log)).toEqual([[2, 2, 3, 4]]);
    expect([log.highWatermark, log.lastStableOffset]).toEqual([5, 4]);
    const disk = bench.store.kill(Infinity);
    expect([...disk.keys()].filter((key) => key.startsWith('0d'))).toHaveLength(1);
    bench.run((done) => bench.manager.deleteLog(ORDERS, () => done(undefined)));
    expect([...disk.keys()].filter((key) => key.startsWith('0d'))).toHaveLength(0);
  });
});

describe('txn T-112, T-113: after a restart', () => {
  test('CP-24: the open transaction is there with and without its snapshot', () => {
    const { bench, log } = started();
    plain(log, 2);
    begin(log, { segmentBytes: 200 });
    data(log, { sequence: 1, segmentBytes: 200 });
    data(log, { sequence: 2, segmentBytes: 200 });
    replicate(bench, log);
    const disk = bench.store.kill(Infinity);
    expect([...disk.keys()].some((key) => key.startsWith('0c'))).toBe(true);
    const again = new Bench({ disk }).open();
    again.setHighWatermark(5);
    expect([again.lastStableOffset, again.producer(7)?.currentTxnFirstOffset]).toEqual([2, 2]);
    for (const key of [...disk.keys()]) if (key.startsWith('0c')) disk.set(key, Buffer.from('damaged'));
    const rebuilt = new Bench({ disk }).open();
    rebuilt.setHighWatermark(5);
    expect([rebuilt.lastStableOffset, rebuilt.producer(7)?.currentTxnFirstOffset]).toEqual([2, 2]);
  });

  test('T-113: a marker at or above the high watermark that was written down is not replicated, after a clean stop too', () => {
    const { bench, log } = started();
    begin(log);
    bench.settle();
    log.setHighWatermark(1);
    marker(log, 'commit');
    bench.settle();
    bench.run((done) => bench.manager.closeCleanly(1, () => done(undefined)));
    const again = bench.kill().open();
    expect([again.highWatermark, again.logEndOffset, again.lastStableOffset]).toEqual([1, 2, 0]);
    again.setHighWatermark(2);
    expect(again.lastStableOffset).toBe(2);
  });
});

describe('INV-11: a follower knows what its leader knows', () => {
  test('producers, aborted index and last stable offset', () => {
    const { bench, log } = started();
    begin(log, { producerId: 1, count: 2 });
    marker(log, 'abort', { producerId: 1, coordinatorEpoch: 4 });
    begin(log, { producerId: 2 });
    plain(log);
    replicate(bench, log);
    const other = started();
    const { records } = log.read(0, ALL, ALL, true);
    other.log.configure(settings());
    other.log.appendAsFollower(records, 0, 0, () => undefined);
    other.bench.settle();
    other.log.setHighWatermark(log.highWatermark);
    expect(other.log.producers()).toEqual(log.producers());
    expect(aborted(other.log)).toEqual(aborted(log));
    expect([other.log.lastStableOffset, log.lastStableOffset]).toEqual([3, 3]);
  });

  test('batches are told as what they are', () => {
    const { bench, log } = started();
    begin(log);
    marker(log, 'abort', { coordinatorEpoch: 2 });
    bench.settle();
    const told = { producerId: 7, producerEpoch: 0, outcome: 'abort', coordinatorEpoch: 2 };
    const batches = bench.ofType('log.appended').flatMap((event) => event.batches);
    expect(batches).toMatchObject([{ transactional: true, producer: [7, 0, 0] }, { marker: told }]);
    expect(bench.ofType('aborted')).toMatchObject([{ producerId: 7, firstOffset: 0, lastOffset: 1 }]);
  });
});
