// What of all that was declared makes the loss of committed records legal. With eligible leader replicas a partition survives
// the loss of what fewer replicas than its min ISR held (repl ): such losses excuse nothing. Beyond that, or
// after an unclean election, anything may be gone.
import type { BudgetOp } from '../history/operations.ts';

const isLoss = ({ what }: BudgetOp): boolean => what === 'power-loss' || what === 'wipe';

/**
 * The declarations about one partition that excuse a loss, in order.
 *
 * @param since Index of the history: losses before it took nothing that came after it.
 */
export function lossBudget(declared: readonly BudgetOp[], since = -1): readonly BudgetOp[] {
  const later = declared.filter(({ index }) => index > since);
  const beyond = beyondPromise(later);
  const hasLoss = later.some(isLoss);
  return declared.filter((op) => {
    switch (op.what) {
      case 'power-loss':
      case 'wipe':
        return beyond.has(op);
      case 'last-known-election':
        return hasLoss && op.index > since;
      case 'made-good':
      case 'admin-abort':
      case 'compaction':
        return false;
      case 'unclean-election':
        return true;
      default:
        return op.index > since;
    }
  });
}

/** What an excuse says of itself. */
export function excuseText({ what, node, tolerated }: BudgetOp): string {
  const whose = node === undefined ? '' : ` of node ${node}`;
  const promise =
    tolerated === undefined || tolerated === 0
      ? ''
      : `, one of more than ${tolerated} that the partition survives (min.insync.replicas - 1)`;
  return `the run declared ${what}${whose}${promise}`;
}

/** Losses that came while as many others as the partition survives were not made good yet, and those others. */
function beyondPromise(declared: readonly BudgetOp[]): ReadonlySet<BudgetOp> {
  const beyond = new Set<BudgetOp>();
  const open = new Map<number | undefined, BudgetOp>();
  for (const op of declared) {
    if (op.what === 'made-good') open.delete(op.node);
    if (!isLoss(op)) continue;
    open.set(op.node, op);
    const tolerated = Math.min(...[...open.values()].map((each) => each.tolerated ?? 0));
    if (open.size > tolerated) for (const each of open.values()) beyond.add(each);
  }
  return beyond;
}

/** Partitions of the coordinators, whose losses may show in what became of any transaction or offset. */
export function isOfCoordinators(partition: string): boolean {
  return partition.startsWith('__transaction_state-') || partition.startsWith('__consumer_offsets-');
}
