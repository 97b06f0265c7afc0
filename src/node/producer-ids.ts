// The producer ids of one broker (txn T-37): served from a block, the next one asked for before this one is used up. Nobody
// waits for a block; what is left of it at a restart is never used.
import type { InstantMs, NodeId } from '../base/units.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { Outcome } from '../runtime/ports.ts';
import { CONTROLLER_RETRY_MS } from './alter-partition.ts';
import type { NodeContext } from './context.ts';

/** The next block is asked for when this part of the current one is handed out. */
const PREFETCH_PART = 0.9;

interface Block {
  readonly start: number;
  readonly size: number;
}

const EMPTY: Block = { start: 0, size: 0 };

export class ProducerIds {
  readonly #context: Pick<NodeContext, 'runtime' | 'config' | 'me' | 'brokerEpoch'>;
  readonly #controller: NodeId;
  #block: Block = EMPTY;
  #used = 0;
  /** Waits until the current block is used up. */
  #next: Block | undefined;
  #asking = false;
  #notBefore: InstantMs = 0;

  constructor(context: Pick<NodeContext, 'runtime' | 'config' | 'me' | 'brokerEpoch'>, controller: NodeId) {
    this.#context = context;
    this.#controller = controller;
  }

  /** An id that nobody else has; undefined while there is none at hand. */
  take(): number | undefined {
    if (this.#used >= this.#block.size) {
      if (this.#next === undefined) {
        this.#ask();
        return undefined;
      }
      this.#block = this.#next;
      this.#used = 0;
      this.#next = undefined;
    }
    const { start, size } = this.#block;
    const id = start + this.#used++;
    if (id === start + Math.floor(size * PREFETCH_PART)) this.#ask();
    return id;
  }

  #ask(): void {
    const { runtime, config, me } = this.#context;
    if (this.#asking || this.#next !== undefined || runtime.clock.now() < this.#notBefore) return;
    this.#asking = true;
    const request = { brokerId: me, brokerEpoch: this.#context.brokerEpoch() };
    const timeoutMs = config['request.timeout.ms'];
    runtime.network.request(this.#controller, 'AllocateProducerIds', request, timeoutMs, (outcome) =>
      this.#onOutcome(outcome),
    );
  }

  #onOutcome(outcome: Outcome<ResponseOf<'AllocateProducerIds'>>): void {
    this.#asking = false;
    if (outcome.kind === 'ok' && outcome.response.error === 'NONE') {
      this.#next = { start: outcome.response.producerIdStart, size: outcome.response.producerIdLen };
    } else {
      this.#notBefore = this.#context.runtime.clock.now() + CONTROLLER_RETRY_MS;
    }
  }
}
