// Invariants of what was told and promised: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ORDERS, batch, batches, CONTROLLER, ordersStory, replicated, type Story } from './story.ts';

type Of<T extends TraceEvent['type']> = Partial<Omit<Extract<TraceEvent, { type: T }>, 'type'>>;

const answered = (story: Story, node: number, rest: Of<'produce.answered'>): Story =>
  story.tell(node, {
    ...{ type: 'produce.answered', ...ORDERS, leaderEpoch: 0, acks: -1, error: 'NONE', baseOffset: 0, lastOffset: 0 },
    ...{ highWatermark: 3, maximalIsr: [1, 2, 3], minIsr: 2, ...rest },
  });
const served = (story: Story, node: number, rest: Of<'consumer.served'>): Story =>
  story.tell(node, {
    ...{ type: 'consumer.served', ...ORDERS, leaderEpoch: 0, fetchOffset: 0, endOffset: 3, highWatermark: 3 },
    ...rest,
  });
/** 3 leads in epoch 1, from where its log is said to end. */
const led3 = (story: Story, epochStart: number, rest: Of<'leader.started'> = {}): Story =>
  story
    .change({ leader: 3 })
    .lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart, highWatermark: epochStart, ...rest });
/** What was found of one rule. */
const of = (rule: string, story: Story): string[] => story.end().filter((what) => what.startsWith(`${rule} `));

describe('repl I-14: a later leader has all that was acknowledged with acks=all', () => {
  const acked = (): Story => answered(replicated(3), 1, { baseOffset: 2, lastOffset: 2 });
  const I14 = (story: Story): string[] => of('repl I-14', story);

  test('its epoch begins below it', () => {
    expect(I14(led3(acked().truncate(3, 3, 2, 2), 2))).toEqual(['repl I-14 orders-0']);
  });
  test('it holds another batch there', () => {
    const story = acked()
      .truncate(3, 3, 2, 2)
      .append(3, [batch(2, 0, { crc: 9 })]);
    expect(I14(led3(story, 3))).toEqual(['repl I-14 orders-0']);
  });
  test('the acknowledgement comes when it leads already', () => {
    const story = ordersStory()
      .append(1, batches(0, 3, 0))
      .append(2, batches(0, 3, 0));
    expect(I14(answered(led3(story, 0), 1, { baseOffset: 2, lastOffset: 2 }))).toEqual(['repl I-14 orders-0']);
  });
  test('innocent: it has it', () =>
    expect(
      led3(acked(), 3)
        .epochs(3, [
          [0, 0],
          [1, 3],
        ])
        .end(),
    ).toEqual([]));
  test('innocent: acks=1, or an answer in doubt', () => {
    for (const rest of [{ acks: 1 }, { error: 'REQUEST_TIMED_OUT' as const }]) {
      const story = answered(replicated(3), 1, { baseOffset: 2, lastOffset: 2, ...rest });
      expect(I14(led3(story.truncate(3, 3, 2, 2), 2))).toEqual([]);
    }
  });
  test('innocent (U): it was elected uncleanly', () => {
    const story = acked()
      .truncate(3, 3, 2, 2)
      .change({ leader: 3, isr: [3], unclean: true });
    expect(I14(story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart: 2, isr: [3] }))).toEqual([]);
  });
  test('innocent (P): its disk had lost the tail', () => {
    const story = acked().opened(3, batches(0, 2, 0), { lossy: true });
    expect(I14(led3(story, 2))).toEqual([]);
  });
});

