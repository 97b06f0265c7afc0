// Log divergence: at quiescence two replicas differ below both their high watermarks. Nothing excuses it, no loss of data
// either: a loss must be the same loss everywhere.
import type { LogRecord, ReplicaObservation } from '../history/operations.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import type { HistoryView } from './view.ts';
import { mayBeCompacted } from './without-compacted.ts';

/**
 * Every replica is compared with the first one, from the larger log start to the smaller high watermark: each offset holds
 * the same record (epoch, checksum, value) or none on both. One finding for each replica that differs, at the first offset.
 */
export const logDivergence: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const final of view.finalLogs) compareAll(view, final, findings);
  const observed = view.finalLogs.filter(({ complete }) => !complete).map(({ partition }) => partition);
  const unobserved = new Set([...observed, ...view.acked.map(({ partition }) => partition)]);
  for (const partition of unobserved) {
    if (view.finalLog(partition).complete) continue;
    if (findings.anomalies.some((anomaly) => anomaly.partition === partition)) continue;
    findings.inconclusive.push(`log-divergence: not all replicas of ${partition} were observed in agreement`);
  }
  return findings;
};

function compareAll(view: HistoryView, final: FinalLog, findings: FindingsBuilder): void {
  const [first, ...others] = final.replicas;
  if (first === undefined) return;
  for (const other of others) {
    const difference = firstDifference(first, other, (record) => mayBeCompacted(view, final.partition, record));
    if (difference === undefined) continue;
    const { offset, here, there } = difference;
    const details = { offset, nodes: [first.node, other.node], first: here?.value, later: there?.value };
    const says =
      `offset ${offset} of ${final.partition} is ${shown(here)} on broker ${first.node} ` +
      `and ${shown(there)} on broker ${other.node}`;
    const ops = [first.index, other.index];
    findings.anomalies.push({ anomaly: 'log-divergence', partition: final.partition, details, ops, says });
  }
}

interface Difference {
  readonly offset: number;
  readonly here: LogRecord | undefined;
  readonly there: LogRecord | undefined;
}

/** Walks both logs in offset order, from the larger log start to the smaller high watermark. What compaction takes may be on one. */
function firstDifference(
  first: ReplicaObservation,
  other: ReplicaObservation,
  mayBeGone: (record: LogRecord) => boolean,
): Difference | undefined {
  if (first.records === other.records) return undefined;
  const from = Math.max(first.logStartOffset, other.logStartOffset);
  const to = Math.min(first.highWatermark, other.highWatermark);
  let [a, b] = [0, 0];
  for (;;) {
    let [here, there] = [first.records[a], other.records[b]];
    const offset = Math.min(here?.offset ?? to, there?.offset ?? to);
    if (offset >= to) return undefined;
    if (here?.offset !== offset) here = undefined;
    else a += 1;
    if (there?.offset !== offset) there = undefined;
    else b += 1;
    if (offset < from) continue;
    if (here !== undefined && there !== undefined ? same(here, there) : mayBeGone((here ?? there)!)) continue;
    return { offset, here, there };
  }
}

function same(a: LogRecord, b: LogRecord): boolean {
  return a.leaderEpoch === b.leaderEpoch && a.crc === b.crc && a.value === b.value;
}

function shown(record: LogRecord | undefined): string {
  if (record === undefined) return 'nothing';
  return `${record.value === undefined ? `a record with checksum ${record.crc}` : `"${record.value}"`} of epoch ${record.leaderEpoch}`;
}
