// txn INV-6, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import type { TransactionMark } from '../../../../src/trace/events.ts';
import { appended, coordinatorStory, inForce, loaded, mark, STATE } from '../txn-story.ts';

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
