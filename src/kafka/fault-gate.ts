// Where faults strike what clients of the wire ask and are told: rpc.<Api>.request before the broker is asked,
// rpc.<Api>.response before the answer leaves, both at the broker, whose network these clients do not share. A request that
// is lost leaves its connection mute, as a network does; what is held keeps its connection, whose answers come in order (wire W-12).
import type { FaultEngine } from '../fault/engine.ts';
import type { Flow } from '../fault/flow.ts';
import { Lane } from '../fault/lane.ts';
import type { MessagePoint, PointName } from '../fault/points.ts';
import type { PointFields } from '../fault/reach.ts';
import { batchContents } from '../log/batch-contents.ts';
import type { Cancel } from '../node/api.ts';
import { pointApi } from '../protocol/wire-points.ts';
import { errorCode, type Prepared, type Reply } from './apis/api.ts';
import { CONTENT_FIELDS, wireFields } from './wire-fields.ts';

/** What the gate needs of an engine. In a process it is behind the door to the cores (see main/wire-faults.ts). */
export interface WireFaults extends Pick<FaultEngine, 'quiet' | 'asks' | 'whenHealed'> {
  /** `sets` is asked for once, when somebody watches the point. */
  pass(point: PointName, sets: () => readonly PointFields[], flow: Flow): void;
  /** Lets something leave the node: now, when the node goes on, or never. */
  leave(run: () => void): void;
}

/** A request as faults and recordings see it. */
export interface Asked {
  /** Kafka's name. */
  readonly api: string;
  readonly version: number;
  readonly clientId: string;
  readonly connection: number;
  readonly body: object;
}

export interface FaultGateOptions {
  readonly faults: WireFaults;
  /** The broker's id. */
  readonly node: number;
  /** Which listener this is: inside, outside. */
  readonly listener: string;
  readonly topicName: (topicId: string) => string | undefined;
}

type Answer = (reply: Reply) => void;

export class FaultGate {
  readonly #options: FaultGateOptions;
  /** Messages by point, kept while one waits to be overtaken by another connection's. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: FaultGateOptions) {
    this.#options = options;
  }

  /** True if nothing is armed. */
  get quiet(): boolean {
    return this.#options.faults.quiet;
  }

  /** Calls `run` once when everything is healed; the answer forgets it. */
  whenHealed(run: () => void): Cancel {
    return this.#options.faults.whenHealed(run);
  }

  /** Serves a request that passes its points. A request whose asker is gone is served all the same: it was on its way. */
  serve(request: Prepared, asked: Asked, answer: Answer): Cancel {
    const reply: Answer = (ended) => this.#options.faults.leave(() => answer(ended));
    let withdrawn = false;
    let cancel: Cancel | undefined;
    let delivered = false;
    /** Delivered twice, only the first is answered. */
    const deliver = (take: Answer): void => {
      const first = !delivered;
      delivered = true;
      const withdraw = request.serve(first ? take : () => undefined);
      if (!first) return;
      cancel = withdraw;
      if (withdrawn) withdraw?.();
    };
    const answered: Answer = (ended) => this.#answer(ended, { request, asked, reply });
    const point = `rpc.${pointApi(asked.api)}.request` as const;
    const inLane = this.#lane(point).enter(() => deliver(answered));
    const lost = (): void => reply(expectsNothing(asked) ? { kind: 'silence' } : { kind: 'lost' });
    this.#pass(point, asked, asked.body, {
      ...inLane,
      drop: () => {
        inLane.drop();
        lost();
      },
      disconnect: (reason) => {
        inLane.drop();
        reply({ kind: 'close', reason });
      },
      answerError: (error) => {
        inLane.drop();
        reply(request.refuse(errorCode(error)));
      },
      loseResponse: () => {
        inLane.drop();
        deliver(lost);
      },
    });
    return () => {
      withdrawn = true;
      cancel?.();
    };
  }

  #answer(answer: Reply, to: { readonly request: Prepared; readonly asked: Asked; readonly reply: Answer }): void {
    const { request, asked, reply } = to;
    if (answer.kind !== 'response') {
      reply(answer);
      return;
    }
    const point = `rpc.${pointApi(asked.api)}.response` as const;
    let outgoing: Reply = answer;
    let sent = false;
    const inLane = this.#lane(point).enter(() => {
      if (!sent) reply(outgoing);
      sent = true;
    });
    const drop = (): void => {
      inLane.drop();
      reply({ kind: 'lost' });
    };
    this.#pass(point, asked, answer.body, {
      ...inLane,
      drop,
      loseResponse: drop,
      disconnect: (reason) => {
        inLane.drop();
        reply({ kind: 'close', reason });
      },
      answerError: (error) => {
        outgoing = request.refuse(errorCode(error));
        inLane.go();
      },
    });
  }

  #pass(point: MessagePoint, asked: Asked, message: object, flow: Flow): void {
    const { faults, node, listener, topicName } = this.#options;
    const sets = (): PointFields[] => {
      const { clientId, version } = asked;
      const around = { to: node, via: 'kafka', clientId, listener, apiVersion: version };
      const contents = faults.asks(point, CONTENT_FIELDS) ? batchContents : undefined;
      return wireFields({ request: asked.body, message }, around, { names: topicName, contents });
    };
    faults.pass(point, sets, flow);
  }

  #lane(point: string): Lane {
    let lane = this.#lanes.get(point);
    if (lane === undefined) this.#lanes.set(point, (lane = new Lane(false)));
    return lane;
  }
}

/** Produce with acks=0: no answer is awaited, so none can be missed (wire W-14). */
function expectsNothing({ api, body }: Asked): boolean {
  return api === 'Produce' && (body as { readonly acks?: number }).acks === 0;
}
