// One partition's queue of steps: what Kafka does under the partition's locks runs here one after the other, and a step
// that a fault holds keeps those behind it (design section 6). Runs at once while nothing is held.

/** A step calls `next` when the following one may run. */
export type Step = (next: () => void) => void;

export class SerialQueue {
  readonly #waiting: Step[] = [];
  #busy = false;

  /** Runs `step` after all steps before it are through: synchronously if they are. */
  run(step: Step): void {
    this.#waiting.push(step);
    this.#drain();
  }

  #drain(): void {
    while (!this.#busy) {
      const step = this.#waiting.shift();
      if (step === undefined) return;
      this.#busy = true;
      let open = true;
      step(() => {
        if (!open) return;
        open = false;
        this.#busy = false;
        this.#drain();
      });
    }
  }
}
