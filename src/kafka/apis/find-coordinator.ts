// FindCoordinator (key 10), versions 0-6: which broker coordinates a group or a transactional id (wire W-82, txn T-6).
//
// Behaviour: who it is, is decided by the broker; here it gets the address of the listener on which it was asked (wire W-36).
// One that has no such address is as good as none. Key types but "group" and "transaction" are error 42, share groups (2)
// included. Versions 5 and 6 decode but are not advertised: nothing here answers what they are for.
// Versions: 1 keyType, errorMessage, throttleTimeMs; 3 compact forms; 4 many keys, each with its own answer.
//
// Request: key:str @0-3; keyType:i8 @1+; coordinatorKeys[] str @4+
//
// Response: throttleTimeMs:i32 @1+; errorCode:i16 @0-3; errorMessage:str? @1-3; nodeId:i32 @0-3; host:str @0-3; port:i32
// @0-3; coordinators[]{key:str; nodeId:i32; host:str; port:i32; errorCode:i16; errorMessage:str?} @4+
import type { ErrorName } from '../../protocol/errors.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { Coordinator } from '../../protocol/generated/index.ts';
import { errorCode, respond, type Call, type WireApi } from './api.ts';
import { kafkaBrokers, type KafkaBroker } from './kafka-brokers.ts';

export interface FindCoordinatorRequest {
  /** Up to v3. */
  readonly key: string;
  readonly keyType: number;
  /** From v4 on. */
  readonly coordinatorKeys: readonly string[];
}

/** Up to v3 its own fields are the answer, from v4 on the list. */
export interface FindCoordinatorResponse extends FoundCoordinator {
  readonly coordinators: readonly (FoundCoordinator & { readonly key: string })[];
}
export interface FoundCoordinator {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

const MANY_FROM = 4;
/** Names of key types, as the broker knows them. */
const KEY_TYPES: readonly string[] = ['group', 'transaction'];

export const findCoordinator: WireApi<FindCoordinatorRequest, FindCoordinatorResponse> = {
  key: 10,
  name: 'FindCoordinator',
  advertised: { min: 0, max: 4 },
  implemented: { min: 0, max: 6 },
  flexibleFrom: 3,

  decode(reader, version) {
    const request = {
      key: version < MANY_FROM ? reader.string() : '',
      keyType: version >= 1 ? reader.int8() : 0,
      coordinatorKeys: version >= MANY_FROM ? reader.array(() => reader.string()) : [],
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const keyType = KEY_TYPES[request.keyType] ?? `key type ${request.keyType}`;
    call.broker.findCoordinator({ keyType, keys: [...keysOf(request, call.version)] }, ({ coordinators }) => {
      askAddresses(call, (addresses) =>
        answer(() => respond(answered(coordinators.map((coordinator) => located(coordinator, addresses))))),
      );
    });
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    if (version < MANY_FROM) {
      writer.int16(response.errorCode);
      if (version >= 1) writer.nullableString(response.errorMessage);
      writer.int32(response.nodeId).string(response.host).int32(response.port);
    } else {
      writer.structs(response.coordinators, (found) => {
        writer.string(found.key).int32(found.nodeId).string(found.host).int32(found.port);
        writer.int16(found.errorCode).nullableString(found.errorMessage);
      });
    }
    writer.tags();
  },

  refuse(request, code, call) {
    const error = { ...nobody('UNKNOWN_SERVER_ERROR'), errorCode: code };
    return answered(keysOf(request, call.version).map((key) => ({ key, ...error })));
  },
};

/** Asks for the brokers as they are found on the listener that was asked; calls back perhaps at once. */
function askAddresses({ broker }: Call, then: (brokers: readonly KafkaBroker[]) => void): void {
  const nothing = { allTopics: false, topics: [], allowAutoTopicCreation: false };
  broker.metadata(nothing, ({ brokers }) => then(kafkaBrokers(brokers)));
}

function keysOf({ key, coordinatorKeys }: FindCoordinatorRequest, version: number): readonly string[] {
  return version < MANY_FROM ? [key] : coordinatorKeys;
}

function answered(coordinators: FindCoordinatorResponse['coordinators']): FindCoordinatorResponse {
  const { errorCode: code, errorMessage: message, nodeId, host, port } = coordinators[0] ?? nobody('NONE');
  // Below version 4 Kafka has a word for success too.
  const errorMessage = code === errorCode('NONE') ? 'NONE' : message;
  return { errorCode: code, errorMessage, nodeId, host, port, coordinators };
}

function located({ key, error, nodeId }: Coordinator, addresses: readonly KafkaBroker[]) {
  if (error !== 'NONE') return { key, ...nobody(error) };
  const address = addresses.find((broker) => broker.nodeId === nodeId);
  if (address === undefined) return { key, ...nobody('COORDINATOR_NOT_AVAILABLE') };
  return { key, errorCode: errorCode('NONE'), errorMessage: null, ...address };
}

function nobody(error: ErrorName): FoundCoordinator {
  return { errorCode: errorCode(error), errorMessage: ERRORS[error].message, nodeId: -1, host: '', port: -1 };
}
