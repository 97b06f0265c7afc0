// txn INV-14, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';
import { coordinatorStory, loaded } from '../txn-story.ts';

const SHARD = '__transaction_state-0';

describe('txn INV-14: one coordinator an epoch', () => {
  test('two brokers at one epoch', () => {
    expect(coordinatorStory().tell(2, loaded([])).end()).toEqual([`txn INV-14 ${SHARD}`]);
  });
  test('two brokers coordinate groups at one epoch', () => {
    const of = { type: 'group.loaded', partition: 3, coordinatorEpoch: 1, groups: [] } as const;
    expect(ordersStory().tell(1, of).tell(2, of).end()).toEqual(['txn INV-14 __consumer_offsets-3']);
  });
  test('innocent: at two epochs, or of two shards', () => {
    const story = coordinatorStory().tell(2, loaded([], { coordinatorEpoch: 1 }));
    expect(story.tell(3, loaded([], { partition: 1 })).end()).toEqual([]);
  });
});
