// Calls one service of a node or an agent by promise, for the command line, the agent and tests. Cores never use it: they
// have the Network port. Every call has a deadline.
import grpc from '@grpc/grpc-js';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { messageCodec } from '../runtime/codec.ts';
import { serviceMethods, type MethodInfo } from '../runtime/message-types.ts';
import { callerMetadata } from './access.ts';
import { asIs, createChannel, MESSAGE_BYTES_MAX } from './channel.ts';

/** Request and response types of a service's unary methods. */
export type ServiceMethods = Readonly<Record<string, { readonly request: object; readonly response: object }>>;

/** A call that did not get an answer. `code` is gRPC's status name. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RemoteOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** Node id to present; -1 for a person or a tool. */
  readonly node?: number;
}

export class RemoteService<M extends ServiceMethods> {
  readonly #client: Client;
  readonly #methods: ReadonlyMap<string, MethodInfo>;
  readonly #options: RemoteOptions;

  constructor(service: string, options: RemoteOptions) {
    this.#client = createChannel(options.host, options.port, MESSAGE_BYTES_MAX);
    this.#methods = new Map(serviceMethods(service).map((method) => [method.name, method]));
    this.#options = options;
  }

  /** Rejects with CallFailed; `timeoutMs` bounds the whole call. */
  call<K extends keyof M & string>(
    name: K,
    request: Omit<M[K]['request'], 'lamport'>,
    timeoutMs: number,
  ): Promise<M[K]['response']> {
    const method = this.#methods.get(name);
    if (method === undefined) return Promise.reject(new CallFailed('UNIMPLEMENTED', `no method ${name}`));
    const bytes = messageCodec(method.requestType).encode(request);
    const metadata = callerMetadata(this.#options.node ?? -1, this.#options.secret);
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, response?: Buffer): void => {
        if (error !== null) reject(new CallFailed(grpc.status[error.code] ?? String(error.code), error.details));
        else resolve(messageCodec(method.responseType).decode(response ?? Buffer.alloc(0)) as M[K]['response']);
      };
      const deadline = Date.now() + timeoutMs;
      this.#client.makeUnaryRequest(method.path, asIs, asIs, bytes, metadata, { deadline }, answered);
    });
  }

  close(): void {
    this.#client.close();
  }
}
