// Cuts a byte stream into frames (wire W-1 to W-4): a size, then that many bytes. Knows nothing of their content.
// Memory follows what has arrived, never what was announced.
import { DecodeError } from '../../base/field-reader.ts';

/** Chunks shorter than this are merged, so that one-byte packets do not cost an object each. */
const SMALL_BYTES = 1024;
const MERGED_BYTES = 4096;

/** A size that no frame may have. */
export class FrameSizeError extends DecodeError {
  override name = 'FrameSizeError';
  readonly size: number;

  constructor(size: number, sizeMaxBytes: number) {
    super(`a frame of ${size} bytes; the limit is ${sizeMaxBytes}`);
    this.size = size;
  }
}

export class FrameReader {
  readonly #sizeMaxBytes: number;
  readonly #chunks: Buffer[] = [];
  /** Bytes of the first chunk that are consumed. */
  #consumedBytes = 0;
  #bufferedBytes = 0;
  /** The block behind the last chunk, if small chunks are being merged into it. */
  #block: Buffer | undefined;
  #blockBytes = 0;
  /** Size of the frame under way, once its four bytes are read. */
  #size: number | undefined;

  /** @param sizeMaxBytes `socket.request.max.bytes` */
  constructor(sizeMaxBytes: number) {
    this.#sizeMaxBytes = sizeMaxBytes;
  }

  /** Bytes that have arrived and are not part of a frame handed out. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Takes the chunk over. */
  push(chunk: Buffer): void {
    if (chunk.length < SMALL_BYTES && this.#bufferedBytes > 0) this.#merge(chunk);
    else {
      this.#block = undefined;
      this.#chunks.push(chunk);
    }
    this.#bufferedBytes += chunk.length;
  }

  /** The next whole frame without its size, or undefined if more must arrive. Throws FrameSizeError on a size out of bounds. */
  next(): Buffer | undefined {
    if (this.#size === undefined) {
      if (this.#bufferedBytes < 4) return undefined;
      const size = this.#take(4).readInt32BE(0);
      if (size < 0 || size > this.#sizeMaxBytes) throw new FrameSizeError(size, this.#sizeMaxBytes);
      this.#size = size;
    }
    if (this.#bufferedBytes < this.#size) return undefined;
    const frame = this.#take(this.#size);
    this.#size = undefined;
    return frame;
  }

  #merge(chunk: Buffer): void {
    if (this.#block === undefined || this.#blockBytes + chunk.length > MERGED_BYTES) {
      this.#block = Buffer.allocUnsafe(MERGED_BYTES);
      this.#blockBytes = 0;
      this.#chunks.push(this.#block.subarray(0, 0));
    }
    chunk.copy(this.#block, this.#blockBytes);
    this.#blockBytes += chunk.length;
    this.#chunks[this.#chunks.length - 1] = this.#block.subarray(0, this.#blockBytes);
  }

  /** The next bytes; a view if they lie in one chunk. They must have arrived. */
  #take(byteCount: number): Buffer {
    if (byteCount === 0) return Buffer.alloc(0);
    this.#bufferedBytes -= byteCount;
    const first = this.#chunks[0]!;
    if (first.length - this.#consumedBytes >= byteCount) {
      const view = first.subarray(this.#consumedBytes, this.#consumedBytes + byteCount);
      this.#consume(byteCount);
      return view;
    }
    const bytes = Buffer.allocUnsafe(byteCount);
    for (let filled = 0; filled < byteCount;) {
      const copied = this.#chunks[0]!.copy(
        bytes,
        filled,
        this.#consumedBytes,
        this.#consumedBytes + byteCount - filled,
      );
      filled += copied;
      this.#consume(copied);
    }
    return bytes;
  }

  /** Steps over bytes of the first chunk. */
  #consume(byteCount: number): void {
    this.#consumedBytes += byteCount;
    if (this.#consumedBytes < this.#chunks[0]!.length) return;
    this.#chunks.shift();
    this.#consumedBytes = 0;
    if (this.#chunks.length === 0) this.#block = undefined;
  }
}
