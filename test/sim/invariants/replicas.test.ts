// Invariants over replicas: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { Story } from './story.ts';
import { ORDERS, batch, batches, ordersStory, replicated } from './story.ts';

test('a sound story breaks nothing', () => {
  expect(replicated(5).end()).toEqual([]);
});

describe('repl I-1: logStart <= LSO <= HW <= LEO', () => {
  test('a high watermark beyond the log end', () => {
    const story = ordersStory().opened(3, batches(0, 2, 0), { highWatermark: 3 });
    expect(story.end()).toEqual(['repl I-1 orders-0']);
  });
  test('a log start beyond the high watermark', () => {
    const story = ordersStory().opened(3, batches(4, 6, 0), { logStartOffset: 4, highWatermark: 2 });
    expect(story.end()).toContain('repl I-1 orders-0');
  });
  test('innocent: a log restarted further on is told as a cut and a new start', () => {
    const story = replicated(3).truncate(3, 3, 0, 9);
    story.tell(3, { type: 'log.start', ...ORDERS, logStartOffset: 9 }).epochs(3, []);
    // Such a follower is no member of the ISR any more.
    expect(story.end().filter((what) => what.startsWith('repl I-1 '))).toEqual([]);
  });
});

describe('repl I-2: the maximal ISR holds everything below the high watermark', () => {
  test('a member of the ISR cuts below it', () => {
    expect(
      replicated(5)
        .truncate(2, 5, 3)
        .epochs(2, [[0, 0]])
        .end(),
    ).toContain('repl I-2 orders-0');
  });
  test('the leader deletes what a member of the ISR does not have yet, and counts it as committed (BUG-77)', () => {
    const story = replicated(3).append(1, batches(3, 5, 0));
    expect(story.tell(1, { type: 'log.start', ...ORDERS, logStartOffset: 3 }).found).toEqual([]);
    story.tell(1, { type: 'log.start', ...ORDERS, logStartOffset: 5 });
    expect(story.found).toEqual(['repl I-2 orders-0']);
  });
  test('innocent: one that has moved on to a later epoch may cut', () => {
    const story = replicated(3).append(1, batches(3, 5, 0));
    for (const id of [2, 3]) story.append(id, batches(3, 5, 0)).recorded(1, id, 5);
    story.hw(1, 3, 5).change({ isr: [2, 3], leader: 3 });
    story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, isr: [2, 3], epochStart: 5, highWatermark: 3 });
    story.follow(2, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 }).truncate(2, 5, 3, 3);
    expect(story.end()).not.toContain('repl I-2 orders-0');
  });
  test('innocent: one that was moved away and comes back empty, while the deposed leader has heard of neither', () => {
    const deposed = (): Story => replicated(5).follow(3, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 });
    expect(deposed().opened(2, []).found).not.toContain('repl I-2 orders-0');
    // Nobody has deposed this one.
    expect(replicated(5).opened(2, []).found).toContain('repl I-2 orders-0');
  });
  test('innocent (P): one whose disk lost the tail', () => {
    expect(
      replicated(5)
        .opened(2, batches(0, 3, 0), { lossy: true })
        .end(),
    ).toEqual([]);
  });
  test('after it has rejoined the ISR the excuse is gone', () => {
    const story = replicated(5).opened(2, batches(0, 3, 0), { lossy: true });
    story.change({ isr: [1, 3] }).isr(1, { isr: [1, 3], maximalIsr: [1, 3], partitionEpoch: 1 });
    story.follow(2, { partitionEpoch: 1 });
    story.isr(1, { state: 'pending-expand', isr: [1, 3], partitionEpoch: 1 }).change({ isr: [1, 2, 3] });
    expect(story.isr(1, { partitionEpoch: 2 }).end()).toEqual(['repl I-2 orders-0']);
  });
});

