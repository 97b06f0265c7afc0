// Holds the requests that arrive before the broker may serve (repl R-89): its port is open, but nothing is answered until
// the controller has unfenced it, as with Kafka's acceptors. Closed for good at shutdown.
import { assert } from '../base/assert.ts';

/** Beyond this many held requests, new ones are never answered: their askers time out. */
const HELD_MAX = 1000;

export class Gate {
  #held: (() => void)[] = [];
  #state: 'holding' | 'open' | 'closed' = 'holding';

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Runs `serve` at once if open, else when opened, or never. */
  run(serve: () => void): void {
    if (this.#state === 'open') serve();
    else if (this.#state === 'holding' && this.#held.length < HELD_MAX) this.#held.push(serve);
  }

  open(): void {
    assert(this.#state === 'holding', 'repl R-89: a broker begins to serve once');
    this.#state = 'open';
    const held = this.#held;
    this.#held = [];
    for (const serve of held) serve();
  }

  /** Serves nothing from now on. */
  close(): void {
    this.#state = 'closed';
    this.#held = [];
  }
}
