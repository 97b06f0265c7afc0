// DescribeGroups (key 15), versions 0-5: the state and the members of groups (wire G-38).
//
// Behaviour: decided by the coordinator. A group that is not there is Dead, without an error. Nothing is authorized (W-39).
// Versions: 1 throttleTimeMs; 3 authorized operations; 4 static members; 5 compact forms.
//
// Request: groups[] str; includeAuthorizedOperations:bool @3+
//
// Response: throttleTimeMs:i32 @1+; groups[]{errorCode:i16; groupId:str; groupState:str; protocolType:str;
// protocolData:str; members[]{memberId:str; groupInstanceId:str?=null @4+; clientId:str; clientHost:str;
// memberMetadata:bytes; memberAssignment:bytes}; authorizedOperations:i32=-2147483648 @3+}
import type { Writer } from '../../../base/field-writer.ts';
import type { DescribedGroup as Described } from '../../../protocol/generated/index.ts';
import { errorCode, OPERATIONS_UNKNOWN, respond, type WireApi } from '../api.ts';
import { orNull } from './absent.ts';

export interface DescribeGroupsRequest {
  readonly groups: readonly string[];
}

export interface DescribeGroupsResponse {
  readonly groups: readonly DescribedGroup[];
}
export interface DescribedGroup {
  readonly errorCode: number;
  readonly groupId: string;
  readonly groupState: string;
  readonly protocolType: string;
  readonly protocolData: string;
  readonly members: readonly DescribedMember[];
}
export interface DescribedMember {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  readonly memberMetadata: Buffer;
  readonly memberAssignment: Buffer;
}

export const describeGroups: WireApi<DescribeGroupsRequest, DescribeGroupsResponse> = {
  key: 15,
  name: 'DescribeGroups',
  advertised: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 5,

  decode(reader, version) {
    const groups = reader.array(() => reader.string());
    if (version >= 3) reader.bool(); // includeAuthorizedOperations
    reader.tags();
    return { groups };
  },

  serve({ groups }, call, answer) {
    call.broker.coordinate('DescribeGroups', { groupIds: [...groups] }, (response) =>
      answer(() => respond({ groups: response.groups.map(fromBroker) })),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    writer.structs(response.groups, (group) => writeGroup(writer, group, version));
    writer.tags();
  },

  refuse({ groups }, code) {
    const nothing = { errorCode: code, groupState: '', protocolType: '', protocolData: '', members: [] };
    return { groups: groups.map((groupId) => ({ groupId, ...nothing })) };
  },
};

function fromBroker({ error, groupId, state, protocolType, protocol, members }: Described): DescribedGroup {
  return {
    ...{ errorCode: errorCode(error), groupId, groupState: state, protocolType, protocolData: protocol },
    members: members.map(({ memberId, groupInstanceId, clientId, clientHost, metadata, assignment }) => ({
      ...{ memberId, groupInstanceId: orNull(groupInstanceId), clientId, clientHost },
      ...{ memberMetadata: metadata, memberAssignment: assignment },
    })),
  };
}

function writeGroup(writer: Writer, group: DescribedGroup, version: number): void {
  writer.int16(group.errorCode).string(group.groupId).string(group.groupState);
  writer
    .string(group.protocolType)
    .string(group.protocolData)
    .structs(group.members, (member) => {
      writer.string(member.memberId);
      if (version >= 4) writer.nullableString(member.groupInstanceId);
      writer.string(member.clientId).string(member.clientHost);
      writer.bytes(member.memberMetadata).bytes(member.memberAssignment);
    });
  if (version >= 3) writer.int32(OPERATIONS_UNKNOWN);
}
