// The Store port of one process on a simulated disk. As LevelDB behind its single-flight queue (design section 4): one
// write is under way, what arrives meanwhile goes into the next one, and completions come in order. A write takes effect
// at an instant drawn between its start and its completion, so that a get answers old or new until then, and a kill
// leaves the write under way done as a whole or not at all. The first failed write is the last (repl R-114).
import type { Prng } from '../../base/prng.ts';
import type { DurationMs } from '../../base/units.ts';
import type { KeyRange, Store, StoreEntry, StoreFailure, StoreOp } from '../../runtime/ports.ts';
import type { Process } from '../process.ts';
import type { InstantUs, Scheduler } from '../scheduler.ts';
import type { DiskOp, SimDisk } from './disk.ts';
import { textOf } from './ordered-map.ts';

/** How long a disk takes. */
export interface StoreLatency {
  readonly writeMinMs: DurationMs;
  readonly writeMaxMs: DurationMs;
  /** A synced write takes up to this much longer. */
  readonly syncMaxMs: DurationMs;
  readonly scanMaxMs: DurationMs;
  readonly bytesPerMs: number;
}

export const DEFAULT_LATENCY: StoreLatency = {
  ...{ writeMinMs: 0.05, writeMaxMs: 0.3, syncMaxMs: 3, scanMaxMs: 1, bytesPerMs: 200_000 },
};

/** One LevelDB batch takes about this much. */
const GROUP_BYTES_MAX = 1024 * 1024;

type WriteDone = (failure?: StoreFailure) => void;

interface Write {
  readonly ops: readonly DiskOp[];
  readonly sync: boolean;
  readonly sizeBytes: number;
  readonly done: WriteDone;
}

/** The writes that go to the disk as one batch. */
interface Group {
  readonly writes: readonly Write[];
  readonly sync: boolean;
  readonly appliesAt: InstantUs;
  applied: boolean;
}

export interface SimStoreOptions {
  readonly disk: SimDisk;
  readonly scheduler: Scheduler;
  readonly process: Process;
  readonly random: Prng;
  readonly latency: StoreLatency;
}

export class SimStore implements Store {
  readonly #disk: SimDisk;
  readonly #scheduler: Scheduler;
  readonly #process: Process;
  readonly #random: Prng;
  readonly #latency: StoreLatency;
  #queue: Write[] = [];
  #group: Group | undefined;
  #failure: StoreFailure | undefined;

  constructor(options: SimStoreOptions) {
    this.#disk = options.disk;
    this.#scheduler = options.scheduler;
    this.#process = options.process;
    this.#random = options.random;
    this.#latency = options.latency;
  }

  get(key: Buffer): Buffer | undefined {
    this.#applyDue();
    return this.#disk.get(key);
  }

  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: WriteDone): void {
    if (!this.#process.alive) return;
    let sizeBytes = 0;
    const own: DiskOp[] = [];
    for (const op of ops) {
      const value = op.type === 'put' ? Buffer.from(op.value) : undefined;
      sizeBytes += op.key.length + (value?.length ?? 0);
      own.push({ key: textOf(op.key), value });
    }
    this.#queue.push({ ops: own, sync: options.sync, sizeBytes, done });
    if (this.#group === undefined) this.#writeNext();
  }

  scan(range: KeyRange, done: (entries: readonly StoreEntry[], failure?: StoreFailure) => void): void {
    if (!this.#process.alive) return;
    this.#applyDue();
    // A snapshot of this instant or of a later one: both happen.
    const early = this.#random.chance(0.5) ? this.#disk.scan(range) : undefined;
    this.#scheduler.after(this.#drawUs(0, this.#latency.scanMaxMs), () => {
      if (!this.#process.alive) return;
      this.#applyDue();
      const entries = early ?? this.#disk.scan(range);
      this.#process.deliver(() => done(entries));
    });
  }

  /** The process was killed: the write under way is done or not, the others are not. */
  kill(): void {
    this.#applyDue();
    this.#group = undefined;
    this.#queue = [];
  }

  #writeNext(): void {
    const writes = this.#takeGroup();
    if (writes.length === 0) {
      this.#group = undefined;
      return;
    }
    const { writeMinMs, writeMaxMs, syncMaxMs, bytesPerMs } = this.#latency;
    let sizeBytes = 0;
    let sync = false;
    for (const write of writes) {
      sizeBytes += write.sizeBytes;
      sync ||= write.sync;
    }
    const syncUs = sync ? this.#drawUs(0, syncMaxMs) : 0;
    const takesUs = this.#drawUs(writeMinMs, writeMaxMs) + syncUs + Math.round((1000 * sizeBytes) / bytesPerMs) + 1;
    const appliesAt = this.#scheduler.now + this.#random.below(takesUs + 1);
    const group = { writes, sync, appliesAt, applied: false };
    this.#group = group;
    this.#scheduler.after(takesUs, () => this.#complete(group));
  }

  #takeGroup(): Write[] {
    let count = 0;
    let sizeBytes = 0;
    for (const write of this.#queue) {
      if (count > 0 && sizeBytes + write.sizeBytes > GROUP_BYTES_MAX) break;
      count++;
      sizeBytes += write.sizeBytes;
    }
    return this.#queue.splice(0, count);
  }

  #complete(group: Group): void {
    if (group !== this.#group) return;
    this.#applyDue();
    const failure = this.#failure;
    this.#writeNext();
    for (const { done } of group.writes) this.#completed.push(failure === undefined ? done : () => done(failure));
    for (let i = 0; i < group.writes.length; i++) this.#process.deliver(this.#deliverNext);
  }

  /** Completions in order, whatever order a resumed process takes its turns in. */
  readonly #completed: (() => void)[] = [];
  readonly #deliverNext = (): void => this.#completed.shift()?.();

  /** Carries out the write under way if its instant has come. */
  #applyDue(): void {
    const group = this.#group;
    if (group === undefined || group.applied || group.appliesAt > this.#scheduler.now) return;
    group.applied = true;
    if (this.#failure !== undefined) return;
    const { writes, sync } = group;
    const ops: DiskOp[] = [];
    for (const write of writes) for (const op of write.ops) ops.push(op);
    this.#failure = this.#disk.apply(ops, sync);
  }

  #drawUs(minMs: DurationMs, maxMs: DurationMs): number {
    return Math.round(1000 * this.#disk.slowdown * (minMs + this.#random.next() * (maxMs - minMs)));
  }
}
