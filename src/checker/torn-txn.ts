// Torn transactions: one transaction was committed in one place and aborted in another, its offsets included (txn INV-2).
// That its records become visible one partition after the other is legal; so is what an admin abort tears (W-15), and
// counted.
import { dataOutcome, placesOf, type Placed } from './data-outcome.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isExplained, lastDone, offsetBudget, settled, type Slot } from './offset-commits.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/** One finding for each transaction by its records, and for each offset that does not share their fate. */
export const tornTransactions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const unknown = new Set<string>();
  for (const txn of view.transactions.all) {
    judgeRecords(view, txn, findings);
    for (const { partition } of txn.sends) if (!view.finalLog(partition).complete) unknown.add(partition);
  }
  for (const slot of view.slots()) judgeOffsets(view, slot, findings);
  for (const partition of unknown) {
    findings.inconclusive.push(
      `torn-txn: transactions wrote to ${partition}, and not all its replicas were observed in agreement`,
    );
  }
  return findings;
};

function judgeRecords(view: HistoryView, txn: Transaction, findings: FindingsBuilder): void {
  if (txn.sends.length < 2) return;
  const placed = placesOf(view, txn);
  const committed = placed.find(({ place }) => place.kind === 'commit');
  const aborted = placed.find(({ place }) => place.kind === 'abort');
  if (committed === undefined || aborted === undefined) return;
  const touched = [...new Set(placed.map(({ partition }) => partition))];
  const shown = (one: Placed): string => `"${one.value}" at ${one.place.offset} of ${one.partition}`;
  const details = {
    ...{ process: txn.process, txn: txn.number, transactionalId: txn.transactionalId },
    ...{ committed: committed.value, aborted: aborted.value, abortedIn: aborted.partition },
  };
  const says = `${txn.name} is torn: ${shown(committed)} is committed and ${shown(aborted)} is aborted`;
  const evidence = [committed, aborted].flatMap(({ partition, sent }) => [sent, view.outcomes(partition).shownBy!]);
  const excuses = touched.flatMap((partition) => [...view.budget(partition), ...view.adminAborts(partition)]);
  const { partition } = committed;
  findings.add({ anomaly: 'torn-txn', partition, details, ops: evidence, says }, excuses);
}

/** The offset in force is that of a transaction whose records are aborted; or one whose records are committed is not. */
function judgeOffsets(view: HistoryView, slot: Slot, findings: FindingsBuilder): void {
  const found = settled(view, slot);
  if (found === undefined || isExplained(slot, found.offset)) return;
  const undone = slot.commits.findLast(
    ({ offset, state, txn }) => offset === found.offset && state === 'undone' && txn !== undefined,
  );
  const last = lastDone(slot);
  const dropped = last?.txn !== undefined && dataOutcome(view, last.txn) === 'commit' ? last : undefined;
  const torn = undone ?? dropped;
  if (torn?.txn === undefined) return;
  const { group, partition } = slot;
  const txn = torn.txn;
  const fate = torn === undone ? 'are in force, and it was not committed' : 'are not in force, and it was committed';
  const details = {
    ...{ process: txn.process, txn: txn.number, transactionalId: txn.transactionalId },
    ...{ group, offset: torn.offset, found: found.offset },
  };
  const says = `${txn.name} is torn: its offsets of ${group} for ${partition} (${torn.offset}) ${fate}`;
  const excuses = [...offsetBudget(view), ...view.adminAborts(partition)];
  findings.add({ anomaly: 'torn-txn', partition, details, ops: [...torn.ops, found.by.index], says }, excuses);
}
