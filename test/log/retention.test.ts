// Which segments retention takes (repl R-19), and that a log it has emptied opens again where it ended.
import { describe, expect, test } from 'vitest';
import { append, batchOf, Bench, NOW, ORDERS, settings } from './bench.ts';

const FOREVER = { retentionMs: -1, retentionBytes: -1 };
const HOUR = 3_600_000;

/** Five segments of one batch of two records each, an hour apart, the last one now. */
function fiveSegments() {
  const bench = new Bench();
  const log = bench.open(ORDERS);
  log.configure(settings({ 'segment.bytes': 100 }));
  for (let i = 0; i < 5; i++) {
    append(log, batchOf(2, { timestamp: NOW - (4 - i) * HOUR }), 0, settings({ 'segment.bytes': 100 }));
    bench.settle();
  }
  log.setHighWatermark(10);
  const batchBytes = log.bytesBetween(0, 2);
  return { bench, log, batchBytes };
}

describe('repl R-19: retention', () => {
  test('without limits nothing goes', () => {
    expect(fiveSegments().log.retainedFrom(FOREVER)).toBe(0);
  });

  test('by age: whole segments whose newest record is too old, the active one too', () => {
    const { bench, log } = fiveSegments();
    expect(log.retainedFrom({ ...FOREVER, retentionMs: 2.5 * HOUR })).toBe(4);
    expect(log.retainedFrom({ ...FOREVER, retentionMs: 0 })).toBe(8);
    bench.now += 2;
    expect(log.retainedFrom({ ...FOREVER, retentionMs: 0 })).toBe(10);
  });

  test('by size: as long as what is left has at least retention.bytes', () => {
    const { log, batchBytes } = fiveSegments();
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 3 * batchBytes })).toBe(4);
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 3 * batchBytes - 1 })).toBe(4);
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 2 * batchBytes })).toBe(6);
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 0 })).toBe(10);
  });

  test('never at or above the high watermark', () => {
    const { log } = fiveSegments();
    log.setHighWatermark(5);
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 0 })).toBe(4);
  });

  test('BUG-77: without retention.hwBound up to the log end, and the high watermark goes along', () => {
    const { bench, log } = fiveSegments();
    log.setHighWatermark(5);
    bench.off.add('retention.hwBound');
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 0 })).toBe(10);
    bench.run((done) => log.raiseLogStart(10, () => done(undefined)));
    expect([log.logStartOffset, log.highWatermark]).toEqual([10, 10]);
  });

  test('counts from the log start, and a log that lost everything goes on where it ended', () => {
    const { bench, log, batchBytes } = fiveSegments();
    bench.run((done) => log.raiseLogStart(4, () => done(undefined)));
    expect(log.retainedFrom({ ...FOREVER, retentionBytes: 2 * batchBytes })).toBe(6);
    bench.run((done) => log.raiseLogStart(10, () => done(undefined)));
    expect(log.retainedFrom({ retentionMs: 0, retentionBytes: 0 })).toBe(10);
    const again = bench.kill().open(ORDERS);
    expect([again.logStartOffset, again.logEndOffset]).toEqual([10, 10]);
  });

  test('records without a timestamp do not age', () => {
    const bench = new Bench();
    const log = bench.open(ORDERS);
    append(log, batchOf(1, { timestamp: -1 }), 0);
    bench.settle();
    log.setHighWatermark(1);
    expect(log.retainedFrom({ ...FOREVER, retentionMs: 0 })).toBe(0);
  });
});
