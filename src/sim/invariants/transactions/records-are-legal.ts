// txn INV-6: what a transaction coordinator puts in force follows what was in force (txn T-14, T-16), and the next one goes on from
// the newest record in force. Records that were appended and not acknowledged may or may not have survived (txn T-23).
import type { NodeId } from '../../../base/units.ts';
import type { TraceEvent, TransactionMark } from '../../../trace/events.ts';
import type { Invariant } from '../invariant.ts';
import { describeMark, sameMark } from '../view/coordinator-fold.ts';
import { stateName, type TraceView } from '../view/trace-view.ts';

/** Each state, and those that may follow it (txn T-14). Before the first record there is nothing. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  nothing: ['Empty'],
  Empty: ['Empty', 'Ongoing', 'PrepareAbort', 'nothing'],
  Ongoing: ['Ongoing', 'PrepareCommit', 'PrepareAbort'],
  PrepareCommit: ['CompleteCommit'],
  PrepareAbort: ['CompleteAbort'],
  CompleteCommit: ['Empty', 'Ongoing', 'PrepareAbort', 'nothing'],
  CompleteAbort: ['Empty', 'Ongoing', 'PrepareAbort', 'nothing'],
};

/** INV-6. */
export function recordsAreLegal(view: TraceView): Invariant {
  return {
    name: 'txn INV-6',
    on: ['txn.record', 'txn.loaded'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type === 'txn.loaded') {
        const { partition, coordinatorEpoch } = event;
        if (view.isExcused(stateName(partition))) return undefined;
        const why = loadProblem(view, node, event);
        const detail = `coordinator ${node} of epoch ${coordinatorEpoch} loaded ${why}`;
        return why === undefined ? undefined : { invariant: 'txn INV-6', subject: stateName(partition), detail };
      }
      if (event.type !== 'txn.record' || event.phase !== 'applied') return undefined;
      const before = view.coordinators.before ?? null;
      const why = stepProblem(before, event.record);
      if (why === undefined) return undefined;
      const step = `${describeMark(event.record)} in force after ${describeMark(before)}`;
      const detail = `coordinator ${node} put ${step} at ${event.offset}: ${why}`;
      return { invariant: 'txn INV-6', subject: event.transactionalId, detail };
    },
    sweep: () => [],
  };
}

function stepProblem(before: TransactionMark | null, after: TransactionMark | null): string | undefined {
  if (before !== null && sameMark(before, after)) return undefined;
  const follows = FOLLOWS[before?.state ?? 'nothing'] ?? [];
  if (!follows.includes(after?.state ?? 'nothing')) return 'that does not follow';
  if (after === null) return undefined;
  if (after.state === 'Ongoing' && before?.state === 'Ongoing') {
    const lost = before.partitions.filter((name) => !after.partitions.includes(name));
    return lost.length === 0 ? undefined : `${lost.join(', ')} is lost`;
  }
  if (after.state.startsWith('Prepare')) {
    const open = before?.state === 'Ongoing' ? before.partitions : [];
    return after.partitions.join() === open.join() ? undefined : `its partitions are not those of the transaction`;
  }
  if (after.state !== 'Ongoing' && after.partitions.length > 0) return 'it has partitions';
  return undefined;
}

/** Of each id the newest record in force, or one that was appended behind it. A zombie may load after its successor acted. */
function loadProblem(
  view: TraceView,
  node: NodeId,
  { partition, coordinatorEpoch, transactions }: Extract<TraceEvent, { type: 'txn.loaded' }>,
): string | undefined {
  const found = new Map(transactions.map((mark) => [mark.transactionalId, mark]));
  const { coordinators } = view;
  const ids = [...coordinators.latest].flatMap(([id, latest]) => (latest.partition === partition ? [id] : []));
  for (const id of new Set([...ids, ...found.keys()])) {
    const [latest, mark] = [coordinators.latest.get(id), found.get(id) ?? null];
    if (latest !== undefined && latest.coordinatorEpoch > coordinatorEpoch) continue;
    const from = latest?.offset ?? -1;
    const isThere = coordinators.appended(id).some(({ offset, record }) => offset >= from && sameMark(record, mark));
    if (isThere || (mark === null && latest === undefined)) continue;
    // Who appended it may stand still before it tells: what follows what is in force, and has a place behind it, is that.
    if (view.isDurableAt(node, partition, from + 1) && stepProblem(latest?.record ?? null, mark) === undefined)
      continue;
    return `${describeMark(mark)} for ${id}, though ${describeMark(latest?.record)} was in force at ${from}`;
  }
  return undefined;
}
