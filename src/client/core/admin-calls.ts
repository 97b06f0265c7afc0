// How an admin asks: one node once, one node until it answers, the coordinator of a key, or every broker. Questions are
// repeated until default.api.timeout.ms is over; what changes something goes once, unless a refusal says that nothing was done.
import type { DurationMs, InstantMs, NodeId } from '../../base/units.ts';
import { CONTROLLER_ID } from '../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { Outcome, Random, Runtime } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';
import type { ClientMetadata } from './metadata.ts';

/** What an admin works with. */
export interface AdminParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
}

/** Nobody answered, or nobody could. Whether a change was made is unknown. */
export interface AdminFailure {
  readonly kind: 'failed';
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
}

/** An answer came. Refusals of single topics or partitions are inside it. */
export type AdminResult<Value> = { readonly kind: 'ok'; readonly value: Value } | AdminFailure;
export type Done<Value> = (result: AdminResult<Value>) => void;

/** A question, and which of its answers are worth another try. */
export interface Question<A extends UnaryApi> {
  readonly api: A;
  readonly request: RequestOf<A>;
  /** NONE, an error that is final, or one that is retriable. Undefined: every answer is final. */
  readonly errorOf?: (response: ResponseOf<A>) => ErrorName;
}

/** A broker that was asked and told nothing in time. */
export interface SilentBroker {
  readonly node: NodeId;
  /** Why, as a sentence. */
  readonly message: string;
}

/** What brokers told, by node id, and who told nothing. */
export interface Survey<Response> {
  readonly answers: readonly { readonly node: NodeId; readonly response: Response }[];
  readonly silent: readonly SilentBroker[];
}

export class AdminCalls {
  readonly parts: AdminParts;
  readonly random: Random;
  #closed = false;

  constructor(parts: AdminParts) {
    this.parts = parts;
    this.random = parts.runtime.random.fork('client.admin');
  }

  /** Answers that are still awaited become failures at their timeout; nothing is asked again. */
  close(): void {
    this.#closed = true;
  }

  once<A extends UnaryApi>(to: NodeId, api: A, request: RequestOf<A>, done: Done<ResponseOf<A>>): void {
    const { runtime, config } = this.parts;
    runtime.network.request(to, api, request, config['default.api.timeout.ms'], (outcome) =>
      done(resultOf(to, outcome)),
    );
  }

  /** `choose` names the node of each try; undefined: there is none yet. */
  repeat<A extends UnaryApi>(choose: () => NodeId | undefined, of: Question<A>, done: Done<ResponseOf<A>>): void {
    this.repeatFor(this.parts.config['default.api.timeout.ms'], choose, of, done);
  }

  /** As `repeat`, for at most this long. */
  repeatFor<A extends UnaryApi>(
    limitMs: DurationMs,
    choose: () => NodeId | undefined,
    of: Question<A>,
    done: Done<ResponseOf<A>>,
  ): void {
    const attempt = (leftMs: DurationMs, answer: (result: AdminResult<ResponseOf<A>>, retriable: boolean) => void) => {
      const to = choose();
      if (to === undefined) return answer(nobody('there is no such broker'), true);
      this.#ask(to, of, leftMs, answer);
    };
    this.#until(attempt, done, limitMs);
  }

