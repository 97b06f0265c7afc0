// One parked acks=all produce: answered when every partition is decided or its time is up (repl ).
import type { ErrorName } from '../protocol/errors.ts';
import type { Clock, Timer } from '../runtime/ports.ts';
import type { Partition } from './partition.ts';
import type { PartitionResult } from './produce-result.ts';
import type { Watchers } from './watchers.ts';

interface DelayedProduceOptions {
  /** The partitions that were appended. */
  readonly results: readonly PartitionResult[];
  readonly parked: Watchers<Partition, DelayedProduce>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Answers. Called once, perhaps from inside the constructor. */
  complete(): void;
}

export class DelayedProduce {
  readonly #options: DelayedProduceOptions;
  readonly #timer: Timer | undefined;
  #waiting = true;

  /** Waits, unless all is decided already. */
  constructor(options: DelayedProduceOptions) {
    this.#options = options;
    for (const result of options.results) result.tryDecide();
    for (const { replica } of options.results) if (replica !== undefined) options.parked.add(replica, this);
    const timeoutMs = Math.max(options.timeoutMs, 0);
    this.#timer = options.clock.after(timeoutMs, () => this.fail('REQUEST_TIMED_OUT'));
    this.#completeIfDecided();
  }

  /** Something happened on `woken`. */
  tryComplete(woken: Partition): void {
    if (!this.#waiting) return;
    for (const result of this.#options.results) if (result.replica === woken) result.tryDecide();
    this.#completeIfDecided();
  }

  /** Answers now; what is undecided gets `error`. */
  fail(error: ErrorName): void {
    if (!this.#waiting) return;
    for (const result of this.#options.results) result.decide(error);
    this.#completeIfDecided();
  }

  /** Is gone without an answer; what was appended stays (wire W-15). */
  withdraw(): void {
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#timer?.cancel();
    for (const { replica } of this.#options.results) {
      if (replica !== undefined) this.#options.parked.delete(replica, this);
    }
  }

  #completeIfDecided(): void {
    if (!this.#options.results.every((result) => result.isDecided)) return;
    this.withdraw();
    this.#options.complete();
  }
}
