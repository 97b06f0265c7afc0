// Metadata (key 3), versions 0-12: brokers, topics and leaders as this broker knows them (wire W-68 to W-70).
//
// Behaviour: a topic id is asked for from v12 on; if any is given, ids alone count (wire W-68). A broker without a Kafka
// listener is not listed. The controller named is the live broker of the lowest id, so that all brokers name the same
// (wire W-37); every broker takes what is meant for the controller. Nothing is authorized (wire W-39).
// Versions: 0 empty means all topics, and only live replicas are listed; 1 null means all, controllerId, rack,
// isInternal; 2 clusterId; 3 throttleTimeMs; 4 allowAutoTopicCreation; 5 offlineReplicas; 7 leaderEpoch; 8-10 authorized
// operations; 9 compact forms; 10 topic ids in responses; 12 topic ids in requests.
//
// Request: topics[]?1+{topicId:uuid @10+; name:str?10+}; allowAutoTopicCreation:bool=true @4+;
// includeClusterAuthorizedOperations:bool @8-10; includeTopicAuthorizedOperations:bool @8+
//
// Response: throttleTimeMs:i32 @3+; brokers[]{nodeId:i32; host:str; port:i32; rack:str?=null @1+}; clusterId:str?=null @2+;
// controllerId:i32=-1 @1+; topics[]{errorCode:i16; name:str?12+; topicId:uuid @10+; isInternal:bool @1+;
// partitions[]{errorCode:i16; partitionIndex:i32; leaderId:i32; leaderEpoch:i32=-1 @7+; replicaNodes[] i32; isrNodes[] i32;
// offlineReplicas[] i32 @5+}; topicAuthorizedOperations:i32=-2147483648 @8+}; clusterAuthorizedOperations:i32=-2147483648 @8-10
import type { ResponseOf } from '../../protocol/apis.ts';
import { NO_ID } from '../../base/field-reader.ts';
import type { Writer } from '../../base/field-writer.ts';
import { errorCode, OPERATIONS_UNKNOWN, respond, type Call, type WireApi } from './api.ts';
import { controllerOf, kafkaBrokers, type KafkaBroker } from './kafka-brokers.ts';

export interface MetadataRequest {
  /** Null: all topics. */
  readonly topics: readonly RequestedTopic[] | null;
  readonly allowAutoTopicCreation: boolean;
}
export interface RequestedTopic {
  /** `NO_ID` if none. */
  readonly topicId: string;
  readonly name: string | null;
}

export interface MetadataResponse {
  readonly brokers: readonly KafkaBroker[];
  readonly clusterId: string;
  readonly controllerId: number;
  readonly topics: readonly MetadataTopic[];
}
export interface MetadataTopic {
  readonly errorCode: number;
  readonly name: string | null;
  readonly topicId: string;
  readonly isInternal: boolean;
  readonly partitions: readonly MetadataPartition[];
}
export interface MetadataPartition {
  readonly errorCode: number;
  readonly partitionIndex: number;
  readonly leaderId: number;
  readonly leaderEpoch: number;
  readonly replicaNodes: readonly number[];
  readonly isrNodes: readonly number[];
  readonly offlineReplicas: readonly number[];
}

