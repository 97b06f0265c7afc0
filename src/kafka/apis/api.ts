// What an API of the wire listener consists of, and how it is run: decode, serve, encode. Decides nothing about Kafka.
import { InvariantViolation } from '../../base/assert.ts';
import type { BrokerApi, Cancel } from '../../node/api.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import { encodeResponse } from '../codec/headers.ts';
import type { Advertisable, ProfileOptions } from '../profile.ts';
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
  /** For people; `error` comes with a stack. */
  readonly log: (level: LogLevel, message: string) => void;
}
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The same for one connection. */
export interface ServedConnection extends ServedBroker {
  /** Where the client is, as Java writes it: "/ip" (wire G-13). */
  readonly clientHost: string;
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
export interface WireApi<Request, Response> extends Advertisable {
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
export type Reply = Outcome<Buffer[]>;

/** An API without its types, as the table holds it. */
export interface ServedApi extends Advertisable {
  readonly name: string;
  readonly implemented: VersionRange;
  readonly flexibleFrom: number;
  /** Decodes and serves. `reply` is called at most once. Throws DecodeError; any other failure is a response (wire W-31). */
  start(body: Reader, call: Call, reply: (reply: Reply) => void): Cancel | undefined;
}

/** ApiVersions, whose responses have header v0 at every version (wire W-9). */
export const API_VERSIONS_KEY = 18;

/** Kafka's number of an error. */
export function errorCode(error: ErrorName): number {
  return ERRORS[error].code;
}

/** Prepares an API for the table. */
export function served<Request, Response>(api: WireApi<Request, Response>): ServedApi {
  const { key, name, advertised, advertisedTv2, advertisedHints, implemented, flexibleFrom } = api;
  return {
    ...{ key, name, advertised, implemented, flexibleFrom },
    ...(advertisedTv2 && { advertisedTv2 }),
    ...(advertisedHints && { advertisedHints }),
    start(body, call, reply) {
      const request = api.decode(body, call.version);
      try {
        return api.serve(request, call, (outcome) => reply(guarded(api, request, call, outcome)));
      } catch (error) {
        reply(refused(api, request, call, error));
        return undefined;
      }
    },
  };
}

function guarded<Q, R>(api: WireApi<Q, R>, request: Q, call: Call, outcome: () => Outcome<R>): Reply {
  try {
    const result = outcome();
    return result.kind === 'response' ? encoded(api, call, result.response) : result;
  } catch (error) {
    return refused(api, request, call, error);
  }
}

/** Wire W-31. A broken invariant is let through: going on would make the run's verdict worthless. */
function refused<Q, R>(api: WireApi<Q, R>, request: Q, call: Call, error: unknown): Reply {
  if (error instanceof InvariantViolation) throw error;
  call.log('error', `${api.name} v${call.version} failed: ${error instanceof Error ? error.stack : String(error)}`);
  return encoded(api, call, api.refuse(request, errorCode('UNKNOWN_SERVER_ERROR'), call));
}

function encoded<Q, R>(api: WireApi<Q, R>, call: Call, response: R): Reply {
  const flexible = call.version >= api.flexibleFrom;
  const layout = {
    correlationId: call.correlationId,
    taggedHeader: flexible && api.key !== API_VERSIONS_KEY,
    flexible,
  };
  return respond(encodeResponse(layout, (writer) => api.encode(writer, response, call.version)));
}
