// What a coordinator does about a leader's answer to a marker (txn T-86), and where a marker goes (txn T-82, T-83). Pure.
import type { NodeId, TopicPartition } from '../../base/units.ts';
import { NO_LEADER } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { CoordinatorHost } from '../host.ts';

/**
 * done: the marker is replicated. pass: the partition can hold none. retry: to whoever leads then, for ever. give-up: the
 * whole transaction, in this incarnation (txn W-12). fatal: nothing that a leader should say.
 */
export type Reaction = 'done' | 'pass' | 'retry' | 'give-up' | 'fatal';

const REACTIONS: Partial<Readonly<Record<ErrorName, Reaction>>> = {
  NONE: 'done',
  UNKNOWN_TOPIC_OR_PARTITION: 'retry',
  NOT_LEADER_OR_FOLLOWER: 'retry',
  NOT_ENOUGH_REPLICAS: 'retry',
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'retry',
  REQUEST_TIMED_OUT: 'retry',
  KAFKA_STORAGE_ERROR: 'retry',
  INVALID_PRODUCER_EPOCH: 'give-up',
  TRANSACTION_COORDINATOR_FENCED: 'give-up',
  UNSUPPORTED_VERSION: 'pass',
};

/** Txn T-86. */
export function reactionTo(error: ErrorName): Reaction {
  return REACTIONS[error] ?? 'fatal';
}

/**
 * The live leader of a partition. 'gone': it was deleted, which only a complete view can tell (txn T-31, W-11). 'unknown':
 * it waits for a leader, or for the view.
 */
export function locateLeader(host: CoordinatorHost, { topic, partition }: TopicPartition): NodeId | 'unknown' | 'gone' {
  const { image } = host;
  const registered = image.topicNamed(topic)?.partitions[partition];
  if (registered === undefined) return hasCompleteView(host) ? 'gone' : 'unknown';
  const leader = registered.leader === NO_LEADER ? undefined : image.brokers.get(registered.leader);
  return leader === undefined || leader.fenced ? 'unknown' : leader.id;
}

/**
 * Whether the image is as new as this broker's own admission (repl R-90). Who leads a shard has applied the record that says
 * so, and every topic that the log names is older than that record.
 */
function hasCompleteView(host: CoordinatorHost): boolean {
  const registration = host.image.brokers.get(host.me);
  return registration !== undefined && !registration.fenced && registration.brokerEpoch === host.brokerEpoch();
}
