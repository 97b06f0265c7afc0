// A history, arranged once for all checkers: sends joined with their outcomes, what each reader did in order, what the
// replicas held in the end, and what became of transactions. Judges nothing.
import type { BudgetOp, CommittedObservation, HistoryEntry, QuiesceOp } from '../history/operations.ts';
import { arrange, type AckedSend, type Arranged, type Operation, type Sent, type TrackedSend } from './arrange.ts';
import type { ByValue } from './by-value.ts';
import { committedReads, type CommittedRead } from './committed-reads.ts';
import { FinalLog } from './final-log.ts';
import { keep, keepEach } from './keep.ts';
import { isOfCoordinators, lossBudget } from './loss-budget.ts';
import { oddReads, type OddRead } from './odd-reads.ts';
import { slotsOf, type Slot } from './offset-commits.ts';
import { Outcomes } from './outcomes.ts';
import { ReadIndex } from './read-index.ts';
import type { Poll, Reading } from './readings.ts';
import { witnessesOf, type Witness } from './sightings.ts';
import { Transactions } from './transactions.ts';
import { withoutCompacted } from './without-compacted.ts';
import { withoutDeleted } from './without-deleted.ts';

export interface HistoryView extends Pick<
  Arranged,
  | 'txnOps'
  | 'offsetsOps'
  | 'assignments'
  | 'faults'
  | 'recorded'
  | 'openTransactions'
  | 'committed'
  | 'refusedSends'
  | 'failedSends'
  | 'endOffsets'
> {
  /** What was sent to each partition. */
  readonly sent: ByValue<Sent>;
  /** Sends of idempotent and transactional producers, and outputs made from input, in order. */
  readonly tracked: readonly TrackedSend[];
  /** Who saw values that idempotent producers sent; without those that a partition was sent twice. */
  witnesses(): readonly Witness[];
  readonly acked: readonly AckedSend[];
  readonly polls: readonly Poll[];
  readonly readings: readonly Reading[];
  /** Partitions of which a replica was observed. */
  readonly finalLogs: readonly FinalLog[];
  /** The final log of a partition; of one that nobody observed: empty and incomplete. */
  finalLog(partition: string): FinalLog;
  /** What became of the records of a partition, by the markers of its final log. */
  outcomes(partition: string): Outcomes;
  /** What makes losses of a partition legal, in order (loss-budget.ts); what coordinators lost may show anywhere. */
  budget(partition: string): readonly BudgetOp[];
  /** What makes it legal that the partition itself lost something that was written after `since`, an index. */
  lossBudget(partition: string, since: number): readonly BudgetOp[];
  /** Transactions that somebody aborted by hand in a partition. */
  adminAborts(partition: string): readonly BudgetOp[];
  /** What was observed last of the committed offsets of a group. */
  lastCommitted(group: string): CommittedObservation | undefined;
  /** What readers were given that the final logs do not confirm. */
  oddReads(): readonly OddRead[];
  /** What read_committed readers were given of transactions. */
  committedReads(): readonly CommittedRead[];
  /** Commits of offsets by group and partition. */
  slots(): readonly Slot[];
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

/** Arranges a history. What not every checker asks for is made when the first asks. */
export function viewHistory(entries: readonly HistoryEntry[]): HistoryView {
  const arranged = arrange(withoutCompacted(withoutDeleted(entries)));
  const { polls, readings, budgets, tracked, sent, quiesce, underWay, transactions: described } = arranged;
  const finals = finalLogs(arranged);
  const finalLog = keepEach((partition) => finals.get(partition) ?? new FinalLog(partition, [], false));
  const declared = keepEach((partition) => budgets.filter((op) => op.partition === '*' || op.partition === partition));
  const coordinators = keep(() => {
    const of = new Set(budgets.map(({ partition }) => partition).filter(isOfCoordinators));
    return [...of].flatMap((partition) => lossBudget(declared(partition)));
  });
  const observed = [...finals.values()];
  const lastCommitted = new Map(arranged.committed.map((one) => [one.group, one]));
  const { txnOps, offsetsOps, assignments, faults, recorded, openTransactions, committed, acked } = arranged;
  const { refusedSends, failedSends, endOffsets } = arranged;
  const view: HistoryView = {
    ...{ txnOps, offsetsOps, assignments, faults, recorded, openTransactions, committed, acked },
    ...{ refusedSends, failedSends, endOffsets },
    ...{ tracked, sent, polls, readings, quiesce, described, finalLog, finalLogs: observed, budgets },
    outcomes: keepEach((partition) => new Outcomes(finalLog(partition))),
    budget: keepEach((partition) => [...lossBudget(declared(partition)), ...coordinators()]),
    lossBudget: (partition, since) => lossBudget(declared(partition), since),
    adminAborts: keepEach((partition) => declared(partition).filter(({ what }) => what === 'admin-abort')),
    lastCommitted: (group) => lastCommitted.get(group),
    witnesses: keep(() => witnessesOf(arranged, observed)),
    oddReads: keep(() => oddReads(polls, finalLog)),
    committedReads: keep(() => committedReads(view)),
    slots: keep(() => slotsOf(view)),
    reads: new ReadIndex(polls),
    transactions: new Transactions(txnOps, tracked),
    unended: [...underWay.values()].flatMap((ops) => [...ops.values()].map(({ invoke }) => invoke)),
  };
  return view;
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
