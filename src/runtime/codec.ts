// The protobuf codec of every message between nodes, for rpc and for the simulator's conformance runs. What cannot be
// decoded, an integer beyond 2^53-1 and an unknown enum value are refused here, at the edge (design section 5).
// `bytes` fields decode to views of the input: copy what you keep.
import protobuf from 'protobufjs/light.js';
import { messageType } from './message-types.ts';

/** Bytes that are not the message they claim to be. Never more than the sender's fault. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}

/** How messages look in TypeScript: the options that the types in protocol/generated were made with. */
export const CONVERSION = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true } as const;

/** Encodes and decodes one message type. */
export interface MessageCodec {
  encode(message: object): Buffer;
  /** Every field is set. Throws MalformedMessage. */
  decode(bytes: Uint8Array): object;
}

const WIDE_TYPES = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64']);

const codecs = new Map<string, MessageCodec>();

/** The codec of a message type, e.g. "FetchRequest". */
export function messageCodec(type: string): MessageCodec {
  let codec = codecs.get(type);
  if (codec === undefined) {
    codec = makeCodec(messageType(type));
    codecs.set(type, codec);
  }
  return codec;
}

function makeCodec(type: protobuf.Type): MessageCodec {
  const check = checkOf(type, new Map());
  return {
    encode: (message) => type.encode(type.fromObject(message)).finish() as Buffer,
    decode: (bytes) => {
      const message = decodeWith(type, bytes);
      check?.(message);
      return message;
    },
  };
}

function decodeWith(type: protobuf.Type, bytes: Uint8Array): Message {
  try {
    return type.toObject(type.decode(bytes), CONVERSION) as Message;
  } catch (error) {
    throw new MalformedMessage(`not a ${type.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Message = Record<string, unknown>;
type Check = (message: Message) => void;

/**
 * A function that refuses what a message of this type may not hold, or undefined if it may hold everything. Compiled
 * once a type, so that a fetch costs one pass over its wide fields. No message type contains itself.
 */
function checkOf(type: protobuf.Type, known: Map<protobuf.Type, Check | undefined>): Check | undefined {
  if (known.has(type)) return known.get(type);
  const checks: Check[] = [];
  for (const field of type.fieldsArray) {
    const one = valueCheckOf(field, known);
    if (one === undefined) continue;
    const { name } = field;
    checks.push(
      field.repeated
        ? (message) => (message[name] as unknown[]).forEach(one)
        : (message) => {
            const value = message[name];
            if (value !== undefined && value !== null) one(value);
          },
    );
  }
  const check: Check | undefined = checks.length === 0 ? undefined : (message) => checks.forEach((run) => run(message));
  known.set(type, check);
  return check;
}

function valueCheckOf(
  field: protobuf.Field,
  known: Map<protobuf.Type, Check | undefined>,
): ((value: unknown) => void) | undefined {
  const { resolvedType } = field;
  if (WIDE_TYPES.has(field.type)) {
    return (value) => {
      if (!Number.isSafeInteger(value)) throw new MalformedMessage(`${field.fullName} is beyond 2^53-1`);
    };
  }
  if (resolvedType instanceof protobuf.Enum) {
    return (value) => {
      if (typeof value !== 'string') throw new MalformedMessage(`${field.fullName} has no value ${String(value)}`);
    };
  }
  if (!(resolvedType instanceof protobuf.Type)) return undefined;
  const check = checkOf(resolvedType, known);
  return check === undefined ? undefined : (value) => check(value as Message);
}
