// txn INV-5, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { TransactionMark } from '../../../../src/trace/events.ts';
import { appended, coordinatorStory, inForce, mark } from '../txn-story.ts';

const told = (...records: (TransactionMark | null)[]): string[] => inForce(coordinatorStory(), records).end();

describe('txn INV-5: identities never fall', () => {
  test('an older epoch is put in force', () => {
    const older = mark('Empty', { producerEpoch: 1 });
    expect(told(mark('Empty'), mark('Empty', { producerEpoch: 2 }), older)).toEqual(['txn INV-5 t']);
  });
  test('a fresh producer id does not begin at 0', () => {
    expect(told(mark('Empty'), mark('Empty', { producerId: 8, producerEpoch: 3 }))).toEqual(['txn INV-5 t']);
  });
  test("another id's producer id", () => {
    const story = inForce(coordinatorStory(), [mark('Empty')]);
    const event = appended('u', mark('Empty', { transactionalId: 'u' }), 1);
    expect(
      story
        .tell(1, event)
        .tell(1, { ...event, phase: 'applied' })
        .end(),
    ).toEqual(['txn INV-5 u']);
  });
  test('innocent: the epoch rises, and a used-up producer id is replaced', () => {
    const last = mark('Empty', { producerEpoch: 32_766 });
    expect(told(mark('Empty'), last, mark('Empty', { producerId: 8 }))).toEqual([]);
  });
});
