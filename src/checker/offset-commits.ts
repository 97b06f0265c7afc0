// Commits of offsets of groups, plain and in transactions, in the order in which they may have been logged. A later one in
// the log wins, and one of a transaction has its place where it was sent, not where its marker is; what it was worth is
// decided by its transaction.
import type { Offset } from '../base/units.ts';
import type { AssignmentOp, CommittedObservation, OffsetsOp } from '../history/operations.ts';
import { dataOutcome } from './data-outcome.ts';
import { entryOf } from './keep.ts';
import { firstFrom } from './search.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/** done: in force. maybe: may be. undone: not, ever. */
export type CommitState = 'done' | 'maybe' | 'undone';

/** One offset of one commit. */
export interface OffsetCommit {
  readonly offset: Offset;
  /** Logged between these two indexes; `to` is Infinity while nobody knows that it cannot happen any more. */
  readonly from: number;
  readonly to: number;
  readonly state: CommitState;
  readonly txn: Transaction | undefined;
  /** Entries that show it. */
  readonly ops: readonly number[];
}

/** What a group was seen to have committed in a partition. */
export interface Slot {
  readonly group: string;
  readonly partition: string;
  readonly commits: OffsetCommit[];
  /** In the order in which they were answered. */
  readonly seen: { readonly offset: Offset; readonly from: number; readonly to: number }[];
}

/** Commits and sights by group and partition. */
export function slotsOf(view: HistoryView): Slot[] {
  const slots: Slot[] = [];
  const groups = new Map<string, Map<string, Slot>>();
  const slot = (group: string, partition: string): Slot => {
    const partitions = entryOf(groups, group, () => new Map<string, Slot>());
    let known = partitions.get(partition);
    if (known === undefined) {
      partitions.set(partition, (known = { group, partition, commits: [], seen: [] }));
      slots.push(known);
    }
    return known;
  };
  const generations = new Generations(view.assignments);
  for (const { invoke, end } of view.offsetsOps) {
    const { index, group } = invoke;
    const commit = invoke.f === 'commit-offsets';
    for (const [partition, offset] of Object.entries((commit ? invoke : end)?.offsets ?? {})) {
      if (!commit) {
        if (end?.type === 'ok') slot(group, partition).seen.push({ offset, from: index, to: end.index });
        continue;
      }
      const answer = end?.type === 'ok' ? 'done' : end?.type === 'fail' ? 'undone' : 'maybe';
      // No coordinator takes a commit of a generation that is over, whatever it answers (BUG-23, wire G-32).
      const to = Math.min(answer === 'maybe' ? Infinity : end!.index, generations.end(invoke));
      const state = to < index ? 'undone' : answer;
      const ops = end === undefined ? [index] : [index, end.index];
      slot(group, partition).commits.push({ offset, from: index, to, state, txn: undefined, ops });
    }
  }
  for (const txn of view.transactions.all) addTransaction(view, txn, slot);
  for (const { group, offsets, index } of view.committed) {
    for (const [partition, offset] of Object.entries(offsets))
      slot(group, partition).seen.push({ offset, from: index, to: index });
  }
  for (const { seen } of slots) seen.sort((a, b) => a.to - b.to);
  return slots;
}

/** Until when generations of groups may have lasted. */
class Generations {
  readonly #assignments = new Map<string, AssignmentOp[]>();

  constructor(assignments: readonly AssignmentOp[]) {
    for (const entry of assignments) {
      if (entry.f === 'assigned') entryOf(this.#assignments, entry.group, () => []).push(entry);
    }
  }

  /**
   * The generation that a commit is of was over by this index, or its static member was replaced: somebody was given his
   * partitions in a newer one, or in its place, after it had been given its own. A group that was deleted counts anew.
   */
  end({ group, generation, process, index: from }: OffsetsOp): number {
    const assigned = this.#assignments.get(group) ?? [];
    if (generation === undefined) return Infinity;
    const sent = firstFrom(assigned, from, ({ index }) => index);
    let at = sent - 1;
    while (at >= 0 && !(assigned[at]!.process === process && assigned[at]!.generation === generation)) at -= 1;
    const own = assigned[at];
    const isReplaced = ({ instance, member }: AssignmentOp): boolean =>
      instance !== undefined && instance === own?.instance && member !== own.member;
    if (own === undefined) at = sent;
    while (at < assigned.length && assigned[at]!.generation <= generation && !isReplaced(assigned[at]!)) at += 1;
    return assigned[at]?.index ?? Infinity;
  }
}

function addTransaction(view: HistoryView, txn: Transaction, slot: (group: string, partition: string) => Slot): void {
  for (const { invoke, end } of txn.sentOffsets) {
    const { group, offsets, index } = invoke;
    if (group === undefined) continue;
    const ok = end?.type === 'ok';
    const state = end?.type === 'fail' ? 'undone' : stateOf(view, txn, ok);
    const to = ok ? end.index : Infinity;
    const ops = [index, ...(end === undefined ? [] : [end.index])];
    if (txn.decided !== undefined) ops.push(txn.decided.index);
    for (const [partition, offset] of Object.entries(offsets ?? {}))
      slot(group, partition).commits.push({ offset, from: index, to, state, txn, ops });
  }
}

/** What its application knows; where that is nothing, what became of its records says it: all or nothing (txn INV-2). */
function stateOf(view: HistoryView, txn: Transaction, acknowledged: boolean): CommitState {
  const done = acknowledged ? 'done' : 'maybe';
  if (txn.verdict === 'committed') return done;
  if (txn.verdict !== 'unknown') return 'undone';
  const kind = dataOutcome(view, txn);
  if (kind === 'commit') return done;
  return kind === 'abort' ? 'undone' : 'maybe';
}

/** The last thing that was observed of a group in quiet, if it is decided. */
export function settled(
  view: HistoryView,
  { group, partition }: Pick<Slot, 'group' | 'partition'>,
): { readonly offset: Offset; readonly by: CommittedObservation } | undefined {
  const by = view.lastCommitted(group);
  const offset = by?.offsets[partition];
  if (by === undefined || offset === undefined || by.unstable.includes(partition)) return undefined;
  return { offset, by };
}

/** The acknowledged commit that was sent last; undefined if none was acknowledged. */
export function lastDone({ commits }: Slot): OffsetCommit | undefined {
  let last: OffsetCommit | undefined;
  for (const commit of commits) if (commit.state === 'done' && commit.from >= (last?.from ?? -1)) last = commit;
  return last;
}

/** Whether some commit that may be in force, and that no acknowledged one is known to have replaced, is of this offset. */
export function isExplained(slot: Slot, offset: Offset): boolean {
  const last = lastDone(slot);
  return slot.commits.some(
    (commit) => commit.state !== 'undone' && commit.offset === offset && commit.to >= (last?.from ?? -1),
  );
}

/** Declarations that may have taken committed offsets back. */
export function offsetBudget(view: HistoryView): ReturnType<HistoryView['budget']> {
  const shards = new Set(view.budgets.map(({ partition }) => partition));
  return ['*', ...shards]
    .filter((partition) => partition === '*' || partition.startsWith('__consumer_offsets-'))
    .flatMap((partition) => view.lossBudget(partition, -1));
}
