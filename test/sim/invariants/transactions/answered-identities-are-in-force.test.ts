// txn INV-5, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { Story } from '../story.ts';
import { coordinatorStory, inForce, mark } from '../txn-story.ts';

const round = [mark('Empty'), mark('Ongoing'), mark('PrepareCommit'), mark('CompleteCommit')];

describe('txn INV-5: identities are answered once they are in force', () => {
  const answer = (story: Story, producerEpoch: number, by: 'init' | 'end' = 'init', producerId = 7): string[] => {
    const identity = { transactionalId: 't', producerId, producerEpoch, by } as const;
    return story.tell(1, { type: 'producer.identity', ...identity }).end();
  };
  test('an identity is answered that is not in force', () => {
    expect(answer(inForce(coordinatorStory(), [mark('Empty')]), 1)).toEqual(['txn INV-5 t']);
  });
  test('an identity is answered whose record is not durable', () => {
    expect(answer(inForce(coordinatorStory(0), [mark('Empty')]), 0)).toEqual(['txn INV-5 t']);
  });
  test('innocent: one in force, though a newer one is as well; a rotation by EndTxn', () => {
    expect(answer(inForce(coordinatorStory(), [mark('Empty'), mark('Empty', { producerEpoch: 1 })]), 0)).toEqual([]);
    expect(answer(inForce(coordinatorStory(), round), 0, 'end', 8)).toEqual([]);
  });
});
