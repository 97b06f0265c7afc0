// txn INV-15, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, ORDERS } from '../story.ts';
import { duplicate, logged } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-15: a duplicate is acknowledged where it stands and is covered', () => {
  const numbered = [batch(0, 0, { producer: [7, 0, 0] }), batch(1, 0, { producer: [7, 0, 1] })];
  test('above the high watermark', () => {
    expect(logged(numbered, 1).tell(1, duplicate(1, 1)).end()).toContain(`txn INV-15 ${NAMED}`);
  });
  test('where no producer wrote', () => {
    expect(
      logged([batch(0, 0)])
        .tell(1, duplicate(0, 1))
        .end(),
    ).toEqual([`txn INV-15 ${NAMED}`]);
  });
  test('innocent: below it', () => expect(logged(numbered).tell(1, duplicate(1, 2)).end()).toEqual([]));
  test('innocent: what was deleted since (BUG-30)', () => {
    const story = logged(numbered).tell(1, { type: 'log.start', ...ORDERS, logStartOffset: 2 });
    expect(story.tell(1, duplicate(1, 2)).end()).toEqual([]);
  });
});
