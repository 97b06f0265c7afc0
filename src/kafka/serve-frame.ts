// From a request frame to its API: header, version checks, body (wire W-7 to W-11, W-16, W-30), then through the points where
// faults strike, to the broker. Holds no connection.
import type { Cancel } from '../node/api.ts';
import { API_VERSIONS_KEY, type Reply, type ServedConnection } from './apis/api.ts';
import { softwareOf, spokenApiVersions, unsupportedApiVersions, type ApiVersionsRequest } from './apis/api-versions.ts';
import { readRequestHeader } from './codec/headers.ts';
import { Reader } from '../base/field-reader.ts';
import type { Exchange } from './recorder.ts';
import { wireApi } from './registry.ts';
import { unservedApi, unservedVersion } from './unserved.ts';

/** What the peer has said of itself so far, for people. */
export interface Peer {
  /** '' if it gave none. */
  clientId: string;
  /** Name and version of its software, which clients tell from ApiVersions v3 on; '' if it has not. */
  software: string;
}

/** Takes the end of a request, at once or later; `exchange` is what a recorder knows the request by. */
export type TakeReply = (reply: Reply, exchange?: Exchange) => void;

/**
 * Serves one request; `peer` learns who asks. `reply` is called at most once. Returns how to withdraw it, if it can park.
 * Throws DecodeError if the connection has to be closed without a word (wire W-30).
 */
export function serveFrame(frame: Buffer, served: ServedConnection, peer: Peer, reply: TakeReply): Cancel | undefined {
  const reader = new Reader(frame, false);
  const { apiKey, apiVersion: version, correlationId, clientId } = readRequestHeader(reader);
  peer.clientId = clientId;
  const api = wireApi(apiKey);
  if (api === undefined) throw unservedApi(apiKey, version);

  const flexible = version >= api.flexibleFrom;
  const body = reader.rest(flexible);
  body.tags();
  const spoken = apiKey === API_VERSIONS_KEY ? spokenApiVersions(served.profile) : api.implemented;
  if (version < spoken.min || version > spoken.max) {
    if (apiKey !== API_VERSIONS_KEY) throw unservedVersion(api, version);
    reply({ kind: 'response', response: unsupportedApiVersions(correlationId, spoken), body: {} });
    return undefined;
  }
  const prepared = api.prepare(body, { ...served, version, correlationId, clientId });
  if (apiKey === API_VERSIONS_KEY) peer.software = softwareOf(prepared.body as ApiVersionsRequest) || peer.software;
  if (body.remaining > 0) served.log('debug', `${body.remaining} bytes after ${api.name} v${version} ignored`);
  const { faults, recorder, connection } = served;
  const asked = { api: api.name, version, clientId, connection, body: prepared.body };
  const exchange = recorder?.asked(asked);
  const answer = (answered: Reply): void => reply(answered, exchange);
  return faults === undefined || faults.quiet ? prepared.serve(answer) : faults.serve(prepared, asked, answer);
}
