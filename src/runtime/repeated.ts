// Something that a core looks at from time to time. What is looked at, and what follows, is its owner's.
import type { DurationMs } from '../base/units.ts';
import type { Clock, Timer } from './ports.ts';

/** Runs again and again between `start` and `stop`, first after one interval. */
export class Repeated {
  readonly #clock: Clock;
  readonly #intervalMs: DurationMs;
  readonly #run: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, intervalMs: DurationMs, run: () => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#run = run;
  }

  start(): void {
    this.#timer = this.#clock.after(this.#intervalMs, () => {
      this.#run();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
