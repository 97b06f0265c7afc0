// Reorderings: values of one idempotent producer stand in a partition in another order than it sent them (txn T-101,
// T-160). Without idempotence that is legal, and nobody looks. What is absent is no matter here.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { TrackedSend } from './arrange.ts';
import { entryOf } from './keep.ts';
import { Marks } from './marks.ts';
import type { Sighting, Witness } from './sightings.ts';
import type { HistoryView } from './view.ts';

/** Reported once for each value that stands behind a later one of its producer, by the first witness that shows it. */
export const reorderings: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const reported = new Set<TrackedSend>();
  const seen = new Marks<true>();
  for (const witness of view.witnesses()) {
    // The later of what was seen of each producer, in offset order; of repeated values the first copy counts.
    const latest = new Map<string, { sighting: Sighting }>();
    seen.begin();
    for (const sighting of inOffsetOrder(witness.sightings)) {
      const { send } = sighting;
      if (seen.get(send) === true) continue;
      seen.set(send, true);
      const before = entryOf(latest, send.process, () => ({ sighting }));
      if (before.sighting.send.index <= send.index) before.sighting = sighting;
      else if (!reported.has(send)) {
        reported.add(send);
        judge(view, witness, [sighting, before.sighting], findings);
      }
    }
  }
  return findings;
};

/** Replicas show records in order; so do readers that never went back. */
function inOffsetOrder(sightings: readonly Sighting[]): readonly Sighting[] {
  const isInOrder = sightings.every(({ offset }, at) => at === 0 || sightings[at - 1]!.offset <= offset);
  return isInOrder ? sightings : [...sightings].sort((a, b) => a.offset - b.offset);
}

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
