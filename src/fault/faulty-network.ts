// A network with faults: wraps any `Network` so that every message this node sends passes its point, rpc.<Api>.request at
// the caller and rpc.<Api>.response at the answering side. A message fault is carried out by the sender, so what it holds
// dies with it (design section 6), but not with the patience of its caller: what has been sent still arrives when it is let
// go. A cut link loses messages, not the opening and ending of streams; a stream that has lost one breaks when the link is
// mended, as a connection would: a core never meets a hole in a stream that nobody asked for.
import type { NodeId } from '../base/units.ts';
import type { Api, RequestOf, ResponseOf, StreamApi, UnaryApi } from '../protocol/apis.ts';
import type {
  Answer,
  Handlers,
  InStream,
  InStreamEvents,
  Network,
  OutStream,
  Outcome,
  StreamEvents,
} from '../runtime/ports.ts';
import type { FaultClock } from './effects.ts';
import type { FaultEngine } from './engine.ts';
import { withError } from './error-answer.ts';
import type { Flow } from './flow.ts';
import { Lane } from './lane.ts';
import { CONTENT_FIELDS, messageFields, type BatchContents, type TopicNames } from './message-fields.ts';
import type { MessagePoint } from './points.ts';

export interface FaultyNetworkOptions {
  readonly node: NodeId;
  readonly inner: Network;
  readonly engine: FaultEngine;
  readonly clock: FaultClock;
  /** Names topics that a message gives by id. Without it, filters on `topic` miss such messages. */
  readonly topicNames?: TopicNames;
  /** Reads records. Without it, filters on `key` and `value` miss. */
  readonly contents?: BatchContents;
}

type AnyRequest = RequestOf<Api>;
type AnyResponse = ResponseOf<Api>;

/** Why a stream breaks when its link is mended. */
const LOST_ON_CUT_LINK = 'messages were lost while the link was cut';

/** A call that is let go after its caller gave up has at least so long to arrive: nobody waits for it, so nobody hurries it. */
const LATE_CALL_MS = 10_000;

