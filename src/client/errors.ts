// What the promise API throws: one class, Kafka's error name as its code, and whether the thing asked for certainly did not
// happen (repl R-17).
import type { ConsumerFailure } from './core/consumer-record.ts';
import type { GroupFailure } from './core/group/membership.ts';
import type { CommitFailure } from './core/group/offset-commits.ts';
import type { SendFailed } from './core/producer-record.ts';
import type { ErrorClass, TxnFailure } from './core/txn/states.ts';
import type { ErrorName } from '../protocol/errors.ts';

export interface ErrorDetails {
  readonly code: ErrorName;
  readonly message: string;
  readonly definite: boolean;
}

/** A call to the cluster failed. Match on `code`, not on the message. */
export class HighwaterError extends Error {
  override name = 'HighwaterError';
  readonly code: ErrorName;
  /** True: what was asked for did not happen and never will. False: it may have happened, or may still. */
  readonly definite: boolean;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.code = details.code;
    this.definite = details.definite;
  }
}

/** A record was not acknowledged. */
export class SendError extends HighwaterError {
  override name = 'SendError';
  readonly partition: number;
  /** More than one attempt may have been appended. */
  readonly retried: boolean;

  constructor(failed: SendFailed) {
    const message = failed.definite ? failed.message : `${failed.message} (it may have been written all the same)`;
    super({ code: failed.error, message, definite: failed.definite });
    this.partition = failed.partition;
    this.retried = failed.retried;
  }
}

/** A step of a transaction failed. `errorClass` says what the application can do about it (txn 7.2). */
export class TransactionError extends HighwaterError {
  override name = 'TransactionError';
  readonly errorClass: ErrorClass;

  constructor(failure: TxnFailure) {
    super({ code: failure.error, message: failure.message, definite: failure.definite });
    this.errorClass = failure.errorClass;
  }

  /** Repeat the same call. */
  get retriable(): boolean {
    return this.errorClass === 'retriable';
  }

  /** Abort, then begin again. */
  get abortable(): boolean {
    return this.errorClass === 'abortable';
  }

  /** Close the producer; do not abort (txn T-171). */
  get fatal(): boolean {
    return this.errorClass === 'fatal';
  }
}

/** A partition cannot be read on until the application acts, e.g. seeks. */
export class ConsumerError extends HighwaterError {
  override name = 'ConsumerError';
  readonly failure: ConsumerFailure;

  constructor(failure: ConsumerFailure) {
    const message = `${failure.topic}-${failure.partition}: ${failure.message}`;
    super({ code: failure.error, message, definite: true });
    this.failure = failure;
  }
}

/** A member of a group cannot go on. */
export class GroupError extends HighwaterError {
  override name = 'GroupError';
  /** True: another member has its name; close it. False: the next poll tries again. */
  readonly fatal: boolean;

  constructor(failure: GroupFailure) {
    super({ code: failure.error, message: failure.message, definite: true });
    this.fatal = failure.fatal;
  }
}

/** Offsets were not committed, or nobody can tell. `errorClass` says what the application can do about it. */
export class CommitError extends HighwaterError {
  override name = 'CommitError';
  readonly errorClass: CommitFailure['errorClass'];

  constructor(failure: CommitFailure) {
    super({ code: failure.error, message: failure.message, definite: failure.definite });
    this.errorClass = failure.errorClass;
  }
}

/** The error of everything that a closed client is asked for, or was still waiting for. */
export function closedError(definite: boolean): HighwaterError {
  return new HighwaterError({ code: 'OPERATION_NOT_ATTEMPTED', message: 'the client is closed', definite });
}

/** A call that does not fit the state of a producer, e.g. a commit without a transaction. Nothing was done (txn T-151). */
export { IllegalStateError } from './core/txn/states.ts';
