// A Lamport clock: orders events of different nodes by cause, since clocks of two hosts are never compared.

export class LamportClock {
  #time = 0;

  /** The time of a new local event. */
  tick(): number {
    this.#time += 1;
    return this.#time;
  }

  /** A message that carried `time` arrived. */
  observe(time: number): void {
    if (time > this.#time) this.#time = time;
  }

  get time(): number {
    return this.#time;
  }
}
