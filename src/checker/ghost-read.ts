// Ghost reads: a reader was given a record that no replica holds in the end. The high watermark exists so that nobody ever
// reads what may still be taken back (repl R-21).
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import type { Poll } from './readings.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each value read and gone, however often it was read. It names what stands at its offset now, if anything.
 * What an unclean election or a declared loss of data took back after it was read is legal, and so is what a replica deleted.
 */
export const ghostReads: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const seen = new Set<string>();
  const undecided = new Set<string>();
  const observedFrom = view.quiesce?.observedFrom ?? Infinity;
  for (const { poll, record } of view.oddReads()) {
    const { partition } = poll;
    const { offset, value } = record;
    const final = view.finalLog(partition);
    if (final.holds(value) || offset < final.logStartOffset || seen.has(`${partition} ${offset} ${value}`)) continue;
    if (poll.index >= observedFrom && isBehind(final, offset)) continue;
    if (!final.provesAbsence) {
      undecided.add(partition);
      continue;
    }
    seen.add(`${partition} ${offset} ${value}`);
    judge(view, poll, offset, value, findings);
  }
  for (const partition of undecided) {
    findings.inconclusive.push(
      `ghost-read: values were read from ${partition} that no observed replica holds, and not all its replicas were observed in agreement`,
    );
  }
  return findings;
};

/** Readers read to the end while the replicas were looked at already: a slow producer may have written behind what was seen. */
function isBehind(final: FinalLog, offset: number): boolean {
  return final.distinct.every(({ logEndOffset }) => offset >= logEndOffset);
}

function judge(view: HistoryView, poll: Poll, offset: number, value: string, findings: FindingsBuilder): void {
  const { partition, reader, index } = poll;
  const later = valueAt(view.finalLog(partition), offset);
  const details = { offset, first: value, later, reader };
  const excuse = view.budget(partition)[0];
  if (excuse !== undefined) {
    const because = `the run declared ${excuse.what}, which takes back what was read`;
    findings.allowed.push({ anomaly: 'ghost-read', partition, details, ops: [index, excuse.index], because });
    return;
  }
  const now = later === undefined ? 'no replica holds anything there now' : `every replica holds "${later}" there now`;
  const says = `${reader} read "${value}" at offset ${offset} of ${partition}; ${now}`;
  const laterRead = later === undefined ? undefined : view.reads.readAt(partition, offset, later);
  const ops = laterRead === undefined ? [index] : [index, laterRead.first];
  findings.anomalies.push({ anomaly: 'ghost-read', partition, details, ops, says });
}

function valueAt(final: FinalLog, offset: number): string | undefined {
  const [record] = final.at(offset).values();
  return record?.value;
}
