// repl I-2, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, ORDERS, replicated, type Story } from '../story.ts';

describe('repl I-2: the maximal ISR holds everything below the high watermark', () => {
  test('a member of the ISR cuts below it', () => {
    expect(
      replicated(5)
        .truncate(2, 5, 3)
        .epochs(2, [[0, 0]])
        .end(),
    ).toContain('repl I-2 orders-0');
  });
  test('the leader deletes what a member of the ISR does not have yet, and counts it as committed (BUG-77)', () => {
    const story = replicated(3).append(1, batches(3, 5, 0));
    expect(story.tell(1, { type: 'log.start', ...ORDERS, logStartOffset: 3 }).found).toEqual([]);
    story.tell(1, { type: 'log.start', ...ORDERS, logStartOffset: 5 });
    expect(story.found).toEqual(['repl I-2 orders-0']);
  });
  test('innocent: one that has moved on to a later epoch may cut', () => {
    const story = replicated(3).append(1, batches(3, 5, 0));
    for (const id of [2, 3]) story.append(id, batches(3, 5, 0)).recorded(1, id, 5);
    story.hw(1, 3, 5).change({ isr: [2, 3], leader: 3 });
    story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, isr: [2, 3], epochStart: 5, highWatermark: 3 });
    story.follow(2, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 }).truncate(2, 5, 3, 3);
    expect(story.end()).not.toContain('repl I-2 orders-0');
  });
  test('innocent: one that was moved away and comes back empty, while the deposed leader has heard of neither', () => {
    const deposed = (): Story => replicated(5).follow(3, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 });
    expect(deposed().opened(2, []).found).not.toContain('repl I-2 orders-0');
    // Nobody has deposed this one.
    expect(replicated(5).opened(2, []).found).toContain('repl I-2 orders-0');
  });
  test('innocent (P): one whose disk lost the tail', () => {
    expect(
      replicated(5)
        .opened(2, batches(0, 3, 0), { lossy: true })
        .end(),
    ).toEqual([]);
  });
  test('after it has rejoined the ISR the excuse is gone', () => {
    const story = replicated(5).opened(2, batches(0, 3, 0), { lossy: true });
    story.change({ isr: [1, 3] }).isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    story.follow(2, { partitionEpoch: 1 });
    story.isr(1, { state: 'pending-expand', isr: [1, 3], partitionEpoch: 1 }).change({ isr: [1, 2, 3] });
    expect(story.isr(1, { partitionEpoch: 2 }).end()).toEqual(['repl I-2 orders-0']);
  });
});
