// OffsetFetch (wire G-35, txn T-70): what a group has committed, of some partitions or of all that it has.
import type { RequestOf } from '../../../protocol/apis.ts';
import type { CommittedOffset, NamedPartition } from '../../../protocol/generated/index.ts';
import type { Answer } from '../api.ts';
import type { GroupShard, Shards } from '../contract.ts';
import { readError } from '../errors.ts';
import type { OffsetView, StoredOffset } from './offset-entry.ts';

/**
 * Answers what is committed. With `requireStable` it sees everything appended, and its answer waits until that is committed;
 * without, it sees what is committed now (wire G-8).
 */
export function fetchOffsets(shards: Shards, request: RequestOf<'OffsetFetch'>, answer: Answer<'OffsetFetch'>): void {
  const step = (shard: GroupShard): void => {
    if (!request.requireStable) return answer({ error: 'NONE', partitions: readCommitted(shard, request) });
    const partitions = readStable(shard, request, shards.host.runtime.safeguard('group.stableOffsets'));
    shard.whenCommitted((error) =>
      answer(error === 'NONE' ? { error, partitions } : { error: readError(error), partitions: [] }),
    );
  };
  shards.enter(request.groupId, step, (error) => answer({ error, partitions: [] }));
}

function readCommitted(shard: GroupShard, request: RequestOf<'OffsetFetch'>): CommittedOffset[] {
  const { offsets, highWatermark } = shard;
  const asked = request.allPartitions ? offsets.committedEntries(request.groupId) : request.partitions;
  return asked.map((place) => committed(place, entryOf(shard, request, place)?.asOf(highWatermark)));
}

/** With `refuses`, what a transaction may still change is not told. */
function readStable(shard: GroupShard, request: RequestOf<'OffsetFetch'>, refuses: boolean): CommittedOffset[] {
  // What is pending alone is not in the list of all.
  const all = (): readonly NamedPartition[] =>
    shard.offsets.entries(request.groupId).filter(({ latest }) => latest !== undefined);
  return (request.allPartitions ? all() : request.partitions).map((place) => {
    const entry = entryOf(shard, request, place);
    const isUnstable = refuses && entry !== undefined && entry.pending.size > 0;
    if (isUnstable) return { ...committed(place, undefined), error: 'UNSTABLE_OFFSET_COMMIT' as const };
    return committed(place, entry?.latest);
  });
}

function entryOf(
  { offsets }: GroupShard,
  { groupId }: RequestOf<'OffsetFetch'>,
  { topic, partition }: NamedPartition,
): OffsetView | undefined {
  return offsets.entry(groupId, topic, partition);
}

function committed({ topic, partition }: NamedPartition, stored: StoredOffset | undefined): CommittedOffset {
  const { offset, leaderEpoch, metadata } = stored ?? { offset: -1, leaderEpoch: -1, metadata: '' };
  return { topic, partition, offset, leaderEpoch, metadata, error: 'NONE' };
}
