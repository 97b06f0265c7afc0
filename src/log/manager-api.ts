// What a broker needs of its log directory: opening, checkpoints, and the clean-shutdown marker. See log-manager.ts.
import type { BrokerEpoch, Offset, TopicId } from '../base/units.ts';
import type { PartitionLog } from './api.ts';

/** Identity of a log. */
export interface LogId {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
}

/** What was found in the data directory at start. */
export interface Found {
  /** Cluster id written there; undefined in a new directory. */
  readonly clusterId: string | undefined;
  /** Broker epoch in the clean-shutdown marker, -1 if there is none (repl R-109). The marker is deleted by reading. */
  readonly previousBrokerEpoch: BrokerEpoch;
  readonly clean: boolean;
}

/** One LevelDB with everything of one node in it, under prefixes (design section 4). */
export interface LogManager {
  /** Reads identity, format and marker. Refuses (halts) on a newer format or another node's directory. */
  start(done: (found: Found) => void): void;
  /** Remembers which cluster this directory belongs to. */
  setClusterId(clusterId: string, done: () => void): void;
  /** Opens (recovers, repl R-110) or creates a log. A log of another topic id is left alone (repl R-115). */
  open(id: LogId, done: (log: PartitionLog) => void): void;
  /** Logs found in the directory. */
  stored(done: (ids: readonly LogId[]) => void): void;
  /** These stay as they are and are not opened any more: a clean stop does not depend on them (repl ). */
  setAside(ids: readonly LogId[]): void;
  /** Deletes a log by id, opened or not. */
  deleteLog(id: LogId, done: () => void): void;
  /** Writes the high watermarks of all given logs in one go (repl R-52). */
  checkpointHighWatermarks(entries: ReadonlyMap<LogId, Offset>, done: () => void): void;
  /** Writes flushed offsets and raised log starts (repl R-108); flushes nothing. */
  checkpointOffsets(done: () => void): void;
  /** Flushes all logs and writes the clean-shutdown marker (repl R-109). Last thing before exit. */
  closeCleanly(brokerEpoch: BrokerEpoch, done: () => void): void;
}
