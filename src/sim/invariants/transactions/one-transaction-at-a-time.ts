// txn INV-10: between the data of two transactions of one producer stands a marker, and nothing else of it inside one. A leader that
// was replaced and does not know it may take the next transaction without having got that marker: the rule is of what is committed.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { misfits } from './misfits.ts';

/** INV-10. */
export const oneTransactionAtATime = (view: TraceView): Invariant => misfits(view, 'txn INV-10');
