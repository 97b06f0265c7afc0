// What is known of values by the partition they were sent to or stand in. Two maps, not one with joined keys: a joined key
// is a new string for every look-up, and checkers look up every record several times.

/** Something for each value of each partition. */
export class ByValue<Known> {
  readonly #partitions = new Map<string, Map<string, Known>>();

  get(partition: string, value: string): Known | undefined {
    return this.#partitions.get(partition)?.get(value);
  }

  set(partition: string, value: string, known: Known): void {
    const values = this.#partitions.get(partition);
    if (values === undefined) this.#partitions.set(partition, new Map([[value, known]]));
    else values.set(value, known);
  }

  /** All of one partition; undefined if nothing is known of it. */
  of(partition: string): ReadonlyMap<string, Known> | undefined {
    return this.#partitions.get(partition);
  }
}
