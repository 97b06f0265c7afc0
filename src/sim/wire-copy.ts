// What the wire makes of a message, without the bytes: a copy with every field set, unknown fields dropped and bytes
// copied, so that simulated nodes share nothing and see nothing that gRPC would not carry. The conformance run and a sample
// of all messages also go through the real codec, must come back equal, and are frozen: a receiver that changes what it was
// given fails there (design section 2).
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

/** Copies messages of one type. `lamport` fills the field of that name, which only whole messages have. */
type CopyMessage = (message: Message, lamport: number) => Message;

/** The copier of a simulated network; it compiles each type at its first use. */
export class WireCopy {
  readonly #compiled = new Map<string, CopyMessage>();
  readonly #requests = new Map<Api, CopyMessage>();
  readonly #responses = new Map<Api, CopyMessage>();

  /** What arrives when `message` is sent as the request or response of `api`. */
  copy(api: Api, direction: 'request' | 'response', message: object, lamport: number): Message {
    const known = direction === 'request' ? this.#requests : this.#responses;
    let copy = known.get(api);
    if (copy === undefined) {
      copy = this.#copier(typeOf(api, direction));
      known.set(api, copy);
    }
    return copy(message as Message, lamport);
  }

  /** Sends a copy through the protobuf codec and asserts that it comes back equal. Freezes it: nobody may change it. */
  verify(api: Api, direction: 'request' | 'response', message: Message): void {
    const type = typeOf(api, direction);
    const codec = messageCodec(type);
    const back = codec.decode(codec.encode(message));
    if (!isDeepStrictEqual(back, message))
      throw new InvariantViolation(`the protobuf codec changes this ${type}: ${JSON.stringify(message)}`);
    freeze(message);
  }

  #copier(type: string): CopyMessage {
    const known = this.#compiled.get(type);
    if (known !== undefined) return known;
    const info = TYPES[type];
    assert(info?.fields !== undefined, `proto/ has no message ${type}`);
    const copiers: CopyValue[] = [];
    const members = new Set(Object.values(info.oneofs ?? {}).flatMap(({ oneof }) => oneof));
    const always: string[] = [];
    for (const [name, { type: of, rule }] of Object.entries(info.fields)) {
      if (name === 'lamport') always.push('lamport');
      if (name === 'lamport' || members.has(name)) continue;
      always.push(`${name}: copiers[${copiers.length}](message.${name}, "${type}.${name}")`);
      copiers.push(rule === 'repeated' ? listOf(this.#valueCopier(of)) : this.#fieldCopier(of));
    }
    const lines = [`const out = { ${always.join(', ')} };`];
    for (const [oneof, { oneof: names }] of Object.entries(info.oneofs ?? {}))
      for (const name of names) {
        const copied = `out.${name} = copiers[${copiers.length}](message.${name}, "${type}.${name}"); out.${oneof} = "${name}";`;
        lines.push(`if (message.${name} != null) { ${copied} }`);
        copiers.push(this.#valueCopier(info.fields[name]!.type));
      }
    // A function of its own for each type, which makes the copy as one literal: one that goes by a list of names looks each
    // of them up in objects of all shapes, and takes four times as long.
    const make = new Function('copiers', `return (message, lamport) => { ${lines.join(' ')} return out; };`);
    const copy = (make as (copiers: readonly CopyValue[]) => CopyMessage)(copiers);
    this.#compiled.set(type, copy);
    return copy;
  }

  /** Of a field that is always there: a message that is not is null. */
  #fieldCopier(type: string): CopyValue {
    const copy = this.#valueCopier(type);
    if (TYPES[type]?.fields === undefined) return copy;
    return (value, path) => (value === undefined || value === null ? null : copy(value, path));
  }

  #valueCopier(type: string): CopyValue {
    const scalar = SCALARS[type];
    if (scalar !== undefined) return scalar;
    const values = TYPES[type]?.values;
    if (values !== undefined) {
      const zero = Object.keys(values).find((name) => values[name] === 0);
      return (value, path) => {
        if (value === undefined || value === zero) return zero;
        return typeof value === 'string' && Object.hasOwn(values, value) ? value : refuse(path, value);
      };
    }
    const copy = this.#copier(type);
    return (value) => copy(value as Message, 0);
  }
}

function typeOf(api: Api, direction: 'request' | 'response'): string {
  return direction === 'request' ? APIS[api].requestType : APIS[api].responseType;
}

function listOf(copy: CopyValue): CopyValue {
  return (value, path) => {
    const list = value as readonly unknown[] | undefined;
    return list === undefined || list.length === 0 ? NONE : list.map((one) => copy(one, path));
  };
}

/** Bytes stay as they are: those of a buffer cannot be frozen. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}
