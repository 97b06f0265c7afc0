// Inconsistent offsets: two reads of one offset gave different values. A record that was readable once is that record for
// ever; a reader may see it late, or not at all, but never another one in its place.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { entryOf } from './keep.ts';
import type { HistoryView } from './view.ts';

interface FirstSeen {
  readonly offset: number;
  readonly value: string;
  readonly reader: string;
  readonly index: number;
}

/**
 * Reported once for each offset and further value, with the two polls. A declared loss of data, or an unclean election,
 * may take a value back, so that another one is read after it; then the old value is never read there again and no
 * replica holds it there (a retry may have put it elsewhere). A further loss may take the other one back, and a replica
 * that was away brings the first again. If replicas hold both, they stand side by side, which nothing excuses (BUG-02).
 */
export const inconsistentOffsets: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const first = new Map<string, Map<number, FirstSeen>>();
  const reported = new Set<string>();
  const suspicious = suspiciousOffsets(view);
  for (const { partition, reader, index, records } of view.polls) {
    const suspects = suspicious.get(partition);
    if (suspects === undefined) continue;
    const offsets = entryOf(first, partition, () => new Map<number, FirstSeen>());
    for (const { offset, value } of records) {
      if (!suspects.has(offset)) continue;
      const before = offsets.get(offset);
      if (before === undefined) offsets.set(offset, { offset, value, reader, index });
      else if (before.value !== value && !reported.has(`${partition} ${offset} ${value}`)) {
        reported.add(`${partition} ${offset} ${value}`);
        judge(view, partition, before, { offset, value, reader, index }, findings);
      }
    }
  }
  return findings;
};

/** Offsets at which some read is not confirmed by the final log: reads that are agree with each other. */
function suspiciousOffsets(view: HistoryView): ReadonlyMap<string, ReadonlySet<number>> {
  const offsets = new Map<string, Set<number>>();
  for (const { poll, record } of view.oddReads()) entryOf(offsets, poll.partition, () => new Set()).add(record.offset);
  return offsets;
}

function judge(
  view: HistoryView,
  partition: string,
  before: FirstSeen,
  after: FirstSeen,
  findings: FindingsBuilder,
): void {
  const { offset } = before;
  const details = { offset, first: before.value, later: after.value, reader: after.reader, firstReader: before.reader };
  const ops = [before.index, after.index];
  const excuse = view.budget(partition)[0];
  if (excuse !== undefined && takenBack(view, partition, before, after)) {
    const because = `the run declared ${excuse.what}, which took one of the two back`;
    findings.allowed.push({
      anomaly: 'inconsistent-offsets',
      partition,
      details,
      ops: [...ops, excuse.index],
      because,
    });
    return;
  }
  const says =
    `offset ${offset} of ${partition} was "${before.value}" for ${before.reader} ` +
    `and "${after.value}" for ${after.reader}`;
  findings.anomalies.push({ anomaly: 'inconsistent-offsets', partition, details, ops, says });
}

/** Whether one of the two values is gone from its place for good. */
function takenBack(view: HistoryView, partition: string, before: FirstSeen, after: FirstSeen): boolean {
  const { offset } = before;
  const final = view.finalLog(partition);
  const held = new Set([...final.at(offset).values()].map(({ value }) => value));
  if (held.has(before.value)) return final.provesAbsence && !held.has(after.value);
  const read = view.reads.readAt(partition, offset, before.value);
  return read === undefined || read.last < after.index;
}
