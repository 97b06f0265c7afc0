// Calls of an application that take time: each waits at most max.block.ms, and one that ended that way goes on and must be
// repeated, which joins it (txn T-155). Nothing is told inside a call.
import type { DurationMs } from '../../../base/units.ts';
import type { Clock, Timer } from '../../../runtime/ports.ts';
import { IllegalStateError, type TxnFailure, type TxnResult } from './states.ts';

type Done = (result: TxnResult) => void;

interface Waiter {
  readonly done: Done;
  readonly timer: Timer;
}

/** One call, until its outcome was told. */
export interface TxnCall {
  readonly name: string;
  outcome: TxnResult | undefined;
  readonly waiters: Set<Waiter>;
}

export class TxnCalls {
  readonly #clock: Clock;
  readonly #maxBlockMs: DurationMs;
  readonly #open = new Set<TxnCall>();
  /** The one that others must wait for. */
  #pending: TxnCall | undefined;

  constructor(clock: Clock, maxBlockMs: DurationMs) {
    this.#clock = clock;
    this.#maxBlockMs = maxBlockMs;
  }

  /** Throws IllegalStateError while a call has not told its outcome. */
  check(name: string): void {
    if (this.#pending === undefined) return;
    const before = this.#pending.name;
    throw new IllegalStateError(`${name} is not possible: ${before} is not over. If it timed out, repeat it`);
  }

  /** Starts a call that must be repeated if its caller gives up, or joins it. `start` may refuse it; that is told later. */
  run(name: string, done: Done, start: (call: TxnCall) => TxnFailure | undefined): void {
    if (this.#pending?.name === name) return this.#wait(this.#pending, done);
    this.check(name);
    const call = newCall(name);
    const refusal = start(call);
    if (refusal !== undefined) return this.refuse(refusal, done);
    this.#pending = call;
    this.#wait(call, done);
  }

  /** A call without memory: repeating it is another call. */
  once(name: string, done: Done): TxnCall {
    const call = newCall(name);
    this.#wait(call, done);
    return call;
  }

  /** Tells a refusal, later. */
  refuse(refusal: TxnFailure, done: Done): void {
    this.#clock.after(0, () => done(refusal));
  }

  /** The outcome is there. The first one counts. */
  finish(call: TxnCall | undefined, outcome: TxnResult): void {
    if (call === undefined || call.outcome !== undefined) return;
    call.outcome = outcome;
    this.#tell(call);
  }

  /** Ends all calls that are not over. */
  close(outcome: TxnFailure): void {
    for (const call of [...this.#open]) this.finish(call, outcome);
  }

  #wait(call: TxnCall, done: Done): void {
    this.#open.add(call);
    const timer = this.#clock.after(this.#maxBlockMs, () => {
      if (call.waiters.delete(waiter)) done(this.#timedOut(call));
    });
    const waiter: Waiter = { done, timer };
    call.waiters.add(waiter);
    if (call.outcome !== undefined) this.#tell(call);
  }

  #tell(call: TxnCall): void {
    const { outcome } = call;
    if (outcome === undefined) return;
    this.#clock.after(0, () => {
      const waiters = [...call.waiters];
      call.waiters.clear();
      if (waiters.length === 0) return; // Nobody waits any more: who repeats the call will be told.
      this.#open.delete(call);
      if (this.#pending === call) this.#pending = undefined;
      for (const { done, timer } of waiters) {
        timer.cancel();
        done(outcome);
      }
    });
  }

  #timedOut({ name }: TxnCall): TxnFailure {
    const message = `${name} is not over after max.block.ms (${this.#maxBlockMs}); it goes on: repeat the call`;
    return { kind: 'failed', error: 'REQUEST_TIMED_OUT', message, errorClass: 'retriable', definite: false };
  }
}

function newCall(name: string): TxnCall {
  return { name, outcome: undefined, waiters: new Set() };
}
