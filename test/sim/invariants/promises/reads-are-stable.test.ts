// repl I-16, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, ORDERS, replicated, type Story } from '../story.ts';
import { led3, of, served } from '../told.ts';

describe('repl I-16: what was read stays', () => {
  const I16 = (story: Story): string[] => of('repl I-16', story);
  const other = (story: Story): Story => story.truncate(3, 3, 2, 2).append(3, [batch(2, 1)]);

  test('a consumer is given another batch at an offset', () => {
    expect(I16(served(other(served(replicated(3), 1, {})), 3, { leaderEpoch: 1 }))).toEqual(['repl I-16 orders-0']);
  });
  test('a later leader has another one', () => {
    expect(I16(led3(other(served(replicated(3), 1, {})), 3))).toEqual(['repl I-16 orders-0']);
  });
  test('innocent: the same batches, whoever serves them', () => {
    expect(I16(served(served(replicated(3), 1, {}), 2, {}))).toEqual([]);
  });
  test('innocent: what nobody has read may be another', () => {
    expect(I16(led3(other(served(replicated(3), 1, { endOffset: 2 })), 3))).toEqual([]);
  });
  test('innocent (U): after an unclean election', () => {
    const story = other(served(replicated(3), 1, {})).change({ leader: 3, isr: [3], unclean: true });
    expect(I16(served(story, 3, { leaderEpoch: 1 }))).toEqual([]);
  });
  test('innocent: what was deleted from the front', () => {
    const story = served(replicated(3), 1, {})
      .truncate(3, 3, 0)
      .tell(3, { type: 'log.start', ...ORDERS, logStartOffset: 3 });
    expect(I16(led3(story, 3))).toEqual([]);
  });
});
