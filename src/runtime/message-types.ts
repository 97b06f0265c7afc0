// The messages and services of proto/, as protobufjs reflects them. A type is built, with all it consists of, when it is first
// asked for: a process speaks a few dozen of two hundred, and to build them all costs a tenth of its start.
import protobuf from 'protobufjs/light.js';
import descriptor from '../protocol/generated/descriptor.json' with { type: 'json' };

const PACKAGE = 'highwater.v1';

/** A method of a service as proto/ declares it. */
export interface MethodInfo {
  readonly name: string;
  /** "/highwater.v1.Service/Method". */
  readonly path: string;
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

interface DeclaredMethod {
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream?: boolean;
  readonly responseStream?: boolean;
}

const declared = descriptor.nested.highwater.nested.v1.nested as unknown as Readonly<
  Record<string, protobuf.AnyNestedObject>
>;
const root = new protobuf.Root();
const built = root.define(PACKAGE);

/** A message type, e.g. "FetchRequest", ready to encode and decode. Throws if there is none. */
export function messageType(name: string): protobuf.Type {
  const missing: Record<string, protobuf.AnyNestedObject> = {};
  gather(name, missing);
  built.addJSON(missing);
  root.resolveAll();
  for (const added of Object.keys(missing)) {
    const type = built.get(added);
    if (type instanceof protobuf.Type) makeWhenCalled(type);
  }
  return built.lookupType(name);
}

/**
 * Has each function of a type made when it is first called. protobufjs makes all five at once, one of them for nobody; but a
 * process mostly either sends or receives a message.
 */
function makeWhenCalled(type: protobuf.Type): void {
  const { encoder, decoder, converter, Writer, Reader, util } = protobuf;
  const makers = { encode: encoder, decode: decoder, fromObject: converter.fromObject, toObject: converter.toObject };
  for (const [name, maker] of Object.entries(makers)) {
    const own = type as unknown as Record<string, (...args: unknown[]) => unknown>;
    own[name] = (...args) => {
      const types = type.fieldsArray.map((field) => field.resolve().resolvedType);
      own[name] = (maker(type) as unknown as (scope: object) => (typeof own)[string])({ types, Writer, Reader, util });
      return own[name](...args);
    };
  }
}

/** Adds a declaration that is not built yet, and those of its fields. */
function gather(name: string, missing: Record<string, protobuf.AnyNestedObject>): void {
  const found = declared[name];
  if (found === undefined || name in missing || built.get(name) !== null) return;
  missing[name] = found;
  if (!('fields' in found)) return;
  for (const { type } of Object.values(found.fields)) gather(type, missing);
}

/** The methods of a service, e.g. "NodeFaults", in the order of proto/. Throws if there is no such service. */
export function serviceMethods(service: string): MethodInfo[] {
  const found = declared[service];
  if (found === undefined || !('methods' in found)) throw new Error(`no service ${service}`);
  return Object.entries(found.methods as Readonly<Record<string, DeclaredMethod>>).map(([name, method]) => ({
    ...{ name, path: `/${PACKAGE}.${service}/${name}` },
    ...{ requestType: method.requestType, responseType: method.responseType },
    ...{ requestStream: method.requestStream === true, responseStream: method.responseStream === true },
  }));
}
