// Who an idempotent producer is: a producer id from any broker and an epoch that it may raise by itself (txn T-39, T-162).
// Numbers no batches; sequences.ts does.
import type { NodeId } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { Outcome, Random, Runtime, Timer } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';
import type { ClientMetadata } from './metadata.ts';
import type { BatchFailure } from './producer-batch.ts';

/** A producer id at an epoch. Every change makes another object. */
export interface Identity {
  readonly producerId: number;
  readonly epoch: number;
}

/** Behind it comes a new producer id (txn T-162). */
const EPOCH_MAX = 32_767;

interface IdentityParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
}

export class ProducerIdentity {
  readonly #parts: IdentityParts;
  readonly #random: Random;
  readonly #onNews: () => void;
  #current: Identity | undefined;
  #failure: BatchFailure | undefined;
  #asking = false;
  /** It has no id at hand, and has asked for some: by the next attempt it has them, where another would begin anew (txn T-37). */
  #fetching: NodeId | undefined;
  #failures = 0;
  #timer: Timer | undefined;
  #closed = false;

  /** `onNews` is called when there is an identity, or when there will never be one. */
  constructor(parts: IdentityParts, onNews: () => void) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.identity');
    this.#onNews = onNews;
  }

  /** Undefined until a broker has given one. */
  get current(): Identity | undefined {
    return this.#current;
  }

  /** Why there will never be one. */
  get failure(): BatchFailure | undefined {
    return this.#failure;
  }

  /** Asks for an identity, if there is none and nobody was asked. */
  request(): void {
    if (this.#current !== undefined || this.#failure !== undefined || this.#asking || this.#closed) return;
    this.#asking = true;
    const { runtime, config, metadata } = this.#parts;
    const again = this.#fetching;
    const node = again ?? metadata.anyNode();
    const nobody = { producerId: -1, producerEpoch: -1 };
    const request = { hasTransactionalId: false, transactionalId: '', transactionTimeoutMs: 0, ...nobody };
    runtime.network.request(node, 'InitProducerId', request, config['request.timeout.ms'], (outcome) => {
      if (outcome.kind !== 'ok') metadata.nodeFailed(node);
      const isFetching = outcome.kind === 'ok' && outcome.response.error === 'COORDINATOR_LOAD_IN_PROGRESS';
      // Once: it may be one that gets none, since it is cut off from the controller.
      this.#fetching = isFetching && again === undefined ? node : undefined;
      this.#onOutcome(outcome);
    });
  }

  /** The next epoch, at once; behind the last one a new producer id, in time (txn T-162). */
  bump(): void {
    if (this.#current === undefined) return;
    const { producerId, epoch } = this.#current;
    this.#current = epoch < EPOCH_MAX ? { producerId, epoch: epoch + 1 } : undefined;
    this.request();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #onOutcome(outcome: Outcome<ResponseOf<'InitProducerId'>>): void {
    if (this.#closed) return;
    const error = outcome.kind === 'ok' ? outcome.response.error : 'NETWORK_EXCEPTION';
    if (outcome.kind === 'ok' && error === 'NONE') {
      const { producerId, producerEpoch } = outcome.response;
      this.#current = { producerId, epoch: producerEpoch };
      this.#failures = 0;
    } else if (ERRORS[error].retriable) return this.#askLater();
    else this.#failure = { error, message: `no producer id: ${ERRORS[error].message}` };
    this.#asking = false;
    this.#onNews();
  }

  #askLater(): void {
    this.#failures += 1;
    const { runtime, config } = this.#parts;
    this.#timer = runtime.clock.after(backoffMs(config, this.#failures, this.#random), () => {
      this.#asking = false;
      this.request();
    });
  }
}
