// Duplicates: a value that an idempotent producer sent once stands at two offsets (BUG-07, BUG-56, txn T-98). Without
// idempotence that is legal, and nobody looks.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { witnessesOf, type Sighting, type Witness } from './sightings.ts';
import type { HistoryView } from './view.ts';

/** Reported once for each value, by the first witness that saw it twice. */
export const duplicates: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const invoked = new Map(view.numbered.map(({ partition, value, index }) => [`${partition} ${value}`, index]));
  const reported = new Set<string>();
  for (const witness of witnessesOf(view)) {
    const first = new Map<string, Sighting>();
    for (const sighting of witness.sightings) {
      const name = `${witness.partition} ${sighting.value}`;
      const before = first.get(sighting.value);
      if (before === undefined) first.set(sighting.value, sighting);
      else if (!reported.has(name)) {
        reported.add(name);
        judge(view, witness, [before, sighting], invoked.get(name)!, findings);
      }
    }
  }
  return findings;
};

/** A reader may have read a copy that an unclean election or a power loss took back before the retry was appended. */
function judge(
  view: HistoryView,
  { name, partition, kind }: Witness,
  [first, again]: readonly [Sighting, Sighting],
  invoked: number,
  findings: FindingsBuilder,
): void {
  const { value, offset } = first;
  const details = { value, offset, again: again.offset, witness: name };
  const ops = [...new Set([invoked, first.index, again.index])];
  const excuse = kind === 'reader' ? view.budget(partition)[0] : undefined;
  if (excuse !== undefined) {
    const because = `the run declared ${excuse.what}, which may have taken the first copy back`;
    findings.allowed.push({ anomaly: 'duplicate', partition, details, ops: [...ops, excuse.index], because });
    return;
  }
  const says = `"${value}" was sent once by an idempotent producer and stands at ${offset} and ${again.offset} of ${partition}`;
  findings.anomalies.push({ anomaly: 'duplicate', partition, details, ops, says });
}
