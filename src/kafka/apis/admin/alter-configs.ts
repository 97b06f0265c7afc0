// AlterConfigs (key 33), versions 0-2: replaces all own settings of topics, decided by the controller, whichever broker is
// asked (wire W-77, W-88). Java clients of 4.x use IncrementalAlterConfigs instead.
//
// Versions: 2 compact forms.
//
// Request: resources[]{resourceType:i8; resourceName:str; configs[]{name:str; value:str?}}; validateOnly:bool
//
// Response: throttleTimeMs:i32; responses[]{errorCode:i16; errorMessage:str?; resourceType:i8; resourceName:str}
import type { WireApi } from '../api.ts';
import {
  alterResources,
  refuseResources,
  writeAltered,
  type AlteredResponse,
  type Resource,
} from './alter-resources.ts';

export interface AlterConfigsRequest {
  readonly resources: readonly (Resource & {
    readonly configs: readonly { readonly name: string; readonly value: string | null }[];
  })[];
  readonly validateOnly: boolean;
}

export const alterConfigs: WireApi<AlterConfigsRequest, AlteredResponse> = {
  key: 33,
  name: 'AlterConfigs',
  advertised: { min: 0, max: 2 },
  implemented: { min: 0, max: 2 },
  flexibleFrom: 2,

  decode(reader) {
    const request = {
      resources: reader.structs(() => ({
        resourceType: reader.int8(),
        resourceName: reader.string(),
        configs: reader.structs(() => ({ name: reader.string(), value: reader.nullableString() })),
      })),
      validateOnly: reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve({ resources, validateOnly }, call, answer) {
    const altered = resources.map((resource) => ({
      ...{ resource, replace: true },
      changes: resource.configs.map(({ name, value }) => ({ name, operation: 'SET', value })),
    }));
    alterResources(call, altered, validateOnly, answer);
    return undefined;
  },

  encode: writeAltered,
  refuse: ({ resources }, code) => refuseResources(resources, code),
};
