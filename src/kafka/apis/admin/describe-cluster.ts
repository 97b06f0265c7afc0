// DescribeCluster (key 60), versions 0-1: the brokers that are alive (wire W-70, W-89).
//
// Behaviour: the same brokers and the same controller as Metadata names (wire W-37). Nothing is authorized (wire W-39).
// Versions: 1 endpoint types.
//
// Request: includeClusterAuthorizedOperations:bool; endpointType:i8=1 @1+
//
// Response: throttleTimeMs:i32; errorCode:i16; errorMessage:str?=null; endpointType:i8=1 @1+; clusterId:str;
// controllerId:i32=-1; brokers[]{brokerId:i32; host:str; port:i32; rack:str?=null};
// clusterAuthorizedOperations:i32=-2147483648
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';
import { errorCode, OPERATIONS_UNKNOWN, respond, type WireApi } from '../api.ts';
import { controllerOf, kafkaBrokers, type KafkaBroker } from '../kafka-brokers.ts';

export interface DescribeClusterRequest {
  readonly endpointType: number;
}

export interface DescribeClusterResponse {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly endpointType: number;
  readonly clusterId: string;
  readonly controllerId: number;
  readonly brokers: readonly (Omit<KafkaBroker, 'nodeId'> & { readonly brokerId: number })[];
}

const BROKERS = 1;
const CONTROLLERS = 2;

export const describeCluster: WireApi<DescribeClusterRequest, DescribeClusterResponse> = {
  key: 60,
  name: 'DescribeCluster',
  advertised: { min: 0, max: 1 },
  implemented: { min: 0, max: 1 },
  flexibleFrom: 0,

  decode(reader, version) {
    reader.bool();
    const request = { endpointType: version >= 1 ? reader.int8() : BROKERS };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    if (request.endpointType !== BROKERS) {
      const isKnown = request.endpointType === CONTROLLERS;
      const error: ErrorName = isKnown ? 'MISMATCHED_ENDPOINT_TYPE' : 'UNSUPPORTED_ENDPOINT_TYPE';
      const { message } = ERRORS[error];
      answer(() => respond({ ...describeCluster.refuse(request, errorCode(error), call), errorMessage: message }));
      return undefined;
    }
    call.broker.metadata({ allTopics: false, topics: [], allowAutoTopicCreation: false }, (response) =>
      answer(() => {
        const brokers = kafkaBrokers(response.brokers);
        return respond({
          ...{ errorCode: errorCode('NONE'), errorMessage: null, endpointType: BROKERS, clusterId: call.clusterId() },
          controllerId: controllerOf(brokers),
          brokers: brokers.map(({ nodeId, ...place }) => ({ brokerId: nodeId, ...place })),
        });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0).int16(response.errorCode).nullableString(response.errorMessage);
    if (version >= 1) writer.int8(response.endpointType);
    writer.string(response.clusterId).int32(response.controllerId);
    writer.structs(response.brokers, ({ brokerId, host, port, rack }) => {
      writer.int32(brokerId).string(host).int32(port).nullableString(rack);
    });
    writer.int32(OPERATIONS_UNKNOWN).tags();
  },

  refuse(_, code, call) {
    const nobody = { controllerId: -1, brokers: [] };
    return { errorCode: code, errorMessage: null, endpointType: BROKERS, clusterId: call.clusterId(), ...nobody };
  },
};
