// Aborted reads (G1a): a read_committed reader was given a record of a transaction that was aborted (txn INV-3). A
// read_uncommitted reader may be given it, and the same value sent again by a transaction that committed is another record.
import { sendsOf, type CommittedRead } from './committed-reads.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { HistoryView } from './view.ts';

/**
 * A transaction was aborted if its application was told so, or that it was not committed; or if an ABORT marker ends it
 * in the final log. One finding for each record, by whoever read it first. Where its application knows nothing and the
 * final log is not known, nobody can tell.
 */
export const abortedReads: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const seen = new Set<string>();
  const undecided = new Set<string>();
  for (const read of view.committedReads()) {
    const { poll, record, sentBy, place } = read;
    const told = sentBy.length > 0 && sentBy.every(({ verdict }) => verdict === 'aborted' || verdict === 'refused');
    if (told || place?.kind === 'abort') {
      const name = `${poll.partition} ${record.offset} ${record.value}`;
      if (seen.has(name)) continue;
      seen.add(name);
      judge(view, read, told, findings);
    } else if (place === undefined && !view.finalLog(poll.partition).complete) {
      if (!sentBy.some(({ verdict }) => verdict === 'committed')) undecided.add(poll.partition);
    }
  }
  for (const partition of undecided) {
    findings.inconclusive.push(
      `aborted-read: records of undecided transactions were read from ${partition}, and not all its replicas were observed in agreement`,
    );
  }
  return findings;
};

function judge(view: HistoryView, read: CommittedRead, told: boolean, findings: FindingsBuilder): void {
  const { poll, record, sentBy } = read;
  const { partition, reader } = poll;
  const { offset, value } = record;
  const evidence = told ? sentBy.map(({ decided }) => decided!.index) : [view.outcomes(partition).shownBy!];
  const ops = [...sendsOf(sentBy, partition, value), ...evidence, poll.index];
  const by = sentBy[0]?.name ?? 'a transaction';
  const how = told && sentBy[0]!.verdict === 'refused' ? 'was refused its commit' : 'was aborted';
  const says = `${reader} (read_committed) was given "${value}" at ${offset} of ${partition}; ${by} ${how}`;
  const details = { reader, offset, value, transactionalId: sentBy[0]?.transactionalId };
  findings.add({ anomaly: 'aborted-read', partition, details, ops, says }, view.budget(partition));
}
