// A gRPC server of one process: binds, checks callers, and ends in order. Methods are registered by path and carry bytes;
// what they mean is decided by who registers them.
import grpc from '@grpc/grpc-js';
import type { sendUnaryData, Server, ServerDuplexStream, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { Gate } from './access.ts';
import { asIs, formatAddress, MESSAGE_BYTES_MAX, serverOptions } from './channel.ts';
import { bindProblem, refuseOpenBind } from './bind.ts';

export type UnaryCall = ServerUnaryCall<Buffer, Buffer>;
export type UnaryReply = sendUnaryData<Buffer>;
export type DuplexCall = ServerDuplexStream<Buffer, Buffer>;
export type WritableCall = ServerWritableStream<Buffer, Buffer>;

export interface RpcServerOptions {
  /** The cluster's secret; empty: everybody may call everything, and only loopback can be bound. */
  readonly secret: string;
  readonly messageBytesMax?: number;
  /** Whether it can listen a second time, for clients outside the network of the nodes. */
  readonly outside?: boolean;
}

/** Whether a call came through the listener for clients outside the network of the nodes. */
export type FromOutside = boolean;

/** Longest wait for calls under way when stopping. */
const STOP_WITHIN_MS = 500;

export class RpcServer {
  readonly #secret: string;
  readonly #gate: Gate;
  readonly #server: Server;
  readonly #outside: Server | undefined;

  constructor(options: RpcServerOptions) {
    this.#secret = options.secret;
    this.#gate = new Gate(options.secret);
    const create = (): Server => new grpc.Server(serverOptions(options.messageBytesMax ?? MESSAGE_BYTES_MAX));
    this.#server = create();
    this.#outside = options.outside === true ? create() : undefined;
  }

  /** For libraries that register themselves (reflection, health). */
  get grpc(): Server {
    return this.#server;
  }

  /** Serves a method with one request and one response. */
  unary(
    path: string,
    secret: boolean,
    handle: (call: UnaryCall, reply: UnaryReply, fromOutside: FromOutside) => void,
  ): void {
    const guarded =
      (fromOutside: FromOutside) =>
      (call: UnaryCall, reply: UnaryReply): void => {
        const refused = secret ? this.#gate.refuse(call.metadata) : undefined;
        if (refused === undefined) handle(call, reply, fromOutside);
        else reply({ code: grpc.status.UNAUTHENTICATED, details: refused });
      };
    this.#server.register(path, guarded(false), asIs, asIs, 'unary');
    this.#outside?.register(path, guarded(true), asIs, asIs, 'unary');
  }

  /** Serves a method with a stream each way. */
  duplex(path: string, secret: boolean, handle: (call: DuplexCall) => void): void {
    for (const server of this.#all) server.register(path, this.#guardStream(secret, handle), asIs, asIs, 'bidi');
  }

  /** Serves a method with one request and a stream of responses. */
  writable(path: string, secret: boolean, handle: (call: WritableCall) => void): void {
    for (const server of this.#all)
      server.register(path, this.#guardStream(secret, handle), asIs, asIs, 'serverStream');
  }

  #guardStream<Call extends DuplexCall | WritableCall>(
    secret: boolean,
    handle: (call: Call) => void,
  ): (call: Call) => void {
    return (call) => {
      const refused = secret ? this.#gate.refuse(call.metadata) : undefined;
      if (refused === undefined) handle(call);
      else call.emit('error', { code: grpc.status.UNAUTHENTICATED, details: refused });
    };
  }

  /**
   * Starts listening. Rejects with a BindError that names the port. Without a secret only loopback is bound.
   * @param port 0 takes any free one.
   * @returns The port bound.
   */
  listen(host: string, port: number): Promise<number> {
    return this.#bind(this.#server, host, port);
  }

  /** As `listen`, for clients outside the network of the nodes. */
  async listenOutside(host: string, port: number): Promise<number> {
    if (this.#outside === undefined) throw new Error('this server was made without a listener for the outside');
    return this.#bind(this.#outside, host, port);
  }

  get #all(): readonly Server[] {
    return this.#outside === undefined ? [this.#server] : [this.#server, this.#outside];
  }

  #bind(server: Server, host: string, port: number): Promise<number> {
    const refused = refuseOpenBind(host, this.#secret);
    if (refused !== undefined) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      server.bindAsync(formatAddress(host, port), grpc.ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(bindProblem(host, port, error));
      });
    });
  }

  /** Takes no new calls, waits for those under way (bounded) and closes. Streams must have been ended before. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.kill();
        resolve();
      }, STOP_WITHIN_MS);
      const ended = this.#all.map((server) => new Promise<void>((done) => server.tryShutdown(() => done())));
      void Promise.all(ended).then(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  /** Closes every connection at once. */
  kill(): void {
    for (const server of this.#all) server.forceShutdown();
  }
}
