// repl I-29, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, replicated } from '../story.ts';

describe('repl I-29: a kill loses nothing that was counted', () => {
  test('the end is missing', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 2, 0))
        .end(),
    ).toContain('repl I-29 orders-0');
  });
  test('a batch is another', () => {
    const log = [batch(0, 0), batch(1, 0, { crc: 7 }), batch(2, 0)];
    expect(replicated(3).opened(2, log).end()).toContain('repl I-29 orders-0');
  });
  test('innocent: a write under way may be there as well', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 4, 0), { highWatermark: 3 })
        .end(),
    ).toEqual([]);
  });
  test('innocent: what was cut before the kill is not missed', () => {
    const story = replicated(3)
      .append(2, batches(3, 5, 0))
      .truncate(2, 5, 3, 3);
    expect(story.opened(2, batches(0, 3, 0)).endOf('repl I-29')).toEqual([]);
  });
  test('innocent: all of it was cut before a later kill', () => {
    const story = replicated(3).opened(2, batches(0, 3, 0));
    expect(story.truncate(2, 3, 0, 0).opened(2).end()).not.toContain('repl I-29 orders-0');
  });
  test('innocent: power loss, or a wiped disk', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 1, 0), { lossy: true })
        .end(),
    ).toEqual([]);
    const wiped = replicated(3)
      .change({ isr: [1, 3] })
      .isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    wiped.tell(2, { type: 'logs.lossy' });
    expect(wiped.opened(2).end()).toEqual([]);
    // A proposal for the process before is committed late.
    const late = replicated(3)
      .change({ isr: [1, 3] })
      .isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    late.tell(2, { type: 'logs.lossy' });
    late.isr(1, { state: 'pending-expand', isr: [1, 3], partitionEpoch: 1 }).change({ isr: [1, 2, 3] });
    expect(late.opened(2).end()).toEqual([]);
  });
});
