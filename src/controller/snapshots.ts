// Snapshots of the metadata log in the controller's store: when one is due, in which steps it is written, and what may be
// deleted then. Each step is a part of some write of the log; one that was not finished has no mark and is ignored, so a
// kill at any instant leaves the one before it. The log is kept from the snapshot before the newest one on, so that a broker
// that missed little is told the little that it missed.
import { crc32c } from '../base/crc32c.ts';
import type { InstantMs, Offset } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import { decodeRecord, encodeRecord } from '../metadata/records.ts';
import { snapshotOf } from '../metadata/snapshot.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Clock, StoreEntry, StoreOp } from '../runtime/ports.ts';
import * as layout from './log-store.ts';

/** What stands for the log below `endOffset`. */
export interface Snapshot {
  readonly endOffset: Offset;
  readonly records: readonly MetadataRecord[];
}

/** A part of a write, and what holds once it is written. */
interface Step {
  readonly ops: readonly StoreOp[];
  readonly written?: () => void;
}

/** Operations a step has at most: a decision must not wait long behind one. */
const OPS_MAX = 500;

export class Snapshots {
  readonly #clock: Clock;
  readonly #config: NodeConfig;
  #newest: Snapshot | undefined;
  #steps: Step[] = [];
  /** Bytes of records since the newest one. */
  #bytes = 0;
  #since: InstantMs;

  constructor(clock: Clock, config: NodeConfig) {
    this.#clock = clock;
    this.#config = config;
    this.#since = clock.now();
  }

  /** The newest whole one. */
  get newest(): Snapshot | undefined {
    return this.#newest;
  }

  /**
   * Takes what the store holds: the marked snapshot is the newest; what is left of others is deleted with the next writes.
   * A sentence if the marked one is damaged: what it stands for is gone.
   */
  load(entries: readonly StoreEntry[], mark: Buffer | undefined): string | undefined {
    const marked = layout.readSnapshotMark(mark);
    const mine = entries.filter(({ key }) => layout.snapshotOfKey(key) === marked?.endOffset);
    this.#delete(entries.filter((entry) => !mine.includes(entry)).map(({ key }) => key));
    if (marked === undefined) return undefined;
    const { endOffset, count, crc } = marked;
    if (mine.length !== count || crcOf(mine.map(({ value }) => value)) !== crc) {
      return (
        `the snapshot of the metadata log at offset ${endOffset} is damaged: ${mine.length} of ${count} records, or another ` +
        'checksum. The controller cannot know its cluster from what is left'
      );
    }
    this.#newest = { endOffset, records: mine.map(({ value }) => decodeRecord(value)) };
    return undefined;
  }

  /** Records were committed, so many bytes of them: begins a snapshot of `image` if one is due. */
  committed(bytes: number, image: MetadataImage, completed: (keepFrom: Offset) => void): void {
    this.#bytes += bytes;
    const isDue =
      this.#bytes >= this.#config['metadata.log.max.record.bytes.between.snapshots'] ||
      this.#clock.now() - this.#since >= this.#config['metadata.log.max.snapshot.interval.ms'];
    if (isDue && this.#bytes > 0 && this.#steps.length === 0) this.#begin(image, completed);
  }

  /** What the next write takes along, if anything. */
  next(): Step | undefined {
    return this.#steps[0];
  }

  /** The write that took `next` along is complete. */
  advance(): void {
    this.#steps.shift()?.written?.();
  }

  /** Deletes records of the log that are not needed any more, in the order of the log. */
  deleteRecords(from: Offset, to: Offset): void {
    this.#delete(Array.from({ length: Math.max(0, to - from) }, (_, at) => layout.recordKey(from + at)));
  }

  #begin(image: MetadataImage, completed: (keepFrom: Offset) => void): void {
    const records = snapshotOf(image);
    const { endOffset } = image;
    const before = this.#newest;
    const values = records.map(encodeRecord);
    this.#bytes = 0;
    this.#since = this.#clock.now();
    const puts = values.map((value, at): StoreOp => ({ type: 'put', key: layout.snapshotKey(endOffset, at), value }));
    for (const ops of portions(puts)) this.#steps.push({ ops });
    const mark = layout.putSnapshotMark({ endOffset, count: values.length, crc: crcOf(values) });
    const written = (): void => {
      this.#newest = { endOffset, records };
      this.#delete((before?.records ?? []).map((_, at) => layout.snapshotKey(before!.endOffset, at)));
      completed(before?.endOffset ?? 0);
    };
    this.#steps.push({ ops: [mark], written });
  }

  #delete(keys: readonly Buffer[]): void {
    for (const some of portions(keys)) this.#steps.push({ ops: some.map((key) => ({ type: 'del', key })) });
  }
}

function portions<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / OPS_MAX) }, (_, at) =>
    all.slice(at * OPS_MAX, (at + 1) * OPS_MAX),
  );
}

function crcOf(values: readonly Buffer[]): number {
  return crc32c(Buffer.concat(values));
}
