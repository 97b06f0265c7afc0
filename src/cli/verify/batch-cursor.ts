// Goes through a stored log batch by batch, asking for more bytes as it needs them.
import { batchHeaders, type BatchHeader } from '../../protocol/batch-header.ts';

/** A batch as it is stored. */
export interface StoredBatch {
  readonly header: BatchHeader;
  readonly bytes: Buffer;
}

export class BatchCursor {
  readonly #chunks: AsyncIterator<Buffer>;
  #waiting: StoredBatch[] = [];
  #current: StoredBatch | undefined;

  private constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Stands at the first batch. */
  static async at(chunks: AsyncIterable<Buffer>): Promise<BatchCursor> {
    const cursor = new BatchCursor(chunks);
    await cursor.next();
    return cursor;
  }

  /** The batch it stands at; undefined behind the last one. */
  get current(): StoredBatch | undefined {
    return this.#current;
  }

  /** Goes on to the next batch. */
  async next(): Promise<void> {
    while (this.#waiting.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) break;
      this.#waiting = [...batchHeaders(value)].map(({ at, ...header }) => ({
        header,
        bytes: value.subarray(at, at + header.sizeBytes),
      }));
      this.#waiting.reverse();
    }
    this.#current = this.#waiting.pop();
  }
}
