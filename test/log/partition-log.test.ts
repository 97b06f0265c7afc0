// The two ends of a partition log (design section 4): reserving and counting, waiting, epochs, flushing, failure.
import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../src/base/assert.ts';
import { ALL, Bench, append, batchOf, threeBatches } from './bench.ts';

/** A batch as a follower gets it. */
const fetched = (baseOffset: number, leaderEpoch: number, count = 2): Buffer =>
  batchOf(count, { baseOffset, leaderEpoch });

describe('two ends (design section 4)', () => {
  test('an append is reserved at once and counted when the store has it; completions come in order', () => {
    const bench = new Bench();
    const log = bench.open();
    const first = append(log, batchOf(3));
    const second = append(log, batchOf(2));
    expect([log.logEndOffset, log.reservedEndOffset]).toEqual([0, 5]);
    expect(log.read(0, 5, ALL, true)).toEqual({ records: Buffer.alloc(0), nextOffset: 0 });
    bench.store.step();
    expect([log.logEndOffset, first.info()?.lastOffset, second.info()]).toEqual([3, 2, undefined]);
    expect(bench.ofType('log.appended').map(({ logEndOffset }) => logEndOffset)).toEqual([3]);
    bench.settle();
    expect([log.logEndOffset, second.info()]).toEqual([
      5,
      { baseOffset: 3, lastOffset: 4, logAppendTimeMs: -1, duplicate: false },
    ]);
  });

  test('repl R-116: batch and epoch entry are one atomic write, and visible together', () => {
    const bench = new Bench();
    const log = bench.open();
    const before = bench.store.writes.length;
    append(log, batchOf(3), 7);
    expect(log.epochs).toEqual([]);
    bench.settle();
    expect(bench.store.writes.length).toBe(before + 1);
    expect(log.epochs).toEqual([[7, 0]]);
    const order = bench.events.map(({ type }) => type).slice(-2);
    expect(order).toEqual(['log.epochs', 'log.appended']);
  });

  test('repl R-5: a leader epoch below the latest in the log is a broken invariant', () => {
    const { log } = threeBatches();
    expect(() => append(log, batchOf(1), 1)).toThrow(InvariantViolation);
  });

  test('an append that exceeds the size of one write is written and counted in several', () => {
    const bench = new Bench({ maxWriteBytes: 400 });
    const log = bench.open();
    const batches = [0, 2, 4, 6, 8].map((base) => fetched(base, 0));
    const lengths = new Set(batches.map(({ length }) => length));
    expect([...lengths]).toEqual([batches[0]!.length]);
    const perWrite = Math.floor(400 / batches[0]!.length);
    let dones = 0;
    log.appendAsFollower(Buffer.concat(batches), 0, 0, () => dones++);
    bench.store.step();
    expect([log.logEndOffset, dones]).toEqual([perWrite * 2, 0]);
    bench.settle();
    expect([log.logEndOffset, dones]).toEqual([10, 1]);
  });
});

describe('settling (design section 4)', () => {
  test('whoever waits runs when nothing is reserved; appends are refused from the call on until it returns', () => {
    const bench = new Bench();
    const log = bench.open();
    append(log, batchOf(1));
    const seen: string[] = [];
    log.whenSettled(() => seen.push(`ready at ${log.logEndOffset}: ${append(log, batchOf(1)).refusal?.error}`));
    expect(append(log, batchOf(1)).refusal?.error).toBe('NOT_LEADER_OR_FOLLOWER');
    expect(log.appendAsFollower(fetched(1, 0), 1, 0, () => undefined).kind).toBe('corrupt');
    expect(seen).toEqual([]);
    bench.settle();
    expect(seen).toEqual(['ready at 1: NOT_LEADER_OR_FOLLOWER']);
    expect(append(log, batchOf(1)).refusal).toBeUndefined();
  });

  test('on an idle log it runs at once', () => {
    let ran = false;
    new Bench().open().whenSettled(() => (ran = true));
    expect(ran).toBe(true);
  });

  test('a truncation asked for while waiting goes before those behind it, and holds them until it is through', () => {
    const { bench, log } = threeBatches();
    const order: string[] = [];
    append(log, batchOf(1), 2);
    log.whenSettled(() => log.truncateTo(5, () => order.push(`cut ${log.logEndOffset}`)));
    log.whenSettled(() => order.push(`second ${log.logEndOffset}`));
    bench.settle();
    expect(order).toEqual(['cut 5', 'second 5']);
  });

  test('a truncation waits for what is reserved, and the log takes no append until it is done', () => {
    const { bench, log } = threeBatches();
    append(log, batchOf(1), 2);
    let done = false;
    log.truncateTo(5, () => {
      done = true;
      expect(append(log, batchOf(1), 2).refusal).toBeUndefined();
    });
    expect([log.reservedEndOffset, log.logEndOffset]).toEqual([10, 9]);
    bench.store.step();
    expect([log.logEndOffset, done]).toEqual([5, false]);
    expect(append(log, batchOf(1), 2).refusal?.error).toBe('NOT_LEADER_OR_FOLLOWER');
    bench.settle();
    expect([done, log.logEndOffset]).toEqual([true, 6]);
  });
});

