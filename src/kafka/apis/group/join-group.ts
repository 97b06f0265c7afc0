// JoinGroup (key 11), versions 0-9: a member wants to be in the next generation (wire G-15 to G-24).
//
// Behaviour: decided by the coordinator, which is told the version because new members and replaced static ones are answered
// by it (wire G-18, G-23). Parked until the generation begins; a client that goes away meanwhile is a member all the same
// (wire W-15, G-30). The reason is for people, and nobody reads it.
// Versions: 0 has no rebalanceTimeoutMs: the session timeout counts (wire G-15); 4 MEMBER_ID_REQUIRED; 5 static members;
// 6 compact forms; 7 protocolType, and protocolName is null on error; 8 reason; 9 skipAssignment.
//
// Request: groupId:str; sessionTimeoutMs:i32; rebalanceTimeoutMs:i32=-1 @1+; memberId:str; groupInstanceId:str?=null
// @5+; protocolType:str; protocols[]{name:str; metadata:bytes}; reason:str?=null @8+
//
// Response: throttleTimeMs:i32 @2+; errorCode:i16; generationId:i32=-1; protocolType:str?=null @7+; protocolName:str?7+;
// leader:str; skipAssignment:bool @9+; memberId:str; members[]{memberId:str; groupInstanceId:str?=null @5+;
// metadata:bytes}
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import { errorCode, respond, type Call, type WireApi } from '../api.ts';
import { orNull } from './absent.ts';

export interface JoinGroupRequest {
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly protocolType: string;
  readonly protocols: readonly { readonly name: string; readonly metadata: Buffer }[];
}

export interface JoinGroupResponse {
  readonly errorCode: number;
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly leader: string;
  readonly skipAssignment: boolean;
  readonly memberId: string;
  readonly members: readonly {
    readonly memberId: string;
    readonly groupInstanceId: string | null;
    readonly metadata: Buffer;
  }[];
}

export const joinGroup: WireApi<JoinGroupRequest, JoinGroupResponse> = {
  key: 11,
  name: 'JoinGroup',
  advertised: { min: 0, max: 9 },
  implemented: { min: 0, max: 9 },
  flexibleFrom: 6,

  decode(reader, version) {
    const request = {
      groupId: reader.string(),
      sessionTimeoutMs: reader.int32(),
      rebalanceTimeoutMs: version >= 1 ? reader.int32() : -1,
      memberId: reader.string(),
      groupInstanceId: version >= 5 ? reader.nullableString() : null,
      protocolType: reader.string(),
      protocols: reader.structs(() => ({ name: reader.string(), metadata: reader.bytes() })),
    };
    if (version >= 8) reader.nullableString(); // reason
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    call.broker.coordinate('JoinGroup', toBroker(request, call), (response) =>
      answer(() => respond(fromBroker(response))),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 2) writer.int32(0);
    writer.int16(response.errorCode).int32(response.generationId);
    if (version >= 7) writer.nullableString(response.protocolType).nullableString(response.protocolName);
    else writer.string(response.protocolName ?? '');
    writer.string(response.leader);
    if (version >= 9) writer.bool(response.skipAssignment);
    writer.string(response.memberId).structs(response.members, (member) => {
      writer.string(member.memberId);
      if (version >= 5) writer.nullableString(member.groupInstanceId);
      writer.bytes(member.metadata);
    });
    writer.tags();
  },

  refuse({ memberId }, code) {
    return {
      ...{ errorCode: code, generationId: -1, protocolType: null, protocolName: null, leader: '' },
      ...{ skipAssignment: false, memberId, members: [] },
    };
  },
};

function toBroker(request: JoinGroupRequest, { version, clientId, clientHost }: Call): RequestOf<'JoinGroup'> {
  const { groupId, memberId, sessionTimeoutMs, protocolType } = request;
  return {
    ...{ groupId, memberId, sessionTimeoutMs, protocolType, clientId, clientHost },
    rebalanceTimeoutMs: version === 0 ? sessionTimeoutMs : request.rebalanceTimeoutMs,
    groupInstanceId: request.groupInstanceId ?? '',
    protocols: [...request.protocols],
    // 0 means the newest there; versions 0 and 1 are answered alike.
    version: Math.max(version, 1),
  };
}

function fromBroker(response: ResponseOf<'JoinGroup'>): JoinGroupResponse {
  const { error, generationId, protocolType, protocolName, leader, skipAssignment, memberId, members } = response;
  return {
    ...{ errorCode: errorCode(error), generationId, leader, skipAssignment, memberId },
    ...{ protocolType: orNull(protocolType), protocolName: orNull(protocolName) },
    members: members.map((member) => ({ ...member, groupInstanceId: orNull(member.groupInstanceId) })),
  };
}
