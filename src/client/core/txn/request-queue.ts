// Sends the requests of a transaction, one at a time, in order of priority (txn T-153), to coordinators that it looks up
// when needed. Tries again what can be; whatever else an answer means is the owner's to act on.
import type { InstantMs, NodeId, TopicPartition } from '../../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';
import type { Outcome, Runtime, Timer } from '../../../runtime/ports.ts';
import type { ClientConfig } from '../config.ts';
import type { ClientMetadata } from '../metadata.ts';
import type { TxnCall } from './calls.ts';
import { reactionTo, type Reaction, type TxnApi } from './reactions.ts';

/** Whose coordinator answers. */
export interface CoordinatorKey {
  readonly type: 'transaction' | 'group';
  readonly key: string;
}

/** What an answer means. */
export interface Reply {
  readonly reaction: Reaction;
  readonly error: ErrorName;
  readonly message: string;
  /** Wait before a retry; undefined: retry.backoff.ms. */
  readonly retryMs?: number;
}

/** A request, until its answer is final. */
export interface TxnRequest<A extends TxnApi = TxnApi> {
  readonly api: A;
  /** The smaller, the sooner. */
  readonly priority: number;
  /** Undefined: any broker answers. */
  readonly coordinator: CoordinatorKey | undefined;
  /** Who waits for it. */
  readonly call: TxnCall | undefined;
  readonly build: () => RequestOf<A>;
  readonly read: (response: ResponseOf<A>) => Reply;
  /** AddPartitionsToTxn: what it registers. */
  readonly partitions?: readonly TopicPartition[];
  /** AddOffsetsToTxn: what follows it. */
  readonly next?: TxnRequest<'TxnOffsetCommit'>;
  /** An attempt may have done what it asked for, whatever later attempts are told. */
  mayHaveActed: boolean;
  notBefore: InstantMs;
}

/** What the owner says of the request that is to go next. A function: it does not go; that is called instead. */
export type Verdict = 'go' | 'wait' | (() => void);

interface QueueParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  readonly judge: (request: TxnRequest) => Verdict;
  /** An answer that is not tried again. */
  readonly conclude: (request: TxnRequest, reply: Reply) => void;
  /** It is time to look at the queue again. */
  readonly wake: () => void;
}

export class TxnRequestQueue {
  readonly #parts: QueueParts;
  readonly #coordinators = new Map<string, NodeId>();
  #queue: TxnRequest[] = [];
  #inFlight = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Whether a request is under way or waits. */
  get isBusy(): boolean {
    return this.#inFlight || this.#queue.length > 0;
  }

  add<A extends TxnApi>(request: TxnRequest<A>): void {
    this.#insert(request as unknown as TxnRequest, 'behind');
  }

  /** Sends the next request if it may go. */
  send(): void {
    this.#timer?.cancel();
    while (!this.#inFlight && !this.#closed) {
      const head = this.#queue[0];
      if (head === undefined) return;
      const verdict = this.#parts.judge(head);
      if (verdict === 'wait') return;
      if (verdict !== 'go') {
        this.#queue.shift();
        verdict();
        continue;
      }
      const now = this.#parts.runtime.clock.now();
      if (head.notBefore > now) {
        this.#timer = this.#parts.runtime.clock.after(head.notBefore - now, this.#parts.wake);
        return;
      }
      const node = this.#nodeFor(head);
      if (node !== undefined) this.#attempt(this.#queue.shift()!, node);
    }
  }

  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#timer?.cancel();
  }

  /** Undefined: it has to be looked up first, which is now at the head of the queue. */
  #nodeFor({ coordinator }: TxnRequest): NodeId | undefined {
    if (coordinator === undefined) return this.#parts.metadata.anyNode();
    const node = this.#coordinators.get(nameOf(coordinator));
    if (node === undefined) this.add(this.#lookup(coordinator));
    return node;
  }

  #attempt(request: TxnRequest, node: NodeId): void {
    const { runtime, config, metadata } = this.#parts;
    this.#inFlight = true;
    runtime.network.request(node, request.api, request.build(), config['request.timeout.ms'], (outcome) => {
      if (this.#closed) return;
      this.#inFlight = false;
      if (outcome.kind !== 'ok') {
        metadata.nodeFailed(node);
        metadata.requestUpdate();
      }
      this.#onOutcome(request, outcome);
      this.#parts.wake();
    });
  }

  #onOutcome(request: TxnRequest, outcome: Outcome<ResponseOf<TxnApi>>): void {
    if (outcome.kind !== 'ok') {
      request.mayHaveActed = true;
      return this.#again(request, 'lookup');
    }
    const reply = request.read(outcome.response);
    const { error, reaction } = reply;
    if (!ERRORS[error].definite) request.mayHaveActed = true;
    if (reaction === 'retry' || reaction === 'lookup') this.#again(request, reaction, reply.retryMs);
    else this.#parts.conclude(request, reply);
  }

  #again(request: TxnRequest, how: 'retry' | 'lookup', retryMs?: number): void {
    const { runtime, config } = this.#parts;
    if (how === 'lookup' && request.coordinator !== undefined) this.#coordinators.delete(nameOf(request.coordinator));
    const backoff = config['retry.backoff.ms'];
    request.notBefore = runtime.clock.now() + Math.min(backoff, retryMs ?? backoff);
    this.#insert(request, 'before');
  }

  /** Among those of the same priority, the last or the first. */
  #insert(request: TxnRequest, where: 'behind' | 'before'): void {
    const { priority } = request;
    const later = where === 'behind' ? (other: number) => other > priority : (other: number) => other >= priority;
    const at = this.#queue.findIndex((other) => later(other.priority));
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, request);
  }

  /** FindCoordinator: the answer is a hint, the coordinator checks again (txn T-6). */
  #lookup(of: CoordinatorKey): TxnRequest<'FindCoordinator'> {
    return {
      ...{ api: 'FindCoordinator', priority: 0, coordinator: undefined, call: undefined },
      ...{ mayHaveActed: false, notBefore: 0 },
      build: () => ({ keyType: of.type, keys: [of.key] }),
      read: ({ coordinators }) => {
        const found = coordinators.find(({ key }) => key === of.key);
        const error = found?.error ?? 'UNKNOWN_SERVER_ERROR';
        if (found?.error === 'NONE') this.#coordinators.set(nameOf(of), found.nodeId);
        return replyTo('FindCoordinator', error);
      },
    };
  }
}

/** The reply that an error means. */
export function replyTo(api: TxnApi, error: ErrorName, aborts = false): Reply {
  const message = `${api}: ${ERRORS[error].message}`;
  return { reaction: reactionTo(api, error, aborts), error, message };
}

function nameOf({ type, key }: CoordinatorKey): string {
  return `${type}:${key}`;
}
