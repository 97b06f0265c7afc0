// ListGroups (key 16), versions 0-5: the groups that this broker coordinates (wire G-39).
//
// Behaviour: decided by the coordinator, filters included. There are groups of one type only.
// Versions: 1 throttleTimeMs; 3 compact forms; 4 states; 5 types.
//
// Request: statesFilter[] str @4+; typesFilter[] str @5+
//
// Response: throttleTimeMs:i32 @1+; errorCode:i16; groups[]{groupId:str; protocolType:str; groupState:str @4+;
// groupType:str @5+}
import { errorCode, respond, type WireApi } from '../api.ts';

export interface ListGroupsRequest {
  readonly statesFilter: readonly string[];
  readonly typesFilter: readonly string[];
}

export interface ListGroupsResponse {
  readonly errorCode: number;
  readonly groups: readonly {
    readonly groupId: string;
    readonly protocolType: string;
    readonly groupState: string;
    readonly groupType: string;
  }[];
}

const TYPE = 'classic';

export const listGroups: WireApi<ListGroupsRequest, ListGroupsResponse> = {
  key: 16,
  name: 'ListGroups',
  advertised: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 3,

  decode(reader, version) {
    const request = {
      statesFilter: version >= 4 ? reader.array(() => reader.string()) : [],
      typesFilter: version >= 5 ? reader.array(() => reader.string()) : [],
    };
    reader.tags();
    return request;
  },

  serve({ statesFilter, typesFilter }, call, answer) {
    const filters = { states: [...statesFilter], types: [...typesFilter] };
    call.broker.coordinate('ListGroups', filters, ({ error, groups }) =>
      answer(() =>
        respond({
          errorCode: errorCode(error),
          groups: groups.map(({ groupId, protocolType, state }) => ({
            ...{ groupId, protocolType, groupState: state, groupType: TYPE },
          })),
        }),
      ),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    writer.int16(response.errorCode).structs(response.groups, (group) => {
      writer.string(group.groupId).string(group.protocolType);
      if (version >= 4) writer.string(group.groupState);
      if (version >= 5) writer.string(group.groupType);
    });
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, groups: [] };
  },
};
