// Groups of clients that were seen on the wire alone: what a checker needs to know of them beyond that, nobody can tell.
import type { OffsetsOp, TxnOp } from '../history/operations.ts';
import type { Ended } from './arrange.ts';
import type { HistoryView } from './view.ts';

/** Names of the groups that such clients named in these operations, each once, in order. */
export function recordedGroups(
  view: HistoryView,
  named: (view: HistoryView) => readonly Ended<TxnOp | OffsetsOp>[],
): ReadonlySet<string> {
  const groups = new Set<string>();
  if (view.recorded.size === 0) return groups;
  for (const { invoke } of named(view)) {
    if (invoke.group !== undefined && view.recorded.has(invoke.process)) groups.add(invoke.group);
  }
  return groups;
}
