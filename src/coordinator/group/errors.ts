// How errors of the log look to clients of groups (wire G-6).
import type { ErrorName } from '../../protocol/errors.ts';
import { LOG_ERRORS, type Translations } from '../log-errors.ts';

const ANSWERS: Translations = {
  ...LOG_ERRORS,
  // Of a verification that got no answer (txn T-66).
  NETWORK_EXCEPTION: 'COORDINATOR_LOAD_IN_PROGRESS',
};

/** Translates why an append, or a wait for one, failed. Not for markers (wire G-46); OffsetFetch has `readError`. */
export function writeError(error: ErrorName): ErrorName {
  return ANSWERS[error] ?? error;
}

/** The same for an OffsetFetch that waited. */
export function readError(error: ErrorName): ErrorName {
  const translated = writeError(error);
  return translated === 'COORDINATOR_NOT_AVAILABLE' && error !== translated ? 'NOT_COORDINATOR' : translated;
}
