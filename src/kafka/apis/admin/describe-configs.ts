// DescribeConfigs (key 32), versions 1-4: settings of topics and of this broker, and where each comes from (wire W-88).
//
// Behaviour: decided by the broker; no keys means all. Other resources than topics and brokers are refused here.
// Versions: 3 types, documentation; 4 compact forms.
//
// Request: resources[]{resourceType:i8; resourceName:str; configurationKeys[]? str}; includeSynonyms:bool;
// includeDocumentation:bool @3+
//
// Response: throttleTimeMs:i32; results[]{errorCode:i16; errorMessage:str?; resourceType:i8; resourceName:str;
// configs[]{name:str; value:str?; readOnly:bool; configSource:i8=-1; isSensitive:bool; synonyms[]{name:str; value:str?;
// source:i8}; configType:i8 @3+; documentation:str? @3+}}
import type { DescribedConfig, DescribedConfigs } from '../../../node/describe-configs.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { configSource, configType, resourceType } from './config-codes.ts';
import { messageOf } from './refusals.ts';

export interface DescribeConfigsRequest {
  readonly resources: readonly ResourceToDescribe[];
  readonly includeSynonyms: boolean;
  readonly includeDocumentation: boolean;
}
export interface ResourceToDescribe {
  readonly resourceType: number;
  readonly resourceName: string;
  /** Null or empty: all. */
  readonly configurationKeys: readonly string[] | null;
}

export interface DescribeConfigsResponse {
  readonly results: readonly DescribedResource[];
}
export interface DescribedResource {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly resourceType: number;
  readonly resourceName: string;
  readonly configs: readonly WireConfig[];
}
export interface WireConfig {
  readonly name: string;
  readonly value: string | null;
  readonly readOnly: boolean;
  readonly configSource: number;
  readonly isSensitive: boolean;
  readonly synonyms: readonly { readonly name: string; readonly value: string | null; readonly source: number }[];
  readonly configType: number;
  readonly documentation: string | null;
}

export const describeConfigs: WireApi<DescribeConfigsRequest, DescribeConfigsResponse> = {
  key: 32,
  name: 'DescribeConfigs',
  advertised: { min: 1, max: 4 },
  implemented: { min: 1, max: 4 },
  flexibleFrom: 4,

  decode(reader, version) {
    const request = {
      resources: reader.structs(() => ({
        resourceType: reader.int8(),
        resourceName: reader.string(),
        configurationKeys: reader.nullableArray(() => reader.string()),
      })),
      includeSynonyms: reader.bool(),
      includeDocumentation: version >= 3 ? reader.bool() : false,
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const known = request.resources.flatMap(({ resourceType: code, resourceName: name }) => {
      const type = resourceType(code);
      return type === 'topic' || type === 'broker' ? [{ type, name } as const] : [];
    });
    call.broker.admin.describeConfigs(known, (described) =>
      answer(() => {
        const next = described[Symbol.iterator]();
        return respond({
          results: request.resources.map((resource) => {
            const type = resourceType(resource.resourceType);
            if (type === 'topic' || type === 'broker') return fromBroker(resource, next.next().value!, request);
            return refused(resource, errorCode('INVALID_REQUEST'), `a ${type} has no settings here`);
          }),
        });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0).structs(response.results, (result) => {
      writer.int16(result.errorCode).nullableString(result.errorMessage);
      writer.int8(result.resourceType).string(result.resourceName);
      writer.structs(result.configs, (config) => {
        writer.string(config.name).nullableString(config.value).bool(config.readOnly);
        writer.int8(config.configSource).bool(config.isSensitive);
        writer.structs(config.synonyms, ({ name, value, source }) => {
          writer.string(name).nullableString(value).int8(source);
        });
        if (version >= 3) writer.int8(config.configType).nullableString(config.documentation);
      });
    });
    writer.tags();
  },

  refuse({ resources }, code) {
    return { results: resources.map((resource) => refused(resource, code, null)) };
  },
};

function fromBroker(
  resource: ResourceToDescribe,
  described: DescribedConfigs,
  request: DescribeConfigsRequest,
): DescribedResource {
  if (described.error !== 'NONE') {
    return refused(resource, errorCode(described.error), messageOf(described.error, described.message));
  }
  const { resourceType: type, resourceName, configurationKeys: keys } = resource;
  const wanted = described.configs.filter(({ name }) => keys === null || keys.length === 0 || keys.includes(name));
  const configs = wanted.map((config) => toWire(config, request));
  return { errorCode: errorCode('NONE'), errorMessage: null, resourceType: type, resourceName, configs };
}

function toWire(config: DescribedConfig, request: DescribeConfigsRequest): WireConfig {
  const { name, value, readOnly, source, synonyms, type, documentation } = config;
  return {
    ...{ name, value, readOnly, configSource: configSource(source), isSensitive: false },
    synonyms: !request.includeSynonyms
      ? []
      : synonyms.map((one) => ({ name: one.name, value: one.value, source: configSource(one.source) })),
    configType: configType(type),
    documentation: request.includeDocumentation ? documentation : null,
  };
}

function refused(
  { resourceType: type, resourceName }: ResourceToDescribe,
  code: number,
  errorMessage: string | null,
): DescribedResource {
  return { errorCode: code, errorMessage, resourceType: type, resourceName, configs: [] };
}
