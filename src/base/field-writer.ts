// Writes Kafka's primitive types (wire W-22 to W-27), the mirror of Reader. Knows no API. Large byte fields are kept by
// reference, so that fetched batches go from the log to the socket without a copy.
import { assert } from './assert.ts';

/** A tagged field to be written. */
export interface Tag {
  readonly number: number;
  readonly write: (writer: Writer) => void;
}

const SCRATCH_BYTES = 512;
/** Shorter byte fields are copied: a part of its own costs more than that. */
const BY_REFERENCE_BYTES = 1024;

export class Writer {
  readonly #flexible: boolean;
  readonly #parts: Buffer[] = [];
  #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  /** The part of the scratch that is not in `#parts` yet: from here to `#at`. */
  #from = 0;
  #at = 0;
  #sizeBytes = 0;

  constructor(flexible: boolean) {
    this.#flexible = flexible;
  }

  /** Bytes written so far. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** What was written, in order. The writer must not be used afterwards. */
  finish(): Buffer[] {
    this.#flush();
    return this.#parts;
  }

  int8(value: number): this {
    const at = this.#reserve(1);
    this.#scratch.writeInt8(value, at);
    return this;
  }
  int16(value: number): this {
    const at = this.#reserve(2);
    this.#scratch.writeInt16BE(value, at);
    return this;
  }
  int32(value: number): this {
    const at = this.#reserve(4);
    this.#scratch.writeInt32BE(value, at);
    return this;
  }
  int64(value: number): this {
    assert(Number.isSafeInteger(value), `wire W-1: ${value} has no exact int64`);
    const at = this.#reserve(8);
    this.#scratch.writeBigInt64BE(BigInt(value), at);
    return this;
  }
  bool(value: boolean): this {
    return this.int8(value ? 1 : 0);
  }

  /** From 22 characters of base64url; '' is "no id". */
  uuid(text: string): this {
    const bytes = text === '' ? Buffer.alloc(16) : Buffer.from(text, 'base64url');
    assert(bytes.length === 16, `wire W-22: "${text}" is no uuid`);
    return this.raw(bytes);
  }

  uvarint(value: number): this {
    let rest = value;
    while (rest > 0x7f) {
      this.#byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.#byte(rest);
  }

  string(value: string): this {
    return this.nullableString(value);
  }
  nullableString(value: string | null): this {
    if (value === null) return this.#flexible ? this.uvarint(0) : this.int16(-1);
    const bytes = Buffer.from(value, 'utf8');
    if (this.#flexible) this.uvarint(bytes.length + 1);
    else this.int16(bytes.length);
    return this.raw(bytes);
  }

  /** Not null: librdkafka rejects a partition whose records are (wire W-46). Not copied: must not change any more. */
  bytes(value: Buffer): this {
    return this.#count(value.length).raw(value);
  }

  /** An array of primitives. */
  array<T>(values: readonly T[], write: (value: T) => void): this {
    this.#count(values.length);
    for (const value of values) write(value);
    return this;
  }

  /** An array of structs, each ended by its tag section. `write` returns the tagged fields, if there are any. */
  structs<T>(values: readonly T[], write: (value: T) => readonly Tag[] | void): this {
    return this.array(values, (value) => this.tags(write(value) ?? []));
  }

  nullableStructs<T>(values: readonly T[] | null, write: (value: T) => readonly Tag[] | void): this {
    if (values !== null) return this.structs(values, write);
    return this.#flexible ? this.uvarint(0) : this.int32(-1);
  }

  /** The tag section of a flexible version, by ascending number; nothing in the others (wire W-26, W-27). */
  tags(tags: readonly Tag[] = []): this {
    if (!this.#flexible) return this;
    this.uvarint(tags.length);
    for (const tag of tags) {
      const field = new Writer(true);
      tag.write(field);
      this.uvarint(tag.number).uvarint(field.sizeBytes);
      for (const part of field.finish()) this.raw(part);
    }
    return this;
  }

  /** Bytes as they are. */
  raw(bytes: Buffer): this {
    if (bytes.length < BY_REFERENCE_BYTES) {
      const at = this.#reserve(bytes.length);
      bytes.copy(this.#scratch, at);
      return this;
    }
    this.#flush();
    this.#parts.push(bytes);
    this.#sizeBytes += bytes.length;
    return this;
  }

  #byte(value: number): this {
    const at = this.#reserve(1);
    this.#scratch[at] = value;
    return this;
  }

  #count(count: number): this {
    return this.#flexible ? this.uvarint(count + 1) : this.int32(count);
  }

  #reserve(byteCount: number): number {
    if (this.#at + byteCount > this.#scratch.length) {
      this.#flush();
      this.#scratch = Buffer.allocUnsafe(Math.max(2 * this.#scratch.length, byteCount));
      this.#from = this.#at = 0;
    }
    const at = this.#at;
    this.#at += byteCount;
    this.#sizeBytes += byteCount;
    return at;
  }

  #flush(): void {
    if (this.#at > this.#from) this.#parts.push(this.#scratch.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }
}
