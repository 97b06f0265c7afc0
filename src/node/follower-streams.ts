// Serves the fetch streams of followers: one session a stream, one request of it at a time, and of each follower only the
// newest stream (repl R-38, T-28; design section 5). What a fetch does is fetches.ts's.
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { FetchPartition } from '../protocol/generated/index.ts';
import type { InStream, InStreamEvents } from '../runtime/ports.ts';
import type { NodeContext } from './context.ts';
import type { DelayedFetch } from './delayed-fetch.ts';
import { FetchSession } from './fetch-session.ts';
import type { Fetches } from './fetches.ts';
import type { Gate } from './gate.ts';
import type { Replicas } from './replicas.ts';

type Request = RequestOf<'Fetch'>;

/** Orders the streams of one follower: over its restarts by broker epoch, inside one process by generation. */
export interface StreamAge {
  readonly brokerEpoch: BrokerEpoch;
  readonly generation: number;
}

/** Whether `a` is a newer stream than `b`. */
export function isNewer(a: StreamAge, b: StreamAge): boolean {
  return a.brokerEpoch !== b.brokerEpoch ? a.brokerEpoch > b.brokerEpoch : a.generation > b.generation;
}

interface Served {
  readonly age: StreamAge;
  readonly stream: FollowerStream;
}

export class FollowerStreams {
  readonly #parts: FollowerParts;
  readonly #newest = new Map<NodeId, Served>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  serve(stream: InStream<ResponseOf<'Fetch'>>): InStreamEvents<Request> {
    const served = new FollowerStream(this.#parts, stream);
    return {
      message: (request) => this.#parts.gate.run(() => this.#admit(served, request)),
      ended: () => served.ended(),
      closed: () => served.closed(),
    };
  }

  /** A newer generation takes the place of the one before; a message of an older one is dropped, its stream ended. */
  #admit(stream: FollowerStream, request: Request): void {
    const age = { brokerEpoch: request.replicaEpoch, generation: request.streamGeneration };
    const newest = this.#newest.get(request.replicaId);
    if (newest?.stream === stream) {
      if (isNewer(age, newest.age) || isNewer(newest.age, age)) return stream.giveUp();
      return stream.onRequest(request);
    }
    if (newest !== undefined && !isNewer(age, newest.age)) return stream.giveUp();
    newest?.stream.giveUp();
    this.#newest.set(request.replicaId, { age, stream });
    stream.onRequest(request);
  }
}

export interface FollowerParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly fetches: Fetches;
  readonly gate: Gate;
}

/** One stream of one follower. */
class FollowerStream {
  readonly #parts: FollowerParts;
  readonly #stream: InStream<ResponseOf<'Fetch'>>;
  readonly #session = new FetchSession();
  #current: Request | undefined;
  #parked: DelayedFetch | undefined;
  #established = false;
  #lastSequence = -1;
  #state: 'open' | 'half-closed' | 'over' = 'open';

  constructor(parts: FollowerParts, stream: InStream<ResponseOf<'Fetch'>>) {
    this.#parts = parts;
    this.#stream = stream;
  }

  /** A request ends the parked one before it, which is not answered: the follower has forgotten it (design section 5). */
  onRequest(request: Request): void {
    if (this.#state === 'over' || request.sequence <= this.#lastSequence) return;
    this.#drop();
    this.#lastSequence = request.sequence;
    if (!request.full && !this.#established) return this.#refuse(request);
    this.#established = true;
    this.#session.update(request);
    this.#current = request;
    this.#reachAll(request, this.#session.wanted);
  }

  /** The follower has left: what it is owed is answered at once, then the stream ends. */
  ended(): void {
    if (this.#state !== 'open') return;
    this.#state = 'half-closed';
    if (this.#current === undefined) this.giveUp();
    else this.#parked?.complete();
  }

  /** The stream broke. */
  closed(): void {
    this.#state = 'over';
    this.#drop();
  }

  /** Ends the stream from this side: a newer one has taken its place, or its messages make no sense. */
  giveUp(): void {
    if (this.#state === 'over') return;
    this.#drop();
    this.#state = 'over';
    this.#stream.end();
  }

  #drop(): void {
    this.#current = undefined;
    this.#parked?.withdraw();
    this.#parked = undefined;
  }

  /** A stream begins with a full request (repl R-38). */
  #refuse(request: Request): void {
    const { streamGeneration, sequence } = request;
    this.#stream.send({ streamGeneration, sequence, error: 'FETCH_SESSION_ID_NOT_FOUND', partitions: [] });
  }

  /** Every partition's fetch is a step that a fault may hold; the request goes on when none is held. */
  #reachAll(request: Request, wanted: readonly FetchPartition[]): void {
    const { runtime } = this.#parts.context;
    let held = 1;
    const proceed = (): void => {
      held -= 1;
      if (held === 0 && this.#current === request) this.#fetch(request, wanted);
    };
    for (const at of wanted) {
      const replica = this.#parts.replicas.get(at.topicId, at.partition);
      if (replica === undefined) continue;
      held += 1;
      const { topic, partition, leaderEpoch } = replica;
      const fields = { topic, partition, leaderEpoch, replica: request.replicaId, offset: at.fetchOffset };
      runtime.faults.reach('replica.fetch.received', fields, proceed);
    }
    proceed();
  }

  #fetch(request: Request, partitions: readonly FetchPartition[]): void {
    const from = { kind: 'follower', id: request.replicaId, brokerEpoch: request.replicaEpoch } as const;
    const { minBytes, maxBytes } = request;
    const maxWaitMs = this.#state === 'half-closed' ? 0 : request.maxWaitMs;
    this.#parked = this.#parts.fetches.fetch({ from, maxWaitMs, minBytes, maxBytes, partitions }, (fetched) => {
      this.#current = undefined;
      this.#parked = undefined;
      const { streamGeneration, sequence } = request;
      this.#stream.send({ streamGeneration, sequence, error: 'NONE', partitions: this.#session.news(fetched) });
      if (this.#state === 'half-closed') this.giveUp();
    });
  }
}
