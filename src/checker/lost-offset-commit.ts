// Lost commits of offsets: one was acknowledged, and when everything is quiet the group has none or an older one (txn
// INV-4, BUG-15). A commit that may have come later, known or in doubt, explains any offset: the later one wins.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isExplained, lastDone, offsetBudget, settled, type OffsetCommit, type Slot } from './offset-commits.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each group and partition, with the acknowledged commit that was sent last. Needs to know what is
 * committed in the end; undecided transactions make that unknown.
 */
export const lostOffsetCommits: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const unknown = new Set<string>();
  for (const slot of view.slots()) {
    const last = lastDone(slot);
    if (last === undefined) continue;
    const found = settled(view, slot);
    if (found === undefined) unknown.add(slot.group);
    else if (!isExplained(slot, found.offset)) judge(view, slot, last, found, findings);
  }
  for (const group of unknown) {
    findings.inconclusive.push(
      `lost-offset-commit: ${group} committed offsets, and what is committed in the end was not observed`,
    );
  }
  return findings;
};

function judge(
  view: HistoryView,
  { group, partition }: Slot,
  last: OffsetCommit,
  { offset, by }: NonNullable<ReturnType<typeof settled>>,
  findings: FindingsBuilder,
): void {
  const details = { group, offset: last.offset, found: offset, transactionalId: last.txn?.transactionalId };
  const now = offset < 0 ? 'none is' : `${offset} is`;
  const says = `${group} was told that offset ${last.offset} of ${partition} is committed; in the end ${now}`;
  const ops = [...last.ops, by.index];
  findings.add({ anomaly: 'lost-offset-commit', partition, details, ops, says }, offsetBudget(view));
}