export class FaultyNetwork implements Network {
  readonly #node: NodeId;
  readonly #inner: Network;
  readonly #engine: FaultEngine;
  readonly #clock: FaultClock;
  readonly #names: TopicNames;
  readonly #contents: BatchContents | undefined;
  /** Unary messages by receiver and point, kept while one waits to be overtaken. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: FaultyNetworkOptions) {
    this.#node = options.node;
    this.#inner = options.inner;
    this.#engine = options.engine;
    this.#clock = options.clock;
    this.#names = options.topicNames ?? (() => undefined);
    this.#contents = options.contents;
  }

  request<A extends UnaryApi>(
    to: NodeId,
    api: A,
    request: RequestOf<A>,
    timeoutMs: number,
    done: (outcome: Outcome<ResponseOf<A>>) => void,
  ): void {
    if (this.#engine.quiet) {
      this.#inner.request(to, api, request, timeoutMs, done);
      return;
    }
    let open = true;
    const finish = (outcome: Outcome<ResponseOf<A>>): void => {
      if (!open) return;
      open = false;
      timer.cancel();
      done(outcome);
    };
    // The caller's patience does not depend on what becomes of the message.
    const timer = this.#clock.after(timeoutMs, () => finish({ kind: 'timed-out' }));
    const point = `rpc.${api}.request` as const;
    const lane = this.#lane(to, point);
    const inLane = lane.enter(() => {
      this.#inner.request(to, api, request, open ? timeoutMs : Math.max(timeoutMs, LATE_CALL_MS), finish);
    });
    this.#pass(point, request, to, {
      ...inLane,
      disconnect: (reason) => {
        inLane.drop();
        this.#clock.after(0, () => finish({ kind: 'disconnected', reason }));
      },
      loseResponse: () => {
        inLane.drop();
        this.#inner.request(to, api, request, timeoutMs, () => undefined);
      },
    });
  }

  open<A extends StreamApi>(to: NodeId, api: A, on: StreamEvents<ResponseOf<A>>): OutStream<RequestOf<A>> {
    const lane = new Lane(true);
    let state: 'open' | 'broken' | 'closed' = 'open';
    /** The opener hears nothing more, but what it has sent may still be on its way. */
    let isGivenUp = false;
    const close = (reason: string | undefined): void => {
      if (state === 'closed') return;
      state = 'closed';
      lane.close();
      if (!isGivenUp) on.closed(reason);
    };
    const inner = this.#inner.open(to, api, {
      message: (response) => {
        if (state === 'open' && !isGivenUp) on.message(response);
      },
      closed: (reason) => {
        if (state === 'open') close(reason);
      },
    });
    const disconnect = (reason: string): void => {
      state = 'broken';
      lane.close();
      inner.abort();
      this.#clock.after(0, () => close(reason));
    };
    const lost = this.#once(to, () => {
      if (state === 'open') disconnect(LOST_ON_CUT_LINK);
    });
    const point = `rpc.${api}.request` as const;
    const tooLate = (): void =>
      this.#engine.warn(`${point} to ${to} was let go after its stream had broken: it is lost`);
    return {
      send: (request) => {
        if (state !== 'open' || isGivenUp) return;
        if (lane.empty && this.#engine.quiet) inner.send(request);
        else this.#pass(point, request, to, { ...lane.enter(() => inner.send(request), tooLate), disconnect }, lost);
      },
      end: () => lane.finish(() => inner.end()),
      abort: () => {
        if (isGivenUp) return;
        isGivenUp = true;
        // The far side must not hear of the end before it has what was sent.
        if (state === 'open' && !lane.empty) lane.finish(() => inner.end());
        else inner.abort();
      },
    };
  }

  serve(handlers: Handlers): void {
    const unary: Record<string, unknown> = {};
    for (const [api, handle] of Object.entries(handlers.unary)) {
      const typed = handle as (request: AnyRequest, from: NodeId, answer: Answer<AnyResponse>) => void;
      unary[api] = (request: AnyRequest, from: NodeId, answer: Answer<AnyResponse>): void =>
        typed(request, from, (response) => this.#answer(api as UnaryApi, from, response, answer));
    }
    const stream: Record<string, unknown> = {};
    for (const [api, accept] of Object.entries(handlers.stream)) {
      const typed = accept as (stream: InStream<AnyResponse>) => InStreamEvents<AnyRequest>;
      stream[api] = (inner: InStream<AnyResponse>) => typed(this.#inStream(api as StreamApi, inner));
    }
    this.#inner.serve({ unary, stream } as unknown as Handlers);
  }

  setAddress(node: NodeId, host: string, port: number): void {
    this.#inner.setAddress(node, host, port);
  }

  #answer(api: UnaryApi, to: NodeId, response: AnyResponse, answer: Answer<AnyResponse>): void {
    if (this.#engine.quiet) {
      answer(response);
      return;
    }
    const point = `rpc.${api}.response` as const;
    let outgoing = response;
    const inLane = this.#lane(to, point).enter(() => answer(outgoing));
    const answerError: Flow['answerError'] = (error) => {
      outgoing = withError(response, error);
      inLane.go();
    };
    this.#pass(point, response, to, { ...inLane, answerError, loseResponse: inLane.drop });
  }

  #inStream(api: StreamApi, inner: InStream<AnyResponse>): InStream<AnyResponse> {
    const lane = new Lane(true);
    let broken = false;
    const lost = this.#once(inner.from, () => {
      broken = true;
      lane.close();
      inner.end();
    });
    return {
      from: inner.from,
      send: (response) => {
        if (broken) return;
        if (lane.empty && this.#engine.quiet) {
          inner.send(response);
          return;
        }
        let outgoing = response;
        const inLane = lane.enter(() => inner.send(outgoing));
        const answerError: Flow['answerError'] = (error) => {
          outgoing = withError(response, error);
          inLane.go();
        };
        const flow = { ...inLane, answerError, loseResponse: inLane.drop };
        this.#pass(`rpc.${api}.response`, response, inner.from, flow, lost);
      },
      end: () => {
        if (!broken) lane.finish(() => inner.end());
      },
    };
  }

  /** `lost` hears that the message was lost on a cut link. */
  #pass(point: MessagePoint, message: object, to: NodeId, flow: Flow, lost?: () => void): void {
    // A link may be cut while a message is held: what is let go then is lost as well.
    const go = (): void => {
      if (!this.#engine.isCut(to)) {
        flow.go();
        return;
      }
      lost?.();
      flow.drop?.();
    };
    if (this.#engine.watches(point) && !this.#engine.isCut(to)) {
      const around = { from: this.#node, to, via: 'grpc' };
      const contents = this.#engine.asks(point, CONTENT_FIELDS) ? this.#contents : undefined;
      this.#engine.pass(point, messageFields(message, around, { names: this.#names, contents }), { ...flow, go });
    } else go();
  }

  /** Runs `onMended` when the link to `to` is mended, however often the answer is called before. */
  #once(to: NodeId, onMended: () => void): () => void {
    let waiting = false;
    return () => {
      if (!waiting) this.#engine.whenMended(to, onMended);
      waiting = true;
    };
  }

  #lane(to: NodeId, point: string): Lane {
    const key = `${to} ${point}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = new Lane(false)));
    return lane;
  }
}
