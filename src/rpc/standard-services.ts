// Reflection and health of every node, as any gRPC tool expects them, without a secret. Their libraries cost 100 ms to
// load, so that happens at the first call; until then a call is only bytes.
import { EventEmitter } from 'node:events';
import grpc from '@grpc/grpc-js';
import type { MethodDefinition, Server } from '@grpc/grpc-js';
import descriptor from '../protocol/generated/descriptor.json' with { type: 'json' };
import { CONVERSION } from '../runtime/codec.ts';
import type { DuplexCall, RpcServer, UnaryCall, UnaryReply, WritableCall } from './server.ts';

type Definition = MethodDefinition<unknown, unknown>;
type Library = ReadonlyMap<string, { readonly definition: Definition; readonly handle: (...args: unknown[]) => void }>;

const REFLECTION = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);
const HEALTH = '/grpc.health.v1.Health';

export class StandardServices {
  readonly #services: readonly string[];
  #health: Promise<Library> | undefined;
  #reflection: Promise<Library> | undefined;
  #serving = false;
  #onServing: (() => void) | undefined;

  /** @param services Full names of the services that this process offers. */
  constructor(server: RpcServer, services: readonly string[]) {
    this.#services = services;
    const health = (): Promise<Library> => (this.#health ??= this.#loadHealth());
    const reflection = (): Promise<Library> => (this.#reflection ??= this.#loadReflection());
    for (const path of REFLECTION) server.duplex(path, false, (call) => forward(reflection(), path, call));
    for (const name of ['Check', 'List']) {
      const path = `${HEALTH}/${name}`;
      server.unary(path, false, (call, reply) => forwardUnary(health(), path, call, reply));
    }
    server.writable(`${HEALTH}/Watch`, false, (call) => forward(health(), `${HEALTH}/Watch`, call));
  }

  /** Whether health answers SERVING. */
  serving(on: boolean): void {
    if (on === this.#serving) return;
    this.#serving = on;
    this.#onServing?.();
  }

  async #loadHealth(): Promise<Library> {
    const { HealthImplementation } = await import('grpc-health-check');
    const health = new HealthImplementation();
    this.#onServing = () => {
      for (const name of ['', ...this.#services]) health.setStatus(name, this.#serving ? 'SERVING' : 'NOT_SERVING');
    };
    this.#onServing();
    return capture((server) => health.addToServer(server as never));
  }

  async #loadReflection(): Promise<Library> {
    const [{ ReflectionService }, { fromJSON }] = await Promise.all([
      import('@grpc/reflection'),
      import('@grpc/proto-loader'),
    ]);
    const described = fromJSON(descriptor as never, CONVERSION);
    const service = new ReflectionService(described, { services: [...this.#services] });
    return capture((server) => service.addToServer(server));
  }
}

/** Lets a library register itself with something that only takes notes. */
function capture(register: (server: Pick<Server, 'addService'>) => void): Library {
  const library = new Map<string, { definition: Definition; handle: (...args: unknown[]) => void }>();
  register({
    addService: (definitions, handlers) => {
      for (const [name, definition] of Object.entries(definitions)) {
        const handle = handlers[name] ?? handlers[definition.originalName ?? name];
        if (handle !== undefined) library.set(definition.path, { definition, handle: handle as never });
      }
    },
  });
  return library;
}

/** What a library could not decode, or could not be loaded for, is the caller's answer, never our end. */
function refused(error: unknown): { readonly code: number; readonly details: string } {
  return { code: grpc.status.INVALID_ARGUMENT, details: error instanceof Error ? error.message : String(error) };
}

function forwardUnary(loading: Promise<Library>, path: string, call: UnaryCall, reply: UnaryReply): void {
  loading
    .then((library) => {
      const { definition, handle } = library.get(path)!;
      const answer = (error: unknown, response: unknown): void =>
        error === null ? reply(null, definition.responseSerialize(response)) : reply(error as never);
      handle({ request: definition.requestDeserialize(call.request) }, answer);
    })
    .catch((error: unknown) => reply(refused(error)));
}

/** Gives a library's handler a call of messages over our call of bytes. */
function forward(loading: Promise<Library>, path: string, call: DuplexCall | WritableCall): void {
  call.on('error', () => undefined);
  const guard = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      call.emit('error', refused(error));
    }
  };
  loading
    .then((library) => {
      const { definition, handle } = library.get(path)!;
      const bridge = Object.assign(new EventEmitter(), {
        request: 'request' in call ? definition.requestDeserialize(call.request) : undefined,
        write: (message: unknown) => call.write(definition.responseSerialize(message)),
        end: () => call.end(),
      });
      handle(bridge);
      call.on('data', (bytes: Buffer) => guard(() => bridge.emit('data', definition.requestDeserialize(bytes))));
      call.on('end', () => bridge.emit('end'));
      call.on('cancelled', () => bridge.emit('cancelled'));
    })
    .catch((error: unknown) => call.emit('error', refused(error)));
}
