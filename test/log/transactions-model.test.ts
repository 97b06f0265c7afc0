// Transactions of a log against their dumb twin: random batches, markers, high watermarks, cuts, kills and power losses.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartitionLog } from '../../src/log/api.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import { ALL, Bench, ORDERS } from './bench.ts';
import { abortedEntries, committedOffsets, data, marker, plain, readCommitted } from './transaction-bench.ts';
import { stableOffset } from './transaction-bench.ts';
import type { TwinBatch } from './transaction-bench.ts';

type Op =
  | { readonly do: 'data'; readonly producerId: number; readonly count: number }
  | { readonly do: 'commit' | 'abort'; readonly producerId: number }
  | { readonly do: 'plain' | 'settle' | 'checkpoint' }
  | { readonly do: 'highWatermark' | 'truncate'; readonly at: number }
  | { readonly do: 'restart'; readonly lose: number; readonly applied: number; readonly clean: boolean };

const producerId = fc.integer({ min: 1, max: 3 });
const at = fc.double({ min: 0, max: 1, noNaN: true });
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('data' as const), producerId, count: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'abort' as const), producerId }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('plain' as const, 'settle' as const, 'checkpoint' as const) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('highWatermark' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('truncate' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      lose: fc.constantFrom(0, 0, 1, 2),
      applied: fc.constantFrom(0, 1, Infinity),
      clean: fc.boolean(),
    }),
  },
);

/** What these are about is not what is tried here. */
const OFF: readonly Safeguard[] = ['txn.verify', 'seq.dedup', 'seq.gapReject', 'seq.firstIsZero'];
const SEGMENT = { segmentBytes: 300 };

class Driver {
  bench!: Bench;
  log!: PartitionLog;
  batches: TwinBatch[] = [];

  constructor() {
    this.#open(new Bench({ maxWriteBytes: 200 }));
  }

  #open(bench: Bench): void {
    for (const name of OFF) bench.off.add(name);
    this.bench = bench;
    this.log = bench.open();
  }

  run(one: Op): void {
    const { log, bench } = this;
    const base = log.reservedEndOffset;
    switch (one.do) {
      case 'data': {
        const { error } = data(log, { ...one, ...SEGMENT });
        if (error === undefined)
          this.batches.push({ base, last: base + one.count - 1, producerId: one.producerId, what: 'data' });
        return;
      }
      case 'commit':
      case 'abort':
        if (marker(log, one.do, { ...one, ...SEGMENT }).error !== undefined) return;
        this.batches.push({ base, last: base, producerId: one.producerId, what: one.do });
        return;
      case 'plain':
        plain(log);
        this.batches.push({ base, last: base, producerId: -1, what: 'data' });
        return;
      case 'settle':
        return bench.settle();
      case 'checkpoint':
        bench.manager.checkpointHighWatermarks(new Map([[ORDERS, log.highWatermark]]), () => undefined);
        return;
      case 'highWatermark':
        log.setHighWatermark(Math.round(one.at * log.logEndOffset));
        return;
      case 'truncate': {
        bench.settle();
        const to = Math.round(one.at * log.logEndOffset);
        bench.run((done) => log.truncateTo(to, () => done(undefined)));
        return this.#cut();
      }
      case 'restart':
        if (one.clean) bench.run((done) => bench.manager.closeCleanly(1, () => done(undefined)));
        this.#open(bench.kill(one.applied, { maxWriteBytes: 200, truncateTail: one.lose }));
        return this.#cut();
    }
  }

  #cut(): void {
    this.batches = this.batches.filter(({ last }) => last < this.log.reservedEndOffset);
  }

  check(): void {
    const { log } = this;
    const { lastStableOffset, highWatermark, logEndOffset } = log;
    expect(log.logStartOffset <= lastStableOffset && lastStableOffset <= highWatermark).toBe(true);
    const counted = this.batches.filter(({ last }) => last < logEndOffset);
    expect(lastStableOffset).toBe(stableOffset(counted, highWatermark));
    const entries = log.abortedIn(0, ALL).map((one) => Object.values(one));
    expect(entries).toEqual(abortedEntries(counted));
    expect(readCommitted(log, 0, 150)).toEqual(committedOffsets(counted, lastStableOffset));
  }
}

describe('txn INV-1, INV-3, INV-12, INV-16, INV-17: a log knows what its batches say', () => {
  test('after every step of random ones', () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 5, maxLength: 60 }), (ops) => {
        const driver = new Driver();
        for (const one of ops) {
          driver.run(one);
          driver.check();
        }
      }),
      { seed: 20_260_822, numRuns: 300 },
    );
  });

  test('INV-17: from wherever a reader begins, with whatever size', () => {
    fc.assert(
      fc.property(
        fc.array(op, { minLength: 20, maxLength: 60 }),
        at,
        fc.integer({ min: 1, max: 600 }),
        (ops, from, size) => {
          const driver = new Driver();
          for (const one of ops) driver.run(one);
          driver.bench.settle();
          const { log, batches } = driver;
          log.setHighWatermark(ALL);
          const start = Math.round(from * log.lastStableOffset);
          const expected = committedOffsets(batches, log.lastStableOffset).filter((offset) => offset >= start);
          expect(readCommitted(log, start, size)).toEqual(expected);
        },
      ),
      { seed: 20_260_823, numRuns: 200 },
    );
  });
});
