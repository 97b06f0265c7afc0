// The store of a node as faults see it: every write comes to the point disk.write, every entry that is read to disk.read.
// What a disk does to a node is done to it here, alike in the simulator and on LevelDB: it is slow, full or broken, or gives
// back a flipped bit. Writes keep their order whatever one of them waits for; the first that fails is the last (repl R-114).
import { DiskFailure, diskFails } from '../runtime/disk-failure.ts';
import type { KeyRange, Random, Store, StoreEntry, StoreFailure, StoreOp } from '../runtime/ports.ts';
import type { FaultEngine } from './engine.ts';
import { Lane } from './lane.ts';

type WriteDone = (failure?: StoreFailure) => void;

export interface FaultyStoreOptions {
  readonly inner: Store;
  readonly engine: FaultEngine;
  /** Draws which bit is flipped. */
  readonly random: Random;
  /** Whether a key is that of a record batch: what disk.read tells as what=batch. */
  readonly isBatch: (key: Buffer) => boolean;
}

export class FaultyStore implements Store {
  readonly #options: FaultyStoreOptions;
  readonly #lane = new Lane(true);
  #failure: StoreFailure | undefined;

  constructor(options: FaultyStoreOptions) {
    this.#options = options;
  }

  get(key: Buffer): Buffer | undefined {
    const { inner, engine } = this.#options;
    const value = inner.get(key);
    if (value === undefined || !engine.watches('disk.read')) return value;
    const read = this.#read('get', key, value);
    if (read.failure !== undefined) throw new DiskFailure(diskFails('read', read.failure.reason));
    return read.value;
  }

  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: WriteDone): void {
    const { engine } = this.#options;
    if (this.#lane.empty && !engine.watches('disk.write')) return this.#submit(ops, options, done);
    let reason: string | undefined;
    const place = this.#lane.enter(() => this.#submit(ops, options, done, reason));
    engine.pass('disk.write', [{ sizeBytes: sizeOf(ops) }], {
      go: () => place.go(),
      fail: (why) => (reason = why),
    });
  }

  scan(range: KeyRange, done: (entries: readonly StoreEntry[], failure?: StoreFailure) => void): void {
    const { inner, engine } = this.#options;
    inner.scan(range, (entries, failure) => {
      if (failure !== undefined || !engine.watches('disk.read')) return done(entries, failure);
      const read = entries.map(({ key, value }) => ({ key, ...this.#read('scan', key, value) }));
      const failed = read.find((entry) => entry.failure !== undefined);
      if (failed === undefined) done(read);
      else done([], failed.failure);
    });
  }

  /** Once a write has failed the rest does too, each in its place among the completions. */
  #submit(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: WriteDone, reason?: string): void {
    if (reason !== undefined) this.#failure ??= { reason };
    const { inner } = this.#options;
    if (this.#failure === undefined) inner.write(ops, options, done);
    else inner.write([], { sync: false }, () => done(this.#failure));
  }

  #read(how: 'get' | 'scan', key: Buffer, value: Buffer): { readonly value: Buffer; readonly failure?: StoreFailure } {
    const { engine, isBatch } = this.#options;
    let read = value;
    let reason: string | undefined;
    const fields = { what: isBatch(key) ? 'batch' : 'other', how, sizeBytes: value.length };
    engine.pass('disk.read', [fields], {
      go: () => undefined,
      fail: (why) => (reason = why),
      flipBit: () => (read = this.#flipped(read)),
    });
    return reason === undefined ? { value: read } : { value: read, failure: { reason } };
  }

  #flipped(value: Buffer): Buffer {
    if (value.length === 0) return value;
    const bit = this.#options.random.below(value.length * 8);
    const damaged = Buffer.from(value);
    damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
    return damaged;
  }
}

function sizeOf(ops: readonly StoreOp[]): number {
  return ops.reduce((sum, op) => sum + op.key.length + (op.type === 'put' ? op.value.length : 0), 0);
}
