// What a transactional producer does about each error of each request: the table of txn 7.2. Decides only; the machine and
// the sender act. Produce's retries that depend on sequences are in sequences.ts (txn T-160 to T-163).
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';

/** Requests of a transaction. */
export type TxnApi =
  'FindCoordinator' | 'InitProducerId' | 'AddPartitionsToTxn' | 'AddOffsetsToTxn' | 'TxnOffsetCommit' | 'EndTxn';

/**
 * `lookup`: again, after the coordinator was looked up. `bump`: abortable, and version 1 needs another epoch to go on (txn
 * T-158). `uninitialized`: abortable, and then the producer must be initialised anew.
 */
export type Reaction = 'done' | 'retry' | 'lookup' | 'abortable' | 'bump' | 'uninitialized' | 'fatal';

type Row = Readonly<Partial<Record<ErrorName, Reaction>>>;

/** Coordinators that moved. */
const MOVED: Row = { COORDINATOR_NOT_AVAILABLE: 'lookup', NOT_COORDINATOR: 'lookup' };
/** What ends a producer whatever it asked for. */
const FENCED: Row = {
  PRODUCER_FENCED: 'fatal',
  INVALID_PRODUCER_EPOCH: 'fatal',
  INVALID_PRODUCER_ID_MAPPING: 'fatal',
  INVALID_TXN_STATE: 'fatal',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'fatal',
};

const REACTIONS: Readonly<Record<TxnApi, Row>> = {
  FindCoordinator: { TRANSACTION_ABORTABLE: 'abortable', TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'abortable' },
  InitProducerId: {
    ...MOVED,
    ...FENCED,
    TRANSACTION_ABORTABLE: 'abortable',
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'uninitialized',
  },
  AddPartitionsToTxn: { ...MOVED, ...FENCED, UNKNOWN_PRODUCER_ID: 'bump', TRANSACTION_ABORTABLE: 'abortable' },
  AddOffsetsToTxn: { ...MOVED, ...FENCED, UNKNOWN_PRODUCER_ID: 'bump', TRANSACTION_ABORTABLE: 'abortable' },
  TxnOffsetCommit: {
    ...MOVED,
    ...FENCED,
    REQUEST_TIMED_OUT: 'lookup',
    TRANSACTION_ABORTABLE: 'abortable',
    ILLEGAL_GENERATION: 'abortable',
    UNKNOWN_MEMBER_ID: 'abortable',
    GROUP_ID_NOT_FOUND: 'abortable',
    FENCED_INSTANCE_ID: 'abortable',
  },
  EndTxn: { ...MOVED, ...FENCED, UNKNOWN_PRODUCER_ID: 'bump', TRANSACTION_ABORTABLE: 'abortable' },
};

/** Codes that no row names (txn 7.2, last line). */
const OTHERS: Readonly<Record<TxnApi, Reaction>> = {
  FindCoordinator: 'fatal',
  InitProducerId: 'fatal',
  AddPartitionsToTxn: 'abortable',
  AddOffsetsToTxn: 'fatal',
  TxnOffsetCommit: 'fatal',
  EndTxn: 'fatal',
};

/** The reaction to one answer. An EndTxn that aborts cannot be aborted: there TRANSACTION_ABORTABLE is fatal. */
export function reactionTo(api: TxnApi, error: ErrorName, aborts = false): Reaction {
  if (error === 'NONE') return 'done';
  if (aborts && error === 'TRANSACTION_ABORTABLE') return 'fatal';
  return REACTIONS[api][error] ?? (ERRORS[error].retriable ? 'retry' : OTHERS[api]);
}

const FATAL_TO_PRODUCE: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_ID_MAPPING',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
]);

/** What a batch that has failed for good does to its transaction. Which codes are tried again is the sender's to know. */
export function reactionToProduce(error: ErrorName): 'bump' | 'fatal' {
  return FATAL_TO_PRODUCE.has(error) ? 'fatal' : 'bump';
}

/** The name under which the transaction reports a batch that has failed for good (4.1 and later). */
export function shownAs(error: ErrorName): ErrorName {
  return ERRORS[error].retriable || error === 'INVALID_TXN_STATE' ? 'TRANSACTION_ABORTABLE' : error;
}
