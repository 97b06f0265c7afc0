// Knows when everything sent before a moment is settled, at the price of one counter a flush rather than one entry a record.

export class Flushes {
  /** Unsettled records by the number of flushes that had been asked for when they were sent. */
  readonly #counts = new Map<number, number>();
  #waiting: { readonly before: number; readonly done: () => void }[] = [];
  #era = 0;

  /** Whether somebody waits. */
  get pending(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether a record is unsettled. */
  get hasUnsettled(): boolean {
    return this.#counts.size > 0;
  }

  /** A record was sent. Returns its era, to be given back when it is settled. */
  sent(): number {
    this.#counts.set(this.#era, (this.#counts.get(this.#era) ?? 0) + 1);
    return this.#era;
  }

  settled(era: number): void {
    const left = this.#counts.get(era)! - 1;
    if (left > 0) {
      this.#counts.set(era, left);
      return;
    }
    this.#counts.delete(era);
    this.#finish();
  }

  /** Calls `done` when all that was sent until now is settled. False if that is already so; then `done` is not called. */
  flush(done: () => void): boolean {
    if (this.#counts.size === 0) return false;
    this.#era += 1;
    this.#waiting.push({ before: this.#era, done });
    return true;
  }

  #finish(): void {
    const [oldest = Infinity] = this.#counts.keys();
    const finished = this.#waiting.filter(({ before }) => before <= oldest);
    this.#waiting = this.#waiting.filter(({ before }) => before > oldest);
    for (const { done } of finished) done();
  }
}
