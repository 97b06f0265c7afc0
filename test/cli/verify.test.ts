// `replicas verify`: what counts as the same below the smallest high watermark, what may differ beyond it, and what is said.
import { expect, test } from 'vitest';
import { comparePartition, type ReplicaSource } from '../../src/cli/verify/verify-partition.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { retainRecords } from '../../src/log/retain-records.ts';

const TIME = 1_700_000_000_000;

/** A batch of these values from `baseOffset` on. */
function batch(baseOffset: number, leaderEpoch: number, ...values: string[]): Buffer {
  const records = values.map((value) => ({ timestamp: TIME, key: null, value: Buffer.from(value) }));
  return encodeBatch(records, { baseOffset, leaderEpoch });
}

interface Log {
  readonly batches: readonly Buffer[];
  readonly hw: number;
  readonly start?: number;
}

/** A replica that answers a batch at a time, as one with little room would. */
function replica(node: number, { batches, hw, start = 0 }: Log): ReplicaSource {
  const ends = { logStartOffset: start, highWatermark: hw, logEndOffset: -1 };
  return {
    node,
    ends: () => Promise.resolve(ends),
    read: async function* (from) {
      for (const each of batches) {
        await Promise.resolve();
        const end = Number(each.readBigInt64BE(0)) + each.readInt32BE(23);
        if (end >= from) yield each;
      }
    },
  };
}

const silent = (node: number): ReplicaSource => ({
  node,
  ends: () => Promise.resolve(undefined),
  read: () => {
    throw new Error('nobody is there to be read from');
  },
});

const compare = (logs: readonly Log[], compacted = false) =>
  comparePartition(
    logs.map((log, at) => replica(at + 1, log)),
    { compacted },
  );

const [a, b, c] = [batch(0, 0, 'a', 'b'), batch(2, 0, 'c'), batch(3, 1, 'd')];

test('the same batches are the same, and what a follower has not fetched yet is no difference', async () => {
  const found = await compare([
    { batches: [a, b, c], hw: 4 },
    { batches: [a, b], hw: 3 },
  ]);
  expect(found).toMatchObject({ replicas: [1, 2], silent: [], from: 0, upTo: 3, batches: 2 });
  expect(found.divergence).toBeUndefined();
  expect(found.tail).toMatchObject([{ firstOffset: 3, lastOffset: 3, likeness: 'behind' }]);
  expect(found.tail[0]!.on.map(({ epochs }) => epochs)).toEqual([[1], []]);
});

test('repl R-3: other bytes, another epoch, a batch that is missing or cut otherwise differ below the high watermark', async () => {
  for (const other of [
    [a, batch(2, 0, 'X'), c],
    [a, batch(2, 1, 'c'), c],
    [a, c],
    [batch(0, 0, 'a'), batch(1, 0, 'b'), b, c],
    [a, b],
  ]) {
    const { divergence } = await compare([
      { batches: [a, b, c], hw: 4 },
      { batches: other, hw: 4 },
    ]);
    expect([other.length, divergence?.count]).toEqual([other.length, 1]);
  }
  const { divergence } = await compare([
    { batches: [a, b, c], hw: 4 },
    { batches: [a, batch(2, 5, 'X'), c], hw: 4 },
  ]);
  expect(divergence).toMatchObject({
    ...{ firstOffset: 2, lastOffset: 2, likeness: 'differs' },
    on: [
      { node: 1, epochs: [0] },
      { node: 2, epochs: [5] },
    ],
  });
});

test('repl R-3: a checksum that its bytes do not match differs, even if all have the same', async () => {
  const rotten = Buffer.from(b);
  rotten[rotten.length - 2]! ^= 1;
  const log = { batches: [a, rotten, c], hw: 4 };
  expect((await compare([log, log])).divergence).toMatchObject({
    ...{ firstOffset: 2, on: [{ damaged: true }, { damaged: true }] },
  });
});

test('beyond the smallest high watermark a tail that differs is told of, and is no divergence', async () => {
  const found = await compare([
    { batches: [a, b, batch(3, 2, 'new'), batch(4, 2, 'newer')], hw: 5 },
    { batches: [a, b, batch(3, 1, 'old'), batch(4, 1, 'older'), batch(5, 1, 'oldest')], hw: 3 },
  ]);
  expect(found.divergence).toBeUndefined();
  const told = found.tail.map(({ firstOffset, lastOffset, likeness, on }) => [
    ...[firstOffset, lastOffset, likeness],
    on.map(({ epochs }) => epochs),
  ]);
  expect(told).toEqual([
    [3, 4, 'differs', [[2], [1]]],
    [5, 5, 'behind', [[], [1]]],
  ]);
});

test('a tail that is the same everywhere is not worth a word', async () => {
  const log = { batches: [a, b, c], hw: 2 };
  expect(await compare([log, log])).toMatchObject({ upTo: 2, batches: 1, tail: [] });
});

test('what is before the largest log start is not compared, also if it is deleted while the logs are read', async () => {
  const found = await compare([
    { batches: [a, b, c], hw: 4 },
    { batches: [b, c], hw: 4, start: 2 },
  ]);
  expect([found.from, found.batches, found.divergence]).toEqual([2, 2, undefined]);

  let asked = 0;
  const deleting: ReplicaSource = {
    ...replica(2, { batches: [b, c], hw: 4 }),
    ends: () => Promise.resolve({ logStartOffset: asked++ === 0 ? 0 : 2, highWatermark: 4, logEndOffset: 4 }),
  };
  const both = [replica(1, { batches: [a, b, c], hw: 4 }), deleting];
  expect((await comparePartition(both, { compacted: false })).divergence).toBeUndefined();
});

test('of a compacted topic the records that both still have must be the same', async () => {
  const cleaned = retainRecords(a, ({ offset }) => offset === 1)!;
  const logs = [
    { batches: [a, b, c], hw: 4 },
    { batches: [cleaned, c], hw: 4 },
  ];
  expect((await compare(logs, true)).divergence).toBeUndefined();
  expect((await compare(logs, false)).divergence?.count).toBe(2);
  const other = retainRecords(batch(0, 0, 'a', 'X'), ({ offset }) => offset === 1)!;
  expect((await compare([logs[0]!, { batches: [other, b, c], hw: 4 }], true)).divergence).toMatchObject({
    ...{ firstOffset: 0, count: 1 },
  });
});

test('replicas that cannot be asked are named; the others are compared', async () => {
  const sources = [replica(1, { batches: [a, b], hw: 3 }), silent(2), replica(3, { batches: [a, b], hw: 3 })];
  expect(await comparePartition(sources, { compacted: false })).toMatchObject({
    ...{ replicas: [1, 3], silent: [2], upTo: 3, batches: 2, tail: [] },
  });
  expect(await comparePartition([silent(1)], { compacted: false })).toMatchObject({ silent: [1], batches: 0 });
});
