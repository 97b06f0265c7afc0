// Time of a test: moves only when the test says so. What is due at one instant runs in the order in which it was asked for.
import type { Clock, Timer } from '../../../src/runtime/ports.ts';

/** Wall clock at instant 0. */
export const EPOCH_MS = 1_700_000_000_000;

interface Due {
  readonly at: number;
  readonly run: () => void;
  live: boolean;
}

export class VirtualClock {
  #now = 0;
  #due: Due[] = [];

  get now(): number {
    return this.#now;
  }

  /** A process's view: nothing of it runs once it is dead. */
  of(isAlive: () => boolean): Clock {
    return {
      now: () => this.#now,
      wallTime: () => EPOCH_MS + this.#now,
      after: (delay, run) => this.after(delay, () => isAlive() && run()),
    };
  }

  after(delay: number, run: () => void): Timer {
    const due: Due = { at: this.#now + Math.max(0, delay), run, live: true };
    this.#due.push(due);
    return { cancel: () => void (due.live = false) };
  }

  /** Runs all that is due now, and what that asks for at once. */
  settle(): void {
    this.runFor(0);
  }

  runFor(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      this.#due = this.#due.filter(({ live }) => live);
      let next: Due | undefined;
      for (const due of this.#due) if (due.at <= until && (next === undefined || due.at < next.at)) next = due;
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      next.live = false;
      next.run();
    }
    this.#now = until;
  }

  /** How many timers run. */
  get timers(): number {
    return this.#due.filter(({ live }) => live).length;
  }
}
