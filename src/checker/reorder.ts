// Reorderings: values of one idempotent producer stand in a partition in another order than it sent them (txn T-101,
// T-160). Without idempotence that is legal, and nobody looks. What is absent is no matter here.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { TrackedSend } from './arrange.ts';
import type { Sighting, Witness } from './sightings.ts';
import type { HistoryView } from './view.ts';

/** Reported once for each value that stands behind a later one of its producer, by the first witness that shows it. */
export const reorderings: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const reported = new Set<TrackedSend>();
  for (const witness of view.witnesses()) {
    // The later of what was seen of each producer, in offset order; of repeated values the first copy counts.
    const latest = new Map<string, Sighting>();
    const seen = new Set<TrackedSend>();
    for (const sighting of [...witness.sightings].sort((a, b) => a.offset - b.offset)) {
      const { send } = sighting;
      if (seen.has(send)) continue;
      seen.add(send);
      const before = latest.get(send.process);
      if (before === undefined || before.send.index < send.index) latest.set(send.process, sighting);
      else if (!reported.has(send)) {
        reported.add(send);
        judge(view, witness, [sighting, before], findings);
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
  findings: FindingsBuilder,
): void {
  const details = {
    ...{ value: behind.send.value, offset: behind.offset, later: ahead.send.value, laterOffset: ahead.offset },
    ...{ producer: behind.send.process, witness: name },
  };
  const ops = [...new Set([behind.send.index, ahead.send.index, ahead.index, behind.index])];
  const excuse = kind === 'reader' ? view.budget(partition)[0] : undefined;
  if (excuse !== undefined) {
    const because = `the run declared ${excuse.what}, so the reader may have seen two logs`;
    findings.allowed.push({ anomaly: 'reorder', partition, details, ops: [...ops, excuse.index], because });
    return;
  }
  const says =
    `${behind.send.process} sent "${behind.send.value}" before "${ahead.send.value}", ` +
    `and they stand at ${behind.offset} and ${ahead.offset} of ${partition}`;
  findings.anomalies.push({ anomaly: 'reorder', partition, details, ops, says });
}
