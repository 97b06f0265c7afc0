// repl I-19, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ORDERS, replicated, type Story } from '../story.ts';

describe('repl I-19: the end that clients are told never falls', () => {
  const tell = (story: Story, node: number, leaderEpoch: number, offset: number): Story =>
    story.tell(node, { type: 'latest.told', ...ORDERS, leaderEpoch, offset });
  const led2 = (): Story => tell(replicated(5), 1, 0, 5).change({ isr: [2, 3], leader: 2 });

  test('the next leader says less', () => {
    expect(tell(led2(), 2, 1, 4).end()).toEqual(['repl I-19 orders-0']);
  });
  test('innocent: it says as much, or more', () => {
    expect(tell(tell(led2(), 2, 1, 5), 2, 1, 6).end()).toEqual([]);
  });
  test('innocent: a leader that was replaced says what was true', () => {
    expect(tell(tell(led2(), 2, 1, 6), 1, 0, 5).end()).toEqual([]);
  });
  test('innocent (U): the next leader was elected uncleanly', () => {
    const story = tell(replicated(5), 1, 0, 5).change({ isr: [2], leader: 2, unclean: true });
    expect(tell(story, 2, 1, 0).end()).toEqual([]);
  });
});
