// Reads Kafka's primitive types from one frame or record, within its bounds (wire W-22 to W-29). Knows no API. `flexible`
// chooses between plain and compact forms, so that all versions are read in one pass. Never allocates by a claimed length.

/** The bytes are not what the protocol says. A connection is closed (wire W-30); a record of a log is not read. */
export class DecodeError extends Error {
  override name = 'DecodeError';
}

/** The uuid that means "no id", in text form. */
export const NO_ID = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Kafka's limit on any string. */
const STRING_BYTES_MAX = 0x7fff;
/** Array elements of one request, all arrays together: 100 MiB of three-byte structs would otherwise exhaust the heap. */
const ELEMENTS_MAX = 1_000_000;

/** Decoders of the tagged fields that are known in a place, by tag number. Others are skipped. */
export type KnownTags = Readonly<Record<number, (reader: Reader) => void>>;

export class Reader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #flexible: boolean;
  #elementCount = 0;

  constructor(bytes: Buffer, flexible: boolean, at = 0) {
    this.#bytes = bytes;
    this.#flexible = flexible;
    this.#at = at;
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** A reader of the rest, in the other mode: a body follows its header. */
  rest(flexible: boolean): Reader {
    return new Reader(this.#bytes, flexible, this.#at);
  }

  int8(): number {
    return this.#bytes.readInt8(this.#advance(1));
  }
  int16(): number {
    return this.#bytes.readInt16BE(this.#advance(2));
  }
  int32(): number {
    return this.#bytes.readInt32BE(this.#advance(4));
  }

  /**
   * Saturates at ±(2^53-1). The int64 fields of our requests are compared, never stored, and every log and timestamp
   * we hold lies below: an offset that has no exact number is answered OFFSET_OUT_OF_RANGE, not by closing (wire W-31).
   */
  int64(): number {
    const value = Number(this.#bytes.readBigInt64BE(this.#advance(8)));
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
  }

  bool(): boolean {
    return this.int8() !== 0;
  }

  /** 22 characters of base64url; `NO_ID` if all zeros. */
  uuid(): string {
    const at = this.#advance(16);
    return this.#bytes.toString('base64url', at, at + 16);
  }

  /** Unsigned, at most five bytes (wire W-25). */
  uvarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#advance(1)]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new DecodeError('a varint is longer than five bytes');
  }

  string(): string {
    return notNull(this.nullableString(), 'string');
  }

  nullableString(): string | null {
    const length = this.#length(() => this.int16());
    if (length === null) return null;
    if (length > STRING_BYTES_MAX)
      throw new DecodeError(`a string of ${length} bytes; the limit is ${STRING_BYTES_MAX}`);
    const at = this.#advance(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  /** A view, as `nullableBytes`. */
  bytes(): Buffer {
    return notNull(this.nullableBytes(), 'byte field');
  }

  /** A view of the frame, not a copy. */
  nullableBytes(): Buffer | null {
    const length = this.#length(() => this.int32());
    if (length === null) return null;
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** An array of primitives. */
  array<T>(element: () => T): T[] {
    return notNull(this.#elements(element), 'array');
  }

  nullableArray<T>(element: () => T): T[] | null {
    return this.#elements(element);
  }

  /** An array of structs, each with its tag section. */
  structs<T>(fields: () => T, known?: KnownTags): T[] {
    return notNull(this.nullableStructs(fields, known), 'array');
  }

  nullableStructs<T>(fields: () => T, known?: KnownTags): T[] | null {
    return this.#elements(() => {
      const value = fields();
      this.tags(known);
      return value;
    });
  }

  /** The tag section that ends a struct of a flexible version; nothing in the others (wire W-26). */
  tags(known: KnownTags = {}): void {
    if (!this.#flexible) return;
    const count = this.#bounded(this.uvarint());
    for (let i = 0; i < count; i++) {
      const tag = this.uvarint();
      const size = this.uvarint();
      const at = this.#advance(size);
      known[tag]?.(new Reader(this.#bytes.subarray(at, at + size), true));
    }
  }

  #elements<T>(element: () => T): T[] | null {
    const count = this.#length(() => this.int32());
    if (count === null) return null;
    this.#bounded(count);
    this.#elementCount += count;
    if (this.#elementCount > ELEMENTS_MAX) throw new DecodeError(`more than ${ELEMENTS_MAX} array elements`);
    const values: T[] = [];
    for (let i = 0; i < count; i++) values.push(element());
    return values;
  }

  /** A length or count; null for the null marker (wire W-23, W-24, W-28). */
  #length(plain: () => number): number | null {
    const length = this.#flexible ? this.uvarint() - 1 : plain();
    if (length === -1) return null;
    if (length < 0) throw new DecodeError(`a length of ${length}`);
    return length;
  }

  /** Everything counted takes at least a byte. */
  #bounded(count: number): number {
    if (count > this.remaining) throw new DecodeError(`a count of ${count} with ${this.remaining} bytes left`);
    return count;
  }

  /** The place before the step; refuses to pass the end. */
  #advance(byteCount: number): number {
    if (byteCount > this.remaining) {
      throw new DecodeError(`${byteCount} bytes wanted at ${this.#at}, ${this.remaining} left`);
    }
    const at = this.#at;
    this.#at += byteCount;
    return at;
  }
}

function notNull<T>(value: T | null, what: string): T {
  if (value === null) throw new DecodeError(`null where a ${what} is required`);
  return value;
}
