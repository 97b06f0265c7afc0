// Invariants over coordinators: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { TransactionMark } from '../../../src/trace/events.ts';
import type { Story } from './story.ts';
import { ordersStory } from './story.ts';
import { appended, coordinatorStory, data, inForce, loaded, mark, marker, STATE } from './txn-story.ts';

const SHARD = '__transaction_state-0';
const told = (...records: (TransactionMark | null)[]): string[] => inForce(coordinatorStory(), records).end();
const round = [mark('Empty'), mark('Ongoing'), mark('PrepareCommit'), mark('CompleteCommit')];

describe('txn INV-6: what is in force follows what was', () => {
  test('completed without a decision', () => {
    expect(told(mark('Empty'), mark('Ongoing'), mark('CompleteCommit'))).toEqual(['txn INV-6 t']);
  });
  test('decided the other way after it was decided', () => {
    expect(told(...round.slice(0, 3), mark('PrepareAbort'))).toEqual(['txn INV-6 t']);
  });
  test('an open transaction expires', () => expect(told(...round.slice(0, 2), null)).toEqual(['txn INV-6 t']));
  test('a partition is forgotten', () => {
    const two = mark('Ongoing', { partitions: ['orders-0', 'orders-1'] });
    expect(told(mark('Empty'), two, mark('Ongoing'))).toEqual(['txn INV-6 t']);
    expect(told(mark('Empty'), two, mark('PrepareCommit'))).toEqual(['txn INV-6 t']);
  });
  test('innocent: whole rounds, an abort of nothing, an expiry, and the same again', () => {
    const emptyAbort = [
      mark('PrepareAbort', { partitions: [], producerEpoch: 1 }),
      mark('CompleteAbort', { producerEpoch: 1 }),
    ];
    expect(told(...round, mark('CompleteCommit'), ...emptyAbort, null, mark('Empty', { producerId: 8 }))).toEqual([]);
  });
  test('the next coordinator goes on from an older record', () => {
    const story = inForce(coordinatorStory(), round.slice(0, 3));
    expect(story.tell(2, loaded([mark('Ongoing')], { coordinatorEpoch: 1 })).end()).toEqual([`txn INV-6 ${SHARD}`]);
  });
  test('the next coordinator does not know the id', () => {
    const story = inForce(coordinatorStory(), round.slice(0, 3));
    expect(story.tell(2, loaded([], { coordinatorEpoch: 1 })).end()).toEqual([`txn INV-6 ${SHARD}`]);
  });
  test('innocent: what its log has behind is told of later, because who appended it stood still; not if there is nothing', () => {
    for (const [logEnd, found] of [
      [3, []],
      [2, [`txn INV-6 ${SHARD}`]],
    ] as const) {
      const story = inForce(coordinatorStory(), round.slice(0, 2)).tell(2, {
        ...{
          type: 'log.opened',
          ...STATE,
          logStartOffset: 0,
          logEndOffset: logEnd,
          highWatermark: logEnd,
          batches: [],
        },
        ...{ epochs: [], clean: true, cut: 0, lossy: false },
      });
      expect(story.tell(2, loaded([mark('PrepareCommit')], { coordinatorEpoch: 1 })).end()).toEqual(found);
    }
  });
  test('innocent: a coordinator that was replaced while it loaded', () => {
    const story = inForce(coordinatorStory().tell(1, loaded([], { coordinatorEpoch: 2 })), round.slice(0, 3), {
      coordinatorEpoch: 2,
    });
    expect(story.tell(2, loaded([], { coordinatorEpoch: 1 })).end()).toEqual([]);
  });
  test('innocent: what was appended and not acknowledged survived, or did not', () => {
    for (const survived of [mark('Ongoing'), mark('PrepareCommit')]) {
      const story = inForce(coordinatorStory(), round.slice(0, 2)).tell(1, appended('t', mark('PrepareCommit'), 2));
      expect(story.tell(2, loaded([survived], { coordinatorEpoch: 1 })).end()).toEqual([]);
    }
  });
});

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

  const answer = (story: Story, producerEpoch: number, by: 'init' | 'end' = 'init', producerId = 7): string[] => {
    const identity = { transactionalId: 't', producerId, producerEpoch, by } as const;
    return story.tell(1, { type: 'producer.identity', ...identity }).end();
  };
  test('an identity is answered that is not in force', () => {
    expect(answer(inForce(coordinatorStory(), [mark('Empty')]), 1)).toEqual(['txn INV-5 t']);
  });
  test('an identity is answered whose record is not durable', () => {
    expect(answer(inForce(coordinatorStory(0), [mark('Empty')]), 0)).toEqual(['txn INV-5 t']);
  });
  test('innocent: one in force, though a newer one is as well; a rotation by EndTxn', () => {
    expect(answer(inForce(coordinatorStory(), [mark('Empty'), mark('Empty', { producerEpoch: 1 })]), 0)).toEqual([]);
    expect(answer(inForce(coordinatorStory(), round), 0, 'end', 8)).toEqual([]);
  });
});

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

