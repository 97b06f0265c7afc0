// repl I-27, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ORDERS, ordersStory, type Story } from '../story.ts';
import { of } from '../told.ts';

describe('repl I-27: a leader counts fetches of its own epoch alone', () => {
  const counted = (story: Story, followerEpoch: number, leaderEpoch = 0): Story =>
    story.tell(1, { type: 'fetch.recorded', ...ORDERS, leaderEpoch, follower: 2, offset: 0, followerEpoch });

  test('a fetch of another epoch', () => {
    expect(counted(ordersStory(), 1).end()).toEqual(['repl I-27 orders-0']);
  });
  test('a fetch of a follower that has not applied the epoch', () => {
    expect(of('repl I-27', counted(ordersStory(), 3, 3))).toEqual(['repl I-27 orders-0']);
  });
  test('innocent: a follower that has moved on, or started again, since it asked', () => {
    const moved = ordersStory().follow(2, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 });
    expect(of('repl I-27', counted(moved, 0))).toEqual([]);
    expect(of('repl I-27', counted(ordersStory().opened(2), 0))).toEqual([]);
  });
});
