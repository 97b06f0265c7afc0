// Which controller process to believe: its epoch rises at each of its starts, and what an older one says comes too late
// (design section 1).

export class ControllerEpochs {
  #newest = 0;

  /** The newest controller process that was heard; 0 before the first. */
  get newest(): number {
    return this.#newest;
  }

  /** False if a newer controller process has been heard. */
  accept(epoch: number): boolean {
    if (epoch < this.#newest) return false;
    this.#newest = epoch;
    return true;
  }
}
