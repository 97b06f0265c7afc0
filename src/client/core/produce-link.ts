// One Produce stream to one broker, opened when needed. Answers are joined to requests by number; a request that is not
// answered in time breaks the stream, and when a stream breaks, all that is outstanding on it is unknown (design section 5).
import type { DurationMs, InstantMs, NodeId } from '../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { OutStream, Random, Runtime, Timer } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';

/** How a produce request ended. */
export type ProduceOutcome =
  | { readonly kind: 'answered'; readonly response: ResponseOf<'Produce'> }
  /** Unknown: the broker may have appended, or may still. */
  | { readonly kind: 'broken'; readonly error: 'NETWORK_EXCEPTION' | 'REQUEST_TIMED_OUT'; readonly message: string };

interface Outstanding {
  readonly deadline: InstantMs;
  readonly done: (outcome: ProduceOutcome) => void;
}

/**
 * How much longer than request.timeout.ms an answer is awaited. The broker is told the same timeout (repl R-15); without
 * this its REQUEST_TIMED_OUT would always come just too late, and break the stream for everything else on it.
 */
const ANSWER_GRACE_MS: DurationMs = 500;

export class ProduceLink {
  readonly #runtime: Runtime;
  readonly #config: ClientConfig;
  readonly #node: NodeId;
  readonly #random: Random;
  readonly #onBroken: () => void;
  readonly #outstanding = new Map<number, Outstanding>();
  #stream: OutStream<RequestOf<'Produce'>> | undefined;
  #timer: Timer | undefined;
  #nextId = 0;
  #failures = 0;
  #notBefore: InstantMs = 0;

  /** `onBroken` is called whenever the stream broke, after all that was outstanding has been told. */
  constructor(runtime: Runtime, config: ClientConfig, node: NodeId, onBroken: () => void) {
    this.#runtime = runtime;
    this.#config = config;
    this.#node = node;
    this.#random = runtime.random.fork(`client.link.${node}`);
    this.#onBroken = onBroken;
  }

  /** The broker that it leads to. */
  get node(): NodeId {
    return this.#node;
  }

  /** Requests not answered yet; those with acks=0 do not count. */
  get inFlightCount(): number {
    return this.#outstanding.size;
  }

  /** Not before this time will the broker be tried again. */
  get notBefore(): InstantMs {
    return this.#notBefore;
  }

  /** Sends a request and calls `done` exactly once, later. The correlation id is set here. */
  send(request: RequestOf<'Produce'>, done: (outcome: ProduceOutcome) => void): void {
    const id = this.#nextId;
    const deadline = this.#runtime.clock.now() + this.#config['request.timeout.ms'] + ANSWER_GRACE_MS;
    this.#outstanding.set(id, { deadline, done });
    this.sendUnanswered(request);
    this.#watch();
  }

  /** Sends a request that the broker will not answer (acks=0, repl R-13). */
  sendUnanswered(request: RequestOf<'Produce'>): void {
    this.#stream ??= this.#open();
    this.#stream.send({ ...request, correlationId: this.#nextId });
    this.#nextId += 1;
  }

  /** Half-closes: no more requests. What is outstanding is told to be unknown. */
  close(): void {
    this.#timer?.cancel();
    this.#stream?.end();
    this.#stream = undefined;
    this.#fail('the client was closed', undefined);
  }

  #open(): OutStream<RequestOf<'Produce'>> {
    const stream: OutStream<RequestOf<'Produce'>> = this.#runtime.network.open(this.#node, 'Produce', {
      message: (response) => {
        if (this.#stream === stream) this.#onAnswer(response);
      },
      closed: (reason) => {
        if (this.#stream === stream) this.#onClosed(reason);
      },
    });
    return stream;
  }

  #onAnswer(response: ResponseOf<'Produce'>): void {
    this.#failures = 0;
    const outstanding = this.#outstanding.get(response.correlationId);
    // A second answer to one request happens only when the network repeats messages: the first one counted.
    if (outstanding === undefined) return;
    this.#outstanding.delete(response.correlationId);
    this.#watch();
    outstanding.done({ kind: 'answered', response });
  }

  #onClosed(reason: string | undefined): void {
    this.#broke(reason ?? 'the broker ended the stream', undefined);
  }

  #onDeadline(): void {
    this.#timer = undefined;
    const now = this.#runtime.clock.now();
    const late = [...this.#outstanding].find(([, { deadline }]) => deadline <= now);
    if (late === undefined) return this.#watch();
    this.#stream?.abort();
    this.#broke(`broker ${this.#node} did not answer within ${this.#config['request.timeout.ms']} ms`, now);
  }

  #broke(message: string, now: InstantMs | undefined): void {
    this.#stream = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#failures += 1;
    this.#notBefore = this.#runtime.clock.now() + backoffMs(this.#config, this.#failures, this.#random);
    this.#fail(message, now);
    this.#onBroken();
  }

  /** Ends all that is outstanding. Up to `now` it is late itself, the others share the broken stream. */
  #fail(message: string, now: InstantMs | undefined): void {
    const ended = [...this.#outstanding.values()];
    this.#outstanding.clear();
    for (const { deadline, done } of ended) {
      const error = now !== undefined && deadline <= now ? 'REQUEST_TIMED_OUT' : 'NETWORK_EXCEPTION';
      done({ kind: 'broken', error, message });
    }
  }

  /** Keeps the timer at the oldest deadline. Requests share one timeout, so the first is the oldest. */
  #watch(): void {
    const [oldest] = this.#outstanding.values();
    if (oldest === undefined) {
      this.#timer?.cancel();
      this.#timer = undefined;
      return;
    }
    this.#timer ??= this.#runtime.clock.after(Math.max(0, oldest.deadline - this.#runtime.clock.now()), () =>
      this.#onDeadline(),
    );
  }
}
