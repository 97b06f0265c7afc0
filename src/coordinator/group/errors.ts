// How errors of the log look to clients of groups (wire G-6).
import type { ErrorName } from '../../protocol/errors.ts';

/** Translates why an append, or a wait for one, failed. Not for markers (wire G-46); OffsetFetch has `readError`. */
export function writeError(error: ErrorName): ErrorName {
  switch (error) {
    case 'UNKNOWN_TOPIC_OR_PARTITION':
    case 'NOT_ENOUGH_REPLICAS':
    case 'REQUEST_TIMED_OUT':
      return 'COORDINATOR_NOT_AVAILABLE';
    case 'NOT_LEADER_OR_FOLLOWER':
    case 'KAFKA_STORAGE_ERROR':
      return 'NOT_COORDINATOR';
    case 'MESSAGE_TOO_LARGE':
    case 'RECORD_LIST_TOO_LARGE':
      return 'UNKNOWN_SERVER_ERROR';
    case 'NETWORK_EXCEPTION':
      return 'COORDINATOR_LOAD_IN_PROGRESS';
    default:
      return error;
  }
}

/** The same for an OffsetFetch that waited. */
export function readError(error: ErrorName): ErrorName {
  const translated = writeError(error);
  return translated === 'COORDINATOR_NOT_AVAILABLE' && error !== translated ? 'NOT_COORDINATOR' : translated;
}
