// What the wire makes of a message, without the bytes: a copy with every field set, unknown fields dropped, bytes copied
// and everything frozen, so that simulated nodes share nothing and see nothing that gRPC would not carry. The conformance
// run and a sample of all messages also go through the real codec and must come back equal (design section 2).
import { isDeepStrictEqual } from 'node:util';
import { InvariantViolation, assert } from '../base/assert.ts';
import type { Api } from '../protocol/apis.ts';
import { APIS } from '../protocol/apis.ts';
import descriptor from '../protocol/generated/descriptor.json' with { type: 'json' };
import { messageCodec } from '../runtime/codec.ts';

type Message = Record<string, unknown>;
type CopyValue = (value: unknown, path: string) => unknown;

interface FieldInfo {
  readonly type: string;
  readonly rule?: string;
}
interface TypeInfo {
  readonly fields?: Readonly<Record<string, FieldInfo>>;
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>;
  readonly values?: Readonly<Record<string, number>>;
}

const TYPES = descriptor.nested.highwater.nested.v1.nested as Readonly<Record<string, TypeInfo>>;

function refuse(path: string, value: unknown): never {
  throw new InvariantViolation(`the wire cannot carry ${path}: ${String(value)}`);
}

const EMPTY = Buffer.alloc(0);
const NONE: readonly unknown[] = Object.freeze([]);

const SCALARS: Readonly<Record<string, CopyValue>> = {
  int32: (value = 0, path) => ((value as number) === ((value as number) | 0) ? value : refuse(path, value)),
  int64: (value = 0, path) => (Number.isSafeInteger(value) ? value : refuse(path, value)),
  double: (value = 0, path) => (typeof value === 'number' ? value : refuse(path, value)),
  bool: (value = false, path) => (typeof value === 'boolean' ? value : refuse(path, value)),
  string: (value = '', path) => (typeof value === 'string' ? value : refuse(path, value)),
  bytes: (value = EMPTY, path) => {
    if (!(value instanceof Uint8Array)) return refuse(path, value);
    return value.length === 0 ? EMPTY : Buffer.from(value);
  },
};

interface CompiledField {
  readonly name: string;
  readonly path: string;
  readonly copy: CopyValue;
  readonly repeated: boolean;
  readonly isMessage: boolean;
  /** The oneof it belongs to: it is absent unless it is the one. */
  readonly oneof: string | undefined;
}

/** Copies messages of one type. `lamport` fills the field of that name, which only whole messages have. */
type CopyMessage = (message: Message, lamport: number) => Message;

/** The copier of a simulated network; it compiles each type at its first use. */
export class WireCopy {
  readonly #compiled = new Map<string, CopyMessage>();
  readonly #byApi = new Map<string, CopyMessage>();

  /** What arrives when `message` is sent as the request or response of `api`. */
  copy(api: Api, direction: 'request' | 'response', message: object, lamport: number): Message {
    const key = direction === 'request' ? api : `${api}.`;
    let copy = this.#byApi.get(key);
    if (copy === undefined) {
      copy = this.#copier(direction === 'request' ? APIS[api].requestType : APIS[api].responseType);
      this.#byApi.set(key, copy);
    }
    return copy(message as Message, lamport);
  }

  /** Sends a copy through the protobuf codec and asserts that it comes back equal. */
  verify(api: Api, direction: 'request' | 'response', message: Message): void {
    const type = direction === 'request' ? APIS[api].requestType : APIS[api].responseType;
    const codec = messageCodec(type);
    const back = codec.decode(codec.encode(message));
    assert(isDeepStrictEqual(back, message), `the protobuf codec changes this ${type}: ${JSON.stringify(message)}`);
  }

  #copier(type: string): CopyMessage {
    const known = this.#compiled.get(type);
    if (known !== undefined) return known;
    const info = TYPES[type];
    assert(info?.fields !== undefined, `proto/ has no message ${type}`);
    const oneofOf = new Map<string, string>();
    for (const [name, { oneof }] of Object.entries(info.oneofs ?? {}))
      for (const member of oneof) oneofOf.set(member, name);
    const fields = Object.entries(info.fields).map(([name, field]): CompiledField => {
      const path = `${type}.${name}`;
      const oneof = oneofOf.get(name);
      const isMessage = TYPES[field.type]?.fields !== undefined;
      return { name, path, oneof, isMessage, repeated: field.rule === 'repeated', copy: this.#valueCopier(field.type) };
    });
    const copy: CopyMessage = (message, lamport) => copyFields(fields, message, lamport);
    this.#compiled.set(type, copy);
    return copy;
  }

  #valueCopier(type: string): CopyValue {
    const scalar = SCALARS[type];
    if (scalar !== undefined) return scalar;
    const values = TYPES[type]?.values;
    if (values !== undefined) {
      const zero = Object.keys(values).find((name) => values[name] === 0);
      return (value, path) => {
        if (value === undefined) return zero;
        return typeof value === 'string' && Object.hasOwn(values, value) ? value : refuse(path, value);
      };
    }
    const copy = this.#copier(type);
    return (value) => copy(value as Message, 0);
  }
}

function copyFields(fields: readonly CompiledField[], message: Message, lamport: number): Message {
  const out: Message = {};
  for (const { name, path, copy, repeated, isMessage, oneof } of fields) {
    const value = message[name];
    if (name === 'lamport') out[name] = lamport;
    else if (repeated) {
      const list = value as readonly unknown[] | undefined;
      out[name] = list === undefined || list.length === 0 ? NONE : Object.freeze(list.map((one) => copy(one, path)));
    } else if (oneof !== undefined) {
      if (value === undefined || value === null) continue;
      out[name] = copy(value, path);
      out[oneof] = name;
    } else if (isMessage) out[name] = value === undefined || value === null ? null : copy(value, path);
    else out[name] = copy(value, path);
  }
  return Object.freeze(out);
}
