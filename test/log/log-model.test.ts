// The partition log against its dumb twin: random operations, kills, power losses; and a kill at every write boundary.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartitionLog } from '../../src/log/api.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { ALL, Bench, ORDERS, append, batchOf } from './bench.ts';
import type { BenchOptions } from './bench.ts';
import { ModelLog, viewOf } from './model.ts';

type Op =
  | { readonly do: 'append' | 'fetched'; readonly count: number; readonly gap: number }
  | { readonly do: 'epoch'; readonly by: number }
  | { readonly do: 'truncate' | 'wipe' | 'raise' | 'highWatermark'; readonly at: number }
  | { readonly do: 'flush' | 'checkpoint' }
  | { readonly do: 'restart'; readonly lose: number };

/** `at` is a place: 0 to 1 is log start to log end, with some room on both sides. */
const at = fc.double({ min: -0.2, max: 1.2, noNaN: true });
const appended = fc.record({ count: fc.integer({ min: 1, max: 4 }), gap: fc.integer({ min: 0, max: 2 }) });
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: appended.map((fields) => ({ do: 'append', ...fields }) as const) },
  { weight: 3, arbitrary: appended.map((fields) => ({ do: 'fetched', ...fields }) as const) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((by) => ({ do: 'epoch', by }) as const) },
  { weight: 2, arbitrary: at.map((place) => ({ do: 'truncate', at: place }) as const) },
  { weight: 1, arbitrary: at.map((place) => ({ do: 'wipe', at: place }) as const) },
  { weight: 1, arbitrary: at.map((place) => ({ do: 'raise', at: place }) as const) },
  { weight: 2, arbitrary: at.map((place) => ({ do: 'highWatermark', at: place }) as const) },
  { weight: 1, arbitrary: fc.constantFrom<Op>({ do: 'flush' }, { do: 'checkpoint' }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 0, 1, 2, Infinity).map((lose) => ({ do: 'restart', lose }) as const) },
);
const sizes: fc.Arbitrary<BenchOptions> = fc.record({
  maxWriteBytes: fc.constantFrom(1, 120, 1 << 20),
  newestMaxBytes: fc.constantFrom(0, 200, 1 << 20),
});

/** The offset that a place means in a log. */
const offsetAt = (log: PartitionLog, place: number): number =>
  Math.max(0, Math.round(log.logStartOffset + place * (log.logEndOffset - log.logStartOffset + 3)));

