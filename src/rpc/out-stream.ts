// The opener's end of a stream over gRPC. What the far side says arrives as turns; `closed` comes after the last message.
import type { ClientDuplexStream, ServiceError, StatusObject } from '@grpc/grpc-js';
import type { OutStream, StreamEvents } from '../runtime/ports.ts';
import type { Turns } from '../runtime/real/turns.ts';
import type { Departures } from './departures.ts';
import { describeStatus } from './outcome.ts';

export interface OutStreamOptions {
  /** Opens the call, or answers why it cannot. */
  readonly connect: () => ClientDuplexStream<Buffer, Buffer> | string;
  readonly turns: Turns;
  readonly departures: Departures;
  readonly encode: (message: object) => Buffer;
  readonly decode: (bytes: Buffer) => object;
  /** Runs before bytes are handed over. */
  readonly flush: () => void;
  readonly on: StreamEvents<object>;
}

export class GrpcOutStream implements OutStream<object> {
  readonly #options: OutStreamOptions;
  readonly #leaving = new Set<() => void>();
  #call: ClientDuplexStream<Buffer, Buffer> | undefined;
  #status: StatusObject | undefined;
  #consumed = false;
  #closed = false;
  #halfClosed = false;

  constructor(options: OutStreamOptions) {
    this.#options = options;
    options.turns.depart(() => this.#connect());
  }

  send(message: object): void {
    const { turns, departures, encode, flush } = this.#options;
    const bytes = encode(message);
    turns.depart(() => {
      if (this.#closed || this.#halfClosed) return;
      flush();
      const left = departures.begin();
      this.#leaving.add(left);
      this.#call?.write(bytes, () => {
        this.#leaving.delete(left);
        left();
      });
    });
  }

  end(): void {
    this.#options.turns.depart(() => {
      if (this.#closed || this.#halfClosed) return;
      this.#halfClosed = true;
      this.#call?.end();
    });
  }

  abort(): void {
    this.#options.turns.depart(() => {
      if (this.#closed) return;
      this.#forget();
      this.#call?.cancel();
    });
  }

  #connect(): void {
    const call = this.#options.connect();
    if (typeof call === 'string') {
      setImmediate(() => this.#close(call));
      return;
    }
    this.#call = call;
    call.on('data', (bytes: Buffer) => this.#receive(bytes));
    // The status tells why; without this listener the error would end the process.
    call.on('error', (_error: ServiceError) => undefined);
    call.on('status', (status: StatusObject) => {
      this.#status = status;
      if (status.code !== 0 || this.#consumed) this.#close(describeStatus(status));
    });
    call.on('end', () => {
      this.#consumed = true;
      if (this.#status !== undefined) this.#close(describeStatus(this.#status));
    });
  }

  #receive(bytes: Buffer): void {
    this.#options.turns.deliver(() => {
      if (this.#closed) return;
      let message: object;
      try {
        message = this.#options.decode(bytes);
      } catch (error) {
        this.#call?.cancel();
        this.#close(error instanceof Error ? error.message : String(error));
        return;
      }
      this.#options.on.message(message);
    });
  }

  #close(reason: string | undefined): void {
    this.#options.turns.deliver(() => {
      if (this.#closed) return;
      this.#forget();
      this.#options.on.closed(reason);
    });
  }

  /** Nothing is delivered any more, and what is still on its way out does not count. */
  #forget(): void {
    this.#closed = true;
    for (const left of this.#leaving) left();
    this.#leaving.clear();
  }
}