describe('repl I-3: an advance counts only what was recorded', () => {
  const appended = (): Story => ordersStory().append(1, batches(0, 2, 0));
  test('beyond the recorded end of a member of the maximal ISR', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .append(3, batches(0, 2, 0))
      .epochs(3, [[0, 0]]);
    expect(story.recorded(1, 2, 2).recorded(1, 3, 1).hw(1, 0, 2).end()).toEqual(['repl I-3 orders-0']);
  });
  test('beyond what the advance itself says it counted', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .append(3, batches(0, 2, 0))
      .epochs(3, [[0, 0]]);
    story
      .recorded(1, 2, 2)
      .recorded(1, 3, 2)
      .hw(1, 0, 2, { recorded: { 2: 2, 3: 1 } });
    expect(story.end()).toEqual(['repl I-3 orders-0']);
  });
  test('counting what was recorded in an earlier leadership', () => {
    const story = replicated(2).change({ leader: 2 }).follow(1, { leaderEpoch: 1, partitionEpoch: 1, leader: 2 });
    story.change({ leader: 1 }).lead(1, { leaderEpoch: 2, partitionEpoch: 2, epochStart: 2, highWatermark: 2 });
    story
      .epochs(1, [
        [0, 0],
        [2, 2],
      ])
      .append(1, [batch(2, 2)])
      .recorded(1, 3, 3);
    expect(story.hw(1, 2, 3).end()).toContain('repl I-3 orders-0');
  });
  test('innocent: a replica outside the maximal ISR may be behind', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .change({ isr: [1, 2] });
    story.isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.recorded(1, 2, 2).hw(1, 0, 2).end()).toEqual([]);
  });
});

describe('repl I-4: no advance below min ISR', () => {
  const alone = (minIsr: number): Story => {
    const story = ordersStory()
      .append(1, batches(0, 1, 0))
      .change({ isr: [1] });
    return story.isr(1, { isr: [1], maximalIsr: [1], partitionEpoch: 1, minIsr }).hw(1, 0, 1);
  };
  test('one member where two are needed', () => expect(alone(2).end()).toEqual(['repl I-4 orders-0']));
  test('innocent: one member where one is enough', () => expect(alone(1).end()).toEqual([]));
  test('a pending expansion does not count', () => {
    const story = ordersStory()
      .append(1, batches(0, 1, 0))
      .change({ isr: [1] });
    story
      .append(2, batches(0, 1, 0))
      .epochs(2, [[0, 0]])
      .recorded(1, 2, 1);
    story.isr(1, { state: 'pending-expand', isr: [1], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.hw(1, 0, 1).end()).toEqual(['repl I-4 orders-0']);
  });
});

describe('repl I-5: a leader never retreats', () => {
  test('its high watermark falls', () => expect(replicated(3).hw(1, 3, 2).end()).toEqual(['repl I-5 orders-0']));
  test('it cuts its log', () => {
    const story = replicated(3)
      .append(1, batches(3, 5, 0))
      .truncate(1, 5, 4, 3);
    expect(story.end()).toEqual(['repl I-5 orders-0']);
  });
  test('innocent: followers do both', () => {
    const story = replicated(3)
      .append(2, batches(3, 5, 0))
      .truncate(2, 5, 4, 3)
      .hw(2, 3, 2);
    expect(story.end()).toEqual([]);
  });
  test('innocent: after a restart, or as a follower, the series is over', () => {
    const story = replicated(3).opened(1, batches(0, 3, 0), { highWatermark: 2 });
    story.change({ isr: [2, 3], leader: 2 }).follow(1, { leaderEpoch: 1, partitionEpoch: 1, leader: 2 });
    expect(story.truncate(1, 3, 2, 2).end()).not.toContain('repl I-5 orders-0');
  });
});

describe('repl I-19: the end that clients are told never falls', () => {
  const tell = (story: Story, node: number, leaderEpoch: number, offset: number): Story =>
    story.tell(node, { type: 'latest.told', ...ORDERS, leaderEpoch, offset });
  const led2 = (): Story => tell(replicated(5), 1, 0, 5).change({ isr: [2, 3], leader: 2 });

  test('the next leader says less', () => {
    expect(tell(led2(), 2, 1, 4).end()).toEqual(['repl I-19 orders-0']);
  });
  test('innocent: it says as much, or more', () => {
    expect(tell(tell(led2(), 2, 1, 5), 2, 1, 6).end()).toEqual([]);
  });
  test('innocent: a leader that was replaced says what was true', () => {
    expect(tell(tell(led2(), 2, 1, 6), 1, 0, 5).end()).toEqual([]);
  });
  test('innocent (U): the next leader was elected uncleanly', () => {
    const story = tell(replicated(5), 1, 0, 5).change({ isr: [2], leader: 2, unclean: true });
    expect(tell(story, 2, 1, 0).end()).toEqual([]);
  });
});
