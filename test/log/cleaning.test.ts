// The cleaner of one log (txn T-114): what stays, what goes and when, at any instant of a kill; and against random logs, what
// readers see before and after.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CleanSettings, PartitionLog } from '../../src/log/api.ts';
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { ALL, Bench, NOW, ORDERS, settings } from './bench.ts';
import { marker, readCommitted } from './transaction-bench.ts';

const DAY = 86_400_000;
const SETTINGS: CleanSettings = { deleteRetentionMs: DAY, minCleanableRatio: 0 };
/** Every batch begins a segment, so that all but the last can be cleaned. */
const SMALL = settings({ 'segment.ms': 1 });

interface Put {
  readonly producerId?: number;
  readonly epoch?: number;
  readonly sequence?: number;
}

/** Appends one batch of keys and values; null is a tombstone. */
function put(log: PartitionLog, records: readonly (readonly [string, string | null])[], of: Put = {}): number {
  const { producerId = -1, epoch: producerEpoch = 0, sequence: baseSequence = 0 } = of;
  const attributes = producerId < 0 ? 0 : TRANSACTIONAL;
  const base = log.reservedEndOffset;
  const batch = encodeBatch(
    records.map(([key, value]) => ({
      timestamp: NOW + base * 10,
      key: Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
    })),
    { attributes, producerId, producerEpoch, baseSequence },
  );
  const append = { batch, leaderEpoch: 0, now: NOW, config: SMALL, origin: 'client' as const };
  expect(log.appendAsLeader(append, () => undefined)).toBeUndefined();
  return base;
}

function started(bench = new Bench()): { bench: Bench; log: PartitionLog } {
  for (const name of ['txn.verify', 'seq.gapReject', 'seq.dedup', 'seq.firstIsZero'] as const) bench.off.add(name);
  return { bench, log: bench.open() };
}

/** Ends the last segment, replicates everything and cleans; whether a pass ended. */
function clean(bench: Bench, log: PartitionLog, cleanSettings = SETTINGS): boolean {
  put(log, [[`end${log.reservedEndOffset}`, 'end']]);
  put(log, [['active', 'segment']]);
  bench.settle();
  log.setHighWatermark(log.logEndOffset);
  return bench.run<boolean>((done) => log.clean(cleanSettings, done))!;
}

interface Seen {
  readonly offset: number;
  readonly key: string;
  readonly value: string | null;
}

/** All records below `upTo`, in order; markers left out. */
function recordsOf(log: PartitionLog, upTo = log.logEndOffset): Seen[] {
  const seen: Seen[] = [];
  const { records } = log.read(log.logStartOffset, upTo, ALL, true);
  let at = 0;
  for (const header of batchHeaders(records)) {
    const batch = decodeBatch(records, at);
    at += header.sizeBytes;
    if (batch.kind !== 'records') throw new Error(`batch at ${header.baseOffset} is ${batch.kind}`);
    if ((header.attributes & 0x20) !== 0) continue;
    for (const { offset, key, value } of batch.records) {
      seen.push({ offset, key: String(key), value: value === null ? null : String(value) });
    }
  }
  return seen;
}

const without = (seen: Seen[]): string[] =>
  seen.filter(({ key }) => !/^(end|active)/.test(key)).map(({ offset, key, value }) => `${offset}:${key}=${value}`);

/** Offsets of the batches of a log, and how many records each has. */
const shape = (log: PartitionLog): [number, number][] =>
  [...batchHeaders(log.read(log.logStartOffset, ALL, ALL, true).records)].map((one) => [
    one.baseOffset,
    one.recordCount,
  ]);

