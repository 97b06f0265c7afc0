// Reads by offset (repl) and by timestamp (repl R-37).
import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../src/base/assert.ts';
import { encodeBatch, encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { DiskFailure } from '../../src/runtime/disk-failure.ts';
import { ALL, Bench, NOW, append, batchOf, settings } from './bench.ts';

describe.each([
  ['from memory', 1 << 20],
  ['from the store', 0],
])('reading %s', (_what, newestMaxBytes) => {
  const bench = new Bench({ newestMaxBytes });
  const log = bench.open();
  for (const count of [3, 2, 4]) append(log, batchOf(count));
  bench.settle();
  const size = batchOf(3).length;

  test('repl R-30: an offset inside a batch returns the whole batch', () => {
    const read = log.read(4, 9, 1, true);
    expect([...batchHeaders(read.records)].map(({ baseOffset }) => baseOffset)).toEqual([3]);
    expect(read.nextOffset).toBe(5);
  });

  test('repl R-21, I-17: no batch that reaches the bound', () => {
    const ends = [0, 1, 2, 3, 4, 5, 8, 9, 100].map((upTo) => log.read(0, upTo, ALL, true).nextOffset);
    expect(ends).toEqual([0, 0, 0, 3, 3, 5, 5, 9, 9]);
    expect(log.read(4, 4, ALL, true)).toEqual({ records: Buffer.alloc(0), nextOffset: 4 });
  });

  test('repl R-29: caps cut between batches, and yield to one whole batch if asked', () => {
    expect(log.read(0, 9, size, false).nextOffset).toBe(3);
    expect(log.read(0, 9, size - 1, false).nextOffset).toBe(0);
    expect(log.read(0, 9, size - 1, true).nextOffset).toBe(3);
    expect(log.read(0, 9, 0, true).nextOffset).toBe(3);
    expect(log.read(9, 9, ALL, true)).toEqual({ records: Buffer.alloc(0), nextOffset: 9 });
  });

  test('repl R-31: bytes between two offsets are what a read returns', () => {
    for (let from = 0; from <= 9; from++) {
      for (let upTo = from; upTo <= 9; upTo++) {
        expect(log.bytesBetween(from, upTo)).toBe(log.read(from, upTo, ALL, true).records.length);
      }
    }
  });

  test('repl R-24: reading outside the log is a broken invariant', () => {
    expect(() => log.read(10, 10, ALL, true)).toThrow(InvariantViolation);
  });
});

describe('repl R-3, R-114: a bit that was flipped on the disk', () => {
  const size = batchOf(2).length;
  /** A log of two batches, with a bit of that byte flipped in both. */
  const damaged = (at: number, newestMaxBytes: number) => {
    const bench = new Bench({ newestMaxBytes });
    const log = bench.open();
    append(log, batchOf(2), 3);
    append(log, batchOf(1), 3); // The newest batch is always in memory.
    bench.settle();
    for (const [key, value] of bench.store.disk) if (key.startsWith('08')) value[at]! ^= 0x10;
    return log;
  };

  test.each([
    ['the base offset', 7],
    ['the length', 11],
    ['the leader epoch', 15],
    ['the magic', 16],
    ['the CRC', 17],
    ['what the CRC covers', 21],
    ['the last byte', size - 1],
  ])('%s: the batch is served to nobody', (_what, at) => {
    const log = damaged(at, 0);
    expect(() => log.read(0, 2, ALL, true)).toThrow(DiskFailure);
    expect(() => log.read(0, 2, ALL, true)).toThrow(
      /the batch at offset 0 does not match its checksum\. The node stops/,
    );
  });

  test('what is in memory is not read back', () => {
    expect(damaged(30, 1 << 20).read(0, 2, ALL, true).nextOffset).toBe(2);
  });
});

describe('repl R-37: offsets by timestamp', () => {
  const bench = new Bench({ newestMaxBytes: 0 });
  const log = bench.open();
  const at = (...timestamps: number[]) =>
    encodeBatch(timestamps.map((ms) => ({ timestamp: NOW + ms, key: null, value: null })));
  append(log, at(10, 30, 20), 1); // 0, 1, 2
  const body = Buffer.from('squeezed');
  const squeezed = { codec: 'gzip', body, recordCount: 3, baseTimestamp: NOW + 32, maxTimestamp: NOW + 50 } as const;
  append(log, encodeOpaqueBatch(squeezed), 1); // 3 to 5
  append(log, at(40, 60), 2); // 6, 7
  append(log, at(60), 3); // 8
  bench.settle();

  test.each([
    [0, 0, 10],
    [10, 0, 10],
    [11, 1, 30],
    [30, 1, 30],
    [31, 3, 50], // Compressed: the batch is the answer (wire W-98).
    [50, 3, 50],
    [51, 7, 60],
    [60, 7, 60],
  ])('at or after +%i ms: offset %i', (timestamp, offset, found) => {
    const hit = log.findByTimestamp(NOW + timestamp, 9);
    expect(hit).toMatchObject({ offset, timestamp: NOW + found });
  });

  test('nothing beyond the last, and nothing at or above the bound', () => {
    expect(log.findByTimestamp(NOW + 61, 9)).toBeUndefined();
    expect(log.findByTimestamp(NOW + 60, 7)).toBeUndefined();
    expect(log.findByTimestamp(NOW + 60, 8)).toEqual({ offset: 7, timestamp: NOW + 60, leaderEpoch: 2 });
  });

  test('the largest timestamp: the first record that has it', () => {
    expect(log.findMaxTimestamp()).toEqual({ offset: 7, timestamp: NOW + 60, leaderEpoch: 2 });
    expect(new Bench().open().findMaxTimestamp()).toBeUndefined();
  });

  test('a LogAppendTime batch has one timestamp: its first record', () => {
    const other = new Bench();
    const stamped = other.open();
    append(stamped, at(1, 2), 0, settings({ 'message.timestamp.type': 'LogAppendTime' }));
    other.settle();
    expect(stamped.findByTimestamp(NOW, 2)).toEqual({ offset: 0, timestamp: NOW, leaderEpoch: 0 });
  });

  test('records below the log start are not found', () => {
    const other = new Bench();
    const short = other.open();
    append(short, at(30, 10, 20, 20));
    append(short, at(15));
    other.settle();
    short.setHighWatermark(5);
    other.run((done) => short.raiseLogStart(1, () => done(undefined)));
    expect(short.findByTimestamp(NOW, 5)).toMatchObject({ offset: 1, timestamp: NOW + 10 });
    expect(short.findMaxTimestamp()).toMatchObject({ offset: 2, timestamp: NOW + 20 });
  });
});
