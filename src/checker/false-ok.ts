// False successes: an operation was acknowledged, and its effect is not what the acknowledgement said (repl I-18, txn INV-4;
// BUG-15, BUG-28). What is simply gone is a lost write; this is the answer that was wrong.
import { firstDecided } from './data-outcome.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isExplained, lastDone, offsetBudget, settled, type Slot } from './offset-commits.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/**
 * Four answers can be wrong: the offset of an acks=all send, where the final log holds the value elsewhere alone; a commit,
 * of which a record is aborted; an abort, of which a record is committed; and a commit of offsets that is not in force.
 * Acks=1 promises no place once the leader is gone; a declared loss, an unclean election and a hand-written marker excuse.
 */
export const falseOks: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  judgeOffsets(view, findings);
  for (const txn of view.transactions.all) {
    if (txn.verdict === 'committed') judgeTransaction(view, { txn, told: 'commit', found: 'abort' }, findings);
    if (txn.verdict === 'aborted') judgeTransaction(view, { txn, told: 'abort', found: 'commit' }, findings);
  }
  for (const slot of view.slots()) judgeSlot(view, slot, findings);
  return findings;
};

function judgeOffsets(view: HistoryView, findings: FindingsBuilder): void {
  for (const { partition, value, offset, acks, process, index, invoked } of view.acked) {
    const final = view.finalLog(partition);
    if (acks !== -1 || offset === undefined || offset < final.logStartOffset) continue;
    if (final.holdsAt(offset, value) || !final.provesAbsence || !final.holds(value)) continue;
    const holder = final.holderOf(value)!;
    const says = `${process} was told that "${value}" is at ${offset} of ${partition}; it is at ${holder.offset}`;
    const details = { process, op: 'send', value, offset, found: holder.offset };
    const found = { anomaly: 'false-ok', partition, details, ops: [invoked, index, holder.index], says } as const;
    findings.add(found, view.budget(partition));
  }
}

interface Ended {
  readonly txn: Transaction;
  readonly told: 'commit' | 'abort';
  readonly found: 'commit' | 'abort';
}

/** One finding for each transaction, with the first record that shows it. */
function judgeTransaction(view: HistoryView, { txn, told, found }: Ended, findings: FindingsBuilder): void {
  const wrong = firstDecided(view, txn, found);
  if (wrong === undefined) return;
  const { partition, value, place, sent } = wrong;
  const says = `the ${told} of ${txn.name} was acknowledged, and "${value}" at ${place.offset} of ${partition} is ${found}ed`;
  const details = { process: txn.process, op: told, txn: txn.number, value, offset: place.offset };
  const ops = [sent, txn.decided!.index, view.outcomes(partition).shownBy!];
  const excuses = [...view.budget(partition), ...view.adminAborts(partition)];
  findings.add({ anomaly: 'false-ok', partition, details, ops, says }, excuses);
}

function judgeSlot(view: HistoryView, slot: Slot, findings: FindingsBuilder): void {
  const last = lastDone(slot);
  const found = last === undefined ? undefined : settled(view, slot);
  if (last === undefined || found === undefined || isExplained(slot, found.offset)) return;
  const { group, partition } = slot;
  const op = last.txn === undefined ? 'commit-offsets' : 'send-offsets';
  const says = `${group} was told that offset ${last.offset} of ${partition} is committed, and ${found.offset} is in force`;
  const details = { op, group, offset: last.offset, found: found.offset };
  const ops = [...last.ops, found.by.index];
  findings.add({ anomaly: 'false-ok', partition, details, ops, says }, offsetBudget(view));
}