describe('txn T-114: what stays', () => {
  test('the latest value of each key, at its own offset', () => {
    const { bench, log } = started();
    put(log, [
      ['a', '1'],
      ['b', '1'],
    ]);
    put(log, [['a', '2']]);
    put(log, [['c', '1']]);
    expect(clean(bench, log)).toBe(true);
    expect(without(recordsOf(log))).toEqual(['1:b=1', '2:a=2', '3:c=1']);
    expect(bench.ofType('log.cleaned')).toMatchObject([{ upTo: 5 }]);
  });

  test('what is cleaned is served to readers from a gap on, and by its size', () => {
    const { bench, log } = started();
    put(log, [['a', '1']]);
    put(log, [['a', '2']]);
    put(log, [['b', '1']]);
    clean(bench, log);
    const read = log.read(0, ALL, 1, true);
    expect([[...batchHeaders(read.records)].map(({ baseOffset }) => baseOffset), read.nextOffset]).toEqual([[1], 2]);
    expect(log.positionOf(0)).toBe(1);
    expect(log.bytesBetween(0, log.logEndOffset)).toBe(log.read(0, ALL, ALL, true).records.length);
  });

  test('nothing at or above the last stable offset, nor in the active segment, is touched', () => {
    const { bench, log } = started();
    put(log, [['a', '1']]);
    put(log, [['a', '2']], { producerId: 7 });
    put(log, [['a', '3']]);
    clean(bench, log);
    expect(without(recordsOf(log))).toEqual(['0:a=1', '1:a=2', '2:a=3']);
  });

  test('too little that is new is not worth a pass', () => {
    const { bench, log } = started();
    put(log, [['a', '1'.repeat(500)]]);
    clean(bench, log);
    expect(clean(bench, log, { ...SETTINGS, minCleanableRatio: 0.9 })).toBe(false);
  });

  test('data of aborted transactions goes, committed data is compacted like any other', () => {
    const { bench, log } = started();
    put(log, [['a', 'aborted']], { producerId: 7 });
    marker(log, 'abort');
    put(log, [['b', 'committed']], { producerId: 8 });
    marker(log, 'commit', { producerId: 8 });
    put(log, [['a', 'plain']]);
    put(log, [['x', 'later']], { producerId: 7, sequence: 1 });
    marker(log, 'commit');
    clean(bench, log);
    expect(without(recordsOf(log))).toEqual(['2:b=committed', '4:a=plain', '5:x=later']);
    const values = readCommitted(log, 0);
    expect(values.slice(0, 3)).toEqual([2, 4, 5]);
  });

  test('the batch with the last sequence of a producer stays, emptied; a producer that is forgotten leaves nothing', () => {
    const { bench, log } = started();
    put(log, [['a', '1']], { producerId: 7 });
    marker(log, 'abort');
    put(log, [['a', '2']]);
    clean(bench, log);
    expect(shape(log).slice(0, 3)).toEqual([
      [0, 0],
      [1, 1],
      [2, 1],
    ]);
    const again = started();
    put(again.log, [['a', '1']], { producerId: 7 });
    marker(again.log, 'abort');
    again.bench.now += 2 * DAY;
    again.log.expireProducers();
    clean(again.bench, again.log);
    expect(shape(again.log)[0]).toEqual([1, 1]);
  });

  test('a marker stays while a batch of its transaction does, and until delete.retention.ms has passed', () => {
    const { bench, log } = started();
    put(log, [['a', 'aborted']], { producerId: 7 });
    marker(log, 'abort');
    put(log, [['k', 'committed']], { producerId: 8 });
    marker(log, 'commit', { producerId: 8 });
    bench.settle();
    bench.now += 2 * DAY;
    log.expireProducers();
    clean(bench, log);
    expect(
      shape(log)
        .slice(0, 3)
        .map(([base]) => base),
    ).toEqual([1, 2, 3]);
    bench.now += DAY - 1;
    clean(bench, log);
    expect(shape(log)[0]![0]).toBe(1);
    bench.now += 1;
    clean(bench, log);
    expect(
      shape(log)
        .slice(0, 2)
        .map(([base]) => base),
    ).toEqual([2, 3]);
    expect(log.abortedIn(0, ALL)).toEqual([]);
  });

  test('a tombstone stays for delete.retention.ms, and takes what it deletes with it at once', () => {
    const { bench, log } = started();
    put(log, [['a', '1']]);
    put(log, [['a', null]]);
    clean(bench, log);
    expect(without(recordsOf(log))).toEqual(['1:a=null']);
    bench.now += DAY;
    clean(bench, log);
    expect(without(recordsOf(log))).toEqual([]);
  });
});

