// Errors of the log as clients of coordinators hear them: what both coordinators say alike (txn T-21, wire G-6). What only
// one of them can meet stands with it.
import type { ErrorName } from '../protocol/errors.ts';

export type Translations = Partial<Readonly<Record<ErrorName, ErrorName>>>;

/** From the error of an append, or of a wait for one. Others pass. */
export const LOG_ERRORS: Translations = {
  UNKNOWN_TOPIC_OR_PARTITION: 'COORDINATOR_NOT_AVAILABLE',
  NOT_ENOUGH_REPLICAS: 'COORDINATOR_NOT_AVAILABLE',
  REQUEST_TIMED_OUT: 'COORDINATOR_NOT_AVAILABLE',
  NOT_LEADER_OR_FOLLOWER: 'NOT_COORDINATOR',
  KAFKA_STORAGE_ERROR: 'NOT_COORDINATOR',
  MESSAGE_TOO_LARGE: 'UNKNOWN_SERVER_ERROR',
  RECORD_LIST_TOO_LARGE: 'UNKNOWN_SERVER_ERROR',
};
