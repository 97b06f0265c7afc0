// Moving the ends of a log: truncation (repl R-20), log start (repl ), segments (repl R-10).
import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../src/base/assert.ts';
import { ALL, Bench, NOW, append, batchOf, batchesOf, settings, threeBatches } from './bench.ts';

describe('repl R-20: truncation', () => {
  const cut = (offset: number) => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.flush(() => done(undefined)));
    const writes = bench.store.writes.length;
    bench.run((done) => log.truncateTo(offset, () => done(undefined)));
    return { bench, log, writes: bench.store.writes.slice(writes) };
  };

  test('at a batch boundary: batches, epochs, HW and flushed offset follow, in one atomic write', () => {
    const { bench, log, writes } = cut(5);
    expect(batchesOf(log)).toEqual([
      [0, 0],
      [3, 0],
    ]);
    expect([log.logEndOffset, log.highWatermark, log.flushedOffset, log.epochs]).toEqual([5, 5, 5, [[0, 0]]]);
    expect(writes.length).toBe(1);
    expect(bench.ofType('log.truncated')).toMatchObject([{ from: 9, to: 5, highWatermark: 5 }]);
  });

  test('in mid-batch: the batch goes as a whole, the log ends at the offset', () => {
    const { bench, log } = cut(4);
    expect([batchesOf(log), log.logEndOffset, log.epochs]).toEqual([[[0, 0]], 4, [[0, 0]]]);
    append(log, batchOf(2), 2);
    bench.settle();
    expect(batchesOf(log)).toEqual([
      [0, 0],
      [4, 2],
    ]);
    expect([log.positionOf(3), log.read(3, 6, ALL, true).nextOffset]).toEqual([4, 6]);
  });

  test('a cut is told when the store has it; if nothing was cut, nothing is', () => {
    const { bench, log } = threeBatches();
    const cuts: string[] = [];
    log.listen({ flushed: () => undefined, cut: (from, to) => cuts.push(`${from} -> ${to}`) });
    const end = log.logEndOffset;
    log.truncateTo(end, () => cuts.push('done'));
    bench.settle();
    log.truncateTo(end - 1, () => cuts.push('done'));
    expect(cuts).toEqual(['done']);
    bench.settle();
    expect(cuts).toEqual(['done', `${end} -> ${end - 1}`, 'done']);
  });

  test('T-8: at or beyond the end only a stale epoch entry goes', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.assignLeaderEpoch(6, () => done(undefined)));
    expect(log.epochs).toEqual([
      [0, 0],
      [2, 5],
      [6, 9],
    ]);
    bench.run((done) => log.truncateTo(30, () => done(undefined)));
    expect([log.epochs, log.logEndOffset, log.highWatermark]).toEqual([
      [
        [0, 0],
        [2, 5],
      ],
      9,
      9,
    ]);
    expect(bench.ofType('log.truncated')).toEqual([]);
    const reopened = bench.kill().open();
    expect(reopened.epochs).toEqual([
      [0, 0],
      [2, 5],
    ]);
  });

  test('below the first stored offset: wiped, and started there', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(5, () => done(undefined)));
    bench.run((done) => log.truncateTo(2, () => done(undefined)));
    expect([log.logStartOffset, log.logEndOffset, log.highWatermark, log.epochs]).toEqual([2, 2, 2, []]);
    const again = bench.kill().open();
    expect([again.logStartOffset, again.logEndOffset]).toEqual([2, 2]);
  });

  test('between the first stored offset and the log start: the log start follows', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(8, () => done(undefined)));
    bench.run((done) => log.truncateTo(6, () => done(undefined)));
    expect([log.logStartOffset, log.logEndOffset, log.highWatermark]).toEqual([6, 6, 6]);
    expect(bench.ofType('log.start').map(({ logStartOffset }) => logStartOffset)).toEqual([8, 6]);
  });

  test('R-74: a wipe forwards', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.truncateFullyAndStartAt(40, () => done(undefined)));
    expect([log.logStartOffset, log.logEndOffset, log.highWatermark, log.epochs]).toEqual([40, 40, 40, []]);
    append(log, batchOf(1), 3);
    bench.settle();
    const reopened = bench.kill();
    expect(batchesOf(reopened.open())).toEqual([[40, 3]]);
    expect(reopened.opened).toMatchObject({ logStartOffset: 40, logEndOffset: 41, epochs: [[3, 40]] });
  });

  test('readers see nothing of what is going away, from the moment it is asked for', () => {
    const { bench, log } = threeBatches();
    log.truncateTo(3, () => undefined);
    expect(batchesOf(log)).toEqual([[0, 0]]);
    expect([log.logEndOffset, log.highWatermark]).toEqual([3, 3]);
    bench.settle();
  });
});

