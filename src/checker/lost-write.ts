// Lost writes: acknowledged with acks=all, and gone. What acks=0 and 1 lose, and what an unclean election or a declared
// loss of more than Kafka promises to survive loses, is legal and counted. `fail` and `info` sends promise nothing, and
// what is part of a transaction is owed only if its commit was acknowledged: then it must be there and committed (txn
// INV-4).
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { excuseText } from './loss-budget.ts';
import type { AckedSend } from './arrange.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/**
 * One cannot conclude from never having read a value: a reader may simply be behind. So the evidence is the final logs:
 * when every replica was seen and they agree, an acknowledged value that none of them holds is lost. A value counts by
 * itself, not by its offset: a retry may have put it elsewhere. Where the final logs are not known, a reader that passed
 * over the acknowledged offset without the value, which nobody ever read, shows the same.
 */
export const lostWrites: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const undecided = new Map<string, number>();
  for (const send of view.acked) {
    const final = view.finalLog(send.partition);
    const txn = send.txn === undefined ? undefined : view.transactions.of(send.process, send.txn);
    if (send.txn !== undefined && txn?.verdict !== 'committed') continue;
    const isThere = send.offset !== undefined && final.holdsAt(send.offset, send.value);
    if (isThere || final.holds(send.value)) {
      if (txn !== undefined && final.complete) judgeOutcome(view, send, txn, findings);
      continue;
    }
    if (send.offset !== undefined && send.offset < final.logStartOffset) continue; // deleted, not lost
    if (final.provesAbsence) judge(view, send, [send.invoked, send.index], findings);
    else if (!view.reads.wasRead(send.partition, send.value)) {
      const pass = send.offset === undefined ? undefined : view.reads.passedOver(send.partition, send.offset);
      if (pass !== undefined) judge(view, send, [send.invoked, send.index, pass.index], findings);
      else if (send.acks === -1) undecided.set(send.partition, (undecided.get(send.partition) ?? 0) + 1);
    }
  }
  for (const [partition, count] of undecided) {
    const unseen = `${count} values acknowledged with acks=all on ${partition} were never seen again`;
    findings.inconclusive.push(`lost-write: ${unseen}, and not all its replicas were observed in agreement`);
  }
  return findings;
};

/** It is there. Is it committed? What no marker ends is a transaction that hangs, and not lost yet. */
function judgeOutcome(view: HistoryView, send: AckedSend, txn: Transaction, findings: FindingsBuilder): void {
  const { partition, value, acks, index, invoked } = send;
  const outcomes = view.outcomes(partition);
  const places = outcomes.of(value);
  if (places.length === 0 || places.some(({ kind }) => kind !== 'abort')) return;
  const offset = places[0]!.offset;
  const details = { offset, value, acks, marker: 'abort' };
  const ops = [invoked, index, txn.decided!.index, outcomes.shownBy!];
  const says = `"${value}" at ${offset} of ${partition} is aborted, though the commit of ${txn.name} was acknowledged`;
  const excuses = [...view.budget(partition), ...view.adminAborts(partition)];
  findings.add({ anomaly: 'lost-write', partition, details, ops, says }, excuses);
}

function judge(view: HistoryView, send: AckedSend, evidence: readonly number[], findings: FindingsBuilder): void {
  const { partition, offset, value, acks } = send;
  const details = { offset, value, acks };
  const ops = [...new Set(evidence)];
  if (acks !== -1) {
    const because = `acknowledged with acks=${acks}, which promises nothing once the leader is gone`;
    findings.allowed.push({ anomaly: 'lost-write', partition, details, ops, because });
    return;
  }
  const [excuse] = view.lossBudget(partition, send.invoked);
  if (excuse !== undefined) {
    const because = excuseText(excuse);
    findings.allowed.push({ anomaly: 'lost-write', partition, details, ops: [...ops, excuse.index], because });
    return;
  }
  const says = `"${value}" was acknowledged with acks=all at offset ${offset} of ${partition} and is gone`;
  findings.anomalies.push({ anomaly: 'lost-write', partition, details, ops, says });
}
