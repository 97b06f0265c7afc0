// A history, arranged once for all checkers: sends joined with their outcomes, what each reader did in order, what the
// replicas held in the end, and what became of transactions. Judges nothing.
import type { BudgetOp, HistoryEntry, QuiesceOp } from '../history/operations.ts';
import { arrange, type AckedSend, type Arranged, type Operation, type TrackedSend } from './arrange.ts';
import { FinalLog } from './final-log.ts';
import { Outcomes } from './outcomes.ts';
import { ReadIndex } from './read-index.ts';
import type { Poll, Reading } from './readings.ts';
import { Transactions } from './transactions.ts';

export interface HistoryView extends Pick<
  Arranged,
  'txnOps' | 'offsetsOps' | 'assignments' | 'faults' | 'openTransactions' | 'committed' | 'refusedSends'
> {
  /** Sends of idempotent and transactional producers, and outputs made from input, in order. */
  readonly tracked: readonly TrackedSend[];
  /** Values that idempotent producers sent, in order, without those that a partition was sent twice. */
  readonly numbered: readonly TrackedSend[];
  readonly acked: readonly AckedSend[];
  readonly polls: readonly Poll[];
  readonly readings: readonly Reading[];
  /** Partitions of which a replica was observed. */
  readonly finalLogs: readonly FinalLog[];
  /** The final log of a partition; of one that nobody observed: empty and incomplete. */
  finalLog(partition: string): FinalLog;
  /** What became of the records of a partition, by the markers of its final log. */
  outcomes(partition: string): Outcomes;
  /** What makes losses of a partition legal, in order. */
  budget(partition: string): readonly BudgetOp[];
  /** Transactions that somebody aborted by hand in a partition. */
  adminAborts(partition: string): readonly BudgetOp[];
  readonly reads: ReadIndex;
  readonly transactions: Transactions;
  /** The last thing that a coordinator said of each transactional id, by who said it. */
  readonly described: Arranged['transactions'];
  readonly quiesce: QuiesceOp | undefined;
  /** Everything that was declared. */
  readonly budgets: readonly BudgetOp[];
  /** Invocations without an end. */
  readonly unended: readonly Operation[];
}

/** Arranges a history. */
export function viewHistory(entries: readonly HistoryEntry[]): HistoryView {
  const arranged = arrange(entries);
  const { polls, readings, budgets, tracked, sent, quiesce, underWay, transactions: described } = arranged;
  const finals = finalLogs(arranged);
  const outcomes = new Map<string, Outcomes>();
  const finalLog = (partition: string): FinalLog => finals.get(partition) ?? new FinalLog(partition, [], false);
  const of = (partition: string): BudgetOp[] =>
    budgets.filter((op) => op.partition === '*' || op.partition === partition);
  const { txnOps, offsetsOps, assignments, faults, openTransactions, committed, refusedSends, acked } = arranged;
  return {
    ...{ txnOps, offsetsOps, assignments, faults, openTransactions, committed, refusedSends, acked },
    ...{ tracked, polls, quiesce, described, finalLog, budgets },
    numbered: tracked.filter(({ numbered, partition, value }) => numbered && sent.get(`${partition} ${value}`) === 1),
    readings: [...readings.values()],
    finalLogs: [...finals.values()],
    outcomes: (partition) => {
      let known = outcomes.get(partition);
      if (known === undefined) outcomes.set(partition, (known = new Outcomes(finalLog(partition))));
      return known;
    },
    budget: (partition) => of(partition).filter(({ what }) => what !== 'admin-abort'),
    adminAborts: (partition) => of(partition).filter(({ what }) => what === 'admin-abort'),
    reads: new ReadIndex(polls),
    transactions: new Transactions(txnOps, tracked),
    unended: [...underWay.values()].flatMap((ops) => [...ops.values()].map(({ invoke }) => invoke)),
  };
}

function finalLogs({ observed, quiesce }: Arranged): Map<string, FinalLog> {
  const missing = quiesce === undefined ? undefined : new Set(quiesce.missing);
  const finals = new Map<string, FinalLog>();
  for (const [partition, replicas] of observed) {
    const complete = missing !== undefined && !missing.has(partition);
    finals.set(partition, new FinalLog(partition, [...replicas.values()], complete));
  }
  return finals;
}
