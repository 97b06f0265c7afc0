// What a read_committed reader is given of real batches, whichever way its fetches cut the log (txn T-143 to T-149).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AbortedFilter } from '../../src/client/core/aborted-filter.ts';
import { FetchedRecords } from '../../src/client/core/fetched-records.ts';
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { readBatchHeader } from '../../src/protocol/batch-header.ts';

const OF = { topic: 't', partition: 0 };
/** A run of records of one producer, which batches may cut anywhere. Values are offsets. */
type Run =
  | { readonly kind: 'data'; readonly producerId: number; readonly from: number; readonly to: number }
  | { readonly kind: 'commit' | 'abort'; readonly producerId: number; readonly from: number };

const data = (producerId: number, from: number, to = from): Run => ({ kind: 'data', producerId, from, to });
const ends = (kind: 'commit' | 'abort', producerId: number, from: number): Run => ({ kind, producerId, from });

function dataBatch(producerId: number, from: number, to: number): Buffer {
  const records = Array.from({ length: to - from + 1 }, (_, i) => ({
    ...{ timestamp: 1, key: null },
    value: Buffer.from(String(from + i)),
  }));
  const numbers = producerId < 0 ? {} : { producerId, producerEpoch: 0, baseSequence: 0, attributes: TRANSACTIONAL };
  return encodeBatch(records, { baseOffset: from, leaderEpoch: 0, ...numbers });
}

/** Encodes the runs in batches of at most `sizeOf()` records. */
function encode(runs: readonly Run[], sizeOf: () => number): Buffer[] {
  return runs.flatMap((run) => {
    if (run.kind !== 'data') {
      const { kind: type, producerId, from: baseOffset } = run;
      const marker = { type, producerId, producerEpoch: 0, coordinatorEpoch: 0, timestamp: 1 };
      return [encodeMarker(marker, { baseOffset, leaderEpoch: 0 })];
    }
    const batches: Buffer[] = [];
    for (let at = run.from; at <= run.to;) {
      const to = Math.min(run.to, at + sizeOf() - 1);
      batches.push(dataBatch(run.producerId, at, to));
      at = to + 1;
    }
    return batches;
  });
}

interface AbortedEntry {
  readonly producerId: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
}

/** The dumb twin of the broker's index: every transaction that an ABORT ends (txn T-138). */
function abortedIn(runs: readonly Run[]): AbortedEntry[] {
  const open = new Map<number, number>();
  const aborted: AbortedEntry[] = [];
  for (const run of runs) {
    if (run.kind === 'data') {
      if (run.producerId >= 0 && !open.has(run.producerId)) open.set(run.producerId, run.from);
      continue;
    }
    const firstOffset = open.get(run.producerId);
    open.delete(run.producerId);
    if (run.kind === 'abort' && firstOffset !== undefined) {
      aborted.push({ producerId: run.producerId, firstOffset, lastOffset: run.from });
    }
  }
  return aborted;
}

/** Reads all batches in fetches of as many as `fetchSize` says, `max` records at a time. */
function read(
  batches: readonly Buffer[],
  aborted: readonly AbortedEntry[],
  { fetchSize, max = 500, filter = true }: { fetchSize: () => number; max?: number; filter?: boolean },
): { values: number[]; position: number } {
  const values: number[] = [];
  let position = 0;
  for (let at = 0; at < batches.length;) {
    const served = batches.slice(at, at + fetchSize());
    at += served.length;
    const upTo = readBatchHeader(served.at(-1)!)!.lastOffset + 1;
    const overlapping = aborted.filter((one) => one.lastOffset >= position && one.firstOffset < upTo);
    const fetched = new FetchedRecords(
      OF,
      Buffer.concat(served),
      { offset: position, offsetEpoch: -1 },
      {
        filter: filter ? new AbortedFilter(overlapping) : undefined,
      },
    );
    while (!fetched.isDone) values.push(...fetched.take(max).map(({ value }) => Number(value!.toString())));
    position = fetched.nextOffset;
  }
  return { values, position };
}

const EXAMPLE: readonly Run[] = [
  ...[data(1, 0, 2), data(-1, 3, 4), data(2, 5, 6), ends('abort', 1, 7), data(1, 8, 9)],
  ...[ends('commit', 2, 10), ends('commit', 1, 11), data(-1, 12)],
];
const DELIVERED = [3, 4, 5, 6, 8, 9, 12];
const arbitrarySizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 20 });
const cycle = (sizes: readonly number[]): (() => number) => {
  let at = 0;
  return () => sizes[at++ % sizes.length]!;
};

