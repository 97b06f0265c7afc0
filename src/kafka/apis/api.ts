// What an API of the wire listener consists of, and how it is run: decode, serve, encode. Decides nothing about Kafka.
import { InvariantViolation } from '../../base/assert.ts';
import type { BrokerApi, Cancel } from '../../node/api.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import { encodeResponse } from '../codec/headers.ts';
import type { Advertisable, ProfileOptions } from '../profile.ts';
import type { FaultGate } from '../fault-gate.ts';
import type { WireRecorder } from '../recorder.ts';
import type { Reader } from '../../base/field-reader.ts';
import type { Writer } from '../../base/field-writer.ts';

/** Inclusive. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** One row of the table that ApiVersions reports. */
export interface ApiRange {
  readonly key: number;
  /** May begin below what is implemented: old librdkafka looks at it before it compresses (wire W-33, W-44). */
  readonly advertised: VersionRange;
}

/** What the APIs know of the broker they serve. */
export interface ServedBroker {
  readonly broker: BrokerApi;
  /** The same from every broker, stable over restarts (wire W-37). */
  readonly clusterId: () => string;
  /** All that is served; ApiVersions reports it as `profile` says. */
  readonly table: readonly ServedApi[];
  /** Which release clients are to see, and with what (wire section 3). */
  readonly profile: ProfileOptions;
  /** Faults on what clients ask and are told; absent: nothing is ever armed. */
  readonly faults?: FaultGate | undefined;
  /** Hears of what clients ask and are told; absent: nobody records. */
  readonly recorder?: WireRecorder | undefined;
  /** For people; `error` comes with a stack. */
  readonly log: (level: LogLevel, message: string) => void;
}
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The same for one connection. */
export interface ServedConnection extends ServedBroker {
  /** Where the client is, as Java writes it: "/ip" (wire G-13). */
  readonly clientHost: string;
  /** Its number at this broker, for recordings. */
  readonly connection: number;
}

/** One request on its way. */
export interface Call extends ServedConnection {
  readonly version: number;
  readonly correlationId: number;
  /** '' if the client gave none. */
  readonly clientId: string;
}

/** How a request ends. */
export type Outcome<Response> =
  | { readonly kind: 'response'; readonly response: Response }
  /** Produce with acks=0: the client expects nothing (wire W-14). */
  | { readonly kind: 'silence' }
  /** The connection is closed: the only error signal the client understands (wire W-14). */
  | { readonly kind: 'close'; readonly reason: string };

/** One API: its grammar by version and the way to the broker and back. */
export interface WireApi<Request extends object, Response extends object> extends Advertisable {
  readonly name: string;
  /** Versions that decode. */
  readonly implemented: VersionRange;
  /** First version with compact forms and tag sections. */
  readonly flexibleFrom: number;
  /** Reads a whole body, its last tag section included. Throws DecodeError. */
  decode(reader: Reader, version: number): Request;
  /** Asks the broker and answers at most once, at once or later. A request that may park can be cancelled. */
  serve(request: Request, call: Call, answer: Answer<Response>): Cancel | undefined;
  /** Writes a whole body, its last tag section included. */
  encode(writer: Writer, response: Response, version: number): void;
  /** The error in every slot that the response has (wire W-31). */
  refuse(request: Request, errorCode: number, call: Call): Response;
}

/** Takes a function, so that a failing translation is a response (wire W-31) and never reaches the core that answered. */
export type Answer<Response> = (outcome: () => Outcome<Response>) => void;

/** A response as an outcome. */
export function respond<Response>(response: Response): Outcome<Response> {
  return { kind: 'response', response };
}

/** What becomes of a request, as the connection sees it. */
export type Reply =
  | {
      readonly kind: 'response';
      readonly response: readonly Buffer[];
      /** What the response says, decoded: for faults and recordings. */
      readonly body: object;
    }
  | Exclude<Outcome<never>, { readonly kind: 'response' }>
  /** A fault lost the request or its answer: nothing leaves this connection any more (see Connection). */
  | { readonly kind: 'lost' };

