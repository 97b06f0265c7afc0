// repl I-29: after a kill without power loss a log starts with everything that was below its end at the kill. More may be
// there: a write under way that was never counted.
import type { Offset } from '../../../base/units.ts';
import type { BatchMark } from '../../../trace/events.ts';
import type { Invariant } from '../invariant.ts';
import { describeBatch, firstEndingFrom, sameBatch, type EarlierLog } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

export function recoveryKeepsCounted(view: TraceView): Invariant {
  return {
    name: 'repl I-29',
    on: ['log.opened'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'log.opened') return undefined;
      const { earlier, name } = view.replica(node, event);
      if (earlier === undefined) return undefined;
      const missing = firstMissing(earlier, event.batches, view.partition(event)?.cleanedTo ?? 0);
      const short = event.logEndOffset < earlier.logEndOffset;
      if (missing === undefined && !short) return undefined;
      const detail =
        `replica ${node} ended at ${earlier.logEndOffset} and was opened up to ${event.logEndOffset}` +
        (missing === undefined ? '' : `, without ${describeBatch(missing)}`);
      return { invariant: 'repl I-29', subject: name, detail };
    },
    sweep: () => [],
  };
}

/** The first earlier batch that is not in the opened log at its place; none below what was cleaned (txn T-114). */
function firstMissing(
  { batches: all }: EarlierLog,
  opened: readonly BatchMark[],
  cleanedTo: Offset,
): BatchMark | undefined {
  const batches = all.slice(firstEndingFrom(all, cleanedTo));
  const first = batches[0];
  if (first === undefined) return undefined;
  // A raised log start may have been forgotten, so that the opened log begins earlier (repl R-108).
  const shift = firstEndingFrom(opened, first.baseOffset);
  return batches.find((batch, i) => {
    const found = opened[shift + i];
    return found === undefined || !sameBatch(batch, found);
  });
}
