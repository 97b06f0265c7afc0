// txn INV-18, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { Story } from '../story.ts';
import { appended, coordinatorStory, data, inForce, loaded, mark, marker } from '../txn-story.ts';

const round = [mark('Empty'), mark('Ongoing'), mark('PrepareCommit'), mark('CompleteCommit')];

describe('txn INV-18: no marker without a durable decision', () => {
  const marked = (story: Story, of: Parameters<typeof marker>[1] = {}): string[] =>
    story
      .append(1, [data(0, 0)])
      .append(1, [marker(1, of)])
      .end();
  test('nobody decided', () => expect(marked(coordinatorStory())).toEqual(['txn INV-18 orders-0']));
  test('decided the other way', () => {
    const story = inForce(coordinatorStory(), [...round.slice(0, 2), mark('PrepareAbort')]);
    expect(marked(story)).toEqual(['txn INV-18 orders-0']);
  });
  test('decided in another epoch', () => {
    expect(marked(inForce(coordinatorStory(), round), { producerEpoch: 1 })).toEqual(['txn INV-18 orders-0']);
  });
  test('decided, and not durable', () => {
    expect(marked(inForce(coordinatorStory(2), round.slice(0, 3)))).toEqual(['txn INV-18 orders-0']);
  });
  test('innocent: decided, here or by the coordinator before', () => {
    expect(marked(inForce(coordinatorStory(), round))).toEqual([]);
    const story = inForce(coordinatorStory(2), round.slice(0, 2)).tell(1, appended('t', mark('PrepareCommit'), 2));
    expect(marked(story.tell(1, loaded([mark('PrepareCommit')], { coordinatorEpoch: 1 })))).toEqual([]);
  });
  test('innocent: an administrator wrote it', () => {
    const byHand = { type: 'marker.by-hand', producerId: 7, outcome: 'commit' } as const;
    expect(marked(coordinatorStory().tell(1, byHand))).toEqual([]);
  });
});
