// The metadata log as brokers hear it (repl R-101): each opens a stream at the offset it needs and gets committed records
// in order, as they come, or a snapshot first if the log does not go back so far. What waits for a slow reader is never more
// than the log itself.
import type { Offset } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { InStream, InStreamEvents } from '../runtime/ports.ts';
import type { MetadataLog } from './metadata-log.ts';

type Response = ResponseOf<'MetadataLog'>;

/** Records in one message at most. */
const RECORDS_MAX = 500;

interface Reader {
  readonly stream: InStream<Response>;
  /** First offset not sent yet; undefined until the reader has said where it wants to begin. */
  next: Offset | undefined;
}

export class MetadataStreams {
  readonly #log: MetadataLog;
  readonly #controllerEpoch: () => number;
  readonly #readers = new Set<Reader>();

  constructor(log: MetadataLog, controllerEpoch: () => number) {
    this.#log = log;
    this.#controllerEpoch = controllerEpoch;
  }

  /** Serves one reader. Its first message is answered at once, if need be with no records, so that it knows the end. */
  open(stream: InStream<Response>): InStreamEvents<RequestOf<'MetadataLog'>> {
    const reader: Reader = { stream, next: undefined };
    this.#readers.add(reader);
    return {
      message: ({ fromOffset }) => {
        if (reader.next === undefined && this.#readers.has(reader)) this.#begin(reader, fromOffset);
      },
      ended: () => this.#end(reader),
      closed: () => void this.#readers.delete(reader),
    };
  }

  /** More was committed. */
  advanced(): void {
    for (const reader of [...this.#readers]) {
      if (reader.next !== undefined && reader.next < this.#log.committed.endOffset) this.#send(reader, reader.next);
    }
  }

  /** Ends all streams in order. */
  endAll(): void {
    for (const reader of [...this.#readers]) this.#end(reader);
  }

  /** A reader ahead of the log has another cluster's: it gets nothing. */
  #begin(reader: Reader, from: Offset): void {
    if (from < 0 || from > this.#log.committed.endOffset) return this.#end(reader);
    this.#send(reader, from < this.#log.startOffset ? this.#sendSnapshot(reader) : from);
  }

  /** What the reader wants is gone: the newest snapshot stands for it. Answers where the log goes on from there. */
  #sendSnapshot(reader: Reader): Offset {
    const { endOffset: snapshotOffset, records: all } = this.#log.snapshot!;
    const about = { endOffset: this.#log.committed.endOffset, controllerEpoch: this.#controllerEpoch() };
    for (let baseOffset = 0; baseOffset < all.length; baseOffset += RECORDS_MAX) {
      const records = all.slice(baseOffset, baseOffset + RECORDS_MAX);
      reader.stream.send({ baseOffset, records, ...about, snapshotOffset, snapshotCount: all.length });
    }
    return snapshotOffset;
  }

  #send(reader: Reader, from: Offset): void {
    const endOffset = this.#log.committed.endOffset;
    let baseOffset = from;
    do {
      const records = this.#log.slice(baseOffset, Math.min(endOffset, baseOffset + RECORDS_MAX));
      const snapshot = { snapshotOffset: 0, snapshotCount: 0 };
      reader.stream.send({ baseOffset, records, endOffset, controllerEpoch: this.#controllerEpoch(), ...snapshot });
      baseOffset += records.length;
    } while (baseOffset < endOffset);
    reader.next = endOffset;
  }

  #end(reader: Reader): void {
    if (this.#readers.delete(reader)) reader.stream.end();
  }
}