describe('repl R-19, R-67: raising the log start', () => {
  test('into a batch: the batch stays, the epoch in force starts there', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(4, () => done(undefined)));
    expect([log.logStartOffset, log.epochs]).toEqual([
      4,
      [
        [0, 4],
        [2, 5],
      ],
    ]);
    expect(batchesOf(log)).toEqual([
      [3, 0],
      [5, 2],
    ]);
    expect(log.read(4, 9, ALL, true).nextOffset).toBe(9);
  });

  test('the new start is written before the batches below it go', () => {
    const { bench, log } = threeBatches();
    const before = bench.store.writes.length;
    bench.run((done) => log.raiseLogStart(5, () => done(undefined)));
    const kinds = bench.store.writes.slice(before).map(({ ops }) => ops.map(({ type, key }) => `${type} ${key[0]}`));
    expect(kinds[0]).toContain('put 3');
    expect(kinds[0]).not.toContain('del 8');
    expect(kinds.slice(1)).toEqual([['del 8', 'del 8']]);
  });

  test('lower or equal values change nothing', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(5, () => done(undefined)));
    bench.run((done) => log.raiseLogStart(5, () => done(undefined)));
    bench.run((done) => log.raiseLogStart(1, () => done(undefined)));
    expect([log.logStartOffset, bench.ofType('log.start').length]).toEqual([5, 1]);
  });

  test('appends go on meanwhile', () => {
    const { bench, log } = threeBatches();
    append(log, batchOf(2), 2);
    log.raiseLogStart(9, () => undefined);
    append(log, batchOf(2), 3);
    expect(log.logStartOffset).toBe(9);
    bench.store.step();
    expect([log.logStartOffset, log.logEndOffset]).toEqual([9, 11]); // An append from before does not lower it again.
    bench.settle();
    expect([log.logStartOffset, log.logEndOffset, log.epochs]).toEqual([
      9,
      13,
      [
        [2, 9],
        [3, 11],
      ],
    ]);
    expect(batchesOf(bench.kill().open())).toEqual([
      [9, 2],
      [11, 3],
    ]);
  });

  test('never above the high watermark', () => {
    const { log } = threeBatches();
    log.setHighWatermark(5);
    expect(() => log.raiseLogStart(6, () => undefined)).toThrow(InvariantViolation);
  });
});

const fetched = (baseOffset: number): Buffer => batchOf(1, { baseOffset, leaderEpoch: 0 });

describe('repl R-10: logical segments', () => {
  const size = batchOf(1).length;

  test('by size: the old segment is flushed, the first byte too many opens a new one', () => {
    const bench = new Bench();
    const log = bench.open();
    const config = settings({ 'segment.bytes': 2 * size });
    for (let i = 0; i < 5; i++) append(log, batchOf(1), 0, config);
    bench.settle();
    expect([log.logEndOffset, log.flushedOffset]).toEqual([5, 4]);
    const again = bench.kill().open();
    append(again, batchOf(1), 0, config);
    bench.settle();
    expect(again.flushedOffset).toBe(4);
  });

  test('a segment may be just full; what no longer fits begins the next one, and the roll is a synced write', () => {
    const bench = new Bench();
    const log = bench.open();
    const config = settings({ 'segment.bytes': 2 * size });
    const synced = (): number => bench.store.writes.filter(({ sync }) => sync).length;
    const before = synced();
    for (let i = 0; i < 2; i++) append(log, batchOf(1), 0, config);
    bench.settle();
    expect([log.flushedOffset, synced() - before]).toEqual([0, 0]);
    append(log, batchOf(1), 0, config);
    bench.settle();
    expect([log.flushedOffset, synced() - before]).toEqual([2, 1]);
  });

  test('repl R-108: a flush is told when it is through, whoever asked for it', () => {
    const bench = new Bench();
    const log = bench.open();
    const flushed: number[] = [];
    log.listen({ flushed: (offset) => flushed.push(offset), cut: () => undefined });
    const config = settings({ 'segment.bytes': 2 * size });
    for (let i = 0; i < 3; i++) append(log, batchOf(1), 0, config);
    expect(flushed).toEqual([]);
    bench.settle();
    expect(flushed).toEqual([2]);
    bench.run((done) => log.flush(() => done(undefined)));
    bench.run((done) => log.flush(() => done(undefined)));
    expect(flushed).toEqual([2, 3]);
  });

  test.each([
    [100, 0],
    [101, 1],
    [-500, 0],
  ])('by age: newest timestamp of the append minus the first of the segment, %i ms, rolls %i', (ageMs, rolls) => {
    const bench = new Bench();
    const log = bench.open();
    for (const timestamp of [NOW, NOW + ageMs])
      append(log, batchOf(1, { timestamp }), 0, settings({ 'segment.ms': 100 }));
    bench.settle();
    expect(log.flushedOffset).toBe(rolls);
  });

  test('the age counts from the first batch of the segment, not from the last', () => {
    const bench = new Bench();
    const log = bench.open();
    for (const ageMs of [0, 60, 120]) {
      append(log, batchOf(1, { timestamp: NOW + ageMs }), 0, settings({ 'segment.ms': 100 }));
    }
    bench.settle();
    expect(log.flushedOffset).toBe(2);
  });

  test.each([
    [0x7fffffff, 0],
    [0x80000000, 1],
  ])('an offset %i above the base of the segment rolls %i', (baseOffset, rolls) => {
    const bench = new Bench();
    const log = bench.open();
    log.appendAsFollower(Buffer.concat([fetched(0), fetched(baseOffset)]), 0, 0, () => undefined);
    bench.settle();
    expect([log.logEndOffset, log.flushedOffset]).toEqual([baseOffset + 1, rolls]);
  });

  test('followers roll by the settings they are given', () => {
    const bench = new Bench();
    const log = bench.open();
    log.configure(settings({ 'segment.bytes': size }));
    log.appendAsFollower(Buffer.concat([0, 1, 2].map((base) => fetched(base))), 0, 0, () => undefined);
    bench.settle();
    expect([log.logEndOffset, log.flushedOffset]).toEqual([3, 2]);
  });
});
