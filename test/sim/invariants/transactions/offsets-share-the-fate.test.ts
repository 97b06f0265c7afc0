// txn INV-2, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { coordinatorStory, data, marker } from '../txn-story.ts';

describe("txn INV-2: a group's offsets share the fate of their marker", () => {
  const OFFSETS = { topic: '__consumer_offsets', topicId: 'offsets-id', partition: 0 };
  type Fate = 'materialised' | 'overtaken' | 'dropped';
  const settled = (kind: Fate, outcome: 'commit' | 'abort', recordOffset = 1): string[] => {
    const story = coordinatorStory();
    const log = [data(0, 0), marker(1, { outcome })];
    const ends = { logStartOffset: 0, logEndOffset: 2, highWatermark: 2, batches: log, epochs: [] };
    story.tell(1, { type: 'log.opened', ...OFFSETS, ...ends, clean: true, cut: 0, lossy: false });
    const of = { partition: 0, coordinatorEpoch: 0, group: 'g', kind, producerId: 7, offsets: { 'orders-0': 4 } };
    story.tell(1, { type: 'group.offsets', ...of, recordOffset });
    return story.end().filter((found) => found.startsWith('txn INV-2 '));
  };
  test('put in force by an abort', () => {
    expect(settled('materialised', 'abort')).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
  test('dropped by a commit', () => expect(settled('dropped', 'commit')).toEqual(['txn INV-2 __consumer_offsets-0']));
  test('put in force where no marker stands', () => {
    expect(settled('materialised', 'commit', 0)).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
  test('innocent: each by its own', () => {
    expect(settled('materialised', 'commit')).toEqual([]);
    expect(settled('dropped', 'abort')).toEqual([]);
  });
  test('innocent: committed, and overtaken by a plain commit meanwhile (txn T-67)', () => {
    expect(settled('overtaken', 'commit')).toEqual([]);
    expect(settled('overtaken', 'abort')).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
});
