// Turns calls of the synchronous core into promises that always settle: by the core's answer, by an AbortSignal, or because
// the client was closed.
import { closedError } from './errors.ts';

/** How a caller stops waiting. */
export interface CallOptions {
  /** When it aborts, the promise rejects with its reason. What was sent stays sent. */
  readonly signal?: AbortSignal | undefined;
}

interface Call {
  readonly reject: (error: unknown) => void;
}

export class Calls {
  readonly #pending = new Set<Call>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** Runs `start`, which calls `settle` with the value or an error. `stop` is called if the caller stops waiting. */
  run<Value>(
    start: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
    options: CallOptions = {},
    stop: () => void = () => undefined,
  ): Promise<Value> {
    if (this.#closed) return Promise.reject(closedError(true));
    const { signal } = options;
    return new Promise<Value>((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const end = (): void => {
        this.#pending.delete(call);
        signal?.removeEventListener('abort', onAbort);
      };
      const call: Call = {
        reject: (error) => {
          end();
          reject(error as Error);
        },
      };
      const onAbort = (): void => {
        call.reject(signal!.reason);
        stop();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.add(call);
      try {
        start((value) => {
          end();
          resolve(value);
        }, call.reject);
      } catch (error) {
        call.reject(error); // A call that does not fit the state of what it was made of.
      }
    });
  }

  /** Rejects what still waits, and everything from now on. */
  close(): void {
    this.#closed = true;
    for (const call of [...this.#pending]) call.reject(closedError(false));
  }
}