test('BUG-06: what was fetched comes to nothing while the log is cut, and is no empty answer', () => {
  const { bench, log } = threeBatches();
  log.truncateTo(5, () => undefined);
  expect(log.appendAsFollower(fetched(5, 2), 5, 2, () => undefined)).toMatchObject({ kind: 'corrupt' });
  bench.settle();
  expect(log.logEndOffset).toBe(5);
});

describe('repl R-65: the epoch of a leader', () => {
  test('is entered at the log end even if it never writes, once', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.assignLeaderEpoch(4, () => done(undefined)));
    bench.run((done) => log.assignLeaderEpoch(4, () => done(undefined)));
    expect(log.epochs).toEqual([
      [0, 0],
      [2, 5],
      [4, 9],
    ]);
    expect(log.endOffsetForEpoch(2)).toEqual({ epoch: 2, endOffset: 9 });
    expect(log.endOffsetForEpoch(4)).toEqual({ epoch: 4, endOffset: 9 });
    append(log, batchOf(1), 4);
    bench.settle();
    expect([log.epochs.at(-1), log.endOffsetForEpoch(4)]).toEqual([[4, 9], { epoch: 4, endOffset: 10 }]);
    expect([log.latestEpoch, log.epochAt(6), log.epochAt(9)]).toEqual([4, 2, 4]);
  });
});

test('repl R-48: the high watermark is clamped, and may go down', () => {
  const { bench, log } = threeBatches();
  expect([log.setHighWatermark(99), log.setHighWatermark(4)]).toEqual([9, 4]);
  log.setHighWatermark(9);
  bench.run((done) => log.raiseLogStart(3, () => done(undefined)));
  expect([log.setHighWatermark(1), log.highWatermark, log.lastStableOffset]).toEqual([3, 3, 3]);
});

test('repl R-108: a flush makes everything below the end durable, by a synced write of the flushed offset', () => {
  const { bench, log } = threeBatches();
  expect(log.flushedOffset).toBe(0);
  bench.run((done) => log.flush(() => done(undefined)));
  expect(log.flushedOffset).toBe(9);
  expect(bench.store.writes.at(-1)!.sync).toBe(true);
});

test('repl T-35: an append is counted once the store has it, which makes nothing durable', () => {
  const bench = new Bench();
  const log = bench.open();
  const info = append(log, batchOf(3));
  bench.settle();
  expect([info.info()?.lastOffset, log.logEndOffset, log.flushedOffset]).toEqual([2, 3, 0]);
  expect(bench.store.writes.at(-1)!.sync).toBe(false);
});

test('repl R-114: the first failed write halts the node with a reason, and nothing completes any more', () => {
  const { bench, log } = threeBatches();
  bench.store.failure = 'No space left on device';
  const first = append(log, batchOf(1), 2);
  const second = append(log, batchOf(1), 2);
  bench.settle();
  expect(bench.halted).toContain('No space left on device');
  expect([first.info(), second.info(), log.logEndOffset]).toEqual([undefined, undefined, 9]);
  bench.store.failure = undefined;
  append(log, batchOf(1), 2);
  bench.settle();
  expect(log.logEndOffset).toBe(9);
});
