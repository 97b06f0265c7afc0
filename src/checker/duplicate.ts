// Duplicates: a value of an idempotent producer stands at more offsets than it was sent (BUG-07, BUG-56, txn T-98), or is
// visible more often than transactions that sent it may have committed. Without idempotence that is legal, and listed.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { Marks } from './marks.ts';
import { listLegalDuplicates } from './legal-duplicates.ts';
import { isVisible } from './outcomes.ts';
import type { Sent, TrackedSend } from './arrange.ts';
import type { Sighting, Witness } from './sightings.ts';
import type { HistoryView } from './view.ts';

/** Reported once for each value, by the first witness that saw it twice. */
export const duplicates: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const reported = new Set<TrackedSend>();
  const first = new Marks<Sighting>();
  for (const witness of view.witnesses()) {
    first.begin();
    for (const sighting of witness.sightings) {
      const before = first.get(sighting.send);
      if (before === undefined) first.set(sighting.send, sighting);
      else if (!reported.has(sighting.send)) {
        reported.add(sighting.send);
        judge(view, witness, [before, sighting], findings);
      }
    }
  }
  findRepeated(view, findings);
  listLegalDuplicates(view, findings);
  return findings;
};

/**
 * Values that were sent again, in a transaction behind an aborted one: each send may be there once, and of those whose
 * transaction may have committed as many are visible at most. Only final logs show that.
 */
function findRepeated(view: HistoryView, findings: FindingsBuilder): void {
  if (!view.transactions.any) return;
  const seen = new Set<Sent>();
  for (const { partition, value, txn, index, sent } of view.tracked) {
    const sends = sent.transactions ?? [];
    if (txn === undefined || sends.length < 2 || seen.has(sent)) continue;
    seen.add(sent);
    const outcomes = view.outcomes(partition);
    const places = outcomes.of(value);
    const visible = places.filter(isVisible);
    const committable = sends.filter((of) => of === undefined || of.mayCommit).length;
    const copies = visible.length > committable ? visible : places.length > sends.length ? places : undefined;
    if (copies === undefined) continue;
    const details = { value, offset: copies[0]!.offset, again: copies.at(-1)!.offset, witness: 'final log' };
    const offsets = copies.map(({ offset }) => offset).join(' and ');
    const says = `"${value}" stands at ${offsets} of ${partition}, more often than it may have been sent`;
    findings.add({ anomaly: 'duplicate', partition, details, ops: [index, outcomes.shownBy!], says });
  }
}

/** A reader may have read a copy that an unclean election or a power loss took back before the retry was appended. */
function judge(
  view: HistoryView,
  { name, partition, kind }: Witness,
  [first, again]: readonly [Sighting, Sighting],
  findings: FindingsBuilder,
): void {
  const { offset } = first;
  const { value, index: invoked } = first.send;
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
