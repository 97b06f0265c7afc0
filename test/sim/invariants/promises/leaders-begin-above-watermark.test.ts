// repl I-20, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, replicated, type Story } from '../story.ts';
import { led3, of } from '../told.ts';

describe('repl I-20: later leaders begin at or above what was told to be committed', () => {
  const I20 = (story: Story): string[] => of('repl I-20', story);

  test('one begins below', () => expect(I20(led3(replicated(3), 2))).toEqual(['repl I-20 orders-0']));
  test('an earlier leader goes on counting', () => {
    const story = led3(replicated(3), 3).append(1, batches(3, 5, 0));
    expect(I20(story.recorded(1, 2, 5).recorded(1, 3, 5).hw(1, 3, 5))).toEqual(['repl I-20 orders-0']);
  });
  test('innocent: its own high watermark is lower at first (repl R-50)', () => {
    expect(I20(led3(replicated(3), 3, { highWatermark: 1 }))).toEqual([]);
  });
  test('innocent: it goes further in its own epoch', () => {
    expect(I20(led3(replicated(3), 3).hw(3, 3, 9, { leaderEpoch: 1, role: 'leader' }))).toEqual([]);
  });
  test('innocent (U): it was elected uncleanly', () => {
    const story = replicated(3).change({ leader: 3, isr: [3], unclean: true });
    expect(I20(story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart: 2, isr: [3] }))).toEqual([]);
  });
});
