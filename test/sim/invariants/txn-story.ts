// Words for hand-written traces of transactions: batches, markers, and what coordinators tell.
import type { BatchMark, TraceEvent, TransactionMark } from '../../../src/trace/events.ts';
import { ORDERS, batch, ordersStory, type Story } from './story.ts';

type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;

/** A record of producer 7's transaction, in epoch 0 unless said otherwise. */
export function data(offset: number, sequence: number, rest: { epoch?: number; producerId?: number } = {}): BatchMark {
  const { epoch = 0, producerId = 7 } = rest;
  return batch(offset, 0, { producer: [producerId, epoch, sequence], transactional: true });
}

/** A marker for producer 7. */
export function marker(offset: number, rest: Partial<NonNullable<BatchMark['marker']>> = {}): BatchMark {
  const of = { producerId: 7, producerEpoch: 0, outcome: 'commit', coordinatorEpoch: 0, ...rest } as const;
  return batch(offset, 0, { transactional: true, marker: of });
}

/** orders-0 with these batches on all three replicas, known to be committed up to `committed`. */
export function logged(batches: BatchMark[], committed = batches.length): Story {
  const story = ordersStory();
  for (const outcome of ['commit', 'abort'] as const) for (const epoch of [0, 1]) decidedFor(story, outcome, epoch);
  return grow(story, batches, committed, 0);
}

function decidedFor(story: Story, outcome: 'commit' | 'abort', epoch: number): void {
  for (const producerId of [7, 8]) {
    const state = outcome === 'commit' ? 'PrepareCommit' : 'PrepareAbort';
    const id = `t${producerId}${outcome}${epoch}`;
    const transactions = [{ ...mark(state, { producerId, producerEpoch: epoch }), transactionalId: id }];
    story.tell(1, appended(id, transactions[0]!, 1000));
    story.tell(1, loaded(transactions, { coordinatorEpoch: 0, partition: 9 + producerId * 4 + epoch * 2 }));
  }
}

/** Further batches on all three. */
export function grow(story: Story, batches: BatchMark[], committed: number, from: number): Story {
  const entry = abortsOf(batches);
  for (const id of [1, 2, 3]) {
    story.append(id, batches);
    for (const aborted of entry) story.tell(id, aborted);
    if (from === 0 && id !== 1) story.epochs(id, [[0, 0]]);
  }
  const end = batches[batches.length - 1]!.lastOffset + 1;
  for (const id of [2, 3]) story.recorded(1, id, end);
  if (committed > from) for (const id of [1, 2, 3]) story.hw(id, from, committed, { logEndOffset: end });
  return story;
}

/** Entries of the aborted index that a sound replica has for a log of producer 7 alone. */
function abortsOf(batches: readonly BatchMark[]): EventOf<'aborted'>[] {
  const entries: EventOf<'aborted'>[] = [];
  let first = -1;
  for (const { marker: of, producer, baseOffset } of batches) {
    if (producer !== undefined && first < 0) first = baseOffset;
    if (of === undefined) continue;
    if (of.outcome === 'abort' && first >= 0) entries.push(aborted(first, baseOffset));
    first = -1;
  }
  return entries;
}

export function aborted(firstOffset: number, lastOffset: number, rest: Partial<EventOf<'aborted'>> = {}) {
  const offsets = { firstOffset, lastOffset, lastStableOffset: lastOffset + 1 };
  return { type: 'aborted', ...ORDERS, producerId: 7, ...offsets, ...rest } as const;
}

/** A replica tells its last stable offset. */
export function lso(to: number, rest: Partial<EventOf<'lso'>> = {}): EventOf<'lso'> {
  const ends = { from: 0, to, highWatermark: 0, logEndOffset: 0, firstUnstableOffset: to };
  return { type: 'lso', ...ORDERS, leaderEpoch: 0, ...ends, ...rest };
}

export function served(endOffset: number, lastStableOffset?: number): EventOf<'consumer.served'> {
  const bound = lastStableOffset === undefined ? {} : { lastStableOffset };
  const offsets = { fetchOffset: 0, endOffset, highWatermark: endOffset };
  return { type: 'consumer.served', ...ORDERS, leaderEpoch: 0, ...offsets, ...bound };
}

export function duplicate(offset: number, highWatermark: number): EventOf<'produce.answered'> {
  const answer = { acks: -1, error: 'NONE', baseOffset: offset, lastOffset: offset, duplicate: true } as const;
  const isr = { maximalIsr: [1, 2, 3], minIsr: 2 };
  return { type: 'produce.answered', ...ORDERS, leaderEpoch: 0, ...answer, highWatermark, ...isr };
}

// ---- coordinators

export const STATE = { topic: '__transaction_state', topicId: 'state-id', partition: 0 };

export function mark(state: string, rest: Partial<TransactionMark> = {}): TransactionMark {
  const isOpen = state === 'Ongoing' || state.startsWith('Prepare');
  const partitions = isOpen ? ['orders-0'] : [];
  return { transactionalId: 't', state, producerId: 7, producerEpoch: 0, partitions, ...rest };
}

export function loaded(
  transactions: TransactionMark[],
  rest: { coordinatorEpoch?: number; partition?: number } = {},
): EventOf<'txn.loaded'> {
  return { type: 'txn.loaded', partition: 0, coordinatorEpoch: 0, transactions, ...rest };
}

type RecordFields = Partial<Omit<EventOf<'txn.record'>, 'type'>>;

export function appended(
  transactionalId: string,
  record: TransactionMark | null,
  offset: number,
  rest: RecordFields = {},
): EventOf<'txn.record'> {
  const at = { partition: 0, coordinatorEpoch: 0, phase: 'appended', offset } as const;
  return { type: 'txn.record', ...at, transactionalId, record, ...rest };
}

/** Broker 1 leads __transaction_state-0, whose records are below its high watermark, and has loaded nothing. */
export function coordinatorStory(highWatermark = 100): Story {
  const story = ordersStory().tell(1, {
    ...{ type: 'log.opened', ...STATE, logStartOffset: 0, logEndOffset: 100, highWatermark, batches: [], epochs: [] },
    ...{ clean: true, cut: 0, lossy: false },
  });
  return story.tell(1, loaded([]));
}

/** Puts records of `t` in force one after the other, from offset 0 on. */
export function inForce(story: Story, records: readonly (TransactionMark | null)[], rest: RecordFields = {}): Story {
  records.forEach((record, at) => {
    const event = appended('t', record, rest.offset ?? at, { ...rest, offset: (rest.offset ?? 0) + at });
    story.tell(1, event).tell(1, { ...event, phase: 'applied' });
  });
  return story;
}
