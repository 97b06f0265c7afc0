// Who waits on which partition: the index of both purgatories. Knows nothing of why they wait.

export class Watchers<Watched, Waiting> {
  readonly #waiting = new Map<Watched, Set<Waiting>>();

  add(watched: Watched, waiting: Waiting): void {
    const set = this.#waiting.get(watched);
    if (set === undefined) this.#waiting.set(watched, new Set([waiting]));
    else set.add(waiting);
  }

  delete(watched: Watched, waiting: Waiting): void {
    const set = this.#waiting.get(watched);
    if (set?.delete(waiting) === true && set.size === 0) this.#waiting.delete(watched);
  }

  /** Those that wait on `watched` now, in the order they came. A copy: waking changes the index. */
  of(watched: Watched): readonly Waiting[] {
    const set = this.#waiting.get(watched);
    return set === undefined ? [] : [...set];
  }

  /** All that wait on anything, each once. */
  all(): readonly Waiting[] {
    const all = new Set<Waiting>();
    for (const set of this.#waiting.values()) for (const waiting of set) all.add(waiting);
    return [...all];
  }
}
