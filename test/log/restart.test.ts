// What a restart keeps: log start and high watermark (repl ), and what power loss takes (repl R-112).
import { describe, expect, test } from 'vitest';
import { Bench, ORDERS, append, batchOf, threeBatches } from './bench.ts';
import type { Disk } from './memory-store.ts';

/** Number of stored batches. */
const stored = (disk: Disk): number => [...disk.keys()].filter((key) => key.startsWith('08')).length;

describe('repl R-112: emulated power loss takes unflushed batches from the end', () => {
  function powerLoss(truncateTail: number) {
    const { bench, log } = threeBatches();
    bench.run((done) => log.flush(() => done(undefined)));
    append(log, batchOf(1), 3);
    append(log, batchOf(1), 3);
    append(log, batchOf(1), 4);
    bench.settle();
    const next = bench.kill(Infinity, { truncateTail });
    return { next, log: next.open() };
  }

  test.each([
    [0, 12, 0, [3, 4]],
    [1, 11, 1, [3]],
    [2, 10, 2, [3]],
    [3, 9, 3, []],
    [50, 9, 3, []],
    [-1, 9, 3, []],
  ])('truncateTail %i: the log ends at %i, epoch entries with it', (truncateTail, end, cut, newEpochs) => {
    const { next, log } = powerLoss(truncateTail);
    expect([log.logEndOffset, next.opened.cut, next.opened.lossy]).toEqual([end, cut, truncateTail !== 0]);
    expect(log.epochs.map(([epoch]) => epoch)).toEqual([0, 2, ...newEpochs]);
  });

  test('the loss is written down: the next start does not bring anything back', () => {
    const { next } = powerLoss(-1);
    expect(next.kill().open().logEndOffset).toBe(9);
  });

  test('truncations are not undone', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.flush(() => done(undefined)));
    bench.run((done) => log.truncateTo(3, () => done(undefined)));
    expect(bench.kill(Infinity, { truncateTail: -1 }).open().logEndOffset).toBe(3);
  });

  test('after a clean stop there is nothing to lose', () => {
    const { bench } = threeBatches();
    bench.run((done) => bench.manager.closeCleanly(3, () => done(undefined)));
    const next = bench.kill(0, { truncateTail: -1 });
    expect([next.open().logEndOffset, next.found?.clean]).toEqual([9, true]);
  });
});

describe('log start and high watermark over a restart', () => {
  test('repl R-110: the log start comes from its checkpoint, scans begin there', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(4, () => done(undefined)));
    const again = bench.kill();
    expect([again.open().logStartOffset, again.opened.batches.length, again.opened.epochs]).toEqual([
      4,
      2,
      [
        [0, 4],
        [2, 5],
      ],
    ]);
  });

  test('a kill between the new start and the deletions leaves no litter', () => {
    for (const maxWriteBytes of [1, 1 << 20]) {
      for (let applied = 0; applied <= 3; applied++) {
        const { bench, log } = threeBatches({ maxWriteBytes });
        log.raiseLogStart(9, () => undefined);
        const disk = bench.store.kill(applied);
        const again = new Bench({ disk });
        const reopenedLog = again.open();
        const raised = applied > 0;
        expect([reopenedLog.logStartOffset, reopenedLog.logEndOffset]).toEqual([raised ? 9 : 0, 9]);
        expect(stored(disk)).toBe(raised ? 0 : 3);
      }
    }
  });

  test.each([
    [0, 0, 0],
    [5, 0, 5],
    [99, 0, 9],
    [1, 3, 3],
  ])('repl R-53: checkpoint %i with log start %i gives high watermark %i', (checkpoint, logStart, expected) => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.raiseLogStart(logStart, () => done(undefined)));
    const entries = new Map([[ORDERS, checkpoint]]);
    bench.run((done) => bench.manager.checkpointHighWatermarks(entries, () => done(undefined)));
    expect(bench.kill().open().highWatermark).toBe(expected);
  });
});
