// One process's end of the simulated network: the Network port of one incarnation of a node. Calls and streams do the
// work; this keeps what must be told to others when the process dies.
import { assert } from '../../base/assert.ts';
import type { DurationMs, NodeId } from '../../base/units.ts';
import type { Api, RequestOf, ResponseOf, StreamApi, UnaryApi } from '../../protocol/apis.ts';
import type { LamportClock } from '../../runtime/lamport.ts';
import type { Handlers, Network, Outcome, OutStream, StreamEvents } from '../../runtime/ports.ts';
import type { Process } from '../process.ts';
import { Call } from './call.ts';
import type { Fabric } from './fabric.ts';
import { Stream } from './stream.ts';

export class Endpoint implements Network {
  readonly process: Process;
  readonly lamport: LamportClock;
  readonly #fabric: Fabric;
  #handlers: Handlers | undefined;
  /** Calls that this process was asked and has not answered. */
  readonly pending = new Set<Call>();
  /** Streams with an end here. */
  readonly streams = new Set<Stream>();

  constructor(fabric: Fabric, process: Process, lamport: LamportClock) {
    this.#fabric = fabric;
    this.process = process;
    this.lamport = lamport;
  }

  get node(): NodeId {
    return this.process.node;
  }

  /** What the process serves; undefined before it listens. */
  get handlers(): Handlers | undefined {
    return this.#handlers;
  }

  request<A extends UnaryApi>(
    to: NodeId,
    api: A,
    request: RequestOf<A>,
    timeoutMs: DurationMs,
    done: (outcome: Outcome<ResponseOf<A>>) => void,
  ): void {
    if (!this.process.alive) return;
    const call = new Call(this.#fabric, this, { to, api }, done as (outcome: Outcome<object>) => void);
    call.start(request, timeoutMs);
  }

  open<A extends StreamApi>(to: NodeId, api: A, on: StreamEvents<ResponseOf<A>>): OutStream<RequestOf<A>> {
    const stream = new Stream(this.#fabric, this, { to, api }, on as StreamEvents<object>);
    if (this.process.alive) stream.open();
    return stream.opener;
  }

  serve(handlers: Handlers): void {
    assert(this.#handlers === undefined, 'a node serves once');
    this.#handlers = handlers;
  }

  setAddress(): void {
    // Simulated nodes are found by id.
  }

  /** What arrives when this process sends `message` now: stamped, copied, frozen. */
  stamp(api: Api, direction: 'request' | 'response', message: object): Stamped {
    return this.#fabric.carry(api, direction, message, this.lamport.tick());
  }

  /** The process died: whoever waits for it hears a broken connection. */
  died(): void {
    for (const call of [...this.pending]) call.refuse('connection reset');
    for (const stream of [...this.streams]) stream.endDied(this);
    this.pending.clear();
    this.streams.clear();
  }
}

/** A message on its way: what the receiver will be given. */
export type Stamped = object & { readonly lamport: number };