describe('txn T-114: who comes later', () => {
  /** What a replica that has nothing makes of a log. */
  function copied(from: PartitionLog): PartitionLog {
    const { bench, log } = started();
    const { records } = from.read(from.logStartOffset, from.logEndOffset, ALL, true);
    bench.run((done) => log.appendAsFollower(records, 0, 0, () => done(undefined)));
    log.setHighWatermark(log.logEndOffset);
    return log;
  }

  test.each([true, false])('BUG-65: its transactions have ends, with compact.keepMarkers alone: %s', (keeps) => {
    const { bench, log } = started();
    if (!keeps) bench.off.add('compact.keepMarkers');
    put(log, [['k', 'committed']], { producerId: 8 });
    marker(log, 'commit', { producerId: 8 });
    clean(bench, log);
    expect(copied(log).firstUnstableOffset).toBe(keeps ? undefined : 0);
  });

  test.each([true, false])('BUG-64: tombstones go once what they undo is nowhere any more: %s', (isEverywhere) => {
    const { bench, log } = started();
    put(log, [['k', 'old']]);
    put(log, [['k', null]]);
    clean(bench, log);
    bench.now += DAY;
    clean(bench, log, { ...SETTINGS, isEverywhere });
    expect(recordsOf(log).some(({ offset }) => offset === 1)).toBe(!isEverywhere);
  });
});

describe('repl R-110: after a restart', () => {
  test('gaps below what was cleaned are no losses, and a cut log is cleaned anew', () => {
    const { bench, log } = started();
    for (let i = 0; i < 6; i++) put(log, [['a', `${i}`]]);
    clean(bench, log);
    const before = recordsOf(log);
    const again = started(bench.kill());
    expect(again.bench.opened.cut).toBe(0);
    expect(recordsOf(again.log)).toEqual(before);
    again.bench.run((done) => again.log.truncateTo(3, () => done(undefined)));
    for (let i = 0; i < 3; i++) put(again.log, [['a', `new${i}`]]);
    clean(again.bench, again.log);
    expect(without(recordsOf(again.log))).toEqual([expect.stringMatching(/=new2$/)]);
  });

  test('a gap right below the active segment, which is not flushed, is no loss either', () => {
    const { bench, log } = started();
    put(log, [['a', '1']]);
    put(log, [['b', 'aborted']], { producerId: 7 });
    marker(log, 'abort', { segmentBytes: 100 });
    bench.settle();
    log.setHighWatermark(3);
    bench.now += 2 * DAY;
    log.expireProducers();
    expect(bench.run<boolean>((done) => log.clean(SETTINGS, done))).toBe(true);
    expect(shape(log).map(([base]) => base)).toEqual([0, 2]);
    const again = started(bench.kill());
    expect([again.bench.opened.cut, again.log.logEndOffset]).toEqual([0, 3]);
  });

  test('what a producer has only a marker of is known from it', () => {
    const { bench, log } = started();
    marker(log, 'abort', { epoch: 3, coordinatorEpoch: 5 });
    clean(bench, log);
    bench.now += DAY;
    clean(bench, log);
    const disk = bench.store.kill(Infinity);
    for (const key of [...disk.keys()]) if (key.startsWith('0c')) disk.set(key, Buffer.alloc(0));
    expect(started(new Bench({ disk })).log.producer(7)).toMatchObject({ epoch: 3, coordinatorEpoch: 5 });
  });

  test('a kill at any write of a pass leaves a log with the same latest values', () => {
    for (let steps = 0; steps < 12; steps++) {
      const { bench, log } = started(new Bench({ newestMaxBytes: 0 }));
      for (let i = 0; i < 4; i++) {
        put(log, [['a', `${i}`]]);
        put(log, [['b', `aborted${i}`]], { producerId: 7, epoch: i });
        marker(log, i === 2 ? 'commit' : 'abort', { epoch: i });
      }
      clean(bench, log, { ...SETTINGS, minCleanableRatio: 2 });
      const latest = latestOf(log);
      let ended: boolean | undefined;
      log.clean(SETTINGS, (cleaned) => (ended = cleaned));
      for (let i = 0; i < steps && ended === undefined; i++) {
        bench.turn();
        expect(latestOf(log)).toEqual(latest);
      }
      for (const applied of [0, Infinity]) {
        const copy = new Map(bench.store.kill(applied));
        const again = started(new Bench({ disk: copy }));
        again.log.setHighWatermark(ALL);
        expect([again.log.logEndOffset, again.bench.opened.cut]).toEqual([log.logEndOffset, 0]);
        expect(latestOf(again.log)).toEqual(latest);
      }
    }
  });
});

