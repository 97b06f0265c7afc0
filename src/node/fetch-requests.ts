// The follower's half of a fetch session: which request to send next, and what was last asked of each partition (repl R-38,
// R-39; design section 5). Bookkeeping only.
import type { LeaderEpoch, Offset, TopicId } from '../base/units.ts';
import type { FetchPartition, TopicPartitionId } from '../protocol/generated/index.ts';
import { sessionKey } from './fetch-session.ts';

/** What is asked of one partition. */
export interface Ask {
  readonly topicId: TopicId;
  readonly topic: string;
  readonly partition: number;
  readonly leaderEpoch: LeaderEpoch;
  readonly offset: Offset;
  readonly lastFetchedEpoch: LeaderEpoch;
  readonly logStartOffset: Offset;
}

/** The part of a request that this decides. */
export interface SessionRequest {
  readonly full: boolean;
  readonly partitions: FetchPartition[];
  readonly forgotten: TopicPartitionId[];
}

export class FetchRequests {
  readonly #partitionMaxBytes: number;
  /** As the leader has it once it has read the last request. */
  #asked = new Map<string, Ask>();

  constructor(partitionMaxBytes: number) {
    this.#partitionMaxBytes = partitionMaxBytes;
  }

  /** What the last request asked of a partition, whether it listed it or not. */
  asked(topicId: TopicId, partition: number): Ask | undefined {
    return this.#asked.get(sessionKey(topicId, partition));
  }

  /** `full`: on a new stream, and while a request is outstanding. Else only what changed since the last one. */
  next(asks: readonly Ask[], full: boolean): SessionRequest {
    const before = full ? new Map<string, Ask>() : this.#asked;
    const now = new Map(asks.map((ask) => [sessionKey(ask.topicId, ask.partition), ask]));
    const changed = [...now].filter(([key, ask]) => !isSame(before.get(key), ask)).map(([, ask]) => ask);
    const forgotten = [...before].filter(([key]) => !now.has(key)).map(([, ask]) => ask);
    this.#asked = now;
    return {
      full,
      partitions: changed.map((ask) => this.#encode(ask)),
      forgotten: forgotten.map(({ topicId, partition }) => ({ topicId, partition })),
    };
  }

  #encode(ask: Ask): FetchPartition {
    const { topicId, topic, partition, leaderEpoch, offset, lastFetchedEpoch, logStartOffset } = ask;
    const positions = { fetchOffset: offset, lastFetchedEpoch, logStartOffset };
    const limits = { partitionMaxBytes: this.#partitionMaxBytes };
    return { topicId, topic, partition, currentLeaderEpoch: leaderEpoch, ...positions, ...limits };
  }
}

function isSame(before: Ask | undefined, ask: Ask): boolean {
  return (
    before !== undefined &&
    before.offset === ask.offset &&
    before.leaderEpoch === ask.leaderEpoch &&
    before.lastFetchedEpoch === ask.lastFetchedEpoch &&
    before.logStartOffset === ask.logStartOffset
  );
}
