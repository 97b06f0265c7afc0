// Stalls: an operation was begun and never ended, though everything was healed and quiet and the run waited for it (BUG-42,
// BUG-50, BUG-72); a coordinator still has a decided transaction to complete; a replica is still behind (BUG-62). Whoever
// stands still or is dead owes nothing.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { HistoryView } from './view.ts';

/** One finding for each operation and each transactional id. If nobody waited, nothing can be concluded. */
export const stalls: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const { quiesce, unended } = view;
  if (quiesce === undefined) return findings;
  const halted = haltedClients(view);
  const awaited = new Set(quiesce.awaited);
  for (const { f, process, index } of unended) {
    if (index > quiesce.index || halted.has(process)) continue;
    if (!awaited.has(process)) {
      findings.inconclusive.push(`stall: ${f} of ${process} (entry ${index}) never ended, and nobody waited for it`);
      continue;
    }
    const says = `${f} of ${process} never ended, though everything was healed and quiet`;
    const details = { process, op: f };
    findings.add({ anomaly: 'stall', partition: '', details, ops: [index, quiesce.index], says });
  }
  if (quiesce.awaited !== undefined) {
    stuckTransactions(view, findings);
    laggingReplicas(view, findings);
  }
  return findings;
};

function stuckTransactions({ described, quiesce }: HistoryView, findings: FindingsBuilder): void {
  const last = new Map(described.map((entry) => [entry.transactionalId, entry]));
  for (const { transactionalId, state, index, statePartition } of last.values()) {
    if (state !== 'PrepareCommit' && state !== 'PrepareAbort') continue;
    const partition = `__transaction_state-${statePartition}`;
    const says = `${transactionalId} is still in ${state}, though everything was healed and quiet`;
    const details = { transactionalId, state };
    findings.add({ anomaly: 'stall', partition, details, ops: [index, quiesce!.index], says });
  }
}

/** Every replica had the time to fetch what the others hold, and nothing was written meanwhile. */
function laggingReplicas({ finalLogs, quiesce }: HistoryView, findings: FindingsBuilder): void {
  const missing = new Set(quiesce!.missing);
  for (const { partition, replicas } of finalLogs) {
    if (!missing.has(partition)) continue;
    const logEndOffset = Math.max(...replicas.map((one) => one.logEndOffset));
    for (const { node, logEndOffset: own, index } of replicas) {
      if (own === logEndOffset) continue;
      const says = `replica ${node} of ${partition} ends at ${own} and another at ${logEndOffset}, though all was healed and quiet`;
      const details = { replica: node, logEndOffset: own };
      findings.add({ anomaly: 'stall', partition, details, ops: [index, quiesce!.index], says });
    }
  }
}

function haltedClients({ faults }: HistoryView): Set<string> {
  const halted = new Set<string>();
  for (const { halts, frees } of faults) {
    for (const process of halts ?? []) halted.add(process);
    for (const process of frees ?? []) halted.delete(process);
  }
  return halted;
}
