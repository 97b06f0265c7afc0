// SyncGroup (key 14), versions 0-5: the leader brings the assignments, every member gets its own (wire G-25, G-26).
//
// Behaviour: decided by the coordinator. From v5 on the member must say which protocol it speaks: without is error 23, before
// anything is looked up (wire G-25). Parked until the assignments are durable.
// Versions: 1 throttleTimeMs; 3 static members; 4 compact forms; 5 protocolType and protocolName.
//
// Request: groupId:str; generationId:i32; memberId:str; groupInstanceId:str?=null @3+; protocolType:str?=null @5+;
// protocolName:str?=null @5+; assignments[]{memberId:str; assignment:bytes}
//
// Response: throttleTimeMs:i32 @1+; errorCode:i16; protocolType:str?=null @5+; protocolName:str?=null @5+;
// assignment:bytes
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { orNull } from './absent.ts';

export interface SyncGroupRequest {
  readonly groupId: string;
  readonly generationId: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[];
}

export interface SyncGroupResponse {
  readonly errorCode: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly assignment: Buffer;
}

export const syncGroup: WireApi<SyncGroupRequest, SyncGroupResponse> = {
  key: 14,
  name: 'SyncGroup',
  advertised: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 4,

  decode(reader, version) {
    const request = {
      groupId: reader.string(),
      generationId: reader.int32(),
      memberId: reader.string(),
      groupInstanceId: version >= 3 ? reader.nullableString() : null,
      protocolType: version >= 5 ? reader.nullableString() : null,
      protocolName: version >= 5 ? reader.nullableString() : null,
      assignments: reader.structs(() => ({ memberId: reader.string(), assignment: reader.bytes() })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const unsaid = (request.protocolType ?? '') === '' || (request.protocolName ?? '') === '';
    if (call.version >= 5 && unsaid) {
      answer(() => respond(refused(errorCode('INCONSISTENT_GROUP_PROTOCOL'))));
      return undefined;
    }
    call.broker.coordinate('SyncGroup', toBroker(request), (response) => answer(() => respond(fromBroker(response))));
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    writer.int16(response.errorCode);
    if (version >= 5) writer.nullableString(response.protocolType).nullableString(response.protocolName);
    writer.bytes(response.assignment).tags();
  },

  refuse(_request, code) {
    return refused(code);
  },
};

function toBroker(request: SyncGroupRequest): RequestOf<'SyncGroup'> {
  const { groupId, generationId, memberId, assignments } = request;
  return {
    ...{ groupId, generationId, memberId, assignments: [...assignments] },
    groupInstanceId: request.groupInstanceId ?? '',
    protocolType: request.protocolType ?? '',
    protocolName: request.protocolName ?? '',
  };
}

function fromBroker({ error, protocolType, protocolName, assignment }: ResponseOf<'SyncGroup'>): SyncGroupResponse {
  const said = { protocolType: orNull(protocolType), protocolName: orNull(protocolName) };
  return { errorCode: errorCode(error), ...said, assignment };
}

function refused(code: number): SyncGroupResponse {
  return { errorCode: code, protocolType: null, protocolName: null, assignment: Buffer.alloc(0) };
}