describe('txn T-145', () => {
  test('the index has one entry, and a fetch behind it carries nothing', () => {
    expect(abortedIn(EXAMPLE)).toEqual([{ producerId: 1, firstOffset: 0, lastOffset: 7 }]);
  });

  test('every way of cutting the log into fetches and batches delivers the same', () => {
    fc.assert(
      fc.property(arbitrarySizes, arbitrarySizes, fc.integer({ min: 1, max: 5 }), (batchSizes, fetchSizes, max) => {
        const batches = encode(EXAMPLE, cycle(batchSizes));
        const got = read(batches, abortedIn(EXAMPLE), { fetchSize: cycle(fetchSizes), max });
        expect(got).toEqual({ values: DELIVERED, position: 13 });
      }),
      { seed: 145, numRuns: 500 },
    );
  });

  test('all 2^12 ways of cutting one-record batches into fetches', () => {
    const batches = encode(EXAMPLE, () => 1);
    const aborted = abortedIn(EXAMPLE);
    for (let cuts = 0; cuts < 1 << (batches.length - 1); cuts++) {
      const sizes: number[] = [];
      let size = 1;
      for (let i = 0; i < batches.length - 1; i++) {
        if ((cuts >> i) & 1) {
          sizes.push(size);
          size = 1;
        } else size += 1;
      }
      sizes.push(size);
      expect(read(batches, aborted, { fetchSize: cycle(sizes) }).values).toEqual(DELIVERED);
    }
  });

  test('without the filter everything but markers is delivered (txn.filter off)', () => {
    const batches = encode(EXAMPLE, () => 2);
    const got = read(batches, abortedIn(EXAMPLE), { fetchSize: () => 3, filter: false });
    expect(got).toEqual({ values: [0, 1, 2, 3, 4, 5, 6, 8, 9, 12], position: 13 });
  });
});

describe('txn T-143', () => {
  test('any log of interleaved transactions: what no transaction that was aborted wrote, in order', () => {
    const step = fc.record({
      producerId: fc.integer({ min: -1, max: 3 }),
      what: fc.constantFrom('data', 'data', 'data', 'commit', 'abort'),
      count: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        arbitrarySizes,
        arbitrarySizes,
        (steps, ...sizes) => {
          const runs: Run[] = [];
          let at = 0;
          for (const { producerId, what, count } of steps) {
            if (what !== 'data' && producerId < 0) continue;
            runs.push(what === 'data' ? data(producerId, at, at + count - 1) : ends(what, producerId, at));
            at += what === 'data' ? count : 1;
          }
          // What is open at the end lies above the last stable offset: end it.
          for (const producerId of [0, 1, 2, 3]) runs.push(ends('commit', producerId, at++));
          const aborted = abortedIn(runs);
          const isAborted = (producerId: number, offset: number): boolean =>
            aborted.some((a) => a.producerId === producerId && offset >= a.firstOffset && offset < a.lastOffset);
          const expected = runs.flatMap((run) =>
            run.kind !== 'data'
              ? []
              : Array.from({ length: run.to - run.from + 1 }, (_, i) => run.from + i).filter(
                  (offset) => !isAborted(run.producerId, offset),
                ),
          );
          const [batchSizes, fetchSizes] = sizes;
          const got = read(encode(runs, cycle(batchSizes!)), aborted, { fetchSize: cycle(fetchSizes!) });
          expect(got).toEqual({ values: expected, position: at });
        },
      ),
      { seed: 143, numRuns: 500 },
    );
  });

  test('an aborted batch is not even decoded: its codec may be unknown here', () => {
    const batch = dataBatch(1, 0, 1);
    batch.writeInt16BE(batch.readInt16BE(21) | 2, 21);
    const fetched = new FetchedRecords(
      OF,
      batch,
      { offset: 0, offsetEpoch: -1 },
      {
        filter: new AbortedFilter([{ producerId: 1, firstOffset: 0 }]),
      },
    );
    expect([fetched.take(10), fetched.nextOffset, fetched.failure]).toEqual([[], 2, undefined]);
  });

  test('the broker may list more than it serves (txn T-141), in any order', () => {
    const filter = new AbortedFilter([
      { producerId: 2, firstOffset: 50 },
      { producerId: 1, firstOffset: 0 },
    ]);
    const at = (producerId: number, lastOffset: number) => ({ attributes: TRANSACTIONAL, producerId, lastOffset });
    expect([filter.leavesOut(at(1, 3), false), filter.leavesOut(at(2, 5), false)]).toEqual([true, false]);
  });
});

test('txn T-146: a read that delivers nothing moves the position, behind trailing markers too', () => {
  const runs = [data(1, 0, 3), ends('abort', 1, 4)];
  const got = read(
    encode(runs, () => 2),
    abortedIn(runs),
    { fetchSize: () => 1 },
  );
  expect(got).toEqual({ values: [], position: 5 });
});

test('txn T-149: the demo delivers 121 to 129, -2, 131 to 159 in that order, position 40', () => {
  const runs = [data(1, 0, 8), data(-1, 9), data(1, 10, 38), ends('commit', 1, 39)];
  const names = (offset: number): number => (offset < 9 ? 121 + offset : offset === 9 ? -2 : 121 + offset);
  const { values, position } = read(
    encode(runs, () => 100),
    abortedIn(runs),
    { fetchSize: () => 2 },
  );
  const expected = [...range(121, 129), -2, ...range(131, 159)];
  expect([values.map(names), position]).toEqual([expected, 40]);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
