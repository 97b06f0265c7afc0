// The dumb twin of a partition log: plain arrays, every rule spelled out naively (repl ).
import type { PartitionLog } from '../../src/log/api.ts';

export interface ModelBatch {
  readonly base: number;
  readonly last: number;
  readonly epoch: number;
  readonly bytes: Buffer;
}

/** What can be seen of a log. */
export interface View {
  readonly start: number;
  readonly end: number;
  readonly highWatermark: number;
  readonly flushed: number;
  readonly epochs: readonly (readonly [number, number])[];
}

export class ModelLog {
  batches: ModelBatch[] = [];
  epochs: (readonly [number, number])[] = [];
  start = 0;
  end = 0;
  highWatermark = 0;
  checkpoint = 0;
  flushed = 0;

  append(batch: ModelBatch): void {
    this.assign(batch.epoch, batch.base);
    this.batches.push(batch);
    this.end = batch.last + 1;
  }

  assign(epoch: number, start: number): void {
    const latest = this.epochs.at(-1);
    if (latest !== undefined && latest[0] === epoch && latest[1] <= start) return;
    this.epochs = [...this.epochs.filter(([e, s]) => e < epoch && s < start), [epoch, start]];
  }

  truncate(to: number): void {
    const first = this.batches[0]?.base ?? this.start;
    if (to < first) return this.wipe(to);
    const end = Math.min(to, this.end);
    this.epochs = this.epochs.filter(([, start]) => start < end);
    if (to >= this.end) return;
    this.batches = this.batches.filter(({ last }) => last < to);
    this.end = to;
    this.start = Math.min(this.start, to);
    this.flushed = Math.min(this.flushed, to);
    this.clamp();
  }

  wipe(to: number): void {
    [this.batches, this.epochs, this.start, this.end, this.highWatermark] = [[], [], to, to, to];
    this.flushed = Math.min(this.flushed, to);
  }

  raise(to: number): void {
    if (to <= this.start) return;
    this.start = to;
    const below = this.epochs.filter(([, start]) => start <= to);
    const above = this.epochs.filter(([, start]) => start > to);
    this.epochs = below.length === 0 ? above : [[below.at(-1)![0], to], ...above];
    this.batches = this.batches.filter(({ last }) => last >= to);
    this.clamp();
  }

  /** A kill, with everything written. `lose` unflushed batches go with the power. */
  restart(lose: number): void {
    const unflushed = this.batches.filter(({ last }) => last >= this.flushed).length;
    this.batches = this.batches.slice(0, this.batches.length - Math.min(lose, unflushed));
    this.end = Math.max(this.start, (this.batches.at(-1)?.last ?? -1) + 1);
    this.epochs = this.epochs.filter(([, start]) => start < this.end);
    this.flushed = Math.min(this.flushed, this.end);
    this.highWatermark = this.checkpoint;
    this.clamp();
  }

  clamp(): void {
    this.highWatermark = Math.max(this.start, Math.min(this.highWatermark, this.end));
  }

  read(offset: number, upTo: number): Buffer {
    return Buffer.concat(this.batches.filter(({ last }) => last >= offset && last < upTo).map(({ bytes }) => bytes));
  }

  view(): View {
    const { start, end, highWatermark, flushed, epochs } = this;
    return { start, end, highWatermark, flushed, epochs };
  }
}

/** The same of the real thing. */
export function viewOf(log: PartitionLog): View {
  return {
    start: log.logStartOffset,
    end: log.logEndOffset,
    highWatermark: log.highWatermark,
    flushed: log.flushedOffset,
    epochs: log.epochs,
  };
}