  /** Asks the coordinator of a key, which is looked up before each try (txn T-6). */
  atCoordinator<A extends UnaryApi>(
    key: { readonly type: 'transaction' | 'group'; readonly name: string },
    of: Question<A>,
    done: Done<ResponseOf<A>>,
  ): void {
    this.#until((leftMs, answer) => {
      const lookup: Question<'FindCoordinator'> = {
        api: 'FindCoordinator',
        request: { keyType: key.type, keys: [key.name] },
        errorOf: ({ coordinators }) => coordinators[0]?.error ?? 'UNKNOWN_SERVER_ERROR',
      };
      this.#ask(this.parts.metadata.anyNode(), lookup, leftMs, (found, retriable) => {
        if (found.kind === 'failed') return answer(found, retriable);
        this.#ask(found.value.coordinators[0]!.nodeId, of, leftMs, answer);
      });
    }, done);
  }

  /**
   * Asks every live broker. Who tells nothing for `patienceMs` is named in the answer; without a patience, all of it fails
   * when one tells nothing in time. A refusal that is final fails it either way.
   */
  atEachBroker<A extends UnaryApi>(
    of: Question<A>,
    patienceMs: DurationMs | undefined,
    done: Done<Survey<ResponseOf<A>>>,
  ): void {
    const limitMs = patienceMs ?? this.parts.config['default.api.timeout.ms'];
    const everything = { allTopics: false, topics: [], allowAutoTopicCreation: false };
    const anyone = () => this.parts.metadata.anyNode();
    this.repeat(anyone, { api: 'Metadata', request: everything }, (described) => {
      if (described.kind === 'failed') return done(described);
      const nodes = described.value.brokers.map(({ id }) => id).sort((a, b) => a - b);
      const askOne = (node: NodeId, one: Done<Told<ResponseOf<A>>>): void =>
        this.repeatFor(
          limitMs,
          () => node,
          of,
          (result) => one(patienceMs === undefined ? map(result, toldBy(node)) : toldOrSilent(node, result)),
        );
      all(nodes, askOne, (result) => done(map(result, surveyOf)));
    });
  }

  #ask<A extends UnaryApi>(
    to: NodeId,
    { api, request, errorOf }: Question<A>,
    leftMs: number,
    answer: (result: AdminResult<ResponseOf<A>>, retriable: boolean) => void,
  ): void {
    const { runtime, config, metadata } = this.parts;
    runtime.network.request(to, api, request, Math.min(config['request.timeout.ms'], leftMs), (outcome) => {
      if (outcome.kind !== 'ok' && to !== CONTROLLER_ID) metadata.nodeFailed(to);
      const result = resultOf(to, outcome);
      if (result.kind === 'failed') return answer(result, true);
      const error = errorOf?.(result.value) ?? 'NONE';
      if (error === 'NONE') answer(result, false);
      else answer({ kind: 'failed', error, message: `${api}: ${ERRORS[error].message}` }, ERRORS[error].retriable);
    });
  }

  /** Tries until an answer is final or the time is over; then the last one counts. */
  #until<Value>(
    attempt: (leftMs: number, answer: (result: AdminResult<Value>, retriable: boolean) => void) => void,
    done: Done<Value>,
    limitMs: DurationMs = this.parts.config['default.api.timeout.ms'],
  ): void {
    const { runtime, config } = this.parts;
    const deadline: InstantMs = runtime.clock.now() + limitMs;
    let failures = 0;
    const next = (): void => {
      attempt(Math.max(1, deadline - runtime.clock.now()), (result, retriable) => {
        if (!retriable) return done(result);
        failures += 1;
        const delay = backoffMs(config, failures, this.random);
        if (this.#closed || runtime.clock.now() + delay >= deadline) return done(result);
        runtime.clock.after(delay, next);
      });
    };
    next();
  }
}

/** Does something for each item side by side; the answers in their order, or the first failure. Never for no items. */
export function all<Item, Value>(
  items: readonly Item[],
  each: (item: Item, done: Done<Value>) => void,
  done: Done<readonly Value[]>,
): void {
  const values: Value[] = [];
  let left = items.length;
  let failed = false;
  if (left === 0) return done({ kind: 'ok', value: [] });
  items.forEach((item, index) => {
    each(item, (result) => {
      if (failed) return;
      if (result.kind === 'failed') {
        failed = true;
        return done(result);
      }
      values[index] = result.value;
      left -= 1;
      if (left === 0) done({ kind: 'ok', value: values });
    });
  });
}

/** The value of a result, changed. */
export function map<From, To>(result: AdminResult<From>, change: (value: From) => To): AdminResult<To> {
  return result.kind === 'ok' ? { kind: 'ok', value: change(result.value) } : result;
}

type Told<Response> =
  { readonly node: NodeId; readonly response: Response } | { readonly node: NodeId; readonly message: string };

function toldBy(node: NodeId): <Response>(response: Response) => Told<Response> {
  return (response) => ({ node, response });
}

/** A failure that another try might have mended is silence; the others stay failures. */
function toldOrSilent<Response>(node: NodeId, result: AdminResult<Response>): AdminResult<Told<Response>> {
  if (result.kind === 'failed' && isSilence(result)) return { kind: 'ok', value: { node, message: result.message } };
  return map(result, toldBy(node));
}

/** Whether a failure says that nothing was told in time, rather than that it was refused. */
export function isSilence({ error }: AdminFailure): boolean {
  return ERRORS[error].retriable;
}

function surveyOf<Response>(told: readonly Told<Response>[]): Survey<Response> {
  return {
    answers: told.flatMap((one) => ('response' in one ? [one] : [])),
    silent: told.flatMap((one) => ('message' in one ? [one] : [])),
  };
}

function nobody(message: string): AdminFailure {
  return { kind: 'failed', error: 'LEADER_NOT_AVAILABLE', message };
}

function resultOf<Response>(to: NodeId, outcome: Outcome<Response>): AdminResult<Response> {
  const who = to === CONTROLLER_ID ? 'the controller' : to < 0 ? `bootstrap broker ${-to}` : `broker ${to}`;
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'ok', value: outcome.response };
    case 'timed-out':
      return { kind: 'failed', error: 'REQUEST_TIMED_OUT', message: `${who} did not answer in time` };
    case 'disconnected':
      return { kind: 'failed', error: 'NETWORK_EXCEPTION', message: `${who} cannot be reached: ${outcome.reason}` };
  }
}
