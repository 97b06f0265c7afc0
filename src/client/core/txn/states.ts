// Where a transactional producer stands and where it may go from there (txn T-150, T-151). An illegal move that the
// application asks for changes nothing; one that an answer asks for ends the producer. Asks nobody and sends nothing.
import type { ErrorName } from '../../../protocol/errors.ts';

export const PRODUCER_STATES = [
  'UNINITIALIZED',
  'INITIALIZING',
  'READY',
  'IN_TRANSACTION',
  'COMMITTING_TRANSACTION',
  'ABORTING_TRANSACTION',
  'ABORTABLE_ERROR',
  'FATAL_ERROR',
] as const;
export type ProducerState = (typeof PRODUCER_STATES)[number];

/** Each state, and those it may be entered from (txn T-150). */
export const ENTERED_FROM: Readonly<Record<ProducerState, readonly ProducerState[]>> = {
  UNINITIALIZED: ['READY', 'ABORTABLE_ERROR'],
  INITIALIZING: ['UNINITIALIZED', 'COMMITTING_TRANSACTION', 'ABORTING_TRANSACTION'],
  READY: ['INITIALIZING', 'COMMITTING_TRANSACTION', 'ABORTING_TRANSACTION'],
  IN_TRANSACTION: ['READY'],
  COMMITTING_TRANSACTION: ['IN_TRANSACTION'],
  ABORTING_TRANSACTION: ['IN_TRANSACTION', 'ABORTABLE_ERROR'],
  ABORTABLE_ERROR: ['IN_TRANSACTION', 'COMMITTING_TRANSACTION', 'ABORTABLE_ERROR', 'INITIALIZING'],
  FATAL_ERROR: PRODUCER_STATES,
};

export function mayMove(from: ProducerState, to: ProducerState): boolean {
  return ENTERED_FROM[to].includes(from);
}

/** What an application can do about a failure: ask again, abort and go on, or close the producer. */
export type ErrorClass = 'retriable' | 'abortable' | 'fatal';

/** A step of a transaction failed. */
export interface TxnFailure {
  readonly kind: 'failed';
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
  readonly errorClass: ErrorClass;
  /** True: what was asked for did not happen and never will. */
  readonly definite: boolean;
}

/** How a step of a transaction ended. */
export type TxnResult = { readonly kind: 'ok' } | TxnFailure;

/** Why a producer stands in an error state. */
export type TxnCause = Pick<TxnFailure, 'error' | 'message'>;

/** A call that does not fit the state of a producer (txn T-151). Nothing was done. */
export class IllegalStateError extends Error {
  override name = 'IllegalStateError';
}

export class ProducerStates {
  #state: ProducerState = 'UNINITIALIZED';
  #cause: TxnCause | undefined;

  get current(): ProducerState {
    return this.#state;
  }

  /** Why it stands in an error state; undefined in all others. */
  get cause(): TxnCause | undefined {
    return this.#cause;
  }

  get isCompleting(): boolean {
    return this.#state === 'COMMITTING_TRANSACTION' || this.#state === 'ABORTING_TRANSACTION';
  }

  /** Moves for a call of the application. Throws IllegalStateError and changes nothing if the move is illegal. */
  call(to: ProducerState, call: string): void {
    if (!mayMove(this.#state, to)) throw new IllegalStateError(`${call} is not possible in state ${this.#state}`);
    this.#enter(to, undefined);
  }

  /** Moves because of an answer. An illegal move ends the producer: its picture of the transaction is wrong. */
  answered(to: 'READY' | 'INITIALIZING' | 'UNINITIALIZED'): void {
    if (mayMove(this.#state, to)) return this.#enter(to, undefined);
    this.fatal({ error: 'INVALID_TXN_STATE', message: `an answer asked for ${to} in state ${this.#state}` });
  }

  /** The transaction can only be aborted. While that is under way it changes nothing (txn T-150). The first cause stays. */
  abortable(cause: TxnCause): void {
    if (this.#state === 'ABORTING_TRANSACTION' || this.#state === 'FATAL_ERROR') return;
    if (mayMove(this.#state, 'ABORTABLE_ERROR')) return this.#enter('ABORTABLE_ERROR', this.#cause ?? cause);
    this.fatal({ error: cause.error, message: `${cause.message} (in state ${this.#state}, where nothing can fail)` });
  }

  /** The producer can do nothing more. The first cause stays. */
  fatal(cause: TxnCause): void {
    if (this.#state !== 'FATAL_ERROR') this.#enter('FATAL_ERROR', cause);
  }

  /** What any call is told in an error state; undefined in all others. Nothing was done for it. */
  get failure(): TxnFailure | undefined {
    if (this.#cause === undefined) return undefined;
    const errorClass = this.#state === 'FATAL_ERROR' ? 'fatal' : 'abortable';
    return { kind: 'failed', ...this.#cause, errorClass, definite: true };
  }

  #enter(state: ProducerState, cause: TxnCause | undefined): void {
    this.#state = state;
    this.#cause = cause;
  }
}
