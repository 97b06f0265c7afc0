// Units and identifiers as they are named everywhere. Aliases, so that signatures say what a number means.

/** A place in a partition log. All "end" offsets are exclusive. */
export type Offset = number;
/** Fences leaders of one partition (KIP-101). */
export type LeaderEpoch = number;
/** Counts the changes of one partition in the metadata log. */
export type PartitionEpoch = number;
/** Identifies one registration of one broker (repl R-87). */
export type BrokerEpoch = number;
/** Brokers from 1, the controller 100, clients of a run from 1001. */
export type NodeId = number;
/** Random id of a topic, 22 characters of base64url; a recreated topic gets another. */
export type TopicId = string;
/** Monotonic time of one process, ms. Never compared between processes. */
export type InstantMs = number;
/** Wall clock, ms since 1970. Stamped on records only; may jump. */
export type EpochMs = number;
/** A length of time, ms. */
export type DurationMs = number;

/** No leader. */
export const NO_LEADER = -1;
/** Unknown or undefined epoch. */
export const NO_EPOCH = -1;
/** Unknown offset. */
export const NO_OFFSET = -1;
/** The controller's node id. */
export const CONTROLLER_ID: NodeId = 100;

/** A partition by name, as people write it. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** "orders-0": how a partition is written in selectors, tables and the history. */
export function formatPartition(topic: string, partition: number): string {
  return `${topic}-${partition}`;
}

/** Reads "orders-0"; undefined if it is none. The topic may itself contain dashes. */
export function parsePartition(text: string): TopicPartition | undefined {
  const match = /^(.+)-(\d+)$/.exec(text);
  if (match === null) return undefined;
  return { topic: match[1]!, partition: Number(match[2]) };
}
