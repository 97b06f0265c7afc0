// A batch that is read back from the store: it must be the one that was written. What a disk has changed is served to nobody
// (repl ); LevelDB compares checksums of its own only where it has damaged files to repair.
import { assert } from '../base/assert.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import { DiskFailure, diskLies } from '../runtime/disk-failure.ts';
import type { IndexedBatch } from './batch-index.ts';
import { hasValidCrc } from './decode-batch.ts';
import type { LogKeys } from './keys.ts';
import type { LogStore } from './log-store.ts';

/** The bytes of a counted batch. Throws DiskFailure if they are not those that the index knows. */
export function storedBatch(from: { readonly store: LogStore; readonly keys: LogKeys }, batch: IndexedBatch): Buffer {
  const bytes = from.store.get(from.keys.batch(batch));
  assert(bytes !== undefined, 'repl R-116: every counted batch is in the store');
  if (!isAsWritten(bytes, batch)) {
    throw new DiskFailure(diskLies(`the batch at offset ${batch.baseOffset} does not match its checksum`));
  }
  return bytes;
}

/** The CRC covers what lies behind it; the index knows what lies before. */
function isAsWritten(bytes: Buffer, { baseOffset, leaderEpoch, crc, sizeBytes }: IndexedBatch): boolean {
  const header = readBatchHeader(bytes);
  if (header === undefined || header.magic !== 2 || header.sizeBytes !== bytes.length) return false;
  const isThis = header.baseOffset === baseOffset && header.leaderEpoch === leaderEpoch && header.crc === crc;
  return isThis && sizeBytes === bytes.length && hasValidCrc(bytes, header);
}
