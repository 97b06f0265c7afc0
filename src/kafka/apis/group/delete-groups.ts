// DeleteGroups (key 42), versions 0-2: groups without members go, with all their offsets (wire G-37).
//
// Behaviour: decided by the coordinator. A group that is named twice is answered once. Versions: 2 compact forms.
//
// Request: groupsNames[] str
//
// Response: throttleTimeMs:i32; results[]{groupId:str; errorCode:i16}
import { errorCode, respond, type WireApi } from '../api.ts';

export interface DeleteGroupsRequest {
  readonly groupsNames: readonly string[];
}

export interface DeleteGroupsResponse {
  readonly results: readonly { readonly groupId: string; readonly errorCode: number }[];
}

export const deleteGroups: WireApi<DeleteGroupsRequest, DeleteGroupsResponse> = {
  key: 42,
  name: 'DeleteGroups',
  advertised: { min: 0, max: 2 },
  implemented: { min: 0, max: 2 },
  flexibleFrom: 2,

  decode(reader) {
    const groupsNames = reader.array(() => reader.string());
    reader.tags();
    return { groupsNames };
  },

  serve({ groupsNames }, call, answer) {
    call.broker.coordinate('DeleteGroups', { groupIds: [...groupsNames] }, ({ groups }) =>
      answer(() =>
        respond({ results: groups.map(({ groupId, error }) => ({ groupId, errorCode: errorCode(error) })) }),
      ),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.results, (result) => {
      writer.string(result.groupId).int16(result.errorCode);
    });
    writer.tags();
  },

  refuse({ groupsNames }, code) {
    return { results: [...new Set(groupsNames)].map((groupId) => ({ groupId, errorCode: code })) };
  },
};
