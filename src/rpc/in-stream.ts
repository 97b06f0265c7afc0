// The server's end of a stream over gRPC: what the opener says arrives as turns, and what a core answers leaves in order.
import grpc from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { InStream, InStreamEvents } from '../runtime/ports.ts';
import type { Turns } from '../runtime/real/turns.ts';
import type { Departures } from './departures.ts';

/** A stream that its opener aborts looks half-closed first, for two turns of the event loop (tried). */
const HALF_CLOSE_GRACE_MS = 10;

export interface InStreamOptions {
  readonly call: ServerDuplexStream<Buffer, Buffer>;
  readonly from: number;
  readonly turns: Turns;
  readonly departures: Departures;
  readonly encode: (message: object) => Buffer;
  readonly decode: (bytes: Buffer) => object;
  /** Runs before bytes are handed over. */
  readonly flush: () => void;
  readonly accept: (stream: InStream<object>) => InStreamEvents<object>;
  /** The stream is over, either way. */
  readonly over: () => void;
}

export class GrpcInStream implements InStream<object> {
  readonly from: number;
  readonly #options: InStreamOptions;
  readonly #leaving = new Set<() => void>();
  #events: InStreamEvents<object> | undefined;
  #ended = false;
  #over = false;

  constructor(options: InStreamOptions) {
    this.#options = options;
    this.from = options.from;
    const { call, turns } = options;
    call.on('error', () => undefined);
    call.on('cancelled', () => this.#finish());
    turns.deliver(() => (this.#events = options.accept(this)));
    call.on('data', (bytes: Buffer) => this.#receive(bytes));
    call.on('end', () => setTimeout(() => turns.deliver(() => this.#live?.ended()), HALF_CLOSE_GRACE_MS));
  }

  send(message: object): void {
    const { call, turns, departures, encode, flush } = this.#options;
    const bytes = encode(message);
    turns.depart(() => {
      if (this.#over || this.#ended) return;
      flush();
      const left = departures.begin();
      this.#leaving.add(left);
      call.write(bytes, () => {
        this.#leaving.delete(left);
        left();
      });
    });
  }

  end(): void {
    this.#options.turns.depart(() => {
      if (this.#over || this.#ended) return;
      this.#ended = true;
      this.#options.flush();
      this.#options.call.end();
    });
  }

  /** Ends with a status that says why: the node stops, or the opener sent what cannot be decoded. */
  refuse(code: number, details: string): void {
    if (this.#over) return;
    this.#ended = true;
    this.#options.call.emit('error', { code, details });
  }

  /** The core's ears, while it may hear something: not after its own end, nor after the stream broke. */
  get #live(): InStreamEvents<object> | undefined {
    return this.#ended || this.#over ? undefined : this.#events;
  }

  #receive(bytes: Buffer): void {
    this.#options.turns.deliver(() => {
      if (this.#live === undefined) return;
      let message: object;
      try {
        message = this.#options.decode(bytes);
      } catch (error) {
        const events = this.#live;
        this.refuse(grpc.status.INVALID_ARGUMENT, error instanceof Error ? error.message : String(error));
        events.closed();
        return;
      }
      this.#live.message(message);
    });
  }

  /** gRPC says `cancelled` after our own status has left, too. */
  #finish(): void {
    for (const left of this.#leaving) left();
    this.#leaving.clear();
    this.#options.over();
    const live = this.#live;
    this.#over = true;
    this.#options.turns.deliver(() => live?.closed());
  }
}
