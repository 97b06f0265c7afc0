// Looks for expired offsets from time to time, and deletes them, group by group (wire G-41).
import type { Timer } from '../../../runtime/ports.ts';
import type { GroupShard, Shards } from '../contract.ts';
import { expired } from './expiry.ts';

const MINUTE_MS = 60_000;
/** Should a deletion fail, the next scan finds the same again. */
const IGNORED = { committed: () => undefined, failed: () => undefined };

export class ExpiryScan {
  readonly #shards: Shards;
  #timer: Timer | undefined;

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  start(): void {
    const { host } = this.#shards;
    this.#timer = host.runtime.clock.after(host.config['offsets.retention.check.interval.ms'], () => {
      this.#scan();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Each group in a step of its own: a step appends once. */
  #scan(): void {
    for (const partition of this.#shards.loaded()) {
      const step = (shard: GroupShard): void => {
        for (const groupId of shard.groups.ids()) shard.enter(() => this.#expire(shard, groupId));
      };
      this.#shards.enterPartition(partition, step, () => undefined);
    }
  }

  #expire(shard: GroupShard, groupId: string): void {
    const group = shard.groups.get(groupId);
    if (group === undefined) return;
    const { config, runtime } = this.#shards.host;
    const retentionMs = config['offsets.retention.minutes'] * MINUTE_MS;
    const gone = expired(group, shard.offsets.entries(groupId), { now: runtime.clock.wallTime(), retentionMs });
    const records = gone.offsets.map((entry) => shard.offsets.tombstone(entry));
    if (gone.group) records.push(shard.groups.tombstone(groupId));
    if (records.length > 0) shard.append({ records }, IGNORED);
  }
}