describe('repl I-15: acks=all is answered when it is committed', () => {
  const answer = (rest: Of<'produce.answered'>): string[] => answered(replicated(3), 1, rest).end();

  test('the high watermark is at the record', () => {
    expect(answer({ lastOffset: 2, highWatermark: 2 })).toEqual(['repl I-15 orders-0']);
  });
  test('the maximal ISR is too small', () => expect(answer({ maximalIsr: [1] })).toEqual(['repl I-15 orders-0']));
  test('innocent: acks=1 is answered at once', () => {
    expect(answer({ acks: 1, lastOffset: 2, highWatermark: 0, maximalIsr: [1] })).toEqual([]);
  });
  test('innocent: an error promises nothing', () => {
    expect(answer({ error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', maximalIsr: [1] })).toEqual([]);
  });
});

describe('repl I-16: what was read stays', () => {
  const I16 = (story: Story): string[] => of('repl I-16', story);
  const other = (story: Story): Story => story.truncate(3, 3, 2, 2).append(3, [batch(2, 1)]);

  test('a consumer is given another batch at an offset', () => {
    expect(I16(served(other(served(replicated(3), 1, {})), 3, { leaderEpoch: 1 }))).toEqual(['repl I-16 orders-0']);
  });
  test('a later leader has another one', () => {
    expect(I16(led3(other(served(replicated(3), 1, {})), 3))).toEqual(['repl I-16 orders-0']);
  });
  test('innocent: the same batches, whoever serves them', () => {
    expect(I16(served(served(replicated(3), 1, {}), 2, {}))).toEqual([]);
  });
  test('innocent: what nobody has read may be another', () => {
    expect(I16(led3(other(served(replicated(3), 1, { endOffset: 2 })), 3))).toEqual([]);
  });
  test('innocent (U): after an unclean election', () => {
    const story = other(served(replicated(3), 1, {})).change({ leader: 3, isr: [3], unclean: true });
    expect(I16(served(story, 3, { leaderEpoch: 1 }))).toEqual([]);
  });
  test('innocent: what was deleted from the front', () => {
    const story = served(replicated(3), 1, {})
      .truncate(3, 3, 0)
      .tell(3, { type: 'log.start', ...ORDERS, logStartOffset: 3 });
    expect(I16(led3(story, 3))).toEqual([]);
  });
});

describe('repl I-17: nobody is given what is not committed', () => {
  test('a batch above the high watermark', () => {
    const story = replicated(3).append(1, batches(3, 4, 0));
    expect(served(story, 1, { endOffset: 4, highWatermark: 4 }).end()).toEqual(['repl I-17 orders-0']);
  });
  test('read_committed: one above the last stable offset', () => {
    expect(of('repl I-17', served(replicated(3), 1, { lastStableOffset: 2 }))).toEqual(['repl I-17 orders-0']);
  });
  test('innocent: a follower serves what it knows to be committed (repl R-22)', () => {
    expect(served(replicated(3), 2, {}).end()).toEqual([]);
  });
});

describe('repl I-20: later leaders begin at or above what was told to be committed', () => {
  const I20 = (story: Story): string[] => of('repl I-20', story);

  test('one begins below', () => expect(I20(led3(replicated(3), 2))).toEqual(['repl I-20 orders-0']));
  test('an earlier leader goes on counting', () => {
    const story = led3(replicated(3), 3).append(1, batches(3, 5, 0));
    expect(I20(story.recorded(1, 2, 5).recorded(1, 3, 5).hw(1, 3, 5))).toEqual(['repl I-20 orders-0']);
  });
  test('innocent: its own high watermark is lower at first (repl R-50)', () => {
    expect(I20(led3(replicated(3), 3, { highWatermark: 1 }))).toEqual([]);
  });
  test('innocent: it goes further in its own epoch', () => {
    expect(I20(led3(replicated(3), 3).hw(3, 3, 9, { leaderEpoch: 1, role: 'leader' }))).toEqual([]);
  });
  test('innocent (U): it was elected uncleanly', () => {
    const story = replicated(3).change({ leader: 3, isr: [3], unclean: true });
    expect(I20(story.lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart: 2, isr: [3] }))).toEqual([]);
  });
});

describe('repl I-21: nothing is cut that was told to be committed', () => {
  const I21 = (story: Story): string[] => of('repl I-21', story);

  test('a follower cuts below it', () => {
    expect(I21(replicated(3).truncate(3, 3, 2, 2))).toEqual(['repl I-21 orders-0']);
  });
  test('innocent: what was never committed', () => {
    expect(
      I21(
        replicated(3)
          .append(3, batches(3, 5, 0))
          .truncate(3, 5, 3, 3),
      ),
    ).toEqual([]);
  });
  test('innocent: a tail of an old epoch, though a later leader has gone further meanwhile', () => {
    const story = replicated(3)
      .append(3, batches(3, 4, 0))
      .hw(1, 3, 9, { leaderEpoch: 1 });
    expect(I21(story.truncate(3, 4, 3, 3))).toEqual([]);
  });
  test('innocent: a log that is begun anew further on (repl R-74)', () => {
    const why = { from: 3, to: 0, highWatermark: 0, why: 'restarted' };
    expect(I21(replicated(3).tell(3, { type: 'log.truncated', ...ORDERS, ...why }))).toEqual([]);
  });
  test('innocent (P): a replica whose disk lost its tail', () => {
    expect(
      I21(
        replicated(3)
          .opened(3, batches(0, 3, 0), { lossy: true })
          .truncate(3, 3, 1, 0),
      ),
    ).toEqual([]);
  });
});

describe('repl I-23: broker epochs increase', () => {
  const I23 = (story: Story): string[] => of('repl I-23', story);
  const registered = (story: Story, brokerId: number, brokerEpoch: number): Story =>
    story.commit({
      registerBroker: { brokerId, incarnationId: 'i', brokerEpoch, endpoints: [], fenced: true } as never,
    });
  const changed = (story: Story, brokerEpoch: number): Story =>
    story.commit({
      brokerRegistrationChange: { brokerId: 4, brokerEpoch, fenced: false, inControlledShutdown: false },
    });
  const state = (story: Story, node: number, brokerEpoch: number): Story =>
    story.tell(node, { type: 'broker.state', state: 'RUNNING', brokerEpoch });

  test('an epoch is given a second time', () => {
    expect(I23(registered(registered(ordersStory(), 4, 70), 5, 70))).toEqual(['repl I-23 broker 5']);
  });
  test('a record of an older epoch is taken', () => {
    const story = registered(registered(ordersStory(), 4, 70), 4, 80);
    expect(I23(changed(story, 70))).toEqual(['repl I-23 broker 4']);
  });
  test('a broker runs in an epoch that it was not given', () => {
    expect(I23(state(registered(ordersStory(), 4, 70), 4, 71))).toEqual(['repl I-23 broker 4']);
  });
  test('innocent: a new epoch with each start, and a zombie that still runs in its old one', () => {
    const story = registered(registered(ordersStory(), 4, 70), 4, 80);
    expect(I23(state(state(changed(story, 80), 4, 70), 4, 80))).toEqual([]);
  });
  test('innocent: a controller that was restarted tells its last records again', () => {
    const story = registered(ordersStory(), 4, 70);
    const record = { registerBroker: { brokerId: 4, brokerEpoch: 70 } };
    expect(I23(story.tell(CONTROLLER, { type: 'metadata.committed', offset: 0, record }))).toEqual([]);
  });
});

describe('repl I-27: a leader counts fetches of its own epoch alone', () => {
  const counted = (story: Story, followerEpoch: number, leaderEpoch = 0): Story =>
    story.tell(1, { type: 'fetch.recorded', ...ORDERS, leaderEpoch, follower: 2, offset: 0, followerEpoch });

  test('a fetch of another epoch', () => {
    expect(counted(ordersStory(), 1).end()).toEqual(['repl I-27 orders-0']);
  });
  test('a fetch of a follower that has not applied the epoch', () => {
    expect(of('repl I-27', counted(ordersStory(), 3, 3))).toEqual(['repl I-27 orders-0']);
  });
  test('innocent: a follower that has moved on, or started again, since it asked', () => {
    const moved = ordersStory().follow(2, { leaderEpoch: 1, partitionEpoch: 1, leader: 3 });
    expect(of('repl I-27', counted(moved, 0))).toEqual([]);
    expect(of('repl I-27', counted(ordersStory().opened(2), 0))).toEqual([]);
  });
});
