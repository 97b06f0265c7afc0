// The simulator's heart: take the earliest event, set the clock, run it. Virtual time counts whole microseconds. Events
// of one instant run in an order drawn from the seed, since in a cluster nothing orders them; who needs an order keeps a
// queue of his own (streams, store completions).
import { assert, InvariantViolation } from '../base/assert.ts';
import type { Prng } from '../base/prng.ts';
import type { Timer } from '../runtime/ports.ts';

/** Virtual time, microseconds since the world began. */
export type InstantUs = number;

export interface SchedulerOptions {
  /** How events of one instant are ordered: drawn, or as they were scheduled. */
  readonly ties: Prng | 'insertion';
}

class Entry implements Timer {
  readonly at: InstantUs;
  readonly tie: number;
  readonly seq: number;
  run: (() => void) | undefined;
  readonly #owner: Scheduler;

  constructor(owner: Scheduler, at: InstantUs, tie: number, seq: number, run: () => void) {
    this.#owner = owner;
    this.at = at;
    this.tie = tie;
    this.seq = seq;
    this.run = run;
  }

  cancel(): void {
    if (this.run === undefined) return;
    this.run = undefined;
    this.#owner.forget();
  }
}

function before(a: Entry, b: Entry): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie === b.tie ? a.seq < b.seq : a.tie < b.tie;
}

/** Cancelled entries are swept out once they are this many and the majority. */
const SWEEP_MIN = 256;

export class Scheduler {
  readonly #ties: Prng | undefined;
  /** A binary heap. */
  readonly #heap: Entry[] = [];
  #now: InstantUs = 0;
  #seq = 0;
  #cancelled = 0;
  #executed = 0;

  constructor(options: SchedulerOptions) {
    this.#ties = options.ties === 'insertion' ? undefined : options.ties;
  }

  get now(): InstantUs {
    return this.#now;
  }

  /** Events run so far. */
  get executed(): number {
    return this.#executed;
  }

  /** When the next event is due; undefined if there is none. */
  get nextAt(): InstantUs | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.at;
  }

  /** Runs `run` at `at`, which must not lie in the past. */
  at(at: InstantUs, run: () => void): Timer {
    if (at < this.#now) throw new InvariantViolation(`the simulator runs forwards: ${at} asked for at ${this.#now}`);
    const tie = this.#ties === undefined ? 0 : this.#ties.word();
    const entry = new Entry(this, at, tie, this.#seq++, run);
    this.#push(entry);
    return entry;
  }

  after(delayUs: number, run: () => void): Timer {
    return this.at(this.#now + delayUs, run);
  }

  /** Runs the next event; false if there is none at or before `limit`, and then time stands still. */
  step(limit: InstantUs): boolean {
    this.#dropCancelled();
    const entry = this.#heap[0];
    if (entry === undefined || entry.at > limit) return false;
    this.#pop();
    const run = entry.run;
    entry.run = undefined;
    this.#now = entry.at;
    this.#executed++;
    run?.();
    return true;
  }

  /** Moves the clock to `at` when nothing is due before it. */
  advanceTo(at: InstantUs): void {
    const next = this.nextAt;
    assert(next === undefined || next >= at, `an event at ${next} is due before ${at}`);
    if (at > this.#now) this.#now = at;
  }

  /** An entry was cancelled; it stays in the heap until it is swept out. */
  forget(): void {
    this.#cancelled++;
    if (this.#cancelled < SWEEP_MIN || this.#cancelled * 2 < this.#heap.length) return;
    const alive = this.#heap.filter((entry) => entry.run !== undefined);
    this.#heap.length = 0;
    this.#cancelled = 0;
    for (const entry of alive) this.#push(entry);
  }

  #dropCancelled(): void {
    while (this.#heap.length > 0 && this.#heap[0]!.run === undefined) {
      this.#pop();
      this.#cancelled--;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex]!;
      if (!before(entry, parent)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = entry;
  }

  /** Removes the root. */
  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    const size = heap.length;
    if (size === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}
