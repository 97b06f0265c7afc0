// txn INV-1 (and that part of repl I-1): on each replica log start <= last stable offset <= high watermark. No exceptions.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { stableOffsetToldIs } from './stable-offset.ts';

/** INV-1. */
export function stableOffsetIsBound(view: TraceView): Invariant {
  return stableOffsetToldIs(view, 'txn INV-1', (to, replica) => {
    if (replica.logStartOffset <= to && to <= replica.highWatermark) return undefined;
    return `it lies outside log start ${replica.logStartOffset} and high watermark ${replica.highWatermark}`;
  });
}
