// Reorderings: values of one idempotent producer stand in a partition in another order than it sent them (txn T-101,
// T-160). Without idempotence that is legal, and nobody looks. What is absent is no matter here.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { witnessesOf, type Sighting, type Witness } from './sightings.ts';
import type { TrackedSend } from './arrange.ts';
import type { HistoryView } from './view.ts';

/** Reported once for each value that stands behind a later one of its producer, by the first witness that shows it. */
export const reorderings: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const sends = new Map(view.numbered.map((send) => [`${send.partition} ${send.value}`, send]));
  const reported = new Set<string>();
  for (const witness of witnessesOf(view)) {
    // The later of what was seen of each producer, in offset order; of repeated values the first copy counts.
    const latest = new Map<string, { readonly send: TrackedSend; readonly sighting: Sighting }>();
    const seen = new Set<string>();
    for (const sighting of [...witness.sightings].sort((a, b) => a.offset - b.offset)) {
      if (seen.has(sighting.value)) continue;
      seen.add(sighting.value);
      const send = sends.get(`${witness.partition} ${sighting.value}`)!;
      const before = latest.get(send.process);
      if (before === undefined || before.send.index < send.index) latest.set(send.process, { send, sighting });
      else if (!reported.has(`${send.partition} ${send.value}`)) {
        reported.add(`${send.partition} ${send.value}`);
        judge(view, witness, [sighting, before.sighting], [send, before.send], findings);
      }
    }
  }
  return findings;
};

/** A reader may have read what an unclean election or a power loss took back: then it saw two logs, not one. */
function judge(
  view: HistoryView,
  { name, partition, kind }: Witness,
  [behind, ahead]: readonly [Sighting, Sighting],
  sends: readonly [TrackedSend, TrackedSend],
  findings: FindingsBuilder,
): void {
  const details = {
    ...{ value: behind.value, offset: behind.offset, later: ahead.value, laterOffset: ahead.offset },
    ...{ producer: sends[0].process, witness: name },
  };
  const ops = [...new Set([sends[0].index, sends[1].index, ahead.index, behind.index])];
  const excuse = kind === 'reader' ? view.budget(partition)[0] : undefined;
  if (excuse !== undefined) {
    const because = `the run declared ${excuse.what}, so the reader may have seen two logs`;
    findings.allowed.push({ anomaly: 'reorder', partition, details, ops: [...ops, excuse.index], because });
    return;
  }
  const says =
    `${sends[0].process} sent "${behind.value}" before "${ahead.value}", ` +
    `and they stand at ${behind.offset} and ${ahead.offset} of ${partition}`;
  findings.anomalies.push({ anomaly: 'reorder', partition, details, ops, says });
}
