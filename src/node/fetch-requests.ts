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
    const now = new Map<string, Ask>();
    const partitions: FetchPartition[] = [];
    for (const ask of asks) {
      const key = sessionKey(ask.topicId, ask.partition);
      now.set(key, ask);
      if (!isSame(before.get(key), ask)) partitions.push(this.#encode(ask));
    }
    const forgotten: TopicPartitionId[] = [];
    for (const [key, { topicId, partition }] of before) if (!now.has(key)) forgotten.push({ topicId, partition });
    this.#asked = now;
    return { full, partitions, forgotten };
  }

  #encode(ask: Ask): FetchPartition {
    const { topicId, topic, partition, leaderEpoch, offset, lastFetchedEpoch, logStartOffset } = ask;
    return {
      ...{ topicId, topic, partition, currentLeaderEpoch: leaderEpoch, fetchOffset: offset },
      ...{ lastFetchedEpoch, logStartOffset, partitionMaxBytes: this.#partitionMaxBytes },
    };
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
