// OffsetCommit (wire G-31 to G-34): the members of a group, and tools, commit what was read.
import type { EpochMs } from '../../../base/units.ts';
import type { RecordData } from '../../../log/encode-batch.ts';
import type { OffsetToCommit } from '../../../protocol/generated/index.ts';
import type { RequestOf } from '../../../protocol/apis.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { Answer } from '../api.ts';
import type { GroupShard, Shards } from '../contract.ts';
import type { CoordinatorHost } from '../../host.ts';
import { writeError } from '../errors.ts';
import { encodeOffsetKey, encodeOffsetValue } from './offset-record.ts';
import { RequestPartitions } from './request-partitions.ts';

/** Commits the offsets of the request, and answers once they are below the high watermark. */
export function commitOffsets(
  shards: Shards,
  request: RequestOf<'OffsetCommit'>,
  answer: Answer<'OffsetCommit'>,
): void {
  const partitions = new RequestPartitions(request.offsets, shards.host.image);
  const finish = (error: ErrorName): void => answer({ partitions: partitions.outcomes(error) });
  if (partitions.open.length === 0) return finish('NONE');
  const step = (shard: GroupShard): void => {
    const refused = shard.groups.checkCommit(request.groupId, request, 'plain');
    if (refused !== 'NONE') return finish(refused);
    const records = commitRecords(shards.host, request.groupId, partitions, request);
    // Nothing to write: the answer still rests on what was written before (wire G-8).
    if (records.length === 0) return shard.whenCommitted((error) => finish(writeError(error)));
    const { partition, coordinatorEpoch } = shard;
    const fields = { group: request.groupId, partition, coordinatorEpoch };
    shard.append(
      { records },
      {
        appended: (_info, proceed) => shards.host.runtime.faults.reach('group.offset.appended', fields, proceed),
        committed: () => finish('NONE'),
        failed: (error) => finish(writeError(error)),
      },
    );
  };
  shards.enter(request.groupId, step, finish);
}

/** For how long a commit holds, if it says so itself. */
type OwnRetention = Pick<RequestOf<'OffsetCommit'>, 'hasRetentionTime' | 'retentionTimeMs'>;
const BROKERS_RETENTION: OwnRetention = { hasRetentionTime: false, retentionTimeMs: 0 };

/** One record a partition that is open still. Those whose metadata is too long are refused (wire G-33). */
export function commitRecords(
  { config, runtime }: CoordinatorHost,
  groupId: string,
  partitions: RequestPartitions<OffsetToCommit>,
  retention = BROKERS_RETENTION,
): RecordData[] {
  const now = runtime.clock.wallTime();
  const expireTimestamp = expiresAt(now, retention);
  return partitions.open.flatMap(({ asked, topicId, refuse }) => {
    const { topic, partition, offset, leaderEpoch, metadata } = asked;
    if (metadata.length > config['offset.metadata.max.bytes']) {
      refuse('OFFSET_METADATA_TOO_LARGE');
      return [];
    }
    const value = { offset, leaderEpoch, metadata, commitTimestamp: now, expireTimestamp, topicId };
    return [{ timestamp: now, key: encodeOffsetKey({ groupId, topic, partition }), value: encodeOffsetValue(value) }];
  });
}

/** When a commit expires by itself; -1: it does not (wire G-9). A time that has passed, or never comes, is kept writable. */
function expiresAt(now: EpochMs, { hasRetentionTime, retentionTimeMs }: OwnRetention): EpochMs {
  if (!hasRetentionTime) return -1;
  return Math.min(Math.max(now + retentionTimeMs, 0), Number.MAX_SAFE_INTEGER);
}
