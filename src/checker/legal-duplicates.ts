// Values that stand twice, of producers that do not number their batches: a retry whose first attempt was appended after all is
// appended again. Legal, and what idempotence is for (txn T-98): so it is listed, and never passed over in silence.
import type { FindingsBuilder } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import type { Sent } from './arrange.ts';
import type { HistoryView } from './view.ts';

/** Lists each value that was sent once without idempotence and stands twice in a final log, with its first two places. */
export function listLegalDuplicates(view: HistoryView, findings: FindingsBuilder): void {
  for (const final of view.finalLogs) {
    const sent = mayRepeat(view, final.partition) ? view.sent.of(final.partition) : undefined;
    if (sent !== undefined) listIn(final, sent, findings);
  }
}

/** Nothing stands twice that was not sent twice: some send was retried, or a fault may have had it repeated. */
function mayRepeat({ faults, acked }: HistoryView, of: string): boolean {
  return faults.length > 0 || acked.some(({ partition, retried }) => retried && partition === of);
}

function listIn({ partition, distinct }: FinalLog, sent: ReadonlyMap<string, Sent>, findings: FindingsBuilder): void {
  const listed = new Set<Sent>();
  for (const { records, node, index } of distinct) {
    const places = new Map<Sent, number>();
    for (const { value, offset } of records) {
      const of = value === undefined ? undefined : sent.get(value);
      if (of?.times !== 1 || of.tracked?.numbered === true || listed.has(of)) continue;
      const first = places.get(of);
      places.set(of, offset);
      if (first === undefined) continue;
      listed.add(of);
      const details = { value, offset: first, again: offset, witness: `replica ${node}` };
      const because = 'its producer is not idempotent, and a retry of what was appended is appended again';
      findings.allowed.push({ anomaly: 'duplicate', partition, details, ops: [index], because });
    }
  }
}
