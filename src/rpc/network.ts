// The Network port over gRPC: requests and streams to other nodes (and to the own one, over loopback), and the APIs that
// this node serves. Adds and reads Lamport time. Knows nothing of Kafka: what an API means is in the cores.
import grpc from '@grpc/grpc-js';
import type { Client, Metadata, ServiceError } from '@grpc/grpc-js';
import type { NodeId } from '../base/units.ts';
import type { Api, RequestOf, ResponseOf, StreamApi, UnaryApi } from '../protocol/apis.ts';
import { APIS } from '../protocol/apis.ts';
import type { LamportClock } from '../runtime/lamport.ts';
import type {
  Handlers,
  InStream,
  InStreamEvents,
  Network,
  Outcome,
  OutStream,
  StreamEvents,
} from '../runtime/ports.ts';
import type { Turns } from '../runtime/real/turns.ts';
import { callerMetadata, callerNode } from './access.ts';
import { asIs, createChannel, formatAddress, MESSAGE_BYTES_MAX } from './channel.ts';
import { Departures } from './departures.ts';
import { GrpcInStream } from './in-stream.ts';
import { decodeBody, encodeBody, pathOf } from './methods.ts';
import { failedOutcome } from './outcome.ts';
import { GrpcOutStream } from './out-stream.ts';
import type { DuplexCall, RpcServer, UnaryCall, UnaryReply } from './server.ts';

export interface RpcNetworkOptions {
  readonly node: NodeId;
  readonly secret: string;
  readonly turns: Turns;
  readonly lamport: LamportClock;
  /** Runs before bytes are handed to gRPC: writes the events that caused them (design section 7). */
  readonly flush: () => void;
  /** What serves this node's APIs. Absent: a client, which serves nothing. */
  readonly server?: RpcServer;
  readonly messageBytesMax?: number;
  /** What clients outside the network of the nodes are told instead of a broker's addresses inside. */
  readonly fromOutside?: (answer: ResponseOf<'Metadata'>) => ResponseOf<'Metadata'>;
}

interface Peer {
  readonly address: string;
  readonly client: Client;
}

type AnyUnary = (request: object, from: NodeId, answer: (response: object) => void) => void;
type AnyAccept = (stream: InStream<object>) => InStreamEvents<object>;

const unknownAddress = (node: NodeId): string => `no address of node ${node} is known`;

/** A deadline further away than this is none. */
const DEADLINE_MS_MAX = 24 * 3600 * 1000;

export class RpcNetwork implements Network {
  readonly #options: RpcNetworkOptions;
  readonly #metadata: Metadata;
  readonly #peers = new Map<NodeId, Peer>();
  readonly #departures = new Departures();
  readonly #inStreams = new Set<GrpcInStream>();

  constructor(options: RpcNetworkOptions) {
    this.#options = options;
    this.#metadata = callerMetadata(options.node, options.secret);
  }