/** What a read_committed reader of the whole log believes in the end. */
function latestOf(log: PartitionLog): Record<string, string> {
  const delivered = new Set(readCommitted(log, log.logStartOffset, 400));
  const latest: Record<string, string> = {};
  for (const { offset, key, value } of recordsOf(log)) {
    if (!delivered.has(offset)) continue;
    if (value === null) delete latest[key];
    else latest[key] = value;
  }
  return latest;
}

type Op =
  | { readonly do: 'put'; readonly keys: string[]; readonly tombstone: boolean; readonly producerId: number }
  | { readonly do: 'commit'; readonly producerId: number }
  | { readonly do: 'abort'; readonly producerId: number }
  | { readonly do: 'clean'; readonly days: number }
  | { readonly do: 'restart'; readonly snapshots: boolean };

const producer = fc.integer({ min: 1, max: 3 });
const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });
const putting = { do: fc.constant('put' as const), keys, tombstone: fc.boolean() };
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...putting, producerId: fc.constantFrom(-1, 1, 2, 3) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'abort' as const), producerId: producer }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clean' as const), days: fc.integer({ min: 0, max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), snapshots: fc.boolean() }) },
);

/** What must be the same after a restart, however it was found out (txn T-111). */
const producersOf = (log: PartitionLog): unknown[] =>
  [...log.producers()]
    .sort(([a], [b]) => a - b)
    .map(([id, { epoch, coordinatorEpoch, currentTxnFirstOffset, batches }]) => {
      return [
        id,
        epoch,
        coordinatorEpoch,
        currentTxnFirstOffset,
        batches.at(-1)?.lastSequence,
        batches.at(-1)?.lastOffset,
      ];
    });

describe('txn T-114: random logs', () => {
  test('readers of both kinds see the same latest values, and nobody forgets a producer', () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 10, maxLength: 60 }), (ops) => {
        let { bench, log } = started();
        let texts = 0;
        for (const one of ops) {
          if (one.do === 'put') {
            const { producerId } = one;
            put(
              log,
              one.keys.map((key, i) => [key, one.tombstone && i === 0 ? null : `v${texts++}`] as const),
              { producerId },
            );
          } else if (one.do === 'commit' || one.do === 'abort') {
            marker(log, one.do, { producerId: one.producerId });
          } else if (one.do === 'clean') {
            clean(bench, log, { ...SETTINGS, minCleanableRatio: 2 });
            const [latest, known, stable] = [latestOf(log), producersOf(log), log.lastStableOffset];
            const committed = new Set(readCommitted(log, 0));
            bench.now += one.days * (DAY / 2);
            bench.run<boolean>((done) => log.clean(SETTINGS, done));
            expect(latestOf(log)).toEqual(latest);
            expect(producersOf(log)).toEqual(known);
            expect(log.lastStableOffset).toBe(stable);
            expect(readCommitted(log, 0).every((offset) => committed.has(offset))).toBe(true);
          } else {
            bench.settle();
            const [records, known, end] = [recordsOf(log), producersOf(log), log.logEndOffset];
            const disk = bench.store.kill(Infinity);
            if (!one.snapshots)
              for (const key of [...disk.keys()]) if (key.startsWith('0c')) disk.set(key, Buffer.alloc(0));
            const { now } = bench;
            ({ bench, log } = started(new Bench({ disk })));
            bench.now = now;
            log.setHighWatermark(ALL);
            expect([log.logEndOffset, bench.opened.cut]).toEqual([end, 0]);
            expect(recordsOf(log)).toEqual(records);
            expect(producersOf(log)).toEqual(known);
          }
        }
      }),
      { seed: 20_260_824, numRuns: 150 },
    );
  });
});

test('ORDERS is deleted with all that the cleaner wrote', () => {
  const { bench, log } = started();
  put(log, [['a', '1']]);
  put(log, [['a', '2']]);
  clean(bench, log);
  bench.run((done) => bench.manager.deleteLog(ORDERS, () => done(undefined)));
  expect([...bench.store.kill(Infinity).keys()].filter((key) => parseInt(key.slice(0, 2), 16) > 1)).toEqual([]);
});
