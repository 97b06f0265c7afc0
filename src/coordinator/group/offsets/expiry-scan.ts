// Looks for expired offsets from time to time, and deletes them, group by group (wire G-41).
import type { GroupShard, Shards } from '../contract.ts';
import { Repeated } from '../../../runtime/repeated.ts';
import { expired } from './expiry.ts';

const MINUTE_MS = 60_000;
/** Should a deletion fail, the next scan finds the same again. */
const IGNORED = { committed: () => undefined, failed: () => undefined };

/** The scan over these shards. */
export function expiryScan(shards: Shards): Repeated {
  const { config, runtime } = shards.host;
  return new Repeated(runtime.clock, config['offsets.retention.check.interval.ms'], () => scan(shards));
}

/** Each group in a step of its own: a step appends once. */
function scan(shards: Shards): void {
  for (const partition of shards.loaded()) {
    const step = (shard: GroupShard): void => {
      for (const groupId of shard.groups.ids()) shard.enter(() => expire(shards, shard, groupId));
    };
    shards.enterPartition(partition, step, () => undefined);
  }
}

function expire(shards: Shards, shard: GroupShard, groupId: string): void {
  const group = shard.groups.get(groupId);
  if (group === undefined) return;
  const { config, runtime } = shards.host;
  const retentionMs = config['offsets.retention.minutes'] * MINUTE_MS;
  const retention = { now: runtime.clock.wallTime(), retentionMs, guarded: runtime.safeguard('group.expiryGuards') };
  const gone = expired(group, shard.offsets.entries(groupId), retention);
  const records = gone.offsets.map((entry) => shard.offsets.tombstone(entry));
  if (gone.group) records.push(shard.groups.tombstone(groupId));
  if (records.length > 0) shard.append({ records }, IGNORED);
}
