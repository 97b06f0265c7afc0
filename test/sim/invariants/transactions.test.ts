// Invariants over transactions in the logs of data: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ORDERS, batch, type Story } from './story.ts';
import { aborted, data, duplicate, grow, logged, lso, marker, served } from './txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-1: the last stable offset lies between log start and high watermark', () => {
  test('above the high watermark', () => {
    const story = logged([data(0, 0), data(1, 1)], 1);
    expect(story.tell(1, lso(2)).end()).toContain(`txn INV-1 ${NAMED}`);
  });
  test('innocent: at the high watermark', () => {
    const story = logged([batch(0, 0), data(1, 0)], 1);
    expect(story.tell(1, lso(1)).end()).toEqual([]);
  });
  test('innocent: what was told of a log that is opened anew says nothing of it', () => {
    const story = logged([batch(0, 0), data(1, 0)], 1).tell(2, lso(1));
    expect(story.opened(2, [batch(0, 0), data(1, 0)]).end()).toEqual([]);
  });
});

describe('txn INV-16: the undecided pins the last stable offset', () => {
  test('an open transaction below it', () => {
    expect(
      logged([data(0, 0), data(1, 1)])
        .tell(1, lso(1))
        .end(),
    ).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('a marker that is not replicated', () => {
    const story = logged([data(0, 0), marker(1), data(2, 1)], 1);
    expect(story.tell(2, lso(1, { firstUnstableOffset: 2 })).end()).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('one that its replica has forgotten', () => {
    const story = logged([data(0, 0), batch(1, 0)], 2).tell(1, lso(0));
    expect(story.tell(1, lso(2, { from: 0, firstUnstableOffset: -1 })).end()).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('innocent: the marker is below the high watermark', () => {
    const story = logged([data(0, 0), marker(1), data(2, 1)], 2);
    expect(story.tell(1, lso(2)).end()).toEqual([]);
  });
  test('innocent: nothing is undecided any more, and it is not told', () => {
    const story = logged([data(0, 0), batch(1, 0)], 2).tell(1, lso(0));
    grow(story, [marker(2)], 3, 2);
    expect(story.tell(1, lso(3, { from: 0, firstUnstableOffset: -1 })).end()).toEqual([]);
  });
});

describe('txn INV-3: read_committed is served what is decided', () => {
  const open = (): Story => logged([batch(0, 0), data(1, 0), batch(2, 0)]);
  test('beyond an open transaction', () => {
    expect(open().tell(1, served(3, 3)).end()).toEqual([`txn INV-3 ${NAMED}`]);
  });
  test('beyond the last stable offset that is told with it', () => {
    expect(
      logged([batch(0, 0), batch(1, 0)])
        .tell(1, served(2, 1))
        .end(),
    ).toContain(`txn INV-3 ${NAMED}`);
  });
  test('innocent: up to it, and read_uncommitted to the end', () => {
    expect(open().tell(1, served(1, 1)).tell(1, served(3)).end()).toEqual([]);
  });
});

describe('txn INV-20: a leader never lowers its last stable offset', () => {
  test('it does', () => {
    const story = logged([batch(0, 0), batch(1, 0), data(2, 0)]).tell(1, lso(2));
    expect(story.tell(1, lso(1, { from: 2, firstUnstableOffset: 2 })).end()).toEqual([`txn INV-20 ${NAMED}`]);
  });
  test('innocent: a follower with a lower high watermark, or the next leader', () => {
    const story = logged([batch(0, 0), batch(1, 0), data(2, 0)]).tell(1, lso(2));
    expect(story.tell(2, lso(1, { firstUnstableOffset: 2 })).end()).toEqual([]);
  });
});

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

describe('txn INV-5: epochs of a producer never fall in a log', () => {
  const zombie = [data(0, 0, { epoch: 1 }), marker(1, { producerEpoch: 1 }), data(2, 0)];
  test('data of an older epoch', () => expect(logged(zombie).end()).toEqual([`txn INV-5 ${NAMED}`]));
  test('a marker of an older epoch', () => {
    expect(logged([data(0, 0, { epoch: 1 }), marker(1)]).end()).toEqual([`txn INV-5 ${NAMED}`]);
  });
  test('innocent: of another producer, and of one that was forgotten', () => {
    const other = [...zombie.slice(0, 2), data(2, 0, { producerId: 8 })];
    expect(logged(other).end()).toEqual([]);
    const story = logged(zombie.slice(0, 2)).tell(1, { type: 'producers.expired', ...ORDERS, producerIds: [7] });
    expect(grow(story, [data(2, 0)], 3, 2).end()).toEqual([]);
  });
});

describe('txn INV-10: one transaction of a producer at a time', () => {
  const next = data(1, 0, { epoch: 1 });
  test('the next one begins, and no marker ended the one before', () => {
    expect(logged([data(0, 0), next]).end()).toEqual([`txn INV-10 ${NAMED}`]);
  });
  test('a plain batch inside', () => {
    const plain = batch(1, 0, { producer: [7, 0, 1] });
    expect(logged([data(0, 0), plain]).end()).toEqual([`txn INV-10 ${NAMED}`]);
  });
  test('innocent: not committed, in the log of a leader that was replaced', () => {
    expect(logged([data(0, 0), next], 1).end()).toEqual([]);
  });
  test('innocent: a marker between them', () => {
    expect(logged([data(0, 0), marker(1, { producerEpoch: 1 }), data(2, 0, { epoch: 1 })]).end()).toEqual([]);
  });
});

describe('txn INV-14: who obeyed a newer coordinator obeys no older one', () => {
  const by = (...epochs: number[]) => epochs.map((coordinatorEpoch, at) => marker(at, { coordinatorEpoch }));
  test('a marker of the older one', () => expect(logged(by(2, 1)).end()).toEqual([`txn INV-14 ${NAMED}`]));
  test('innocent: again by the same, and by the next', () => expect(logged(by(1, 1, 2)).end()).toEqual([]));
});
