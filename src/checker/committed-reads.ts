// What read_committed readers were given of transactions: the ground of aborted-read and precommitted-read.
import type { SeenRecord } from '../history/operations.ts';
import type { Place } from './outcomes.ts';
import type { Poll } from './readings.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/** A record of a transaction as a read_committed reader was given it. */
export interface CommittedRead {
  readonly poll: Poll;
  readonly record: SeenRecord;
  /** The transactions that sent it; empty if one of its sends was outside any, or nobody recorded sent it. */
  readonly sentBy: readonly Transaction[];
  /** What the final log holds there, if it is this record. */
  readonly place: Place | undefined;
}

const NONE: readonly Transaction[] = [];

/** Each such record, however often it was read. */
export function committedReads(view: HistoryView): CommittedRead[] {
  const reads: CommittedRead[] = [];
  for (const poll of view.polls) {
    if (poll.isolation !== 'read_committed') continue;
    const { partition } = poll;
    const outcomes = view.outcomes(partition);
    const sent = view.sent.of(partition);
    for (const record of poll.records) {
      const there = outcomes.at(record.offset);
      const place = there?.value === record.value && there.kind !== 'plain' ? there : undefined;
      const sends = sent?.get(record.value)?.transactions ?? NONE;
      const sentBy = sends.every((of) => of !== undefined) ? sends : NONE;
      if (place !== undefined || sentBy.length > 0) reads.push({ poll, record, sentBy, place });
    }
  }
  return reads;
}

/** Indexes of the sends of these transactions that put a value into a partition. */
export function sendsOf(of: readonly Transaction[], partition: string, value: string): number[] {
  return of.flatMap(({ sends }) =>
    sends.filter((send) => send.partition === partition && send.value === value).map(({ index }) => index),
  );
}
