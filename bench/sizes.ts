// Sizes that the product and its yardsticks share: what makes their figures comparable.

/** Bytes of a batch as it is sent and stored, at most. */
export const BATCH_BYTES = 64 * 1024;
/** Records of 1 KiB, their own framing included, in one batch. */
export const RECORDS_PER_BATCH = 64;
/** Value of a record: with the framing of a record (at most 11 bytes) and its share of the batch header, 1 KiB. */
export const RECORD_VALUE_BYTES = 1010;
/** Produce requests under way. */
export const IN_FLIGHT = 5;
/** A follower is given at most this much at once: replica.fetch.max.bytes. */
export const FETCH_BYTES_MAX = 1024 * 1024;
/** Random bytes to cut records from: what can be compressed would not reach the disk. */
export const POOL_BYTES = 4 * 1024 * 1024;

/** Bytes that batches of 64 records count for on both sides. */
export function batchesToMb(batches: number): number {
  return (batches * BATCH_BYTES) / 1e6;
}
