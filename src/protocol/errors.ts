// The one error table: Kafka's name, number and marks, and whether a failure is definite (repl R-17, wire section 7).
import type { ErrorCode } from './generated/index.ts';

/** Kafka's name of an error; 'NONE' is success. */
export type ErrorName = ErrorCode;

export interface ErrorInfo {
  /** Kafka's number. */
  readonly code: number;
  /** Whether the same request may succeed if sent again. */
  readonly retriable: boolean;
  /** Whether a client should refresh its metadata first. */
  readonly refreshMetadata: boolean;
  /**
   * The attempt it answers did not do and never will do what it asked for: of a produce, append (repl R-17). When in doubt,
   * not definite.
   * Workloads derive `fail` (definite) and `info` (unknown) from it and from nothing else.
   */
  readonly definite: boolean;
  /** What it means, for people. */
  readonly message: string;
}

function entry(code: number, marks: string, message: string): ErrorInfo {
  return {
    code,
    retriable: marks.includes('R'),
    refreshMetadata: marks.includes('M'),
    definite: marks.includes('D'),
    message,
  };
}

/**
 * R retriable, M refresh metadata, D definite. An unknown topic is not: it may have been deleted while acks=all waited
 * (repl R-15).
 */
export const ERRORS: Readonly<Record<ErrorName, ErrorInfo>> = {
  NONE: entry(0, '', 'done'),
  UNKNOWN_SERVER_ERROR: entry(-1, '', 'the broker hit an unexpected error; it may or may not have acted'),
  OFFSET_OUT_OF_RANGE: entry(1, '', 'the offset is outside what the log holds'),
  CORRUPT_MESSAGE: entry(2, 'RD', 'the record batch is malformed or its CRC does not match'),
  UNKNOWN_TOPIC_OR_PARTITION: entry(3, 'RM', 'this broker does not know the topic or partition'),
  LEADER_NOT_AVAILABLE: entry(5, 'RMD', 'the partition has no live leader'),
  NOT_LEADER_OR_FOLLOWER: entry(6, 'RM', 'this broker is not the leader (or has no replica) of the partition'),
  REQUEST_TIMED_OUT: entry(7, 'R', 'the wait ended before the request was complete; the outcome is unknown'),
  BROKER_NOT_AVAILABLE: entry(8, '', 'the broker is not available'),
  MESSAGE_TOO_LARGE: entry(10, 'D', 'the batch is larger than max.message.bytes'),
  OFFSET_METADATA_TOO_LARGE: entry(
    12,
    'D',
    'the metadata of an offset commit is longer than offset.metadata.max.bytes',
  ),
  NETWORK_EXCEPTION: entry(13, 'RM', 'the connection was lost before an answer came; the outcome is unknown'),
  COORDINATOR_LOAD_IN_PROGRESS: entry(14, 'RD', 'the coordinator is loading, or the broker waits for producer ids'),
  COORDINATOR_NOT_AVAILABLE: entry(15, 'R', 'there is no coordinator now, or its log cannot be written'),
  NOT_COORDINATOR: entry(16, 'R', 'this broker is not the coordinator of the id'),
  INVALID_TOPIC_EXCEPTION: entry(17, 'D', 'the topic name is invalid, or the topic is internal'),
  RECORD_LIST_TOO_LARGE: entry(18, 'D', 'the batch is larger than segment.bytes'),
  NOT_ENOUGH_REPLICAS: entry(19, 'RD', 'fewer in-sync replicas than min.insync.replicas; nothing was written'),
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: entry(20, 'R', 'written, but fewer in-sync replicas than min.insync.replicas'),
  INVALID_REQUIRED_ACKS: entry(21, 'D', 'acks must be 0, 1 or all (-1)'),
  ILLEGAL_GENERATION: entry(22, 'D', "the generation is not the group's"),
  INCONSISTENT_GROUP_PROTOCOL: entry(23, 'D', "the member's protocols do not fit the group's"),
  INVALID_GROUP_ID: entry(24, 'D', 'the group id is invalid'),
  UNKNOWN_MEMBER_ID: entry(25, 'D', 'the group has no such member'),
  INVALID_SESSION_TIMEOUT: entry(26, 'D', 'the session timeout is outside what the broker accepts'),
  REBALANCE_IN_PROGRESS: entry(27, 'D', 'the group is rebalancing: join it again'),
  INVALID_TIMESTAMP: entry(32, 'D', 'a timestamp is outside what the topic accepts'),
  UNSUPPORTED_VERSION: entry(35, 'D', 'this version of the API is not served'),
  TOPIC_ALREADY_EXISTS: entry(36, 'D', 'a topic of this name exists'),
  INVALID_PARTITIONS: entry(37, 'D', 'the number of partitions is invalid'),
  INVALID_REPLICATION_FACTOR: entry(
    38,
    'D',
    'the replication factor is invalid or larger than the number of live brokers',
  ),
  INVALID_REPLICA_ASSIGNMENT: entry(39, 'D', 'the replica assignment is invalid'),
  INVALID_CONFIG: entry(40, 'D', 'a configuration name or value is invalid'),
  NOT_CONTROLLER: entry(41, 'R', 'the controller cannot be reached, or its state is older than the request'),
  INVALID_REQUEST: entry(42, 'D', 'the request contradicts itself'),
  POLICY_VIOLATION: entry(44, 'D', 'the request violates a policy of the topic'),
  OUT_OF_ORDER_SEQUENCE_NUMBER: entry(45, 'D', "the batch's sequence is not the one expected of its producer"),
  DUPLICATE_SEQUENCE_NUMBER: entry(46, '', 'the batch was appended before; where is not known any more'),
  INVALID_PRODUCER_EPOCH: entry(47, 'D', "the batch's producer epoch is older than the one the partition knows"),
  INVALID_TXN_STATE: entry(48, 'D', 'the transaction is not in a state that allows this'),
  INVALID_PRODUCER_ID_MAPPING: entry(49, 'D', 'the producer id is not the one of the transactional id'),
  INVALID_TRANSACTION_TIMEOUT: entry(
    50,
    'D',
    'the transaction timeout is not above 0, or above transaction.max.timeout.ms',
  ),
  CONCURRENT_TRANSACTIONS: entry(51, 'RD', 'the transaction before is still being completed'),
  TRANSACTION_COORDINATOR_FENCED: entry(52, 'D', 'a newer coordinator of the transactional id has written here'),
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: entry(53, 'D', 'a transactional batch came without a transactional id'),
  OPERATION_NOT_ATTEMPTED: entry(55, 'D', 'not attempted because something else in the request failed'),
  KAFKA_STORAGE_ERROR: entry(56, 'RM', 'the log directory failed; the outcome is unknown'),
  UNKNOWN_PRODUCER_ID: entry(59, 'D', 'the partition knows nothing of the producer id (any more)'),
  NON_EMPTY_GROUP: entry(68, 'D', 'the group has members'),
  GROUP_ID_NOT_FOUND: entry(69, 'D', 'there is no such group'),
  FETCH_SESSION_ID_NOT_FOUND: entry(70, 'R', 'no such fetch session'),
  INVALID_FETCH_SESSION_EPOCH: entry(71, 'R', 'the fetch session epoch is not the one expected'),
  TOPIC_DELETION_DISABLED: entry(73, 'D', 'delete.topic.enable is off'),
  FENCED_LEADER_EPOCH: entry(74, 'RM', "the leader epoch in the request is older than the broker's"),
  UNKNOWN_LEADER_EPOCH: entry(75, 'R', "the leader epoch in the request is newer than the broker's"),
  UNSUPPORTED_COMPRESSION_TYPE: entry(76, 'D', 'the compression type is not supported at this version'),
  STALE_BROKER_EPOCH: entry(77, '', 'the broker epoch is not the registered one'),
  OFFSET_NOT_AVAILABLE: entry(78, 'R', 'the new leader has not caught up with what was committed before it'),
  MEMBER_ID_REQUIRED: entry(79, 'D', 'join again with the member id that was given'),
  PREFERRED_LEADER_NOT_AVAILABLE: entry(80, 'RM', 'the preferred replica cannot lead now'),
  GROUP_MAX_SIZE_REACHED: entry(81, 'D', 'the group has group.max.size members'),
  FENCED_INSTANCE_ID: entry(82, 'D', 'another member has taken over the group instance id'),
  ELIGIBLE_LEADERS_NOT_AVAILABLE: entry(83, 'RM', 'no replica is eligible to lead'),
  ELECTION_NOT_NEEDED: entry(84, 'RM', 'the leader is already the one an election would give'),
  NO_REASSIGNMENT_IN_PROGRESS: entry(85, 'D', 'the partition is not being reassigned'),
  GROUP_SUBSCRIBED_TO_TOPIC: entry(86, 'D', 'the group is subscribed to the topic'),
  INVALID_RECORD: entry(87, 'D', 'the record batch breaks a rule of its format or of the topic'),
  UNSTABLE_OFFSET_COMMIT: entry(88, 'R', 'a transaction that commits this offset is not decided yet'),
  PRODUCER_FENCED: entry(
    90,
    'D',
    'a newer producer has taken over the transactional id, or its transaction was aborted',
  ),
  INVALID_UPDATE_VERSION: entry(95, '', "the partition epoch is older than the controller's"),
  UNKNOWN_TOPIC_ID: entry(100, 'RM', 'this broker does not know the topic id'),
  DUPLICATE_BROKER_REGISTRATION: entry(101, '', 'another process of this broker id still has a session'),
  BROKER_ID_NOT_REGISTERED: entry(102, 'D', 'no broker is registered under this id'),
  INCONSISTENT_TOPIC_ID: entry(103, 'RM', 'the topic id is not that of the log'),
  INCONSISTENT_CLUSTER_ID: entry(104, '', 'the data directory belongs to another cluster'),
  TRANSACTIONAL_ID_NOT_FOUND: entry(105, 'D', 'the coordinator knows no such transactional id'),
  FETCH_SESSION_TOPIC_ID_ERROR: entry(106, 'R', 'the fetch session mixes topic names and ids'),
  INELIGIBLE_REPLICA: entry(107, '', 'a proposed member may not join the ISR'),
  NEW_LEADER_ELECTED: entry(108, '', 'the change moved the leader'),
  MISMATCHED_ENDPOINT_TYPE: entry(114, 'D', 'a broker was asked for what a controller answers'),
  UNSUPPORTED_ENDPOINT_TYPE: entry(115, 'D', 'there is no such type of endpoint'),
  TRANSACTION_ABORTABLE: entry(120, 'D', 'the transaction cannot go on: abort it'),
  INVALID_REGULAR_EXPRESSION: entry(128, 'D', 'the pattern is no regular expression'),
};

const byCode = new Map(Object.entries(ERRORS).map(([name, info]) => [info.code, name as ErrorName]));

/** The name of a Kafka error number; an unknown number is UNKNOWN_SERVER_ERROR, so the lookup is total. */
export function errorName(code: number): ErrorName {
  return byCode.get(code) ?? 'UNKNOWN_SERVER_ERROR';
}
