// Unseen values: acknowledged, in the log, and never given to a reader that was let read to the end. What is gone from the
// log is a lost write, and what a reader moved past is a poll skip: here it stands before it, and gets nothing.
import type { Offset } from '../base/units.ts';
import type { AckedSend } from './arrange.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isVisible, type Outcomes } from './outcomes.ts';
import { isCommittedOnly, isPoll, type Reading } from './readings.ts';
import type { HistoryView } from './view.ts';

/** A value that a reader is owed. */
interface Owed {
  readonly send: AckedSend;
  readonly offset: Offset;
}

/**
 * One finding for each reader and partition, with the first value and how many there are. Judged are readers that the run
 * let read on, all healed, until they had all there was or beyond every bound: others are slow. What a transaction holds
 * back is not owed to who reads what is committed (txn T-133); nothing is to who was told why it cannot read on; and what
 * follows a move after that moment, such as a partition that was handed on as others left a group, does not count.
 */
export const unseen: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const { quiesce } = view;
  if (quiesce?.drained === undefined) return findings;
  const drained = new Set(quiesce.drained);
  for (const reading of view.readings) {
    if (!drained.has(reading.reader)) continue;
    const stand = standOf(reading, quiesce.drainedAt ?? quiesce.time);
    if (stand !== undefined && stand.index > reading.toldAt) judge(view, reading, stand, findings);
  }
  return findings;
};

/** Where a reader stood at a time, and the entry that says so. */
function standOf({ steps }: Reading, at: number): { readonly to: Offset; readonly index: number } | undefined {
  let stand: { readonly to: Offset; readonly index: number } | undefined;
  for (const step of steps) {
    if (!isPoll(step) && step.time >= at) break;
    stand = step;
  }
  return stand !== undefined && stand.to >= 0 ? stand : undefined;
}

function judge(
  view: HistoryView,
  reading: Reading,
  stand: { readonly to: Offset; readonly index: number },
  findings: FindingsBuilder,
): void {
  const { reader, partition } = reading;
  const final = view.finalLog(partition);
  if (final.replicas.every(({ highWatermark }) => highWatermark <= stand.to)) return;
  const owed = owedTo(view, reading, stand.to);
  const [first] = owed;
  if (first === undefined) return;
  if (!final.complete) {
    findings.inconclusive.push(
      `unseen: ${reader} stands at ${stand.to} of ${partition}, and not all its replicas were observed in agreement`,
    );
    return;
  }
  const { offset, send } = first;
  const { value, invoked, index } = send;
  const more = owed.length === 1 ? '' : `, and ${owed.length - 1} more`;
  const says =
    `${reader} was let read ${partition} to its end and stands at ${stand.to}; ` +
    `it was never given "${value}" at ${offset}, which was acknowledged${more}`;
  const details = { reader, offset, value, count: owed.length };
  const ops = [invoked, index, stand.index, view.quiesce!.index];
  findings.add({ anomaly: 'unseen', partition, details, ops, says });
}

/** What a reader that stands at `from` is still to be given, in offset order. */
function owedTo(view: HistoryView, reading: Reading, from: Offset): Owed[] {
  const { partition, steps } = reading;
  // One that was given nothing does not say which it is.
  const committedOnly = isCommittedOnly(reading) || !steps.some(isPoll);
  const outcomes = view.outcomes(partition);
  const end = committedOnly ? stableEnd(outcomes) : Infinity;
  const given = new Set(steps.flatMap((step) => (isPoll(step) ? step.records.map(({ value }) => value) : [])));
  return view.acked
    .filter((send) => send.partition === partition && !given.has(send.value))
    .flatMap((send): Owed[] => {
      const places = outcomes.of(send.value).filter((place) => !committedOnly || isVisible(place));
      const place = places.find(({ offset }) => offset >= from && offset < end);
      return place === undefined ? [] : [{ send, offset: place.offset }];
    })
    .sort((a, b) => a.offset - b.offset);
}

/** Where the first record stands that no marker has decided. */
function stableEnd({ places }: Outcomes): Offset {
  return places.find(({ kind }) => kind === 'open')?.offset ?? Infinity;
}