/** Runs operations on a log without waiting for anything. */
class Driver {
  bench: Bench;
  log: PartitionLog;
  epoch = 0;
  readonly #options: BenchOptions;
  readonly issued = new Set<string>();
  #texts = 0;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.bench = new Bench(options);
    this.log = this.bench.open();
  }

  start(op: Op): void {
    const { log } = this;
    switch (op.do) {
      case 'append': {
        const batch = batchOf(op.count, { text: `${this.#texts++}` });
        if (append(log, batch, this.epoch).refusal === undefined) this.issued.add(batch.toString('hex', 17));
        return;
      }
      case 'fetched': {
        const baseOffset = log.reservedEndOffset + op.gap;
        const batch = batchOf(op.count, { text: `${this.#texts++}`, baseOffset, leaderEpoch: this.epoch });
        const outcome = log.appendAsFollower(batch, log.reservedEndOffset, this.epoch, () => undefined);
        if (outcome.kind === 'appending') this.issued.add(batch.toString('hex', 17));
        return;
      }
      case 'epoch':
        this.epoch += op.by;
        return log.assignLeaderEpoch(this.epoch, () => undefined);
      case 'truncate':
        return log.truncateTo(offsetAt(log, op.at), () => undefined);
      case 'wipe':
        return log.truncateFullyAndStartAt(offsetAt(log, op.at), () => undefined);
      case 'raise':
        return log.raiseLogStart(Math.min(log.highWatermark, offsetAt(log, op.at)), () => undefined);
      case 'highWatermark':
        return void log.setHighWatermark(offsetAt(log, op.at));
      case 'flush':
        return log.flush(() => undefined);
      case 'checkpoint':
        return this.bench.manager.checkpointHighWatermarks(new Map([[ORDERS, log.highWatermark]]), () => undefined);
      case 'restart':
        return this.restart(Infinity, op.lose);
    }
  }

  restart(applied: number, lose = 0): void {
    const truncateTail = lose === Infinity ? -1 : lose;
    this.bench = this.bench.kill(applied, { ...this.#options, truncateTail });
    this.log = this.bench.open();
  }
}

/** The same on the model, for which nothing is ever under way. */
function apply(model: ModelLog, op: Op, driver: Driver): void {
  const { log, epoch } = driver;
  switch (op.do) {
    case 'append':
    case 'fetched': {
      const base = model.end + (op.do === 'fetched' ? op.gap : 0);
      const last = base + op.count - 1;
      model.append({ base, last, epoch, bytes: log.read(base, last + 1, ALL, true).records });
      return;
    }
    case 'epoch':
      return model.assign(epoch, model.end);
    case 'flush':
      model.flushed = model.end;
      return;
    case 'checkpoint':
      model.checkpoint = model.highWatermark;
      return;
    case 'restart':
      return model.restart(op.lose);
    default:
  }
}

/** Operations whose argument depends on the state: decided before they run. */
function target(model: ModelLog, op: Op, log: PartitionLog): (() => void) | undefined {
  if (op.do !== 'truncate' && op.do !== 'wipe' && op.do !== 'raise' && op.do !== 'highWatermark') return undefined;
  const offset = offsetAt(log, op.at);
  switch (op.do) {
    case 'truncate':
      return () => model.truncate(offset);
    case 'wipe':
      return () => model.wipe(offset);
    case 'raise':
      return () => model.raise(Math.min(model.highWatermark, offset));
    case 'highWatermark':
      return () => {
        model.highWatermark = offset;
        model.clamp();
      };
  }
}

test('one operation after another, the log is its twin', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 40 }), sizes, (ops, options) => {
      const driver = new Driver(options);
      const model = new ModelLog();
      for (const each of ops) {
        const change = target(model, each, driver.log);
        driver.start(each);
        driver.bench.settle();
        if (change !== undefined) change();
        else apply(model, each, driver);
        expect(viewOf(driver.log)).toEqual(model.view());
        expect(driver.log.reservedEndOffset).toBe(model.end);
        for (const upTo of [model.end, model.highWatermark]) {
          const offset = Math.floor((model.start + upTo) / 2);
          expect(driver.log.read(offset, upTo, ALL, true).records.equals(model.read(offset, upTo))).toBe(true);
        }
      }
      expect(driver.bench.halted).toBeUndefined();
    }),
    { seed: 20, numRuns: 400 },
  );
});

/** What must hold of a log that was found after a kill, whatever was under way. */
function checkRecovered(driver: Driver, counted: { end: number; bytes: Buffer; from: number }): void {
  const { log, bench } = driver;
  expect(bench.opened.cut).toBe(0);
  expect(log.logStartOffset).toBeLessThanOrEqual(log.highWatermark);
  expect(log.highWatermark).toBeLessThanOrEqual(log.logEndOffset);
  expect(log.flushedOffset).toBeLessThanOrEqual(log.logEndOffset);
  const { records } = log.read(log.logStartOffset, log.logEndOffset, ALL, true);
  let epoch = -1;
  for (const header of batchHeaders(records)) {
    const bytes = records.subarray(header.at, header.at + header.sizeBytes);
    expect(driver.issued.has(bytes.toString('hex', 17))).toBe(true);
    expect(header.leaderEpoch).toBeGreaterThanOrEqual(epoch);
    epoch = header.leaderEpoch;
    expect(log.epochAt(Math.max(header.baseOffset, log.logStartOffset))).toBe(epoch);
  }
  log.epochs.forEach(([each, start], i) => {
    expect(start).toBeLessThan(log.logEndOffset);
    const before = log.epochs[i - 1];
    if (before !== undefined) expect(each > before[0] && start > before[1]).toBe(true);
  });
  // Repl I-29: what was counted is the beginning of what is found.
  const from = Math.max(counted.from, log.logStartOffset);
  if (from < counted.end) {
    const found = log.read(from, log.logEndOffset, ALL, true).records;
    expect(found.subarray(0, counted.bytes.length).equals(counted.bytes)).toBe(true);
  }
}

