// Messages on their way from this node, while a fault may hold one. An ordered lane is one direction of one stream:
// nothing overtakes but by `swap`. An unordered lane holds the calls of one API to one node, which pass each other freely.

type Send = () => void;

interface Entry {
  readonly send: Send;
  /** What became of it: undecided, to be sent `copies` times (0: lost), or to be sent after the next one. */
  state: 'undecided' | 'decided' | 'swapping';
  copies: number;
  overtaken?: () => void;
}

/** A message in a lane: exactly one of its ways is taken, but `go` may be taken twice (a duplicate). */
export interface InLane {
  go(): void;
  /** See `Flow.together`. */
  together(both: () => void): void;
  drop(): void;
  /** See `Flow.swap`. */
  swap(overtaken: () => void): () => void;
}

export class Lane {
  readonly #ordered: boolean;
  #queue: Entry[] = [];
  #closed = false;
  /** The stream's end, once it was asked for. */
  #end: Entry | undefined;
  /** Copies of a message are being let go: nothing leaves before the last. */
  #gathering = 0;

  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  /** True if nothing waits, so that a message may pass by. */
  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /** Adds a message; `send` puts it on the wire, `tooLate` hears that it was let go after the stream was gone. */
  enter(send: Send, tooLate?: () => void): InLane {
    const entry = this.#add(send);
    return {
      go: () => {
        if (this.#closed) tooLate?.();
        else if (!this.#queue.includes(entry)) send();
        else this.#decide(entry, entry.copies + 1);
      },
      together: (both) => {
        this.#gathering += 1;
        both();
        this.#gathering -= 1;
        this.#flush();
      },
      drop: () => this.#decide(entry, 0),
      swap: (overtaken) => {
        entry.state = 'swapping';
        entry.overtaken = overtaken;
        this.#flush();
        return () => {
          if (entry.state !== 'swapping') return;
          if (this.#closed) tooLate?.();
          else this.#decide(entry, 1);
        };
      },
    };
  }

  /** Sends a stream's end behind all that was sent: nothing follows that could overtake what waits to be overtaken. */
  finish(end: Send): void {
    if (this.#end !== undefined) return;
    this.#end = this.#add(end);
    this.#decide(this.#end, 1);
  }

  /** The stream is gone: what waits is lost, and what is let go later too. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
  }

  #add(send: Send): Entry {
    const entry: Entry = { send, state: 'undecided', copies: 0 };
    this.#queue.push(entry);
    return entry;
  }

  #decide(entry: Entry, copies: number): void {
    entry.state = 'decided';
    entry.copies = copies;
    this.#flush();
  }

  #flush(): void {
    if (this.#gathering > 0) return;
    for (let next = this.#takeReady(); next !== undefined; next = this.#takeReady()) {
      for (let i = 0; i < next.copies; i++) next.send();
      if (next.copies > 0) this.#overtake(next);
    }
  }

  /** The first entry that may leave: decided, and (in an ordered lane) behind none but one that swaps. */
  #takeReady(): Entry | undefined {
    for (const [at, entry] of this.#queue.entries()) {
      if (entry === this.#end && at > 0) return this.#notOvertaken();
      if (entry.state === 'decided') return this.#queue.splice(at, 1)[0];
      if (this.#ordered && entry.state === 'undecided') return undefined;
    }
    return undefined;
  }

  /** Only the end is behind what waits to be overtaken: that leaves as it was sent. Answers the first of it. */
  #notOvertaken(): Entry | undefined {
    for (const entry of this.#queue) {
      if (entry.state === 'swapping') [entry.state, entry.copies] = ['decided', 1];
    }
    return this.#queue.shift();
  }

  /** A message was sent: the oldest one that waits to be overtaken follows. */
  #overtake(sent: Entry): void {
    const waiting = this.#queue.find((entry) => entry.state === 'swapping' && entry !== sent);
    if (waiting === undefined) return;
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    waiting.state = 'decided';
    waiting.send();
    waiting.overtaken?.();
  }
}
