// What producers are told of errors that their version of an API does not know (wire W-83, txn T-51, T-121).
import type { ErrorName } from '../../protocol/errors.ts';

/** PRODUCER_FENCED is INVALID_PRODUCER_EPOCH to versions below `since`. */
export function toldFenced(error: ErrorName, version: number, since: number): ErrorName {
  return error === 'PRODUCER_FENCED' && version < since ? 'INVALID_PRODUCER_EPOCH' : error;
}

/** TRANSACTION_ABORTABLE is INVALID_TXN_STATE to versions below `since`. */
export function toldAbortable(error: ErrorName, version: number, since: number): ErrorName {
  return error === 'TRANSACTION_ABORTABLE' && version < since ? 'INVALID_TXN_STATE' : error;
}
