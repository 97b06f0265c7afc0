// IncrementalAlterConfigs (key 44), versions 0-1: edits settings of topics one by one, decided by the controller, whichever
// broker is asked (wire W-77, W-88).
//
// Versions: 1 compact forms.
//
// Request: resources[]{resourceType:i8; resourceName:str; configs[]{name:str; configOperation:i8; value:str?}};
// validateOnly:bool
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

export interface IncrementalAlterConfigsRequest {
  readonly resources: readonly (Resource & {
    readonly configs: readonly {
      readonly name: string;
      readonly configOperation: number;
      readonly value: string | null;
    }[];
  })[];
  readonly validateOnly: boolean;
}

const OPERATIONS = ['SET', 'DELETE', 'APPEND', 'SUBTRACT'];

export const incrementalAlterConfigs: WireApi<IncrementalAlterConfigsRequest, AlteredResponse> = {
  key: 44,
  name: 'IncrementalAlterConfigs',
  advertised: { min: 0, max: 1 },
  implemented: { min: 0, max: 1 },
  flexibleFrom: 1,

  decode(reader) {
    const request = {
      resources: reader.structs(() => ({
        resourceType: reader.int8(),
        resourceName: reader.string(),
        configs: reader.structs(() => ({
          name: reader.string(),
          configOperation: reader.int8(),
          value: reader.nullableString(),
        })),
      })),
      validateOnly: reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve({ resources, validateOnly }, call, answer) {
    const altered = resources.map((resource) => ({
      ...{ resource, replace: false },
      changes: resource.configs.map(({ name, configOperation, value }) => {
        return { name, operation: OPERATIONS[configOperation] ?? String(configOperation), value };
      }),
    }));
    alterResources(call, altered, validateOnly, answer);
    return undefined;
  },

  encode: writeAltered,
  refuse: ({ resources }, code) => refuseResources(resources, code),
};
