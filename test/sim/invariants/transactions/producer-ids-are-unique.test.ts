// txn INV-13, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { coordinatorStory, loaded, mark } from '../txn-story.ts';

describe('txn INV-13: a producer id is given once', () => {
  const given = (...owners: (string | null)[]): string[] => {
    const story = coordinatorStory();
    for (const transactionalId of owners) {
      if (transactionalId !== null)
        story.tell(1, loaded([mark('Empty', { transactionalId, producerEpoch: 0 })], { partition: 5 }));
      story.tell(1, { type: 'producer.identity', transactionalId, producerId: 7, producerEpoch: 0, by: 'init' });
    }
    return story.end().filter((found) => found.startsWith('txn INV-13'));
  };
  test.each([
    ['two idempotent producers', [null, null]],
    ['two transactional ids', ['t', 'u']],
    ['one of each', ['t', null]],
  ])('to %s', (_, owners) => expect(given(...owners)).toEqual(['txn INV-13 producer 7']));
  test('innocent: one transactional id again', () => expect(given('t', 't')).toEqual([]));
});
