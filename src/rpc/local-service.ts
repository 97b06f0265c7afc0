// Serves a service that is not an API between cores (faults, status, the agent): one function a method. The counterpart of
// remote-service.ts.
import grpc from '@grpc/grpc-js';
import { InvariantViolation } from '../base/assert.ts';
import { messageCodec } from '../runtime/codec.ts';
import { serviceMethods } from '../runtime/message-types.ts';
import type { LamportClock } from '../runtime/lamport.ts';
import type { Turns } from '../runtime/real/turns.ts';
import type { ServiceMethods } from './remote-service.ts';
import type { RpcServer, UnaryCall, UnaryReply } from './server.ts';

/** One function a method. What it throws becomes INTERNAL with its message, except a broken invariant, which crashes. */
export type LocalMethods<M extends ServiceMethods> = {
  readonly [K in keyof M]: (request: M[K]['request']) => Omit<M[K]['response'], 'lamport'> | Promise<M[K]['response']>;
};

export interface LocalServiceOptions {
  /** Name in proto/, e.g. "NodeFaults". */
  readonly service: string;
  /** Whether callers need the cluster's secret. */
  readonly secret: boolean;
  /** A node's: calls are turns. Absent for a process without cores. */
  readonly turns?: Turns;
  /** Read from requests and stamped on responses, if the process has one. */
  readonly lamport?: LamportClock;
  /** Runs before an answer leaves: writes the events that caused it (design section 7). */
  readonly flush?: () => void;
}

/** Registers the unary methods of a service. */
export function serveLocally<M extends ServiceMethods>(
  server: RpcServer,
  options: LocalServiceOptions,
  methods: LocalMethods<M>,
): void {
  for (const { name, path, requestType, responseType, responseStream } of serviceMethods(options.service)) {
    const method = methods[name];
    if (method === undefined || responseStream) continue;
    server.unary(path, options.secret, (call, reply) => {
      const answer = (response: object): void => {
        const stamp = options.lamport === undefined ? {} : { lamport: options.lamport.tick() };
        options.flush?.();
        reply(null, messageCodec(responseType).encode({ ...response, ...stamp }));
      };
      const run = (): void => answerOne(call, reply, { requestType, lamport: options.lamport, method, answer });
      if (options.turns === undefined) run();
      else options.turns.deliver(run);
    });
  }
}

interface Served {
  readonly requestType: string;
  readonly lamport: LamportClock | undefined;
  readonly method: (request: object) => object | Promise<object>;
  readonly answer: (response: object) => void;
}

function answerOne(call: UnaryCall, reply: UnaryReply, served: Served): void {
  let request: { readonly lamport?: number };
  try {
    request = messageCodec(served.requestType).decode(call.request);
  } catch (error) {
    reply({ code: grpc.status.INVALID_ARGUMENT, details: messageOf(error) });
    return;
  }
  if (request.lamport !== undefined) served.lamport?.observe(request.lamport);
  const failed = (error: unknown): void => reply({ code: grpc.status.INTERNAL, details: messageOf(error) });
  try {
    const response = served.method(request);
    if (response instanceof Promise) response.then(served.answer).catch(failed);
    else served.answer(response);
  } catch (error) {
    failed(error);
    if (error instanceof InvariantViolation) throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
