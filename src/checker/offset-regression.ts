// Regressions of committed offsets: a group was seen to have committed an offset, later a smaller one, and no commit says
// so. A reset, a commit of a late member that nobody fenced, or one in doubt may say so.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { offsetBudget, slotsOf, type Slot } from './offset-commits.ts';
import type { HistoryView } from './view.ts';

type Sight = Slot['seen'][number];

/** Sights that overlap in time say nothing of each other. One finding for each step back. */
export const offsetRegressions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const slot of slotsOf(view)) {
    slot.seen.forEach((later, at) => {
      let before = at - 1;
      while (before >= 0 && slot.seen[before]!.to >= later.from) before -= 1;
      const earlier = slot.seen[before];
      if (earlier !== undefined && later.offset < earlier.offset && !isSaid(slot, earlier, later))
        report(view, slot, [earlier, later], findings);
    });
  }
  return findings;
};

/** Whether a commit of the smaller offset may stand behind the one of the larger in the log. */
function isSaid({ commits }: Slot, earlier: Sight, later: Sight): boolean {
  const possible = commits.filter(({ state, from }) => state !== 'undone' && from < later.to);
  const larger = possible.filter(({ offset }) => offset === earlier.offset);
  const after = larger.length === 0 ? earlier.from : Math.min(...larger.map(({ from }) => from));
  return possible.some(({ offset, to }) => offset === later.offset && to >= after);
}

function report(
  view: HistoryView,
  { group, partition }: Slot,
  [earlier, later]: readonly [Sight, Sight],
  findings: FindingsBuilder,
): void {
  const details = { group, offset: later.offset, before: earlier.offset };
  const says = `${group} had committed ${earlier.offset} of ${partition}, and then ${later.offset}, which no commit says`;
  const ops = [earlier.to, later.to];
  findings.add({ anomaly: 'offset-regression', partition, details, ops, says }, offsetBudget(view));
}
