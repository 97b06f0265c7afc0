// What a request is answered when the record it needs cannot be written (txn T-21), and what becomes of a completion
// then (txn T-22).
import type { ErrorName } from '../../protocol/errors.ts';
import { LOG_ERRORS, type Translations } from '../log-errors.ts';

const ANSWERS: Translations = {
  ...LOG_ERRORS,
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'COORDINATOR_NOT_AVAILABLE',
};

/** The answer to the request whose append failed with `error`. Others pass (txn T-21). */
export function appendError(error: ErrorName): ErrorName {
  return ANSWERS[error] ?? error;
}

/**
 * What becomes of a CompleteX whose append was answered `answer`, an error of `appendError` (txn T-22): tried again,
 * left to the next owner, or a mistake of ours.
 */
export function failedCompletion(answer: ErrorName): 'retry' | 'drop' | 'fatal' {
  if (answer === 'COORDINATOR_NOT_AVAILABLE') return 'retry';
  return answer === 'NOT_COORDINATOR' || answer === 'COORDINATOR_LOAD_IN_PROGRESS' ? 'drop' : 'fatal';
}
