// repl I-18, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ORDERS, batch, batches, ordersStory, replicated, type Story } from '../story.ts';
import { answered, of } from '../told.ts';

describe('repl I-18: nothing is made up', () => {
  const I18 = (story: Story): string[] => of('repl I-18', story);
  const acked = (offset: number, crc: number): string[] =>
    I18(answered(replicated(3), 1, { baseOffset: offset, lastOffset: offset, crc }));
  const crcAt = (offset: number): number => batch(offset, 0).crc;

  test('a follower has a batch that no leader appended', () => {
    expect(I18(replicated(3).append(2, batches(3, 4, 0)))).toEqual(['repl I-18 orders-0']);
  });
  test('a follower has other content than its leader appended there', () => {
    const story = ordersStory().append(1, batches(0, 1, 0));
    expect(I18(story.append(2, [batch(0, 0, { crc: 9 })]))).toEqual(['repl I-18 orders-0']);
  });
  test('an acknowledgement tells the place of another batch', () => {
    expect(acked(1, crcAt(2))).toEqual(['repl I-18 orders-0']);
  });
  test('an acknowledgement tells a place where nothing is', () => {
    expect(acked(3, crcAt(3))).toEqual(['repl I-18 orders-0']);
  });
  test('innocent: each tells its own', () => {
    for (const offset of [0, 1, 2]) expect(acked(offset, crcAt(offset))).toEqual([]);
  });
  test('innocent: an answer in doubt, and a log that has changed the batch', () => {
    expect(I18(answered(replicated(3), 1, { error: 'REQUEST_TIMED_OUT', crc: 9 }))).toEqual([]);
    expect(I18(answered(replicated(3), 1, {}))).toEqual([]);
  });
  test('innocent: acks=1 is answered when its leader follows another, which had not its batch', () => {
    const told = replicated(3).append(1, batches(3, 4, 0));
    const story = told.follow(1, { leaderEpoch: 1, leader: 2 }).truncate(1, 4, 3, 3);
    const late = { acks: 1, leaderEpoch: 0, baseOffset: 3, lastOffset: 3, crc: crcAt(3) };
    expect(I18(answered(story, 1, late))).toEqual([]);
  });
  test('innocent: what a leader had not told of when it was killed', () => {
    const story = ordersStory()
      .append(1, batches(0, 2, 0))
      .opened(1, batches(0, 3, 0))
      .lead(1);
    expect(I18(story.append(2, batches(0, 3, 0)))).toEqual([]);
  });
  test('innocent: below where a cleaner was', () => {
    const story = replicated(3)
      .tell(1, { type: 'log.cleaned', ...ORDERS, upTo: 3 })
      .truncate(2, 3, 0, 0);
    expect(I18(story.append(2, [batch(0, 0, { lastOffset: 2, crc: 9 })]))).toEqual([]);
  });
});
