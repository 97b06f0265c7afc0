// What a leader changes in a batch (repl, wire W-95): base offset and leader epoch, which lie outside the CRC,
// and, only if they differ, timestamp type and maximum, which lie inside.
import { crc32c } from '../base/crc32c.ts';
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';

export interface Stamp {
  readonly baseOffset: Offset;
  readonly leaderEpoch: LeaderEpoch;
  readonly attributes: number;
  readonly maxTimestamp: EpochMs;
}

/** A stamped copy of `batch`, whose header is `header`. The one copy on the way from a producer to the store. */
export function stampBatch(batch: Buffer, header: BatchHeader, stamp: Stamp): Buffer {
  const stamped = Buffer.allocUnsafe(batch.length);
  batch.copy(stamped);
  stamped.writeInt32BE(Math.floor(stamp.baseOffset / 0x1_0000_0000), 0);
  stamped.writeUInt32BE(stamp.baseOffset % 0x1_0000_0000, 4);
  stamped.writeInt32BE(stamp.leaderEpoch, 12);
  if (stamp.attributes !== header.attributes || stamp.maxTimestamp !== header.maxTimestamp) {
    stamped.writeInt16BE(stamp.attributes, 21);
    stamped.writeBigInt64BE(BigInt(stamp.maxTimestamp), 35);
    stamped.writeUInt32BE(crc32c(stamped, 21), 17);
  }
  return stamped;
}
