// What is found after a kill or damage (repl, I-29; design section 4).
import { describe, expect, test } from 'vitest';
import { LogKeys } from '../../src/log/keys.ts';
import type { BatchKey } from '../../src/log/keys.ts';
import { ALL, Bench, ORDERS, append, batchOf, batchesOf, threeBatches } from './bench.ts';
import type { BenchOptions } from './bench.ts';
import { DiskFailure } from '../../src/runtime/disk-failure.ts';
import type { Disk } from './memory-store.ts';

const keys = new LogKeys(ORDERS);
const FIRST: BatchKey = { baseOffset: 0, lastOffset: 2, previousEnd: 0 };
const SECOND: BatchKey = { baseOffset: 3, lastOffset: 4, previousEnd: 3 };
const THIRD: BatchKey = { baseOffset: 5, lastOffset: 8, previousEnd: 5 };
const hex = (key: BatchKey): string => keys.batch(key).toString('hex');

/** A killed node with `threeBatches`, its disk changed, started again. */
function reopened(damage: (disk: Disk) => void, options: BenchOptions & { flushed?: boolean } = {}) {
  const { bench, log } = threeBatches();
  if (options.flushed === true) bench.run((done) => log.flush(() => done(undefined)));
  const disk = bench.store.kill(0);
  damage(disk);
  const next = new Bench({ ...options, disk });
  return { bench: next, log: next.open(), disk };
}

/** Number of stored batches. */
const stored = (disk: Disk): number => [...disk.keys()].filter((key) => key.startsWith('08')).length;

describe('repl R-111, I-29: after a kill everything counted is there', () => {
  test('batches, ends, epochs; the high watermark is the checkpoint, or the log start', () => {
    const { bench, log } = reopened(() => undefined);
    expect([log.logStartOffset, log.logEndOffset, log.highWatermark]).toEqual([0, 9, 0]);
    expect([batchesOf(log), log.epochs]).toEqual([
      [
        [0, 0],
        [3, 0],
        [5, 2],
      ],
      [
        [0, 0],
        [2, 5],
      ],
    ]);
    expect(bench.opened).toMatchObject({ logEndOffset: 9, clean: false, cut: 0, lossy: false });
    expect(bench.opened.batches.map(({ baseOffset, lastOffset }) => [baseOffset, lastOffset])).toEqual([
      [0, 2],
      [3, 4],
      [5, 8],
    ]);
  });

  test('a gap that truncation into a batch left is no damage', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.truncateTo(4, () => done(undefined)));
    append(log, batchOf(2), 3);
    bench.settle();
    const after = bench.kill();
    expect(batchesOf(after.open())).toEqual([
      [0, 0],
      [4, 3],
    ]);
    expect(after.opened.cut).toBe(0);
  });

  test('nor is a gap in front of everything that is left', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.truncateTo(2, () => done(undefined)));
    append(log, batchOf(2), 3);
    bench.settle();
    expect(batchesOf(bench.kill().open())).toEqual([[2, 3]]);
  });

  test('nor is a gap that a follower took over from its leader', () => {
    const { bench, log } = threeBatches();
    log.appendAsFollower(batchOf(2, { baseOffset: 20, leaderEpoch: 2 }), 9, 2, () => undefined);
    bench.settle();
    expect(bench.kill().open().logEndOffset).toBe(22);
  });

  test('an end in a gap is forgotten, as it is in Kafka: the end is where the data ends', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => log.truncateTo(4, () => done(undefined)));
    expect(log.logEndOffset).toBe(4);
    expect(bench.kill().open().logEndOffset).toBe(3);
  });
});

