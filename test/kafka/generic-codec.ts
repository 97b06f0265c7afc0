// A slow codec that interprets the grammar of the specification: the dumb twin of src/kafka/codec and src/kafka/apis.
// Values are plain objects by the names of the field tables; uuids are base64url text.
import fc from 'fast-check';
import type { Field } from './grammar.ts';

export type Value = number | boolean | string | Buffer | null | Value[] | { [name: string]: Value };
export type Struct = { [name: string]: Value };

export interface Mode {
  readonly version: number;
  readonly flexible: boolean;
}

const present = (field: Field, version: number) => version >= field.from && version <= field.to;

// ---- Encode --------------------------------------------------------------------------------------------------------

/** @param unknownTag Added to every tag section, as a newer client would. */
export function encodeStruct(fields: readonly Field[], value: Struct, mode: Mode, unknownTag?: Buffer): Buffer {
  const parts: Buffer[] = [];
  const tags: [number, Buffer][] = unknownTag === undefined ? [] : [[1000, unknownTag]];
  for (const field of fields) {
    if (!present(field, mode.version)) continue;
    if (field.tag === undefined) parts.push(encodeField(field, value[field.name]!, mode, unknownTag));
    else if (value[field.name] !== undefined) {
      tags.push([field.tag, encodeField(field, value[field.name]!, mode, unknownTag)]);
    }
  }
  if (mode.flexible) {
    parts.push(uvarint(tags.length));
    for (const [tag, bytes] of tags) parts.push(uvarint(tag), uvarint(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function encodeField(field: Field, value: Value, mode: Mode, unknownTag?: Buffer): Buffer {
  const element = (item: Value): Buffer =>
    typeof field.type === 'string'
      ? encodePrimitive(field.type, item, mode)
      : encodeStruct(field.type, item as Struct, mode, unknownTag);
  if (field.shape === 'single') return element(value);
  if (value === null) return length(null, 4, mode);
  const items = value as Value[];
  return Buffer.concat([length(items.length, 4, mode), ...items.map(element)]);
}

function encodePrimitive(type: string, value: Value, mode: Mode): Buffer {
  switch (type) {
    case 'str': {
      if (value === null) return length(null, 2, mode);
      const bytes = Buffer.from(value as string);
      return Buffer.concat([length(bytes.length, 2, mode), bytes]);
    }
    case 'bytes':
    case 'records': {
      if (value === null) return length(null, 4, mode);
      return Buffer.concat([length((value as Buffer).length, 4, mode), value as Buffer]);
    }
    case 'uuid':
      return Buffer.from(value as string, 'base64url');
    case 'bool':
      return Buffer.from([value === true ? 1 : 0]);
    default:
      return integer(BigInt(value as number), INTEGER_BYTES[type]!);
  }
}

const INTEGER_BYTES: Record<string, number> = { i8: 1, i16: 2, i32: 4, i64: 8 };

function integer(value: bigint, byteCount: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes.subarray(8 - byteCount);
}

function length(value: number | null, byteCount: number, mode: Mode): Buffer {
  if (mode.flexible) return uvarint(value === null ? 0 : value + 1);
  return integer(BigInt(value ?? -1), byteCount);
}

export function uvarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

// ---- Decode --------------------------------------------------------------------------------------------------------

/** Walks over bytes; throws when they end too early. */
export class Cursor {
  at = 0;
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  take(byteCount: number): Buffer {
    if (this.at + byteCount > this.bytes.length) throw new Error('the bytes end too early');
    this.at += byteCount;
    return this.bytes.subarray(this.at - byteCount, this.at);
  }
  integer(byteCount: number): number {
    return Number(BigInt.asIntN(8 * byteCount, BigInt(`0x${this.take(byteCount).toString('hex')}`)));
  }
  uvarint(): number {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.take(1)[0]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  }
}

export function decodeStruct(fields: readonly Field[], cursor: Cursor, mode: Mode): Struct {
  const value: Struct = {};
  for (const field of fields) {
    if (present(field, mode.version) && field.tag === undefined) value[field.name] = decodeField(field, cursor, mode);
  }
  if (!mode.flexible) return value;
  for (let count = cursor.uvarint(), i = 0; i < count; i++) {
    const tag = cursor.uvarint();
    const bytes = cursor.take(cursor.uvarint());
    const field = fields.find((candidate) => candidate.tag === tag && present(candidate, mode.version));
    if (field === undefined) throw new Error(`tag ${tag} is not in the table`);
    value[field.name] = decodeField(field, new Cursor(bytes), mode);
  }
  return value;
}

function decodeField(field: Field, cursor: Cursor, mode: Mode): Value {
  const element = (): Value =>
    typeof field.type === 'string' ? decodePrimitive(field.type, cursor, mode) : decodeStruct(field.type, cursor, mode);
  if (field.shape === 'single') return element();
  const count = decodeLength(cursor, 4, mode);
  return count === null ? null : Array.from({ length: count }, element);
}

function decodePrimitive(type: string, cursor: Cursor, mode: Mode): Value {
  switch (type) {
    case 'str': {
      const byteCount = decodeLength(cursor, 2, mode);
      return byteCount === null ? null : cursor.take(byteCount).toString();
    }
    case 'bytes':
    case 'records': {
      const byteCount = decodeLength(cursor, 4, mode);
      return byteCount === null ? null : cursor.take(byteCount);
    }
    case 'uuid':
      return cursor.take(16).toString('base64url');
    case 'bool':
      return cursor.take(1)[0] !== 0;
    default:
      return cursor.integer(INTEGER_BYTES[type]!);
  }
}

function decodeLength(cursor: Cursor, byteCount: number, mode: Mode): number | null {
  const value = mode.flexible ? cursor.uvarint() - 1 : cursor.integer(byteCount);
  return value === -1 ? null : value;
}

// ---- Generate ------------------------------------------------------------------------------------------------------

/**
 * Any value of a struct in a version. With `whole`, fields of other versions are there too, and tagged ones always.
 * Nulls only where the version allows them.
 */
export function anyStruct(fields: readonly Field[], version: number, whole = false): fc.Arbitrary<Struct> {
  const wanted = fields.filter((field) => whole || present(field, version));
  const optional = wanted.filter((field) => field.tag !== undefined && !whole).map((field) => field.name);
  const values = Object.fromEntries(wanted.map((field) => [field.name, anyField(field, version, whole)]));
  return fc.record(values, {
    requiredKeys: wanted.map((field) => field.name).filter((name) => !optional.includes(name)),
    noNullPrototype: true,
  });
}

function anyField(field: Field, version: number, whole: boolean): fc.Arbitrary<Value> {
  const element = typeof field.type === 'string' ? anyPrimitive(field.type) : anyStruct(field.type, version, whole);
  const value = field.shape === 'single' ? element : fc.array(element, { maxLength: 3 });
  const nullable = field.nullableFrom !== undefined && version >= field.nullableFrom;
  return nullable ? fc.option(value as fc.Arbitrary<Value>, { freq: 5 }) : (value as fc.Arbitrary<Value>);
}

function anyPrimitive(type: string): fc.Arbitrary<Value> {
  switch (type) {
    case 'str':
      return fc.string({ unit: 'grapheme', maxLength: 20 });
    case 'bytes':
    case 'records':
      return fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc.uint8Array({ minLength: 1000, maxLength: 1100 }).map((bytes) => Buffer.from(bytes)),
      );
    case 'uuid':
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
    case 'bool':
      return fc.boolean();
    case 'i64':
      return fc.maxSafeInteger();
    default: {
      const bits = 8 * INTEGER_BYTES[type]!;
      return fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
    }
  }
}
