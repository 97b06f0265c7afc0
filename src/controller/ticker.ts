// Work that comes round again. Each round is armed when the last one is done, so rounds never pile up.
import type { DurationMs } from '../base/units.ts';
import type { Clock, Timer } from '../runtime/ports.ts';

export class Ticker {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` every `everyMs`, first after that; a round that answers true is followed by another at once. */
  every(everyMs: DurationMs, work: () => boolean | undefined): void {
    const arm = (delay: DurationMs): void => {
      const timer = this.#clock.after(delay, () => {
        this.#timers.delete(timer);
        const goOn = work() ?? false;
        if (!this.#isStopped) arm(goOn ? 0 : everyMs);
      });
      this.#timers.add(timer);
    };
    arm(everyMs);
  }

  /** Nothing comes round any more. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
