// repl I-14, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, ordersStory, replicated, type Story } from '../story.ts';
import { answered, led3, of } from '../told.ts';

describe('repl I-14: a later leader has all that was acknowledged with acks=all', () => {
  const acked = (): Story => answered(replicated(3), 1, { baseOffset: 2, lastOffset: 2 });
  const I14 = (story: Story): string[] => of('repl I-14', story);

  test('its epoch begins below it', () => {
    expect(I14(led3(acked().truncate(3, 3, 2, 2), 2))).toEqual(['repl I-14 orders-0']);
  });
  test('it holds another batch there', () => {
    const story = acked()
      .truncate(3, 3, 2, 2)
      .append(3, [batch(2, 0, { crc: 9 })]);
    expect(I14(led3(story, 3))).toEqual(['repl I-14 orders-0']);
  });
  test('the acknowledgement comes when it leads already', () => {
    const story = ordersStory()
      .append(1, batches(0, 3, 0))
      .append(2, batches(0, 3, 0));
    expect(I14(answered(led3(story, 0), 1, { baseOffset: 2, lastOffset: 2 }))).toEqual(['repl I-14 orders-0']);
  });
  test('innocent: it has it', () =>
    expect(
      led3(acked(), 3)
        .epochs(3, [
          [0, 0],
          [1, 3],
        ])
        .end(),
    ).toEqual([]));
  test('innocent: acks=1, or an answer in doubt', () => {
    for (const rest of [{ acks: 1 }, { error: 'REQUEST_TIMED_OUT' as const }]) {
      const story = answered(replicated(3), 1, { baseOffset: 2, lastOffset: 2, ...rest });
      expect(I14(led3(story.truncate(3, 3, 2, 2), 2))).toEqual([]);
    }
  });
  test('innocent (U): it was elected uncleanly', () => {
    const story = acked()
      .truncate(3, 3, 2, 2)
      .change({ leader: 3, isr: [3], unclean: true });
    expect(I14(story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart: 2, isr: [3] }))).toEqual([]);
  });
  test('innocent (P): its disk had lost the tail', () => {
    const story = acked().opened(3, batches(0, 2, 0), { lossy: true });
    expect(I14(led3(story, 2))).toEqual([]);
  });
});
