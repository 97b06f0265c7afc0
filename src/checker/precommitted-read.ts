// Precommitted reads: a read_committed reader was given a record before its transaction was decided, or of one that nobody
// ever decided (txn INV-3, T-133). Reading late, after commitTransaction has returned, is legal: INV-19.
import { sendsOf, type CommittedRead } from './committed-reads.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { HistoryView } from './view.ts';

/**
 * Nothing is committed before its application asked for it: a read that ended before that is too early, and so is one of
 * a record that no marker ends in the final log. A commit whose outcome is unknown may have happened at once. One
 * finding for each record, by whoever read it first.
 */
export const precommittedReads: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const seen = new Set<string>();
  for (const read of view.committedReads()) {
    const { poll, record, sentBy, place } = read;
    const early =
      sentBy.length > 0 &&
      sentBy.every(({ commitInvoked }) => commitInvoked === undefined || commitInvoked > poll.index);
    if (!early && !(place?.kind === 'open' && view.finalLog(poll.partition).complete)) continue;
    const name = `${poll.partition} ${record.offset} ${record.value}`;
    if (seen.has(name)) continue;
    seen.add(name);
    judge(view, read, early, findings);
  }
  return findings;
};

function judge(view: HistoryView, read: CommittedRead, early: boolean, findings: FindingsBuilder): void {
  const { poll, record, sentBy } = read;
  const { partition, reader } = poll;
  const { offset, value } = record;
  const asked = sentBy.flatMap(({ commitInvoked }) => commitInvoked ?? []);
  const evidence = early ? asked : [view.outcomes(partition).shownBy!];
  const ops = [...sendsOf(sentBy, partition, value), poll.index, ...evidence];
  const by = sentBy[0]?.name ?? 'its transaction';
  const why = early ? `before the commit of ${by} was asked for` : `and no marker ever ended ${by}`;
  const says = `${reader} (read_committed) was given "${value}" at ${offset} of ${partition} ${why}`;
  const details = { reader, offset, value, transactionalId: sentBy[0]?.transactionalId };
  findings.add({ anomaly: 'precommitted-read', partition, details, ops, says }, view.budget(partition));
}