describe('repl R-110: an unclean load cuts at the first bad batch and drops everything after it', () => {
  test('a torn value', () => {
    const { bench, log, disk } = reopened((disk) => disk.set(hex(SECOND), disk.get(hex(SECOND))!.subarray(0, 70)));
    expect([log.logEndOffset, batchesOf(log), log.epochs]).toEqual([3, [[0, 0]], [[0, 0]]]);
    expect([bench.opened.cut, stored(disk)]).toEqual([2, 1]);
  });

  test('T-30: a flipped bit in the middle does not spare what comes behind it', () => {
    const flip = (disk: Disk) => void (disk.get(hex(SECOND))![80]! ^= 4);
    const { log, disk } = reopened(flip);
    expect([log.logEndOffset, stored(disk)]).toEqual([3, 1]);
  });

  test('a missing key in the middle', () => {
    const { log, disk } = reopened((disk) => disk.delete(hex(SECOND)));
    expect([log.logEndOffset, stored(disk), log.epochs]).toEqual([3, 1, [[0, 0]]]);
  });

  test('a missing first key leaves an empty log', () => {
    const { log, disk } = reopened((disk) => disk.delete(hex(FIRST)));
    expect([log.logStartOffset, log.logEndOffset, stored(disk), log.epochs]).toEqual([0, 0, 0, []]);
  });

  test('a batch stored under offsets that are not its own', () => {
    const { log } = reopened((disk) => disk.set(hex(THIRD), disk.get(hex(SECOND))!));
    expect(log.logEndOffset).toBe(5);
  });

  test('a value that is no batch at all', () => {
    const { log } = reopened((disk) => disk.set(hex(THIRD), Buffer.from('?')));
    expect(log.logEndOffset).toBe(5);
  });

  test('a stale epoch entry at or beyond the end goes (repl R-66)', () => {
    const stale = (disk: Disk) => {
      disk.set(keys.epoch(5).toString('hex'), Buffer.from('0000000000000009', 'hex'));
      disk.set(keys.epoch(6).toString('hex'), Buffer.from('0000000000000020', 'hex'));
    };
    const { log, disk } = reopened(stale);
    expect(log.epochs).toEqual([
      [0, 0],
      [2, 5],
    ]);
    expect([...disk.keys()].filter((key) => key.startsWith('06')).length).toBe(2);
  });

  test('epochs of verified batches are entered again if their entries are gone (repl R-66)', () => {
    const { log } = reopened(
      (disk) => void (disk.delete(keys.epoch(0).toString('hex')), disk.delete(keys.epoch(2).toString('hex'))),
    );
    expect(log.epochs).toEqual([
      [0, 0],
      [2, 5],
    ]);
  });

  test('repl T-30: what cannot be read at all ends the log, and nothing behind it is kept', () => {
    const { log, bench } = reopened((disk) => {
      disk.set(hex(SECOND), Buffer.from('?'));
      // What is behind it says that nothing lay between it and the first.
      disk.set(hex({ ...THIRD, previousEnd: 3 }), disk.get(hex(THIRD))!);
      disk.delete(hex(THIRD));
    });
    expect(log.logEndOffset).toBe(3);
    expect(bench.opened).toMatchObject({ clean: false, cut: 2 });
  });

  test('repl R-114: what was flushed before the kill is damaged, not torn', () => {
    const damage = (disk: Disk) => void disk.set(hex(SECOND), Buffer.from('?'));
    expect(() => reopened(damage, { flushed: true })).toThrow(DiskFailure);
  });

  test('below the flushed offset nothing is verified', () => {
    const flip = (disk: Disk) => void (disk.get(hex(SECOND))![80]! ^= 4);
    expect(reopened(flip, { flushed: true }).log.logEndOffset).toBe(9);
  });

  test('the log goes on from where it was cut, and is whole after the next kill', () => {
    const { bench, log } = reopened((disk) => disk.delete(hex(SECOND)));
    append(log, batchOf(3), 4);
    bench.settle();
    expect(batchesOf(bench.kill().open())).toEqual([
      [0, 0],
      [3, 4],
    ]);
  });

  test('a kill during recovery changes nothing about its outcome', () => {
    const damage = (disk: Disk) => disk.delete(hex(FIRST));
    for (let steps = 0; steps < 12; steps++) {
      const { bench } = threeBatches();
      const disk = bench.store.kill(0);
      damage(disk);
      const during = new Bench({ disk, maxWriteBytes: 1 });
      during.manager.open(ORDERS, () => undefined);
      for (let i = 0; i < steps; i++) during.store.step();
      const after = during.kill(steps % 2, { maxWriteBytes: 1 });
      const log = after.open();
      expect([log.logEndOffset, log.epochs, stored(disk)]).toEqual([0, [], 0]);
    }
  });
});

describe('repl R-109: a clean load', () => {
  function closed(): Bench {
    const { bench } = threeBatches();
    bench.run((done) => bench.manager.closeCleanly(12, () => done(undefined)));
    return bench;
  }

  test('skips the scan, keeps the high watermark, and knows the broker epoch', () => {
    const disk = closed().store.kill(0);
    disk.get(hex(SECOND))![80]! ^= 4;
    const next = new Bench({ disk });
    const log = next.open();
    expect(next.found).toEqual({ clusterId: undefined, previousBrokerEpoch: 12, clean: true });
    expect([log.logEndOffset, log.highWatermark, log.flushedOffset]).toEqual([9, 9, 9]);
    expect(next.opened).toMatchObject({ clean: true, cut: 0 });
  });

  test('repl R-114: what was flushed and cannot be read is damage: nothing is cut, and the node is not served by it', () => {
    const disk = closed().store.kill(0);
    disk.set(hex(SECOND), Buffer.from('?'));
    expect(() => new Bench({ disk }).open()).toThrow(DiskFailure);
    expect(() => new Bench({ disk }).open()).toThrow(
      /the batch at offset 3 was flushed, and is damaged\. The node stops/,
    );
    expect(stored(disk)).toBe(3);
  });

  test('the marker is gone as soon as it is read', () => {
    const next = new Bench({ disk: closed().store.kill(0) });
    const third = next.kill();
    expect(third.found).toMatchObject({ previousBrokerEpoch: -1, clean: false });
    expect(next.store.writes[0]).toMatchObject({ sync: true }); // Or a loss of power would bring it back.
  });
});

test('repl R-111: a log of many batches comes back whole, whatever a scan brings', () => {
  const bench = new Bench();
  const log = bench.open();
  for (let i = 0; i < 300; i++) append(log, batchOf(1 + (i % 3)), i >> 6);
  bench.settle();
  const before = log.read(0, log.logEndOffset, ALL, true).records;
  const after = bench.kill().open();
  expect(after.read(0, after.logEndOffset, ALL, true).records.equals(before)).toBe(true);
});

describe('repl R-66: batches verified after an unclean stop do not disturb the epoch cache', () => {
  test('an epoch that goes on above the flushed offset keeps its start, and later ones stay', () => {
    const bench = new Bench();
    const log = bench.open();
    append(log, batchOf(3), 0);
    bench.settle();
    bench.run((done) => log.flush(() => done(undefined)));
    append(log, batchOf(2), 0);
    append(log, batchOf(4), 2);
    bench.settle();
    const expected = [
      [0, 0],
      [2, 5],
    ];
    expect([log.flushedOffset, log.epochs]).toEqual([3, expected]);
    expect(bench.kill().open().epochs).toEqual(expected);
  });
});
