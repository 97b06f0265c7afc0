// Where followers cut, round by round, against what their leader's check says.
import { describe, expect, test } from 'vitest';
import { cutEpochs, endOffsetFor, latestEpoch } from '../../src/log/epoch-cache.ts';
import type { EpochCache } from '../../src/log/epoch-cache.ts';
import { checkFetch } from '../../src/node/fetch-check.ts';
import { truncationOffset } from '../../src/node/truncation.ts';

interface Side {
  readonly epochs: EpochCache;
  readonly end: number;
}

const ends = ({ epochs, end }: Side) => ({
  logStartOffset: 0,
  logEndOffset: end,
  endOffsetForEpoch: (epoch: number) => endOffsetFor(epochs, epoch, end),
});

/** Fetches until there is no divergence. Returns what each round said and where the follower stood after it. */
function converge(leader: Side, follower: Side) {
  const rounds: { diverging: [number, number]; cutTo: number }[] = [];
  let side = follower;
  for (;;) {
    expect(rounds.length).toBeLessThan(20);
    const position = {
      fetchOffset: side.end,
      lastFetchedEpoch: latestEpoch(side.epochs) ?? -1,
      currentLeaderEpoch: -1,
    };
    const target = { leaderEpoch: 0, isLeader: true, log: ends(leader) };
    const verdict = checkFetch(target, position, { assigned: true, superseded: false });
    if (verdict.kind !== 'diverging') return { rounds, side, verdict };
    const cutTo = truncationOffset(ends(side), verdict.end);
    side = { epochs: cutEpochs(side.epochs, cutTo), end: Math.min(side.end, cutTo) };
    rounds.push({ diverging: [verdict.end.epoch, verdict.end.endOffset], cutTo });
  }
}

test('BUG-02, repl R-76: a longer log of an older epoch is cut to where that epoch ends', () => {
  const leader: Side = {
    epochs: [
      [0, 0],
      [1, 1],
    ],
    end: 2,
  };
  const { rounds, side } = converge(leader, { epochs: [[0, 0]], end: 2 });
  expect(rounds).toEqual([{ diverging: [0, 1], cutTo: 1 }]);
  expect(side).toEqual({ epochs: [[0, 0]], end: 1 });
});

test('repl R-77: clean fast failover', () => {
  const a: Side = {
    epochs: [
      [1, 0],
      [3, 15],
    ],
    end: 15,
  };
  const b: Side = {
    epochs: [
      [1, 0],
      [2, 10],
    ],
    end: 20,
  };
  const { rounds, side } = converge(a, b);
  expect(rounds).toEqual([{ diverging: [1, 15], cutTo: 10 }]);
  expect(side).toEqual({ epochs: [[1, 0]], end: 10 });
});

test('repl R-78: several rounds', () => {
  const leader: Side = {
    epochs: [
      [1, 0],
      [3, 10],
      [5, 15],
    ],
    end: 25,
  };
  const follower: Side = {
    epochs: [
      [1, 0],
      [2, 10],
      [4, 20],
    ],
    end: 30,
  };
  const { rounds, side } = converge(leader, follower);
  expect(rounds).toEqual([
    { diverging: [3, 15], cutTo: 20 },
    { diverging: [1, 10], cutTo: 10 },
  ]);
  expect(side).toEqual({ epochs: [[1, 0]], end: 10 });
});

test('repl R-79, T-8: an ex-leader that wrote nothing has one empty diverging round', () => {
  const leader: Side = {
    epochs: [
      [0, 0],
      [2, 10],
    ],
    end: 12,
  };
  const { rounds, side } = converge(leader, {
    epochs: [
      [0, 0],
      [1, 10],
    ],
    end: 10,
  });
  expect(rounds).toEqual([{ diverging: [0, 10], cutTo: 10 }]);
  expect(side).toEqual({ epochs: [[0, 0]], end: 10 });
});

describe('repl R-73: one step', () => {
  const own = ends({
    epochs: [
      [1, 0],
      [2, 10],
      [4, 20],
    ],
    end: 30,
  });
  test.each([
    { diverging: { epoch: 0, endOffset: 5 }, to: 0, why: 'older than all of its own: cut where its own begin' },
    { diverging: { epoch: 2, endOffset: 15 }, to: 15, why: 'the same epoch: the smaller end' },
    { diverging: { epoch: 2, endOffset: 25 }, to: 20, why: 'the same epoch: the smaller end, its own' },
    { diverging: { epoch: 3, endOffset: 12 }, to: 20, why: 'between its own: only its older epoch is proved' },
    { diverging: { epoch: 4, endOffset: 50 }, to: 30, why: 'never beyond its log end' },
    { diverging: { epoch: 9, endOffset: 7 }, to: 7, why: "undefined here: the leader's end" },
    { diverging: { epoch: 9, endOffset: 70 }, to: 30, why: 'undefined here: never beyond its log end' },
  ])('$why', ({ diverging, to }) => {
    expect(truncationOffset(own, diverging)).toBe(to);
  });
});
