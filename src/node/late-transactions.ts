// When an open transaction is late (txn T-182): nobody may keep one open for so long, so no coordinator seems to know it.
// What operators alert on, partition by partition (txn T-183).
import type { DurationMs, EpochMs, Offset } from '../base/units.ts';
import type { ProducerEntry } from '../log/producer-entry.ts';

/** What Kafka grants on top of transaction.max.timeout.ms before it counts a transaction as late. */
const BUFFER_MS = 300_000;

/** The open transaction of a partition that began first. */
export interface OldestTransaction {
  readonly producerId: number;
  readonly startOffset: Offset;
  /** Of the producer's last batch or marker. */
  readonly lastTimestampMs: EpochMs;
}

/** Of the producers of one partition; undefined if none has anything open. */
export function oldestTransaction(producers: ReadonlyMap<number, ProducerEntry>): OldestTransaction | undefined {
  let oldest: OldestTransaction | undefined;
  for (const [producerId, { currentTxnFirstOffset: startOffset, lastTimestamp: lastTimestampMs }] of producers) {
    if (startOffset === undefined || (oldest !== undefined && oldest.startOffset <= startOffset)) continue;
    oldest = { producerId, startOffset, lastTimestampMs };
  }
  return oldest;
}

/** Whether its producer was silent for longer than any transaction may last, and 5 minutes. */
export function isLate({ lastTimestampMs }: OldestTransaction, nowMs: EpochMs, maxTimeoutMs: DurationMs): boolean {
  return lastTimestampMs > 0 && nowMs - lastTimestampMs > maxTimeoutMs + BUFFER_MS;
}
