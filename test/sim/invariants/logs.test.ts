// Invariants over logs and their recovery: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { Story } from './story.ts';
import { ORDERS, batch, batches, ordersStory, replicated } from './story.ts';

describe('repl I-6: one batch, one past', () => {
  test('other content under one name', () => {
    const story = ordersStory().append(1, batches(0, 2, 0));
    story.append(2, [batch(0, 0), batch(1, 0, { crc: 99 })]).epochs(2, [[0, 0]]);
    expect(story.end()).toEqual(['repl I-6 orders-0']);
  });
  test('another batch before an equal one', () => {
    const story = ordersStory().opened(1, [batch(0, 0), batch(1, 1), batch(2, 2)]);
    story.opened(2, [batch(0, 0), batch(1, 0), batch(2, 2)]);
    expect(story.end()).toEqual(['repl I-6 orders-0']);
  });
  test('a hole before an equal one', () => {
    const story = ordersStory().opened(1, [batch(0, 0), batch(1, 0), batch(2, 0)]);
    expect(story.opened(2, [batch(0, 0), batch(2, 0)]).end()).toEqual(['repl I-6 orders-0']);
  });
  test('innocent: the tails of two epochs differ until one is cut', () => {
    const story = ordersStory().opened(1, [...batches(0, 2, 0), batch(2, 1)]);
    expect(story.opened(2, [...batches(0, 2, 0), batch(2, 0), batch(3, 0)]).end()).toEqual([]);
  });
  test('innocent: one log starts later', () => {
    const story = ordersStory().opened(1, batches(0, 6, 0));
    expect(story.opened(2, batches(3, 6, 0), { logStartOffset: 3, highWatermark: 3 }).end()).toEqual([]);
  });
});

describe('txn T-114: where a cleaner was', () => {
  const cleaned = (story: Story, upTo: number): Story => story.tell(1, { type: 'log.cleaned', ...ORDERS, upTo });
  const opened = { highWatermark: 4 };
  test('innocent: holes and other content below', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 4, 0), opened), 3);
    story.opened(1, [batch(1, 0, { crc: 7 }), ...batches(2, 4, 0)], opened);
    expect(story.opened(2, [batch(2, 0, { crc: 9 }), batch(3, 0)], opened).end()).toEqual([]);
  });
  test('a hole above', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 5, 0), { highWatermark: 5 }), 2);
    expect(story.opened(2, [batch(2, 0), batch(4, 0)], { highWatermark: 5 }).end()).toEqual([
      'repl I-6 orders-0',
      'repl I-7 orders-0',
    ]);
  });
  test('another epoch at the same offset below', () => {
    const story = cleaned(ordersStory().opened(1, [batch(0, 0), ...batches(1, 4, 1)], opened), 3);
    expect(story.opened(2, [batch(1, 0), ...batches(2, 4, 1)], opened).end()).toEqual(['repl I-7 orders-0']);
  });
  test('repl I-29: a batch above that a restart lost', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 4, 0), opened), 2);
    expect(story.opened(1, [batch(2, 0)], { highWatermark: 2 }).end()).toEqual(['repl I-29 orders-0']);
  });
});

describe('repl I-26: sequences of a producer epoch are contiguous', () => {
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
    expect(apart.append(1, [numbered(1, 2)]).end()).toEqual(['repl I-26 orders-0']);
    const cut = ordersStory()
      .append(2, [numbered(0, 0), numbered(1, 1), numbered(2, 2)])
      .epochs(2, [[0, 0]]);
    expect(
      cut
        .truncate(2, 3, 1)
        .append(2, [numbered(1, 2)])
        .end(),
    ).toEqual(['repl I-26 orders-0']);
  });
  test('innocent: it begins anew in another epoch, goes on after a cut, and wraps', () => {
    const story = ordersStory()
      .append(2, [numbered(0, 0), numbered(1, 1)])
      .epochs(2, [[0, 0]]);
    story.truncate(2, 2, 1).append(2, [numbered(1, 1), numbered(2, 0, 1), numbered(3, 1, 1)]);
    expect(story.end()).toEqual([]);
    const late = { logStartOffset: 5, highWatermark: 5 };
    const wraps = [batch(5, 0, { producer: [7, 0, 2_147_483_647] }), batch(6, 0, { producer: [7, 0, 0] })];
    expect(ordersStory().opened(1, wraps, late).end()).toEqual([]);
  });
  test('innocent: a log that begins later, and a producer that was forgotten', () => {
    const late = { logStartOffset: 3, highWatermark: 3 };
    expect(
      ordersStory()
        .opened(1, [numbered(3, 9)], late)
        .end(),
    ).toEqual([]);
    const forgotten = ordersStory().tell(1, { type: 'producers.expired', ...ORDERS, producerIds: [7] });
    expect(
      forgotten
        .append(2, [numbered(0, 4)])
        .epochs(2, [[0, 0]])
        .end(),
    ).toEqual([]);
  });
});

