// Walks the uncompressed records of one batch (wire W-91) without copying or materialising anything. The bytes may be
// hostile: every length is checked against the record, every record against the batch.
import { VarintReader } from '../base/varint.ts';

/** Where some bytes stand; length -1 means null. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

/** One record after another. Fields hold the current record after `next` has answered true. */
export class RecordCursor {
  readonly #reader: VarintReader;
  readonly #end: number;
  timestampDelta = 0;
  offsetDelta = 0;
  key: Span = { at: 0, length: -1 };
  value: Span = { at: 0, length: -1 };
  /** Key and value of each header. */
  headers: readonly (readonly [Span, Span])[] = [];
  /** Why the walk ended early; undefined while all is well. */
  malformed: string | undefined = undefined;

  /** Over the records in `buffer[start, end)`. */
  constructor(buffer: Buffer, start: number, end: number) {
    this.#reader = new VarintReader(buffer, start, end);
    this.#end = end;
  }

  /** Where the next record begins. */
  get at(): number {
    return this.#reader.at;
  }

  /** True if no byte is left. */
  get atEnd(): boolean {
    return this.#reader.at === this.#end;
  }

  /** Moves to the next record. False at the end, or with `malformed` set. */
  next(): boolean {
    if (this.malformed !== undefined || this.atEnd) return false;
    const reader = this.#reader;
    reader.end = this.#end;
    const lengthBytes = reader.varint();
    if (reader.broken || lengthBytes < 1) return this.#fail('a record has no valid length');
    if (lengthBytes > this.#end - reader.at) return this.#fail('a record is longer than what is left of its batch');
    reader.end = reader.at + lengthBytes;
    reader.at++; // Record attributes: unused, all bits ignored.
    this.timestampDelta = reader.varlong();
    this.offsetDelta = reader.varint();
    this.key = this.#span();
    this.value = this.#span();
    this.headers = this.#readHeaders();
    if (this.malformed !== undefined) return false;
    if (reader.broken) return this.#fail('a record holds an invalid number');
    return reader.at === reader.end || this.#fail('a record is longer than its fields');
  }

  #readHeaders(): readonly (readonly [Span, Span])[] {
    const reader = this.#reader;
    const count = reader.varint();
    if (count === 0) return NONE;
    // A header takes at least two bytes, so no count from outside makes us allocate more than was sent.
    if (count < 0 || count > (reader.end - reader.at) / 2) {
      this.#fail('a record has an invalid number of headers');
      return NONE;
    }
    const headers: (readonly [Span, Span])[] = [];
    for (let i = 0; i < count && this.malformed === undefined; i++) {
      const key = this.#span();
      if (key.length < 0) this.#fail('a record header has no key');
      headers.push([key, this.#span()]);
    }
    return headers;
  }

  #span(): Span {
    const reader = this.#reader;
    const length = reader.varint();
    const span = { at: reader.at, length };
    if (reader.broken || length < -1 || length > reader.end - reader.at) {
      this.#fail('a record holds a field that is longer than the record');
      return span;
    }
    if (length > 0) reader.at += length;
    return span;
  }

  #fail(reason: string): false {
    this.malformed ??= reason;
    return false;
  }
}

const NONE: readonly never[] = [];
