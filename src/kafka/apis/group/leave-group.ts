// LeaveGroup (key 13), versions 0-5: members go, by themselves or removed by an administrator (wire G-29).
//
// Behaviour: decided by the coordinator. Up to v2 one member leaves, and its error is that of the whole answer.
// Versions: 1 throttleTimeMs; 3 many members, by id or by static name; 4 compact forms; 5 reason, which nobody reads.
//
// Request: groupId:str; memberId:str @0-2; members[]{memberId:str; groupInstanceId:str?=null; reason:str?=null @5+} @3+
//
// Response: throttleTimeMs:i32 @1+; errorCode:i16; members[]{memberId:str; groupInstanceId:str?; errorCode:i16} @3+
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { orNull } from './absent.ts';

export interface LeaveGroupRequest {
  readonly groupId: string;
  /** Up to v2. */
  readonly memberId: string;
  /** From v3 on. */
  readonly members: readonly { readonly memberId: string; readonly groupInstanceId: string | null }[];
}

export interface LeaveGroupResponse {
  readonly errorCode: number;
  readonly members: readonly {
    readonly memberId: string;
    readonly groupInstanceId: string | null;
    readonly errorCode: number;
  }[];
}

const MANY_FROM = 3;

export const leaveGroup: WireApi<LeaveGroupRequest, LeaveGroupResponse> = {
  key: 13,
  name: 'LeaveGroup',
  advertised: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 4,

  decode(reader, version) {
    const member = () => {
      const leaving = { memberId: reader.string(), groupInstanceId: reader.nullableString() };
      if (version >= 5) reader.nullableString(); // reason
      return leaving;
    };
    const request = {
      groupId: reader.string(),
      memberId: version < MANY_FROM ? reader.string() : '',
      members: version >= MANY_FROM ? reader.structs(member) : [],
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const { version } = call;
    call.broker.coordinate('LeaveGroup', toBroker(request, version), (response) =>
      answer(() => respond(fromBroker(response, version))),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    writer.int16(response.errorCode);
    if (version >= MANY_FROM) {
      writer.structs(response.members, (member) => {
        writer.string(member.memberId).nullableString(member.groupInstanceId).int16(member.errorCode);
      });
    }
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, members: [] };
  },
};

function toBroker({ groupId, memberId, members }: LeaveGroupRequest, version: number): RequestOf<'LeaveGroup'> {
  const leaving = version < MANY_FROM ? [{ memberId, groupInstanceId: null }] : members;
  return {
    groupId,
    members: leaving.map((member) => ({ ...member, groupInstanceId: member.groupInstanceId ?? '' })),
  };
}

function fromBroker({ error, members }: ResponseOf<'LeaveGroup'>, version: number): LeaveGroupResponse {
  const whole = error === 'NONE' && version < MANY_FROM ? (members[0]?.error ?? error) : error;
  return {
    errorCode: errorCode(whole),
    members: members.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: orNull(member.groupInstanceId),
      errorCode: errorCode(member.error),
    })),
  };
}