describe('repl I-7: committed logs are equal', () => {
  const diverged = (highWatermark: number): Story => {
    const story = ordersStory().opened(2, [batch(0, 0), batch(1, 0)], { highWatermark: 2 });
    return story.opened(3, [batch(0, 0), batch(1, 1)], { highWatermark });
  };
  test('two replicas disagree below both high watermarks', () => {
    expect(diverged(2).end()).toEqual(['repl I-7 orders-0']);
  });
  test('the disagreement shows when the lower high watermark rises', () => {
    const story = diverged(1);
    expect(story.found).toEqual([]);
    expect(story.hw(3, 1, 2).end()).toEqual(['repl I-7 orders-0']);
  });
  test('innocent: above one of the high watermarks they may disagree', () => {
    expect(diverged(1).end()).toEqual([]);
  });
  test('innocent (U): after an unclean election', () => {
    const story = ordersStory().change({ isr: [3], leader: 3, unclean: true });
    story.opened(2, [batch(0, 0), batch(1, 0)], { highWatermark: 2 });
    expect(story.opened(3, [batch(0, 0), batch(1, 1)], { highWatermark: 2 }).end()).toEqual([]);
  });
  test('innocent (P): the leader lost its tail with the power', () => {
    const story = replicated(3).opened(3, batches(0, 1, 0), { lossy: true });
    story.change({ leader: 3, isr: [3] }).lead(3, { leaderEpoch: 1, partitionEpoch: 1, isr: [3], minIsr: 1 });
    story.append(3, [batch(1, 1)], { role: 'leader' }).epochs(3, [
      [0, 0],
      [1, 1],
    ]);
    story.hw(3, 0, 2, { role: 'leader', leaderEpoch: 1 });
    expect(story.end()).toEqual([]);
  });
});

describe('repl I-22: the epoch cache fits its log', () => {
  const wrong: [string, readonly (readonly [number, number])[]][] = [
    [
      'epochs that do not rise',
      [
        [0, 0],
        [0, 2],
      ],
    ],
    [
      'starts that do not rise',
      [
        [0, 0],
        [1, 0],
      ],
    ],
    ['a first entry behind the first batch', [[0, 1]]],
    [
      'a last entry beyond the log end',
      [
        [0, 0],
        [1, 4],
      ],
    ],
    [
      'an epoch that a batch does not have',
      [
        [0, 0],
        [1, 2],
      ],
    ],
    ['no entry at all', []],
  ];
  test.each(wrong)('%s', (_what, epochs) => {
    expect(
      ordersStory()
        .opened(2, batches(0, 3, 0), { epochs })
        .end(),
    ).toEqual(['repl I-22 orders-0']);
  });
  test('an append whose epoch the cache does not learn', () => {
    expect(
      replicated(2)
        .append(2, [batch(2, 1)])
        .end(),
    ).toEqual(['repl I-22 orders-0']);
  });
  test('innocent: an epoch that wrote nothing yet, and data told before its entry', () => {
    const story = replicated(2)
      .epochs(2, [
        [0, 0],
        [3, 2],
      ])
      .append(3, [batch(2, 1)])
      .epochs(3, [
        [0, 0],
        [1, 2],
      ]);
    expect(story.end()).toEqual([]);
  });
});

describe('repl I-29: a kill loses nothing that was counted', () => {
  test('the end is missing', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 2, 0))
        .end(),
    ).toContain('repl I-29 orders-0');
  });
  test('a batch is another', () => {
    const log = [batch(0, 0), batch(1, 0, { crc: 7 }), batch(2, 0)];
    expect(replicated(3).opened(2, log).end()).toContain('repl I-29 orders-0');
  });
  test('innocent: a write under way may be there as well', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 4, 0), { highWatermark: 3 })
        .end(),
    ).toEqual([]);
  });
  test('innocent: what was cut before the kill is not missed', () => {
    const story = replicated(3)
      .append(2, batches(3, 5, 0))
      .truncate(2, 5, 3, 3);
    expect(story.opened(2, batches(0, 3, 0)).end()).toEqual([]);
  });
  test('innocent: all of it was cut before a later kill', () => {
    const story = replicated(3).opened(2, batches(0, 3, 0));
    expect(story.truncate(2, 3, 0, 0).opened(2).end()).not.toContain('repl I-29 orders-0');
  });
  test('innocent: power loss, or a wiped disk', () => {
    expect(
      replicated(3)
        .opened(2, batches(0, 1, 0), { lossy: true })
        .end(),
    ).toEqual([]);
    const wiped = replicated(3)
      .change({ isr: [1, 3] })
      .isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    wiped.tell(2, { type: 'logs.lossy' });
    expect(wiped.opened(2).end()).toEqual([]);
    // A proposal for the process before is committed late.
    const late = replicated(3)
      .change({ isr: [1, 3] })
      .isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    late.tell(2, { type: 'logs.lossy' });
    late.isr(1, { state: 'pending-expand', isr: [1, 3], partitionEpoch: 1 }).change({ isr: [1, 2, 3] });
    expect(late.opened(2).end()).toEqual([]);
  });
});
