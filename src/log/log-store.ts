// The store as logs use it: the first failure is the last word. It halts the node (repl R-114), and nothing that was
// waiting for the store hears from it again.
import { diskFails } from '../runtime/disk-failure.ts';
import type { KeyRange, Runtime, StoreEntry, StoreFailure, StoreOp } from '../runtime/ports.ts';

export class LogStore {
  readonly #runtime: Pick<Runtime, 'store' | 'halt'>;
  #failed = false;

  constructor(runtime: Pick<Runtime, 'store' | 'halt'>) {
    this.#runtime = runtime;
  }

  /** As `Store.get`: only for keys with no write under way. A disk that cannot answer ends the turn, and the node. */
  get(key: Buffer): Buffer | undefined {
    return this.#runtime.store.get(key);
  }

  /** One atomic write. `done` comes later, in the order of writes, and never after a failure. */
  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: () => void): void {
    if (this.#failed) return;
    this.#runtime.store.write(ops, options, (failure) => this.#unlessFailed('write to', failure, done));
  }

  /** Several atomic writes (at least one), in order; `done` when the last is through. */
  writeAll(writes: readonly (readonly StoreOp[])[], done: () => void): void {
    writes.forEach((ops, i) => this.write(ops, { sync: false }, i === writes.length - 1 ? done : () => undefined));
  }

  scan(range: KeyRange, done: (entries: readonly StoreEntry[]) => void): void {
    if (this.#failed) return;
    this.#runtime.store.scan(range, (entries, failure) => {
      this.#unlessFailed('read', failure, () => done(entries));
    });
  }

  #unlessFailed(what: 'write to' | 'read', failure: StoreFailure | undefined, done: () => void): void {
    if (this.#failed) return;
    if (failure === undefined) return done();
    this.#failed = true;
    this.#runtime.halt(diskFails(what, failure.reason));
  }
}
