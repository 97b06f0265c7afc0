// txn INV-16: nothing open lies below the last stable offset, and nothing whose effective marker is at or above the high watermark.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { stableOffset, stableOffsetToldIs } from './stable-offset.ts';

/** INV-16. */
export function undecidedPinsStableOffset(view: TraceView): Invariant {
  return stableOffsetToldIs(view, 'txn INV-16', (to, replica) => {
    const bound = stableOffset(view, replica);
    return to <= bound || view.isCleaned(replica.name) ? undefined : `its log is undecided from ${bound} on`;
  });
}
