// What one fetch stream has established at its leader: the partitions fetched each round and what the follower was told
// of each (repl; design section 5). Bookkeeping only: follower-stream.ts owns the stream.
import { NO_OFFSET } from '../base/units.ts';
import type { Offset, TopicId } from '../base/units.ts';
import type { RequestOf } from '../protocol/apis.ts';
import type { FetchedPartition, FetchPartition } from '../protocol/generated/index.ts';

/** How a partition is named inside sessions. */
export function sessionKey(topicId: TopicId, partition: number): string {
  return `${topicId}-${partition}`;
}

interface Cached {
  at: FetchPartition;
  /** The last answer's high watermark and log start; -1: an answer must be sent whatever it says. */
  toldHighWatermark: Offset;
  toldLogStartOffset: Offset;
}

export class FetchSession {
  /** In the order of reading: what returned data goes to the end. */
  readonly #partitions = new Map<string, Cached>();

  /** Takes in a request. A full one makes the session forget everything, also what it has told. */
  update(request: Pick<RequestOf<'Fetch'>, 'full' | 'partitions' | 'forgotten'>): void {
    if (request.full) this.#partitions.clear();
    for (const { topicId, partition } of request.forgotten) this.#partitions.delete(sessionKey(topicId, partition));
    for (const at of request.partitions) {
      const key = sessionKey(at.topicId, at.partition);
      const cached = this.#partitions.get(key);
      // In another leader epoch the follower has begun anew, and may have ignored what it was told in the one before.
      if (cached?.at.currentLeaderEpoch === at.currentLeaderEpoch) cached.at = at;
      else this.#partitions.set(key, { at, toldHighWatermark: NO_OFFSET, toldLogStartOffset: NO_OFFSET });
    }
  }

  /** All partitions of this round: those not listed are fetched again where they were. */
  get wanted(): FetchPartition[] {
    return [...this.#partitions.values()].map((cached) => cached.at);
  }

  /** Leaves out what brings no news, and remembers what is told. A changed last stable offset alone is no news. */
  news(fetched: readonly FetchedPartition[]): FetchedPartition[] {
    return fetched.filter((result) => {
      const key = sessionKey(result.topicId, result.partition);
      const cached = this.#partitions.get(key);
      if (cached === undefined) return true;
      const mustSend = isNews(cached, result);
      const settled = result.error === 'NONE' && result.divergingEpoch === null;
      cached.toldHighWatermark = settled ? result.highWatermark : NO_OFFSET;
      cached.toldLogStartOffset = settled ? result.logStartOffset : NO_OFFSET;
      if (result.records.length > 0) {
        this.#partitions.delete(key);
        this.#partitions.set(key, cached);
      }
      return mustSend;
    });
  }
}

function isNews(cached: Cached, result: FetchedPartition): boolean {
  return (
    result.error !== 'NONE' ||
    result.divergingEpoch !== null ||
    result.records.length > 0 ||
    result.highWatermark !== cached.toldHighWatermark ||
    result.logStartOffset !== cached.toldLogStartOffset
  );
}
