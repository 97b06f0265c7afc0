// repl I-9, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';

describe('repl I-9: brokers act on states that the log has had', () => {
  test('a partition epoch that was not reached', () => {
    expect(ordersStory().isr(1, { partitionEpoch: 1 }).end()).toEqual(['repl I-9 orders-0']);
  });
  test('a leader epoch that this partition epoch did not have', () => {
    const story = ordersStory().change({ isr: [1, 2] });
    story.follow(2, { leaderEpoch: 1, partitionEpoch: 1 });
    expect(story.end()).toEqual(['repl I-9 orders-0']);
  });
  test('another ISR than was committed', () => {
    const story = ordersStory().change({ isr: [1, 2] });
    expect(story.isr(1, { isr: [1, 3], partitionEpoch: 1 }).end()).toContain('repl I-9 orders-0');
  });
  test('a follower of another leader', () => {
    expect(ordersStory().follow(2, { leader: 3 }).end()).toEqual(['repl I-9 orders-0']);
  });
  test('innocent: a broker that lags acts on an earlier state, and epochs may be skipped (T-27)', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .change({ leader: 2 })
      .change({ leader: 1 });
    story.isr(1, { isr: [2, 1], partitionEpoch: 1 });
    expect(story.follow(3, { leaderEpoch: 2, partitionEpoch: 3 }).end()).toEqual([]);
  });
  test('innocent: what a leader only proposes need not be in the log', () => {
    const story = ordersStory().isr(1, { state: 'pending-shrink', isr: [1, 2, 3], partitionEpoch: 0 });
    expect(story.end()).toEqual([]);
  });
});
