// The checks of a fetch, in order.
import { describe, expect, test } from 'vitest';
import { endOffsetFor } from '../../src/log/epoch-cache.ts';
import type { EpochCache } from '../../src/log/epoch-cache.ts';
import type { AskingFollower, FetchPosition, FetchTarget } from '../../src/node/fetch-check.ts';
import { checkFetch } from '../../src/node/fetch-check.ts';

function target(
  epochs: EpochCache,
  logEndOffset: number,
  more: Partial<FetchTarget> & { logStartOffset?: number } = {},
) {
  const { logStartOffset = 0, ...rest } = more;
  const endOffsetForEpoch = (epoch: number) => endOffsetFor(epochs, epoch, logEndOffset);
  return { leaderEpoch: 10, isLeader: true, log: { logStartOffset, logEndOffset, endOffsetForEpoch }, ...rest };
}

const CACHE: EpochCache = [
  [0, 0],
  [3, 2],
  [4, 8],
  [7, 13],
  [9, 14],
  [10, 17],
];
const at = (lastFetchedEpoch: number, fetchOffset: number, currentLeaderEpoch = 10): FetchPosition => ({
  ...{ lastFetchedEpoch, fetchOffset, currentLeaderEpoch },
});
const FOLLOWER: AskingFollower = { assigned: true, superseded: false };

describe('repl R-26: divergence', () => {
  const leader = target(CACHE, 17);
  test.each([
    [2, 5, { epoch: 0, endOffset: 2 }],
    [0, 4, { epoch: 0, endOffset: 2 }],
    [6, 6, { epoch: 4, endOffset: 13 }],
    [5, 9, { epoch: 4, endOffset: 13 }],
    [10, 18, { epoch: 10, endOffset: 17 }],
  ])('(%i, %i) diverges', (epoch, offset, end) => {
    expect(checkFetch(leader, at(epoch, offset), FOLLOWER)).toEqual({ kind: 'diverging', end });
  });
  test.each([
    [0, 2],
    [7, 14],
    [9, 17],
    [10, 17],
  ])('(%i, %i) does not', (epoch, offset) => {
    expect(checkFetch(leader, at(epoch, offset), FOLLOWER)).toEqual({ kind: 'read' });
  });
  test('an epoch that is undefined here is out of range', () => {
    expect(checkFetch(leader, at(11, 5), FOLLOWER)).toEqual({ kind: 'refuse', error: 'OFFSET_OUT_OF_RANGE' });
  });

  const raised: EpochCache = [[3, 5], ...CACHE.slice(2)];
  const started = target(raised, 17, { logStartOffset: 5 });
  test('with the log start raised to 5', () => {
    expect(checkFetch(started, at(2, 8), FOLLOWER)).toEqual({ kind: 'diverging', end: { epoch: 2, endOffset: 5 } });
    expect(checkFetch(started, at(0, 5), FOLLOWER)).toEqual({ kind: 'read' });
    expect(checkFetch(started, at(3, 5), FOLLOWER)).toEqual({ kind: 'read' });
    expect(checkFetch(started, at(0, 0), FOLLOWER)).toEqual({ kind: 'refuse', error: 'OFFSET_OUT_OF_RANGE' });
  });
});

/** Each row breaks everything from its check on; the answer must be that of the first broken check. */
describe('repl R-24: the first failing check decides', () => {
  const logStartOffset = 3;
  const wrong = { position: at(11, 2, 9), follower: { assigned: false, superseded: true } };
  const broken = target(CACHE, 17, { isLeader: false, logStartOffset });
  const leading = target(CACHE, 17, { logStartOffset });
  test.each([
    { row: '4 older epoch', of: broken, ...wrong, error: 'FENCED_LEADER_EPOCH' },
    { row: '4 newer epoch, T-24', of: broken, ...wrong, position: at(11, 2, 11), error: 'UNKNOWN_LEADER_EPOCH' },
    { row: '5 not leader', of: broken, ...wrong, position: at(11, 2), error: 'NOT_LEADER_OR_FOLLOWER' },
    { row: '5 not leader, no epoch', of: broken, ...wrong, position: at(11, 2, -1), error: 'NOT_LEADER_OR_FOLLOWER' },
    { row: '6 not assigned', of: leading, ...wrong, position: at(11, 2), error: 'UNKNOWN_LEADER_EPOCH' },
    {
      row: '6 not assigned, no epoch',
      of: leading,
      ...wrong,
      position: at(11, 2, -1),
      error: 'NOT_LEADER_OR_FOLLOWER',
    },
    {
      ...{ row: '7 undefined epoch', of: leading, position: at(11, 5), error: 'OFFSET_OUT_OF_RANGE' },
      follower: { assigned: true, superseded: true },
    },
    {
      ...{ row: '8 below the log start wins over divergence', of: leading, position: at(2, 2) },
      ...{ error: 'OFFSET_OUT_OF_RANGE', follower: { assigned: true, superseded: true } },
    },
    {
      ...{ row: '10 above the log end', of: leading, position: at(-1, 18), error: 'OFFSET_OUT_OF_RANGE' },
      follower: { assigned: true, superseded: true },
    },
    {
      ...{
        row: '11 an old process of the follower',
        of: leading,
        position: at(10, 17),
        error: 'NOT_LEADER_OR_FOLLOWER',
      },
      follower: { assigned: true, superseded: true },
    },
  ])('row $row: $error', ({ of, position, follower, error }) => {
    expect(checkFetch(of, position, follower)).toEqual({ kind: 'refuse', error });
  });
  test('row 9: divergence is no error, and comes before row 11', () => {
    const verdict = checkFetch(leading, at(6, 6), { assigned: true, superseded: true });
    expect(verdict).toEqual({ kind: 'diverging', end: { epoch: 4, endOffset: 13 } });
  });
  test('consumers pass without being assigned', () => {
    expect(checkFetch(leading, at(-1, 17, -1), undefined)).toEqual({ kind: 'read' });
  });
});
