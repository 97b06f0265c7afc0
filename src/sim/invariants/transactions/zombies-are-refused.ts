// txn INV-14, the part of logs: of one producer, who obeyed a newer coordinator obeys no older one (txn T-116, T-117).
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { misfits } from './misfits.ts';

/** INV-14: coordinators in logs. */
export const zombiesAreRefused = (view: TraceView): Invariant => misfits(view, 'txn INV-14');
