// The calls that exist between nodes: which messages they carry, and whether they need the cluster's secret.
import type * as pb from './generated/index.ts';

/** A message as cores see it: its Lamport time is set and read by the host's network, never by a core. */
export type Body<Message> = Omit<Message, 'lamport'>;

/** Calls with one request and one response. */
export interface UnaryApis {
  BrokerRegistration: { request: pb.BrokerRegistrationRequest; response: pb.BrokerRegistrationResponse };
  BrokerHeartbeat: { request: pb.BrokerHeartbeatRequest; response: pb.BrokerHeartbeatResponse };
  AlterPartition: { request: pb.AlterPartitionRequest; response: pb.AlterPartitionResponse };
  AllocateProducerIds: { request: pb.AllocateProducerIdsRequest; response: pb.AllocateProducerIdsResponse };
  CreateTopics: { request: pb.CreateTopicsRequest; response: pb.CreateTopicsResponse };
  DeleteTopics: { request: pb.DeleteTopicsRequest; response: pb.DeleteTopicsResponse };
  CreatePartitions: { request: pb.CreatePartitionsRequest; response: pb.CreatePartitionsResponse };
  AlterConfigs: { request: pb.AlterConfigsRequest; response: pb.AlterConfigsResponse };
  ElectLeaders: { request: pb.ElectLeadersRequest; response: pb.ElectLeadersResponse };
  AlterPartitionReassignments: {
    request: pb.AlterPartitionReassignmentsRequest;
    response: pb.AlterPartitionReassignmentsResponse;
  };
  ListPartitionReassignments: {
    request: pb.ListPartitionReassignmentsRequest;
    response: pb.ListPartitionReassignmentsResponse;
  };
  UnregisterBroker: { request: pb.UnregisterBrokerRequest; response: pb.UnregisterBrokerResponse };
  DescribeCluster: { request: pb.DescribeClusterRequest; response: pb.DescribeClusterResponse };
  DescribeMetadataLog: { request: pb.DescribeMetadataLogRequest; response: pb.DescribeMetadataLogResponse };
  FollowerListOffsets: { request: pb.ListOffsetsRequest; response: pb.ListOffsetsResponse };
  InitProducerId: { request: pb.InitProducerIdRequest; response: pb.InitProducerIdResponse };
  ConsumerFetch: { request: pb.FetchRequest; response: pb.FetchResponse };
  ListOffsets: { request: pb.ListOffsetsRequest; response: pb.ListOffsetsResponse };
  DeleteRecords: { request: pb.DeleteRecordsRequest; response: pb.DeleteRecordsResponse };
  OffsetsForLeaderEpoch: { request: pb.OffsetsForLeaderEpochRequest; response: pb.OffsetsForLeaderEpochResponse };
  Metadata: { request: pb.MetadataRequest; response: pb.MetadataResponse };
  DescribeReplicas: { request: pb.DescribeReplicasRequest; response: pb.DescribeReplicasResponse };
  VerifyTransactions: { request: pb.VerifyTransactionsRequest; response: pb.VerifyTransactionsResponse };
  WriteTxnMarkers: { request: pb.WriteTxnMarkersRequest; response: pb.WriteTxnMarkersResponse };
  FindCoordinator: { request: pb.FindCoordinatorRequest; response: pb.FindCoordinatorResponse };
  AddPartitionsToTxn: { request: pb.AddPartitionsToTxnRequest; response: pb.AddPartitionsToTxnResponse };
  AddOffsetsToTxn: { request: pb.AddOffsetsToTxnRequest; response: pb.AddOffsetsToTxnResponse };
  EndTxn: { request: pb.EndTxnRequest; response: pb.EndTxnResponse };
  TxnOffsetCommit: { request: pb.TxnOffsetCommitRequest; response: pb.TxnOffsetCommitResponse };
  ListTransactions: { request: pb.ListTransactionsRequest; response: pb.ListTransactionsResponse };
  DescribeTransactions: { request: pb.DescribeTransactionsRequest; response: pb.DescribeTransactionsResponse };
  DescribeProducers: { request: pb.DescribeProducersRequest; response: pb.DescribeProducersResponse };
  AbortTransaction: { request: pb.WriteTxnMarkersRequest; response: pb.WriteTxnMarkersResponse };
  JoinGroup: { request: pb.JoinGroupRequest; response: pb.JoinGroupResponse };
  SyncGroup: { request: pb.SyncGroupRequest; response: pb.SyncGroupResponse };
  Heartbeat: { request: pb.HeartbeatRequest; response: pb.HeartbeatResponse };
  LeaveGroup: { request: pb.LeaveGroupRequest; response: pb.LeaveGroupResponse };
  OffsetCommit: { request: pb.OffsetCommitRequest; response: pb.OffsetCommitResponse };
  OffsetFetch: { request: pb.OffsetFetchRequest; response: pb.OffsetFetchResponse };
  OffsetDelete: { request: pb.OffsetDeleteRequest; response: pb.OffsetDeleteResponse };
  DeleteGroups: { request: pb.DeleteGroupsRequest; response: pb.DeleteGroupsResponse };
  DescribeGroups: { request: pb.DescribeGroupsRequest; response: pb.DescribeGroupsResponse };
  ListGroups: { request: pb.ListGroupsRequest; response: pb.ListGroupsResponse };
}