/** Everything counted from `from` on. */
function countedOf(log: PartitionLog): { end: number; bytes: Buffer; from: number } {
  const from = log.logStartOffset;
  return { from, end: log.logEndOffset, bytes: log.read(from, log.logEndOffset, ALL, true).records };
}

describe('repl I-29, R-116, I-22: kill -9 at any moment', () => {
  test('random operations, randomly far, randomly killed', () => {
    const step = fc.tuple(op, fc.integer({ min: 0, max: 4 }));
    const kill = fc.record({ applied: fc.integer({ min: 0, max: 5 }), lose: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(step, { maxLength: 12 }), kill), { maxLength: 4 }),
        sizes,
        (lives, options) => {
          const driver = new Driver(options);
          for (const [steps, { applied, lose }] of lives) {
            for (const [each, completed] of steps) {
              if (each.do === 'restart') continue;
              driver.start(each);
              for (let i = 0; i < completed; i++) driver.bench.store.step();
            }
            const { flushedOffset, logEndOffset } = driver.log;
            const counted = countedOf(driver.log);
            driver.restart(applied, lose ? Infinity : 0);
            if (lose)
              expect(driver.log.logEndOffset).toBeGreaterThanOrEqual(
                Math.min(flushedOffset, dataEnd(counted, logEndOffset)),
              );
            else checkRecovered(driver, counted);
          }
        },
      ),
      { seed: 29, numRuns: 500 },
    );
  });

  const SCRIPT: readonly Op[] = [
    { do: 'append', count: 3, gap: 0 },
    { do: 'append', count: 2, gap: 0 },
    { do: 'epoch', by: 1 },
    { do: 'append', count: 2, gap: 0 },
    { do: 'fetched', count: 2, gap: 2 },
    { do: 'flush' },
    { do: 'truncate', at: 0.5 },
    { do: 'epoch', by: 2 },
    { do: 'append', count: 4, gap: 0 },
    { do: 'highWatermark', at: 1 },
    { do: 'raise', at: 0.4 },
    { do: 'append', count: 1, gap: 0 },
    { do: 'wipe', at: 1.2 },
    { do: 'append', count: 2, gap: 0 },
  ];

  test.each([
    ['with large writes', 1 << 20],
    ['with the smallest writes', 1],
  ])('at every write boundary of a whole life, %s', (_what, maxWriteBytes) => {
    for (const applied of [0, 1, 2]) {
      for (let boundary = 0, more = true; more; boundary++) {
        const driver = new Driver({ maxWriteBytes });
        let left = boundary;
        more = false;
        for (const each of SCRIPT) {
          driver.start(each);
          while (driver.bench.store.pending > 0 && left > 0) {
            driver.bench.store.step();
            left--;
          }
          if (left > 0) continue;
          more = true;
          break;
        }
        const counted = countedOf(driver.log);
        driver.restart(applied);
        checkRecovered(driver, counted);
      }
    }
  });
});

/** Where the data of a log ends that may end in a gap. */
function dataEnd(counted: { bytes: Buffer; from: number }, logEndOffset: number): number {
  const last = [...batchHeaders(counted.bytes)].at(-1);
  return Math.min(logEndOffset, last === undefined ? counted.from : last.lastOffset + 1);
}
