// The one door between the outside and the cores of a process. A turn is one delivery and all it calls. The door can be
// stopped (the node kills itself at a point) or held (it pauses itself): then nothing comes in and nothing that is said
// after that point goes out (design section 6). It is also where a broken invariant is caught, once.

type State = 'open' | 'held' | 'stopped';

export class Turns {
  readonly #onCrash: (error: unknown) => void;
  #state: State = 'open';
  #waiting: (() => void)[] = [];

  /** @param onCrash Hears what a core threw. Nothing is delivered after it. */
  constructor(onCrash: (error: unknown) => void) {
    this.#onCrash = onCrash;
  }

  /** True once nothing will be delivered any more. */
  get stopped(): boolean {
    return this.#state === 'stopped';
  }

  /** Something from outside reaches the cores: now, after a pause, or never. */
  deliver(run: () => void): void {
    if (this.#state === 'stopped') return;
    if (this.#state === 'held' || this.#waiting.length > 0) {
      this.#waiting.push(run);
      return;
    }
    try {
      run();
    } catch (error) {
      this.stop();
      this.#onCrash(error);
    }
  }

  /** A core says something to the outside: it leaves now, after a pause, or never. */
  depart(run: () => void): void {
    if (this.#state === 'open') run();
    else if (this.#state === 'held') this.#waiting.push(run);
  }

  /** Nothing is delivered and nothing departs any more. */
  stop(): void {
    this.#state = 'stopped';
    this.#waiting = [];
  }

  /** Everything waits until `resumeWith`: what the cores say in the rest of this turn, then what comes in. */
  hold(): void {
    if (this.#state === 'open') this.#state = 'held';
  }

  /** The flow that was held goes on first, as `first`; then what waited, in order; then everything new. */
  resumeWith(first: () => void): void {
    if (this.#state !== 'held') return;
    this.#state = 'open';
    const waiting = [first, ...this.#waiting];
    this.#waiting = [];
    for (const [index, run] of waiting.entries()) {
      if (this.#state !== 'open') {
        // Held again, or stopped, by one of them: the rest keeps its place.
        if (!this.stopped) this.#waiting.push(...waiting.slice(index));
        return;
      }
      this.deliver(run);
    }
  }
}