/** Calls that are a stream of requests and a stream of responses. */
export interface StreamApis {
  Fetch: { request: pb.FetchRequest; response: pb.FetchResponse };
  Produce: { request: pb.ProduceRequest; response: pb.ProduceResponse };
  MetadataLog: { request: pb.MetadataLogRequest; response: pb.MetadataLogResponse };
}

export type UnaryApi = keyof UnaryApis;
export type StreamApi = keyof StreamApis;
export type Api = UnaryApi | StreamApi;

export type RequestOf<A extends Api> = A extends UnaryApi
  ? Body<UnaryApis[A]['request']>
  : A extends StreamApi
    ? Body<StreamApis[A]['request']>
    : never;
export type ResponseOf<A extends Api> = A extends UnaryApi
  ? Body<UnaryApis[A]['response']>
  : A extends StreamApi
    ? Body<StreamApis[A]['response']>
    : never;

/** Where an API lives on the wire. */
export interface ApiInfo {
  /** gRPC service, without its package. */
  readonly service: 'BrokerReplication' | 'BrokerClient' | 'ControllerBroker' | 'ControllerAdmin';
  /** Message type names in proto/. */
  readonly requestType: string;
  readonly responseType: string;
  readonly stream: boolean;
  /** Whether a caller must present the cluster's secret (design section 10). */
  readonly secret: boolean;
}

function api(
  service: ApiInfo['service'],
  name: string,
  options: { stream?: boolean; messages?: string } = {},
): ApiInfo {
  const messages = options.messages ?? name;
  return {
    service,
    requestType: `${messages}Request`,
    responseType: `${messages}Response`,
    stream: options.stream ?? false,
    secret: service !== 'BrokerClient',
  };
}

/** Every API between nodes. The one table that rpc, the simulator and the fault points read. */
export const APIS: Readonly<Record<Api, ApiInfo>> = {
  BrokerRegistration: api('ControllerBroker', 'BrokerRegistration'),
  BrokerHeartbeat: api('ControllerBroker', 'BrokerHeartbeat'),
  AlterPartition: api('ControllerBroker', 'AlterPartition'),
  AllocateProducerIds: api('ControllerBroker', 'AllocateProducerIds'),
  MetadataLog: api('ControllerBroker', 'MetadataLog', { stream: true }),
  CreateTopics: api('ControllerAdmin', 'CreateTopics'),
  DeleteTopics: api('ControllerAdmin', 'DeleteTopics'),
  CreatePartitions: api('ControllerAdmin', 'CreatePartitions'),
  AlterConfigs: api('ControllerAdmin', 'AlterConfigs'),
  ElectLeaders: api('ControllerAdmin', 'ElectLeaders'),
  AlterPartitionReassignments: api('ControllerAdmin', 'AlterPartitionReassignments'),
  ListPartitionReassignments: api('ControllerAdmin', 'ListPartitionReassignments'),
  UnregisterBroker: api('ControllerAdmin', 'UnregisterBroker'),
  DescribeCluster: api('ControllerAdmin', 'DescribeCluster'),
  DescribeMetadataLog: api('ControllerAdmin', 'DescribeMetadataLog'),
  Fetch: api('BrokerReplication', 'Fetch', { stream: true }),
  FollowerListOffsets: api('BrokerReplication', 'FollowerListOffsets', { messages: 'ListOffsets' }),
  Produce: api('BrokerClient', 'Produce', { stream: true }),
  InitProducerId: api('BrokerClient', 'InitProducerId'),
  ConsumerFetch: api('BrokerClient', 'ConsumerFetch', { messages: 'Fetch' }),
  ListOffsets: api('BrokerClient', 'ListOffsets'),
  DeleteRecords: api('BrokerClient', 'DeleteRecords'),
  OffsetsForLeaderEpoch: api('BrokerClient', 'OffsetsForLeaderEpoch'),
  Metadata: api('BrokerClient', 'Metadata'),
  DescribeReplicas: api('BrokerClient', 'DescribeReplicas'),
  VerifyTransactions: api('BrokerReplication', 'VerifyTransactions'),
  WriteTxnMarkers: api('BrokerReplication', 'WriteTxnMarkers'),
  FindCoordinator: api('BrokerClient', 'FindCoordinator'),
  AddPartitionsToTxn: api('BrokerClient', 'AddPartitionsToTxn'),
  AddOffsetsToTxn: api('BrokerClient', 'AddOffsetsToTxn'),
  EndTxn: api('BrokerClient', 'EndTxn'),
  TxnOffsetCommit: api('BrokerClient', 'TxnOffsetCommit'),
  ListTransactions: api('BrokerClient', 'ListTransactions'),
  DescribeTransactions: api('BrokerClient', 'DescribeTransactions'),
  DescribeProducers: api('BrokerClient', 'DescribeProducers'),
  AbortTransaction: api('BrokerClient', 'AbortTransaction', { messages: 'WriteTxnMarkers' }),
  JoinGroup: api('BrokerClient', 'JoinGroup'),
  SyncGroup: api('BrokerClient', 'SyncGroup'),
  Heartbeat: api('BrokerClient', 'Heartbeat'),
  LeaveGroup: api('BrokerClient', 'LeaveGroup'),
  OffsetCommit: api('BrokerClient', 'OffsetCommit'),
  OffsetFetch: api('BrokerClient', 'OffsetFetch'),
  OffsetDelete: api('BrokerClient', 'OffsetDelete'),
  DeleteGroups: api('BrokerClient', 'DeleteGroups'),
  DescribeGroups: api('BrokerClient', 'DescribeGroups'),
  ListGroups: api('BrokerClient', 'ListGroups'),
};