describe('txn INV-14: one coordinator an epoch', () => {
  test('two brokers at one epoch', () => {
    expect(coordinatorStory().tell(2, loaded([])).end()).toEqual([`txn INV-14 ${SHARD}`]);
  });
  test('two brokers coordinate groups at one epoch', () => {
    const of = { type: 'group.loaded', partition: 3, coordinatorEpoch: 1, groups: [] } as const;
    expect(ordersStory().tell(1, of).tell(2, of).end()).toEqual(['txn INV-14 __consumer_offsets-3']);
  });
  test('innocent: at two epochs, or of two shards', () => {
    const story = coordinatorStory().tell(2, loaded([], { coordinatorEpoch: 1 }));
    expect(story.tell(3, loaded([], { partition: 1 })).end()).toEqual([]);
  });
  test('two records in force at one offset', () => {
    const story = inForce(coordinatorStory(), [mark('Empty')]).tell(
      2,
      loaded([mark('Empty')], { coordinatorEpoch: 1 }),
    );
    const other = appended('u', mark('Empty', { transactionalId: 'u', producerId: 8 }), 0, { coordinatorEpoch: 1 });
    expect(story.tell(2, { ...other, phase: 'applied' }).end()).toContain(`txn INV-14 ${SHARD}`);
  });
});

describe('txn INV-18: no marker without a durable decision', () => {
  const marked = (story: Story, of: Parameters<typeof marker>[1] = {}): string[] =>
    story
      .append(1, [data(0, 0)])
      .append(1, [marker(1, of)])
      .end();
  test('nobody decided', () => expect(marked(coordinatorStory())).toEqual(['txn INV-18 orders-0']));
  test('decided the other way', () => {
    const story = inForce(coordinatorStory(), [...round.slice(0, 2), mark('PrepareAbort')]);
    expect(marked(story)).toEqual(['txn INV-18 orders-0']);
  });
  test('decided in another epoch', () => {
    expect(marked(inForce(coordinatorStory(), round), { producerEpoch: 1 })).toEqual(['txn INV-18 orders-0']);
  });
  test('decided, and not durable', () => {
    expect(marked(inForce(coordinatorStory(2), round.slice(0, 3)))).toEqual(['txn INV-18 orders-0']);
  });
  test('innocent: decided, here or by the coordinator before', () => {
    expect(marked(inForce(coordinatorStory(), round))).toEqual([]);
    const story = inForce(coordinatorStory(2), round.slice(0, 2)).tell(1, appended('t', mark('PrepareCommit'), 2));
    expect(marked(story.tell(1, loaded([mark('PrepareCommit')], { coordinatorEpoch: 1 })))).toEqual([]);
  });
  test('innocent: an administrator wrote it', () => {
    const byHand = { type: 'marker.by-hand', producerId: 7, outcome: 'commit' } as const;
    expect(marked(coordinatorStory().tell(1, byHand))).toEqual([]);
  });
});

describe("txn INV-2: a group's offsets share the fate of their marker", () => {
  const OFFSETS = { topic: '__consumer_offsets', topicId: 'offsets-id', partition: 0 };
  type Fate = 'materialised' | 'overtaken' | 'dropped';
  const settled = (kind: Fate, outcome: 'commit' | 'abort', recordOffset = 1): string[] => {
    const story = coordinatorStory();
    const log = [data(0, 0), marker(1, { outcome })];
    const ends = { logStartOffset: 0, logEndOffset: 2, highWatermark: 2, batches: log, epochs: [] };
    story.tell(1, { type: 'log.opened', ...OFFSETS, ...ends, clean: true, cut: 0, lossy: false });
    const of = { partition: 0, coordinatorEpoch: 0, group: 'g', kind, producerId: 7, offsets: { 'orders-0': 4 } };
    story.tell(1, { type: 'group.offsets', ...of, recordOffset });
    return story.end().filter((found) => found.startsWith('txn INV-2 '));
  };
  test('put in force by an abort', () => {
    expect(settled('materialised', 'abort')).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
  test('dropped by a commit', () => expect(settled('dropped', 'commit')).toEqual(['txn INV-2 __consumer_offsets-0']));
  test('put in force where no marker stands', () => {
    expect(settled('materialised', 'commit', 0)).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
  test('innocent: each by its own', () => {
    expect(settled('materialised', 'commit')).toEqual([]);
    expect(settled('dropped', 'abort')).toEqual([]);
  });
  test('innocent: committed, and overtaken by a plain commit meanwhile (txn T-67)', () => {
    expect(settled('overtaken', 'commit')).toEqual([]);
    expect(settled('overtaken', 'abort')).toEqual(['txn INV-2 __consumer_offsets-0']);
  });
});
