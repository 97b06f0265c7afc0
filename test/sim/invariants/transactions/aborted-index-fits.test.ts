// txn INV-12, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, type Story } from '../story.ts';
import { aborted, data, logged, marker } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-12: the aborted index has what its log says', () => {
  const log = [batch(0, 0), data(1, 0)];
  const grown = (entry?: Parameters<Story['tell']>[1]): Story => {
    const story = logged(log).append(1, [marker(2, { outcome: 'abort' })]);
    return entry === undefined ? story : story.tell(1, entry);
  };
  test('no entry for an abort', () => expect(grown().end()).toEqual([`txn INV-12 ${NAMED}`]));
  test('an entry that begins elsewhere', () => {
    expect(grown(aborted(0, 2)).end()).toEqual([`txn INV-12 ${NAMED}`]);
  });
  test('an entry with the last stable offset of another moment', () => {
    expect(grown(aborted(1, 2, { lastStableOffset: 1 })).end()).toEqual([`txn INV-12 ${NAMED}`]);
  });
  test('an entry where nothing was aborted', () => {
    expect(logged(log).tell(1, aborted(1, 1)).end()).toEqual([`txn INV-12 ${NAMED}`]);
  });
  test('innocent: the entry, while another producer has one open', () => {
    expect(grown(aborted(1, 2)).end()).toEqual([]);
    const story = logged([data(0, 0, { producerId: 8 }), data(1, 0)]).append(1, [marker(2, { outcome: 'abort' })]);
    expect(story.tell(1, aborted(1, 2, { lastStableOffset: 0 })).end()).toEqual([]);
  });
  test('innocent: a commit, and an abort without data', () => {
    expect(
      logged(log)
        .append(1, [marker(2)])
        .append(1, [marker(3, { outcome: 'abort' })])
        .end(),
    ).toEqual([]);
  });
});