/** A request, decoded and not served yet. */
export interface Prepared {
  readonly body: object;
  /** Asks the broker. `reply` is called at most once, at once or later. Returns how to withdraw it, if it can park. */
  serve(reply: (reply: Reply) => void): Cancel | undefined;
  /** The error in every slot of the response, instead of asking anybody. */
  refuse(errorCode: number): Reply;
}

/** An API without its types, as the table holds it. */
export interface ServedApi extends Advertisable {
  readonly name: string;
  readonly implemented: VersionRange;
  readonly flexibleFrom: number;
  /** Decodes. Throws DecodeError; any later failure is a response (wire W-31). */
  prepare(body: Reader, call: Call): Prepared;
}

/** Authorized operations: "not requested", always (wire W-39). */
export const OPERATIONS_UNKNOWN = -2147483648;

/** ApiVersions, whose responses have header v0 at every version (wire W-9). */
export const API_VERSIONS_KEY = 18;

/** Kafka's number of an error. */
export function errorCode(error: ErrorName): number {
  return ERRORS[error].code;
}

/** Prepares an API for the table. */
export function served<Request extends object, Response extends object>(api: WireApi<Request, Response>): ServedApi {
  const { key, name, advertised, advertisedTv2, advertisedHints, implemented, flexibleFrom } = api;
  return {
    ...{ key, name, advertised, implemented, flexibleFrom },
    ...(advertisedTv2 && { advertisedTv2 }),
    ...(advertisedHints && { advertisedHints }),
    prepare(body, call) {
      const request = api.decode(body, call.version);
      return {
        body: request,
        serve: (reply) => {
          try {
            return api.serve(request, call, (outcome) => reply(guarded(api, request, call, outcome)));
          } catch (error) {
            reply(refused(api, request, call, error));
            return undefined;
          }
        },
        refuse: (code) => refusal(api, request, call, code),
      };
    },
  };
}

function guarded<Q extends object, R extends object>(
  api: WireApi<Q, R>,
  request: Q,
  call: Call,
  outcome: () => Outcome<R>,
): Reply {
  try {
    const result = outcome();
    return result.kind === 'response' ? encoded(api, call, result.response) : result;
  } catch (error) {
    return refused(api, request, call, error);
  }
}

/** Wire W-31. A broken invariant is let through: going on would make the run's verdict worthless. */
function refused<Q extends object, R extends object>(
  api: WireApi<Q, R>,
  request: Q,
  call: Call,
  error: unknown,
): Reply {
  if (error instanceof InvariantViolation) throw error;
  call.log('error', `${api.name} v${call.version} failed: ${error instanceof Error ? error.stack : String(error)}`);
  return refusal(api, request, call, errorCode('UNKNOWN_SERVER_ERROR'));
}

/** An error may be as impossible to write as what it stands for: a name with bytes that are not UTF-8 grows when it is echoed. */
function refusal<Q extends object, R extends object>(api: WireApi<Q, R>, request: Q, call: Call, code: number): Reply {
  try {
    return encoded(api, call, api.refuse(request, code, call));
  } catch (error) {
    if (error instanceof InvariantViolation) throw error;
    return { kind: 'close', reason: `no answer to ${api.name} v${call.version} can be written: ${String(error)}` };
  }
}

function encoded<Q extends object, R extends object>(api: WireApi<Q, R>, call: Call, response: R): Reply {
  const flexible = call.version >= api.flexibleFrom;
  const layout = {
    correlationId: call.correlationId,
    taggedHeader: flexible && api.key !== API_VERSIONS_KEY,
    flexible,
  };
  const bytes = encodeResponse(layout, (writer) => api.encode(writer, response, call.version));
  return { kind: 'response', response: bytes, body: response };
}
