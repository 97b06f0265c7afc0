// What a leader knows of a follower.
import { describe, expect, test } from 'vitest';
import type { RecordedFetch, ReplicaState } from '../../src/node/replica-state.ts';
import { afterFetch, afterNewEpoch, isCaughtUp, NEVER, UNSEEN } from '../../src/node/replica-state.ts';

const fetch = (offset: number, arrivedAtMs: number, leaderLogEndOffset: number): RecordedFetch => ({
  ...{ offset, arrivedAtMs, leaderLogEndOffset, logStartOffset: 0, brokerEpoch: 7, currentLeaderEpoch: 0 },
});
const fetched = (...fetches: RecordedFetch[]): ReplicaState => fetches.reduce(afterFetch, UNSEEN);

describe('repl R-41: when a follower was last caught up', () => {
  test('a fetch at the log end: now', () => {
    expect(fetched(fetch(10, 100, 10)).lastCaughtUpTimeMs).toBe(100);
  });
  test('a fetch that reaches the end of the fetch before: then', () => {
    const state = fetched(fetch(5, 100, 10), fetch(10, 200, 20));
    expect(state.lastCaughtUpTimeMs).toBe(100);
  });
  test('T-20: a fetch that reaches neither: unchanged, however often it fetches', () => {
    const state = fetched(fetch(5, 100, 10), fetch(9, 200, 20), fetch(15, 300, 30));
    expect(state.lastCaughtUpTimeMs).toBe(NEVER);
  });
  test('the time never goes back', () => {
    const state = fetched(fetch(10, 100, 10), fetch(10, 90, 12));
    expect(state.lastCaughtUpTimeMs).toBe(100);
  });
  test('a shorter leader does not lower the end to be reached', () => {
    expect(fetched(fetch(5, 100, 10), fetch(5, 200, 8)).lastFetchLeaderLogEndOffset).toBe(10);
  });
  test("the rest is the last fetch, even if it went backwards (T-28 is the session's duty)", () => {
    const state = fetched(fetch(10, 100, 10), { ...fetch(3, 200, 10), logStartOffset: 2, brokerEpoch: 9 });
    expect(state).toMatchObject({ logEndOffset: 3, logStartOffset: 2, lastFetchTimeMs: 200, brokerEpoch: 9 });
  });
});

describe('repl R-42: a new leader epoch', () => {
  const before = fetched(fetch(10, 100, 10));
  const reset = { nowMs: 500, epochStart: 12 };

  test('T-21: a new leader forgets what it knew of the follower', () => {
    const state = afterNewEpoch(before, { ...reset, wasLeader: false, inIsr: true });
    expect(state).toEqual({ ...UNSEEN, lastCaughtUpTimeMs: 500 });
  });
  test('a leader that stays leader keeps the recorded end and broker epoch', () => {
    const state = afterNewEpoch(before, { ...reset, wasLeader: true, inIsr: true });
    expect(state).toMatchObject({ logEndOffset: 10, brokerEpoch: 7, lastFetchLeaderLogEndOffset: 12 });
    expect(state).toMatchObject({ lastFetchTimeMs: 500, lastCaughtUpTimeMs: 500 });
  });
  test.each([true, false])('out of the ISR it counts as never caught up (was leader: %s)', (wasLeader) => {
    const state = afterNewEpoch(before, { ...reset, wasLeader, inIsr: false });
    expect(state).toMatchObject({ lastCaughtUpTimeMs: NEVER, lastFetchTimeMs: NEVER });
  });
});

describe('repl R-54: caught up', () => {
  const state = fetched(fetch(10, 100, 10));
  test.each([
    { leaderEnd: 10, now: 9_999_999, caughtUp: true, why: 'T-19: it holds all there is, dead or not' },
    { leaderEnd: 11, now: 130, caughtUp: true, why: 'behind, for no longer than the lag time' },
    { leaderEnd: 11, now: 131, caughtUp: false, why: 'behind for longer' },
  ])('$why', ({ leaderEnd, now, caughtUp }) => {
    expect(isCaughtUp(state, leaderEnd, now, 30)).toBe(caughtUp);
  });
  test('never caught up is not "at time 0" of a clock that starts at 0', () => {
    expect(isCaughtUp(UNSEEN, 1, 0, 30_000)).toBe(false);
  });
});
