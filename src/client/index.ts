// The client library: what applications and tests import. See connect.
export { connect, HighwaterClient, type ConnectOptions, type ConsumerOptions } from './client.ts';
export { Admin, type TopicOptions } from './admin.ts';
export {
  Groups,
  Transactions,
  type GroupFilter,
  type HangingChoice,
  type Patience,
  type ReplicaChoice,
} from './admin-parts.ts';
export type { CallOptions } from './calls.ts';
export { Consumer, type PollOptions } from './consumer.ts';
export {
  CommitError,
  ConsumerError,
  GroupError,
  HighwaterError,
  IllegalStateError,
  SendError,
  TransactionError,
} from './errors.ts';
export { GroupConsumer, type RebalanceListener } from './group-consumer.ts';
export { Producer, type Bytes, type OutgoingRecord, type RecordMetadata } from './producer.ts';
export { readAll } from './read-all.ts';
export type { ElectionSpec, ReplicaQuestion, TopicSpec } from './core/admin.ts';
export type {
  ActiveTransaction,
  HangingSurvey,
  HangingTransaction,
  MarkerIdentity,
  OpenTransaction,
  Ownership,
  SilentBroker,
  TransactionFilter,
  TransactionListing,
} from './core/admin-transactions.ts';
export type { ConfigOverrides } from './core/client.ts';
export type { GroupMetadata, OffsetToSend } from './core/txn/requests.ts';
export type { ErrorClass } from './core/txn/states.ts';
export { CLIENT_CONFIG_KEYS, type ClientConfig, type ClientConfigName } from './core/config.ts';
export type { ConsumerFailure, ConsumerRecord, Delivery } from './core/consumer-record.ts';
export type { PositionCause } from './core/fetch-position.ts';
export type { ListedOffsetResult, OffsetQuestion } from './core/list-offsets.ts';
