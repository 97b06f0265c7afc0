// One direction of a simulated stream: what was put in comes out in order, each no earlier than its delay allows. A lost
// message leaves no trace; the order of the rest stands.
import type { InstantUs, Scheduler } from '../scheduler.ts';
import type { Process } from '../process.ts';

export class Channel<Item> {
  readonly #scheduler: Scheduler;
  /** The process that takes; undefined: the items are dropped. */
  readonly #receiver: () => Process | undefined;
  readonly #take: (item: Item) => void;
  #items: Item[] = [];
  #first = 0;
  #lastAt: InstantUs = 0;

  constructor(scheduler: Scheduler, receiver: () => Process | undefined, take: (item: Item) => void) {
    this.#scheduler = scheduler;
    this.#receiver = receiver;
    this.#take = take;
  }

  /** Comes out `delayUs` from now, or right after what was put before it. */
  put(item: Item, delayUs: number): void {
    const at = Math.max(this.#lastAt, this.#scheduler.now + delayUs);
    this.#lastAt = at;
    this.#items.push(item);
    this.#scheduler.at(at, this.#arrive);
  }

  readonly #arrive = (): void => {
    const process = this.#receiver();
    if (process === undefined) this.#takeNext();
    else process.deliver(this.#takeNext);
  };

  readonly #takeNext = (): void => {
    const item = this.#items[this.#first]!;
    this.#first++;
    if (this.#first === this.#items.length) {
      this.#items = [];
      this.#first = 0;
    }
    this.#take(item);
  };
}
