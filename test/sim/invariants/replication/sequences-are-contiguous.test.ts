// repl I-26, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, ORDERS, ordersStory } from '../story.ts';

describe('repl I-26, txn INV-9: sequences of a producer epoch are contiguous', () => {
  const numbered = (base: number, sequence: number, epoch = 0) => batch(base, 0, { producer: [7, epoch, sequence] });
  test.each([
    ['a gap', [numbered(0, 0), numbered(1, 2)]],
    ['twice', [numbered(0, 0), numbered(1, 0)]],
    ['out of order', [numbered(0, 0), numbered(1, 2), numbered(2, 1)]],
    ['a first that is not 0', [numbered(0, 3)]],
    ['a new epoch that does not begin at 0', [numbered(0, 0), numbered(1, 1, 1)]],
  ])('%s', (_, log) => {
    expect(
      ordersStory()
        .append(1, log)
        .epochs(1, [[0, 0]])
        .end(),
    ).toEqual(['repl I-26 orders-0']);
  });
  test('a gap between two appends, and one that a cut leaves', () => {
    const apart = ordersStory()
      .append(1, [numbered(0, 0)])
      .epochs(1, [[0, 0]]);
    expect(apart.append(1, [numbered(1, 2)]).endOf('repl I-26')).toEqual(['repl I-26 orders-0']);
    const cut = ordersStory()
      .append(2, [numbered(0, 0), numbered(1, 1), numbered(2, 2)])
      .epochs(2, [[0, 0]]);
    expect(
      cut
        .truncate(2, 3, 1)
        .append(2, [numbered(1, 2)])
        .endOf('repl I-26'),
    ).toEqual(['repl I-26 orders-0']);
  });
  test('innocent: it begins anew in another epoch, goes on after a cut, and wraps', () => {
    const story = ordersStory()
      .append(2, [numbered(0, 0), numbered(1, 1)])
      .epochs(2, [[0, 0]]);
    story.truncate(2, 2, 1).append(2, [numbered(1, 1), numbered(2, 0, 1), numbered(3, 1, 1)]);
    expect(story.endOf('repl I-26')).toEqual([]);
    const late = { logStartOffset: 5, highWatermark: 5 };
    const wraps = [batch(5, 0, { producer: [7, 0, 2_147_483_647] }), batch(6, 0, { producer: [7, 0, 0] })];
    expect(ordersStory().opened(1, wraps, late).endOf('repl I-26')).toEqual([]);
  });
  test('innocent: a log that begins later, and a producer that was forgotten', () => {
    const late = { logStartOffset: 3, highWatermark: 3 };
    expect(
      ordersStory()
        .opened(1, [numbered(3, 9)], late)
        .endOf('repl I-26'),
    ).toEqual([]);
    const forgotten = ordersStory().tell(1, { type: 'producers.expired', ...ORDERS, producerIds: [7] });
    expect(
      forgotten
        .append(2, [numbered(0, 4)])
        .epochs(2, [[0, 0]])
        .endOf('repl I-26'),
    ).toEqual([]);
  });
});
