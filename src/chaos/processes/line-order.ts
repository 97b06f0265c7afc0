// Puts what several client processes said into one order that causes nothing before its cause. Their pipes are read when
// there is time, whole chunks of one before those of another; so a line waits until everything said before it must have been
// read too, and goes by when it was said. It holds back for a turn of the event loop, not for a length of time.

interface Line {
  readonly atUs: number;
  readonly tell: () => void;
}

/** How the outside goes on; replaced in tests. */
export interface LineOrderParts {
  /** The clock that the lines are stamped by. */
  readonly nowUs: () => number;
  /** Runs once every pipe that is readable now has been read. */
  readonly afterReading: (run: () => void) => void;
}

/** The clock of the machine: the same in all its processes. */
export function machineUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The first turn ends what is being read, the second has read what was there when it began. */
export const REAL_LINE_ORDER: LineOrderParts = {
  nowUs: machineUs,
  afterReading: (run) => void setImmediate(run),
};

export class LineOrder {
  readonly #parts: LineOrderParts;
  #waiting: Line[] = [];
  #isScheduled = false;

  constructor(parts: LineOrderParts) {
    this.#parts = parts;
  }

  /** Takes a line that was said at this time; `tell` is called later, in its turn. Lines of one process keep their order. */
  add(atUs: number, tell: () => void): void {
    this.#waiting.push({ atUs, tell });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const { nowUs, afterReading } = this.#parts;
    afterReading(() => {
      const readUpTo = nowUs();
      afterReading(() => {
        this.#isScheduled = false;
        this.#tellUpTo(readUpTo);
        if (this.#waiting.length > 0) this.#schedule();
      });
    });
  }

  #tellUpTo(limitUs: number): void {
    const due = this.#waiting.filter(({ atUs }) => atUs <= limitUs);
    this.#waiting = this.#waiting.filter(({ atUs }) => atUs > limitUs);
    due.sort((a, b) => a.atUs - b.atUs);
    for (const { tell } of due) tell();
  }
}
