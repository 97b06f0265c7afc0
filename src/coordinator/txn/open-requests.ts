// The requests that wait for their answer: each is answered once, and none is left without when the broker stops.

export class OpenRequests {
  readonly #open = new Set<() => void>();

  /** Wraps an answer: the first call counts. `atStop` makes the answer of a request that still waits then. */
  track<Response>(answer: (response: Response) => void, atStop: () => Response): (response: Response) => void {
    let waits = true;
    const finish = (response: Response): void => {
      if (!waits) return;
      waits = false;
      this.#open.delete(end);
      answer(response);
    };
    const end = (): void => finish(atStop());
    this.#open.add(end);
    return finish;
  }

  /** Answers all that wait. */
  stop(): void {
    for (const end of [...this.#open]) end();
  }
}
