// Heartbeat (key 12), versions 0-4: a member lives, and hears whether it must join again (wire G-27).
//
// Behaviour: decided by the coordinator. Versions: 1 throttleTimeMs; 3 static members; 4 compact forms.
//
// Request: groupId:str; generationId:i32; memberId:str; groupInstanceId:str?=null @3+
//
// Response: throttleTimeMs:i32 @1+; errorCode:i16
import { errorCode, respond, type WireApi } from '../api.ts';

export interface HeartbeatRequest {
  readonly groupId: string;
  readonly generationId: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
}

export interface HeartbeatResponse {
  readonly errorCode: number;
}

export const heartbeat: WireApi<HeartbeatRequest, HeartbeatResponse> = {
  key: 12,
  name: 'Heartbeat',
  advertised: { min: 0, max: 4 },
  implemented: { min: 0, max: 4 },
  flexibleFrom: 4,

  decode(reader, version) {
    const request = {
      groupId: reader.string(),
      generationId: reader.int32(),
      memberId: reader.string(),
      groupInstanceId: version >= 3 ? reader.nullableString() : null,
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const asked = { ...request, groupInstanceId: request.groupInstanceId ?? '' };
    call.broker.coordinate('Heartbeat', asked, ({ error }) => answer(() => respond({ errorCode: errorCode(error) })));
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 1) writer.int32(0);
    writer.int16(response.errorCode).tags();
  },

  refuse(_request, code) {
    return { errorCode: code };
  },
};
