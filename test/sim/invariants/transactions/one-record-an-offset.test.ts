// txn INV-14, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { appended, coordinatorStory, inForce, loaded, mark } from '../txn-story.ts';

const SHARD = '__transaction_state-0';

describe('txn INV-14: an offset has one record in force', () => {
  test('two records in force at one offset', () => {
    const story = inForce(coordinatorStory(), [mark('Empty')]).tell(
      2,
      loaded([mark('Empty')], { coordinatorEpoch: 1 }),
    );
    const other = appended('u', mark('Empty', { transactionalId: 'u', producerId: 8 }), 0, { coordinatorEpoch: 1 });
    expect(story.tell(2, { ...other, phase: 'applied' }).end()).toContain(`txn INV-14 ${SHARD}`);
  });
  test('innocent: the next coordinator puts the same record in force there', () => {
    const story = inForce(coordinatorStory(), [mark('Empty')]).tell(
      2,
      loaded([mark('Empty')], { coordinatorEpoch: 1 }),
    );
    const again = appended('t', mark('Empty'), 0, { coordinatorEpoch: 1, phase: 'applied' });
    expect(story.tell(2, again).end()).toEqual([]);
  });
});
