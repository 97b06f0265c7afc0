// Self-fencing: a producer was told that it is not the owner of its transactional id any more, though nobody else
// initialised it and no transaction of it can have timed out (BUG-48, W-7, W-9). W-17 and W-24 only look like it: there
// somebody else did.
import type { SendOp, TxnOp } from '../history/operations.ts';
import { FENCING } from './arrange.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { Identities } from './identities.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each process, with its initialisation and the refusal. Rivals are other processes that began to
 * initialise the id before the refusal, however that ended, and the process's own initialisations that it gave up on:
 * those may arrive late. A transaction may time out from its timeout on; clocks that were stepped leave that open.
 */
export const selfFences: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const identities = new Identities(view.txnOps);
  const judged = new Set<string>();
  for (const refusal of refusals(view)) {
    const { process, index } = refusal;
    if (judged.has(process)) continue;
    const id = refusal.f === 'send' ? identities.idOf(process, index) : refusal.transactionalId;
    if (id === undefined || identities.hasOther(id, process, index) || identities.hasDoubtful(process, index)) continue;
    judged.add(process);
    judge({ view, identities, refusal, id }, findings);
  }
  return findings;
};

type Refusal = TxnOp | SendOp;

function refusals({ txnOps, refusedSends }: HistoryView): Refusal[] {
  const refused: Refusal[] = [...refusedSends];
  for (const { end } of txnOps) if (end?.error !== undefined && FENCING.has(end.error)) refused.push(end);
  return refused.sort((a, b) => a.index - b.index);
}

/** A refusal without a rival for its id. */
interface Unrivalled {
  readonly view: HistoryView;
  readonly identities: Identities;
  readonly refusal: Refusal;
  readonly id: string;
}

function judge({ view, identities, refusal, id }: Unrivalled, findings: FindingsBuilder): void {
  const { process, index, error } = refusal;
  const timeoutMs =
    identities.timeoutMs(process) ?? view.described.find(({ transactionalId }) => transactionalId === id)?.timeoutMs;
  const openMs = longestOpenMs(view, refusal);
  if (timeoutMs !== undefined && openMs >= timeoutMs) return;
  if (openMs >= 0 && (timeoutMs === undefined || view.faults.some((fault) => fault.skews && fault.index < index))) {
    const why = timeoutMs === undefined ? 'its timeout was not recorded' : 'clocks were stepped';
    findings.inconclusive.push(`self-fence: ${process} was fenced (${error}) without a rival for ${id}, and ${why}`);
    return;
  }
  const init = identities.initBefore(process, index);
  const details = { process, transactionalId: id, error, op: refusal.f };
  const ops = [...(init === undefined ? [] : [init.index]), index];
  const says = `${process} was told ${error} though nobody else initialised ${id} and nothing of it timed out`;
  findings.add({ anomaly: 'self-fence', partition: '', details, ops, says });
}

/** How long a transaction of its process was open at most, ms; -1 if none was. */
function longestOpenMs({ transactions }: HistoryView, { process, time, index }: Refusal): number {
  let longest = -1;
  for (const { decided, begunMs } of transactions.ofProcess(process)) {
    const over = decided !== undefined && decided.index < index ? decided.time : time;
    longest = Math.max(longest, over - begunMs);
  }
  return longest;
}