export const metadata: WireApi<MetadataRequest, MetadataResponse> = {
  key: 3,
  name: 'Metadata',
  advertised: { min: 0, max: 12 },
  implemented: { min: 0, max: 12 },
  flexibleFrom: 9,

  decode(reader, version) {
    const topic = (): RequestedTopic => ({
      topicId: version >= 10 ? reader.uuid() : NO_ID,
      name: version >= 10 ? reader.nullableString() : reader.string(),
    });
    const topics = version >= 1 ? reader.nullableStructs(topic) : allIfEmpty(reader.structs(topic));
    const allowAutoTopicCreation = version >= 4 ? reader.bool() : true;
    if (version >= 8 && version <= 10) reader.bool();
    if (version >= 8) reader.bool();
    reader.tags();
    return { topics, allowAutoTopicCreation };
  },

  serve(request, call, answer) {
    const topics = request.topics ?? [];
    if (topics.some((topic) => contradicts(topic, call.version))) {
      answer(() => respond(metadata.refuse(request, errorCode('INVALID_REQUEST'), call)));
      return undefined;
    }
    const ids = [...new Set(topics.map((topic) => topic.topicId))].filter((id) => id !== NO_ID);
    const known = ids.map((id) => call.broker.topicName(id)).filter((name) => name !== undefined);
    const unknown = ids.filter((id) => call.broker.topicName(id) === undefined);
    const names = ids.length > 0 ? known : [...new Set(topics.map((topic) => topic.name ?? ''))];
    call.broker.metadata(
      {
        allTopics: request.topics === null,
        topics: names,
        allowAutoTopicCreation: request.allowAutoTopicCreation,
      },
      (response) => answer(() => respond(describe(response, unknown, call))),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 3) writer.int32(0);
    writer.structs(response.brokers, (broker) => {
      writer.int32(broker.nodeId).string(broker.host).int32(broker.port);
      if (version >= 1) writer.nullableString(broker.rack);
    });
    if (version >= 2) writer.nullableString(response.clusterId);
    if (version >= 1) writer.int32(response.controllerId);
    writer.structs(response.topics, (topic) => writeTopic(writer, topic, version));
    if (version >= 8 && version <= 10) writer.int32(OPERATIONS_UNKNOWN);
    writer.tags();
  },

  refuse(request, code, call) {
    const topics = (request.topics ?? []).map(({ name, topicId }) => ({
      ...{ errorCode: code, name: name ?? '', topicId, isInternal: false, partitions: [] },
    }));
    return { brokers: [], clusterId: call.clusterId(), controllerId: -1, topics };
  },
};

function allIfEmpty(topics: RequestedTopic[]): RequestedTopic[] | null {
  return topics.length === 0 ? null : topics;
}

/** An id before v12, or neither id nor name (wire W-68). */
function contradicts(topic: RequestedTopic, version: number): boolean {
  return version < 12 ? topic.topicId !== NO_ID || topic.name === null : topic.topicId === NO_ID && topic.name === null;
}

function describe(response: ResponseOf<'Metadata'>, unknownIds: readonly string[], call: Call): MetadataResponse {
  const brokers = kafkaBrokers(response.brokers);
  const live = new Set(response.brokers.map((broker) => broker.id));
  const listed = (ids: readonly number[]) => (call.version === 0 ? ids.filter((id) => live.has(id)) : ids);
  const topics = response.topics.map((topic): MetadataTopic => ({
    errorCode: errorCode(topic.error),
    name: topic.name,
    topicId: topic.topicId,
    isInternal: topic.isInternal,
    partitions: topic.partitions.map((partition) => ({
      errorCode: errorCode(partition.error),
      partitionIndex: partition.partition,
      leaderId: partition.leader,
      leaderEpoch: partition.leaderEpoch,
      replicaNodes: listed(partition.replicas),
      isrNodes: listed(partition.isr),
      offlineReplicas: partition.offlineReplicas,
    })),
  }));
  const missing = unknownIds.map((topicId): MetadataTopic => ({
    ...{ errorCode: errorCode('UNKNOWN_TOPIC_ID'), name: null, topicId, isInternal: false, partitions: [] },
  }));
  return { brokers, clusterId: call.clusterId(), controllerId: controllerOf(brokers), topics: [...topics, ...missing] };
}

function writeTopic(writer: Writer, topic: MetadataTopic, version: number): void {
  writer.int16(topic.errorCode).nullableString(topic.name);
  if (version >= 10) writer.uuid(topic.topicId);
  if (version >= 1) writer.bool(topic.isInternal);
  writer.structs(topic.partitions, (partition) => {
    writer.int16(partition.errorCode).int32(partition.partitionIndex).int32(partition.leaderId);
    if (version >= 7) writer.int32(partition.leaderEpoch);
    writer.array(partition.replicaNodes, (id) => writer.int32(id));
    writer.array(partition.isrNodes, (id) => writer.int32(id));
    if (version >= 5) writer.array(partition.offlineReplicas, (id) => writer.int32(id));
  });
  if (version >= 8) writer.int32(OPERATIONS_UNKNOWN);
}