  setAddress(node: NodeId, host: string, port: number): void {
    const address = formatAddress(host, port);
    const known = this.#peers.get(node);
    if (known?.address === address) return;
    known?.client.close();
    const client = createChannel(host, port, this.#options.messageBytesMax ?? MESSAGE_BYTES_MAX);
    this.#peers.set(node, { address, client });
  }

  request<A extends UnaryApi>(
    to: NodeId,
    api: A,
    request: RequestOf<A>,
    timeoutMs: number,
    done: (outcome: Outcome<ResponseOf<A>>) => void,
  ): void {
    const { turns, flush } = this.#options;
    const finish = (outcome: Outcome<ResponseOf<A>>): void => turns.deliver(() => done(outcome));
    const bytes = this.#encode(APIS[api].requestType, request);
    turns.depart(() => {
      const peer = this.#peers.get(to);
      if (peer === undefined) {
        setImmediate(() => finish({ kind: 'disconnected', reason: unknownAddress(to) }));
        return;
      }
      flush();
      const deadline = Date.now() + Math.min(timeoutMs, DEADLINE_MS_MAX);
      const ended = this.#endOf(api, finish);
      peer.client.makeUnaryRequest(pathOf(api), asIs, asIs, bytes, this.#metadata, { deadline }, ended);
    });
  }

  open<A extends StreamApi>(to: NodeId, api: A, on: StreamEvents<ResponseOf<A>>): OutStream<RequestOf<A>> {
    const { turns, lamport, flush } = this.#options;
    const { requestType, responseType } = APIS[api];
    return new GrpcOutStream({
      connect: () => {
        const client = this.#peers.get(to)?.client;
        if (client === undefined) return unknownAddress(to);
        return client.makeBidiStreamRequest(pathOf(api), asIs, asIs, this.#metadata);
      },
      turns,
      departures: this.#departures,
      encode: (message) => this.#encode(requestType, message),
      decode: (bytes) => decodeBody(responseType, bytes, lamport),
      flush,
      on: on as StreamEvents<object>,
    });
  }

  serve(handlers: Handlers): void {
    const { server } = this.#options;
    if (server === undefined) return;
    for (const [api, handle] of Object.entries(handlers.unary)) {
      const { secret } = APIS[api as Api];
      server.unary(pathOf(api as Api), secret, (call, reply, fromOutside) => {
        const served = fromOutside && api === 'Metadata' ? this.#translated(handle as AnyUnary) : (handle as AnyUnary);
        this.#answer(api as UnaryApi, served, call, reply);
      });
    }
    for (const [api, accept] of Object.entries(handlers.stream)) {
      const { secret } = APIS[api as Api];
      server.duplex(pathOf(api as Api), secret, (call) => {
        this.#accept(api as StreamApi, accept as unknown as AnyAccept, call);
      });
    }
  }

  /** Calls `done` when everything handed over before has left the process; after `boundMs` at the latest. */
  drained(boundMs: number, done: () => void): void {
    this.#departures.drained(boundMs, done);
  }

  /** Ends the streams that others opened to this node: first step of a clean stop. */
  endStreams(): void {
    for (const stream of [...this.#inStreams]) stream.refuse(grpc.status.UNAVAILABLE, 'this node is stopping');
  }

  /** Drops all connections to others. */
  close(): void {
    for (const { client } of this.#peers.values()) client.close();
    this.#peers.clear();
  }

  #encode(type: string, body: object): Buffer {
    return encodeBody(type, body, this.#options.lamport);
  }

  /** How a unary call ends: once, and never inside the call. */
  #endOf<A extends UnaryApi>(
    api: A,
    finish: (outcome: Outcome<ResponseOf<A>>) => void,
  ): (error: ServiceError | null, response?: Buffer) => void {
    let inside = true;
    queueMicrotask(() => (inside = false));
    return (error, response) => {
      const end = (): void => finish(error === null ? this.#decodeAnswer(api, response) : failedOutcome(error));
      if (inside) setImmediate(end);
      else end();
    };
  }

  #decodeAnswer<A extends UnaryApi>(api: A, bytes: Buffer | undefined): Outcome<ResponseOf<A>> {
    try {
      const body = decodeBody(APIS[api].responseType, bytes ?? Buffer.alloc(0), this.#options.lamport);
      return { kind: 'ok', response: body as ResponseOf<A> };
    } catch (error) {
      return { kind: 'disconnected', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Serves Metadata to a client outside. */
  #translated(handle: AnyUnary): AnyUnary {
    const translate = this.#options.fromOutside;
    if (translate === undefined) return handle;
    return (request, from, answer) =>
      handle(request, from, (response) => answer(translate(response as ResponseOf<'Metadata'>)));
  }

  #answer(api: UnaryApi, handle: AnyUnary, call: UnaryCall, reply: UnaryReply): void {
    const { turns, lamport, flush } = this.#options;
    const { requestType, responseType } = APIS[api];
    let answered = false;
    turns.deliver(() => {
      let request: object;
      try {
        request = decodeBody(requestType, call.request, lamport);
      } catch (error) {
        reply({ code: grpc.status.INVALID_ARGUMENT, details: error instanceof Error ? error.message : String(error) });
        return;
      }
      handle(request, callerNode(call.metadata), (response) => {
        const bytes = this.#encode(responseType, response);
        turns.depart(() => {
          if (answered || call.cancelled) return;
          answered = true;
          flush();
          // gRPC says `cancelled` when the status has been handed over as well, or the caller is gone.
          call.once('cancelled', this.#departures.begin());
          reply(null, bytes);
        });
      });
    });
  }

  #accept(api: StreamApi, accept: AnyAccept, call: DuplexCall): void {
    const { turns, lamport, flush } = this.#options;
    const { requestType, responseType } = APIS[api];
    const stream: GrpcInStream = new GrpcInStream({
      call,
      from: callerNode(call.metadata),
      turns,
      departures: this.#departures,
      encode: (message) => this.#encode(responseType, message),
      decode: (bytes) => decodeBody(requestType, bytes, lamport),
      flush,
      accept,
      over: () => this.#inStreams.delete(stream),
    });
    this.#inStreams.add(stream);
  }
}
