// txn INV-5, the part of logs: the epochs of the batches and markers of one producer in one log never fall.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { misfits } from './misfits.ts';

/** INV-5: epochs in logs. */
export const epochsNeverFall = (view: TraceView): Invariant => misfits(view, 'txn INV-5');
