// Who may touch a log while writes are under way: appends pass freely, but a truncation, a deletion and a change of
// leader epoch wait until nothing is under way, and from their arrival on appends are refused (design section 4).

export class Gate {
  #underWay = 0;
  /** Operations under way that must be alone. */
  #alone = 0;
  /** `ready` callbacks that are running. */
  #ready = 0;
  #closed = false;
  readonly #waiting: (() => void)[] = [];

  /** True while appends are refused. */
  get shut(): boolean {
    return this.#closed || this.#alone > 0 || this.#ready > 0 || this.#waiting.length > 0;
  }

  /** True while an operation that must be alone is under way. */
  get taken(): boolean {
    return this.#alone > 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Refuses appends for good. */
  close(): void {
    this.#closed = true;
  }

  /** A write begins. */
  enter(): void {
    this.#underWay++;
  }

  /** It has ended: `done` runs first, then whoever has waited for the last one. */
  leave(done: () => void): void {
    this.#underWay--;
    done();
    this.#drain();
  }

  /** Runs `ready` when nothing is under way: at once if so, or if another `ready` asks. */
  whenSettled(ready: () => void): void {
    if (this.#underWay === 0 && (this.#waiting.length === 0 || this.#ready > 0)) this.#run(ready);
    else this.#waiting.push(ready);
  }

  /** Starts an operation when nothing is under way; until `finish` is called, nothing else starts. */
  alone(start: (finish: (done: () => void) => void) => void): void {
    this.whenSettled(() => {
      this.enter();
      this.#alone++;
      start((done) => {
        this.#alone--;
        this.leave(done);
      });
    });
  }

  #run(ready: () => void): void {
    this.#ready++;
    ready();
    this.#ready--;
  }

  #drain(): void {
    while (this.#underWay === 0 && this.#waiting.length > 0) this.#run(this.#waiting.shift()!);
  }
}
