// False failures: an operation ended with a definite error, and its effect is there (repl I-25, BUG-56). A definite error
// proves absence (repl R-17); an indefinite one proves nothing, and is no failure here whatever became of it.
import { dataOutcome, firstDecided } from './data-outcome.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isExplained, settled, type Slot } from './offset-commits.ts';
import type { HistoryView } from './view.ts';

/**
 * Three effects show it: a value that only a failed send sent stands in a log or was read; the records of a transaction
 * whose commit failed are committed; and a group's offset in force is one whose plain commit failed, which no other commit
 * explains. A value that another operation sent as well, by a retry of the application, is innocent. Nothing excuses it:
 * no loss of data appends what was refused.
 */
export const falseFails: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  judgeSends(view, findings);
  judgeCommits(view, findings);
  for (const slot of view.slots()) judgeOffsets(view, slot, findings);
  return findings;
};

function judgeSends(view: HistoryView, findings: FindingsBuilder): void {
  for (const { partition, value, process, error, index } of view.failedSends) {
    if ((view.sent.get(partition, value)?.times ?? 0) > 1) continue;
    const final = view.finalLog(partition);
    const holder = final.holds(value) ? final.holderOf(value) : undefined;
    const read = holder === undefined ? view.reads.firstRead(partition, value) : undefined;
    const shown = holder ?? read;
    if (shown === undefined) continue;
    const where = holder === undefined ? 'was read' : 'stands there';
    const says = `${process} was told ${error ?? 'that it failed'} for "${value}" to ${partition}, and it ${where}`;
    const details = { process, op: 'send', value, offset: shown.offset, error };
    findings.add({ anomaly: 'false-fail', partition, details, ops: [index, shown.index], says });
  }
}

function judgeCommits(view: HistoryView, findings: FindingsBuilder): void {
  for (const txn of view.transactions.all) {
    if (txn.verdict !== 'refused' || dataOutcome(view, txn) !== 'commit') continue;
    const { place, value, partition } = firstDecided(view, txn, 'commit')!;
    const { error, index, process } = txn.decided!;
    const says = `${txn.name} was told ${error ?? 'that its commit failed'}, and "${value}" of ${partition} is committed`;
    const details = { process, op: 'commit', value, offset: place.offset, error, txn: txn.number };
    const ops = [index, view.outcomes(partition).shownBy!];
    findings.add({ anomaly: 'false-fail', partition, details, ops, says });
  }
}

function judgeOffsets(view: HistoryView, slot: Slot, findings: FindingsBuilder): void {
  const found = settled(view, slot);
  if (found === undefined || isExplained(slot, found.offset)) return;
  const refused = slot.commits.findLast(
    ({ offset, state, txn }) => offset === found.offset && state === 'undone' && txn === undefined,
  );
  if (refused === undefined) return;
  const { group, partition } = slot;
  const says = `${group} was told that offset ${found.offset} of ${partition} is not committed, and it is`;
  const details = { op: 'commit-offsets', group, offset: found.offset };
  findings.add({ anomaly: 'false-fail', partition, details, ops: [...refused.ops, found.by.index], says });
}
