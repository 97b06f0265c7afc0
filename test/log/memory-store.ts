// A store under the thumb of a test: nothing completes until it is told to, so that a kill can be placed between any
// two writes. Stricter than the port: asking for a key whose write is under way is an error here.
import type { KeyRange, Store, StoreEntry, StoreFailure, StoreOp } from '../../src/runtime/ports.ts';

type Job =
  | { kind: 'write'; ops: readonly StoreOp[]; sync: boolean; done: (failure?: StoreFailure) => void }
  | { kind: 'scan'; range: KeyRange; done: (entries: readonly StoreEntry[]) => void };

/** What a disk holds, by key as hex. Survives the stores that use it. */
export type Disk = Map<string, Buffer>;

export class MemoryStore implements Store {
  readonly disk: Disk;
  readonly #jobs: Job[] = [];
  /** Atomic writes applied so far: their operations and whether they were synced. */
  readonly writes: { readonly ops: readonly StoreOp[]; readonly sync: boolean }[] = [];
  /** Set: the next write fails with this reason, and all after it. */
  failure: string | undefined = undefined;

  constructor(disk: Disk = new Map()) {
    this.disk = disk;
  }

  get(key: Buffer): Buffer | undefined {
    for (const job of this.#jobs) {
      const underWay = job.kind === 'write' && job.ops.some((op) => op.key.equals(key));
      if (underWay) throw new Error(`key ${key.toString('hex')} was asked for while its write is under way`);
    }
    const value = this.disk.get(key.toString('hex'));
    return value === undefined ? undefined : Buffer.from(value);
  }

  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: (failure?: StoreFailure) => void): void {
    this.#jobs.push({ kind: 'write', ops, sync: options.sync, done });
  }

  scan(range: KeyRange, done: (entries: readonly StoreEntry[], failure?: StoreFailure) => void): void {
    this.#jobs.push({ kind: 'scan', range, done });
  }

  /** Jobs not yet complete. */
  get pending(): number {
    return this.#jobs.length;
  }

  /** Completes the oldest job. */
  step(): void {
    const job = this.#jobs.shift();
    if (job === undefined) return;
    if (job.kind === 'scan') return job.done(this.#entries(job.range));
    if (this.failure !== undefined) return job.done({ reason: this.failure });
    this.#apply(job);
    job.done();
  }

  /** Completes everything, and what that asks for. */
  settle(): void {
    while (this.#jobs.length > 0) this.step();
  }

  /** The node dies: of the writes under way the first `applied` reach the disk, unseen. Nothing completes any more. */
  kill(applied: number): Disk {
    let left = applied;
    for (const job of this.#jobs.splice(0)) if (job.kind === 'write' && left-- > 0) this.#apply(job);
    return this.disk;
  }

  #apply(job: Extract<Job, { kind: 'write' }>): void {
    for (const op of job.ops) {
      if (op.type === 'put') this.disk.set(op.key.toString('hex'), Buffer.from(op.value));
      else this.disk.delete(op.key.toString('hex'));
    }
    this.writes.push({ ops: job.ops, sync: job.sync });
  }

  #entries({ gte, lt, reverse, limit }: KeyRange): StoreEntry[] {
    const [from, to] = [gte.toString('hex'), lt.toString('hex')];
    const keys = [...this.disk.keys()].filter((key) => key >= from && key < to).sort();
    if (reverse === true) keys.reverse();
    return keys
      .slice(0, limit)
      .map((key) => ({ key: Buffer.from(key, 'hex'), value: Buffer.from(this.disk.get(key)!) }));
  }
}
