// Self-fencing: a producer was told that it is not the owner of its transactional id any more, though nobody else
// initialised it and no transaction of it can have timed out (BUG-48, W-7, W-9). W-17 and W-24 only look like it: there
// somebody else did.
import type { SendOp, TxnOp } from '../history/operations.ts';
import { FENCING } from './arrange.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each process, with its initialisation and the refusal. Rivals are other processes that began to
 * initialise the id before the refusal, however that ended, and the process's own initialisations that it gave up on:
 * those may arrive late. A transaction may time out from its timeout on; clocks that were stepped leave that open.
 */
export const selfFences: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const judged = new Set<string>();
  for (const refusal of refusals(view)) {
    if (judged.has(refusal.process)) continue;
    const id = transactionalIdOf(view, refusal);
    if (id === undefined || hasRival(view, refusal, id)) continue;
    judged.add(refusal.process);
    judge(view, refusal, id, findings);
  }
  return findings;
};

type Refusal = TxnOp | SendOp;

function refusals({ txnOps, refusedSends }: HistoryView): Refusal[] {
  const ended = txnOps.flatMap(({ end }): Refusal[] =>
    end !== undefined && end.type !== 'ok' && FENCING.has(end.error ?? '') ? [end] : [],
  );
  return [...ended, ...refusedSends].sort((a, b) => a.index - b.index);
}

/** The id that its process had initialised; undefined for one without. */
function transactionalIdOf({ txnOps }: HistoryView, refusal: Refusal): string | undefined {
  if (refusal.f !== 'send') return refusal.transactionalId;
  return txnOps.findLast(({ invoke }) => invoke.process === refusal.process && invoke.index < refusal.index)?.invoke
    .transactionalId;
}

function hasRival({ txnOps }: HistoryView, { process, index }: Refusal, id: string): boolean {
  return txnOps.some(({ invoke, end }) => {
    if (invoke.f !== 'init' || invoke.transactionalId !== id || invoke.index >= index) return false;
    return invoke.process !== process || (end?.type !== 'ok' && end?.type !== 'fail' && end?.index !== index);
  });
}

function judge(view: HistoryView, refusal: Refusal, id: string, findings: FindingsBuilder): void {
  const { process, index, error } = refusal;
  const timeoutMs = timeoutOf(view, process, id);
  const openMs = longestOpenMs(view, refusal);
  if (timeoutMs !== undefined && openMs >= timeoutMs) return;
  if (openMs >= 0 && (timeoutMs === undefined || view.faults.some((fault) => fault.skews && fault.index < index))) {
    const why = timeoutMs === undefined ? 'its timeout was not recorded' : 'clocks were stepped';
    findings.inconclusive.push(`self-fence: ${process} was fenced (${error}) without a rival for ${id}, and ${why}`);
    return;
  }
  const init = view.txnOps.findLast(
    ({ invoke, end }) => invoke.f === 'init' && invoke.process === process && end?.type === 'ok' && end.index < index,
  );
  const details = { process, transactionalId: id, error, op: refusal.f };
  const ops = [...(init?.end === undefined ? [] : [init.end.index]), index];
  const says = `${process} was told ${error} though nobody else initialised ${id} and nothing of it timed out`;
  findings.add({ anomaly: 'self-fence', partition: '', details, ops, says });
}

function timeoutOf({ txnOps, described }: HistoryView, process: string, id: string): number | undefined {
  const asked = txnOps.findLast(({ invoke }) => invoke.f === 'init' && invoke.process === process)?.invoke.timeoutMs;
  return asked ?? described.find(({ transactionalId }) => transactionalId === id)?.timeoutMs;
}

/** How long a transaction of its process was open at most, ms; -1 if none was. */
function longestOpenMs(view: HistoryView, { process, time, index }: Refusal): number {
  let longest = -1;
  for (const txn of view.transactions.all) {
    if (txn.process !== process) continue;
    const over = txn.decided !== undefined && txn.decided.index < index ? txn.decided.time : time;
    longest = Math.max(longest, over - txn.begunMs);
  }
  return longest;
}
