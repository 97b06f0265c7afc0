// ApiVersions (key 18), versions 0-4: what this broker speaks.
//
// Behaviour: answered on every connection at any time, without state (wire W-18); a version outside 0-4 gets a v0 body
// with error 35 and the one entry that says what to ask with (wire W-16). Feature tags are left out: no
// `transaction.version` is finalized, so every client keeps to the flow it knows (wire W-19, W-27, W-43).
// Versions: 1 throttleTimeMs; 3 the client's software and compact forms; 4 differs in feature tags only (wire W-20).
//
// Request: clientSoftwareName:str @3+; clientSoftwareVersion:str @3+
//
// Response: errorCode:i16; apiKeys[]{apiKey:i16; minVersion:i16; maxVersion:i16}; throttleTimeMs:i32 @1+;
// supportedFeatures[]{name:str; minVersion:i16; maxVersion:i16} #tag0 @3+; finalizedFeaturesEpoch:i64=-1 #tag1 @3+;
// finalizedFeatures[]{name:str; maxVersionLevel:i16; minVersionLevel:i16} #tag2 @3+; zkMigrationReady:bool #tag3 @3+
import { encodeResponse } from '../codec/headers.ts';
import { API_VERSIONS_KEY, errorCode, respond, type ApiRange, type WireApi } from './api.ts';

export interface ApiVersionsRequest {
  readonly clientSoftwareName: string;
  readonly clientSoftwareVersion: string;
}

export interface ApiVersionsResponse {
  readonly errorCode: number;
  readonly apiKeys: readonly ApiRange[];
}

/** What a client may call itself (wire W-17). */
const SOFTWARE = /^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$/;

export const apiVersions: WireApi<ApiVersionsRequest, ApiVersionsResponse> = {
  key: API_VERSIONS_KEY,
  name: 'ApiVersions',
  advertised: { min: 0, max: 4 },
  implemented: { min: 0, max: 4 },
  flexibleFrom: 3,

  decode(reader, version) {
    const request = {
      clientSoftwareName: version >= 3 ? reader.string() : '',
      clientSoftwareVersion: version >= 3 ? reader.string() : '',
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const named = SOFTWARE.test(request.clientSoftwareName) && SOFTWARE.test(request.clientSoftwareVersion);
    const valid = call.version < 3 || named;
    answer(() =>
      respond(
        valid
          ? { errorCode: errorCode('NONE'), apiKeys: call.table }
          : { errorCode: errorCode('INVALID_REQUEST'), apiKeys: [] },
      ),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int16(response.errorCode).structs(response.apiKeys, ({ key, advertised }) => {
      writer.int16(key).int16(advertised.min).int16(advertised.max);
    });
    if (version >= 1) writer.int32(0);
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, apiKeys: [] };
  },
};

/** The answer to a version that is not implemented, whose body nobody has parsed (wire W-16). */
export function unsupportedApiVersions(correlationId: number): Buffer[] {
  const response = { errorCode: errorCode('UNSUPPORTED_VERSION'), apiKeys: [apiVersions] };
  return encodeResponse({ correlationId, taggedHeader: false, flexible: false }, (writer) =>
    apiVersions.encode(writer, response, 0),
  );
}
