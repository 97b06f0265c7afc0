// ApiVersions (key 18), versions 0-4: what this broker speaks.
//
// Behaviour: answered on every connection at any time, without state (wire W-18); a version that is not spoken gets a v0 body
// with error 35 and the one entry that says what to ask with (wire W-16). Which rows and which feature tags there are is
// src/kafka/profile.ts's (wire section 3, W-19, W-20); it depends on the cluster's metadata, so a broker that has none yet
// answers when it begins to serve.
// Versions: 1 throttleTimeMs; 3 the client's software, feature tags and compact forms; 4 features whose lowest level is 0.
//
// Request: clientSoftwareName:str @3+; clientSoftwareVersion:str @3+
//
// Response: errorCode:i16; apiKeys[]{apiKey:i16; minVersion:i16; maxVersion:i16}; throttleTimeMs:i32 @1+;
// supportedFeatures[]{name:str; minVersion:i16; maxVersion:i16} #tag0 @3+; finalizedFeaturesEpoch:i64=-1 #tag1 @3+;
// finalizedFeatures[]{name:str; maxVersionLevel:i16; minVersionLevel:i16} #tag2 @3+; zkMigrationReady:bool #tag3 @3+
import type { Tag, Writer } from '../../base/field-writer.ts';
import { encodeResponse } from '../codec/headers.ts';
import { advertised, featureTags, NO_FEATURES, type FeatureTags, type ProfileOptions } from '../profile.ts';
import { API_VERSIONS_KEY, errorCode, respond, type ApiRange, type VersionRange, type WireApi } from './api.ts';

export interface ApiVersionsRequest {
  readonly clientSoftwareName: string;
  readonly clientSoftwareVersion: string;
}

export interface ApiVersionsResponse extends FeatureTags {
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
    const { version, profile, table } = call;
    const named = SOFTWARE.test(request.clientSoftwareName) && SOFTWARE.test(request.clientSoftwareVersion);
    if (version >= 3 && !named) {
      answer(() => respond(apiVersions.refuse(request, errorCode('INVALID_REQUEST'), call)));
      return undefined;
    }
    call.broker.features((features) =>
      answer(() => {
        const apiKeys = advertised(table, features, profile);
        return respond({ errorCode: errorCode('NONE'), apiKeys, ...featureTags(features, profile, version) });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int16(response.errorCode).structs(response.apiKeys, ({ key, advertised: range }) => {
      writer.int16(key).int16(range.min).int16(range.max);
    });
    if (version >= 1) writer.int32(0);
    writer.tags(featuresAsTags(response));
  },

  refuse(_request, code) {
    return { errorCode: code, apiKeys: [], ...NO_FEATURES };
  },
};

/** Only what differs from its default is written (wire W-26). */
function featuresAsTags({ supportedFeatures, finalizedFeaturesEpoch, finalizedFeatures }: FeatureTags): readonly Tag[] {
  const tags: Tag[] = [];
  if (supportedFeatures.length > 0) {
    const write = (tag: Writer): void => {
      tag.structs(supportedFeatures, ({ name, minVersion, maxVersion }) => {
        tag.string(name).int16(minVersion).int16(maxVersion);
      });
    };
    tags.push({ number: 0, write });
  }
  if (finalizedFeaturesEpoch !== -1) tags.push({ number: 1, write: (tag) => tag.int64(finalizedFeaturesEpoch) });
  if (finalizedFeatures.length > 0) {
    const write = (tag: Writer): void => {
      tag.structs(finalizedFeatures, ({ name, maxVersionLevel, minVersionLevel }) => {
        tag.string(name).int16(maxVersionLevel).int16(minVersionLevel);
      });
    };
    tags.push({ number: 2, write });
  }
  return tags;
}

/** "name version" of the client's software as it says; '' if it does not, or not as it may (wire W-17). */
export function softwareOf({ clientSoftwareName: name, clientSoftwareVersion: version }: ApiVersionsRequest): string {
  return SOFTWARE.test(name) && SOFTWARE.test(version) ? `${name} ${version}` : '';
}

/** Versions of ApiVersions itself that are spoken: those of the release to look like. */
export function spokenApiVersions(profile: ProfileOptions): VersionRange {
  return advertised([apiVersions], { transactionVersion: 0 }, profile)[0]?.advertised ?? apiVersions.advertised;
}

/** The answer to a version that is not spoken, whose body nobody has parsed (wire W-16). */
export function unsupportedApiVersions(correlationId: number, spoken: VersionRange): Buffer[] {
  const apiKeys = [{ key: API_VERSIONS_KEY, advertised: spoken }];
  const response = { errorCode: errorCode('UNSUPPORTED_VERSION'), apiKeys, ...NO_FEATURES };
  return encodeResponse({ correlationId, taggedHeader: false, flexible: false }, (writer) =>
    apiVersions.encode(writer, response, 0),
  );
}
