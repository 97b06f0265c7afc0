// Reads a coordinator's log from its start to its end, beyond the high watermark (txn T-25, T-29, wire G-7), in bounded
// steps over many turns so that a broker serves others meanwhile. What the records mean is its listener's.
import type { Offset } from '../base/units.ts';
import type { PartitionLog } from '../log/api.ts';
import { isControl } from '../log/attributes.ts';
import { decodeMarker } from '../log/control-batch.ts';
import type { Marker } from '../log/control-batch.ts';
import { decodeBatch } from '../log/decode-batch.ts';
import type { LogRecord } from '../log/decode-batch.ts';
import { batchHeaders } from '../protocol/batch-header.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { Clock } from '../runtime/ports.ts';

/** Bytes read in one turn, at least one batch. */
const TURN_BYTES = 262_144;

/** How a replay ended. */
export type ReplayEnd =
  /** All was read, up to this log end. */
  | { readonly kind: 'read'; readonly endOffset: Offset }
  /** The log is not this broker's to read any more. */
  | { readonly kind: 'over' }
  /** A batch cannot be read. What came before it was told: drop it (txn T-28). */
  | { readonly kind: 'failed'; readonly reason: string };

/** Hears what stands in the log, in offset order. */
export interface ReplayListener {
  /** A data batch. Keys and values are views: copy what is kept. */
  records(records: readonly LogRecord[], header: BatchHeader): void;
  /** A transaction marker. */
  marker(marker: Marker, offset: Offset): void;
  /** Last, once; not after a cancel. */
  ended(end: ReplayEnd): void;
}

/** Where to read: `log` is asked anew in every turn, and undefined once the shard is over. */
export interface ReplaySource {
  readonly clock: Clock;
  log(): PartitionLog | undefined;
}

/** Replays a log. Nothing is told inside the call. Returns how to cancel it; then nothing more is told. */
export function replayLog(source: ReplaySource, listener: ReplayListener): () => void {
  let cancelled = false;
  let position: Offset | undefined;
  const turn = (): void => {
    if (cancelled) return;
    const log = source.log();
    if (log === undefined) return listener.ended({ kind: 'over' });
    position = Math.max(position ?? log.logStartOffset, log.logStartOffset);
    if (position >= log.logEndOffset) return listener.ended({ kind: 'read', endOffset: position });
    const { records, nextOffset } = log.read(position, log.logEndOffset, TURN_BYTES, true);
    for (const header of batchHeaders(records)) {
      const problem = tell(records, header, listener);
      if (problem !== undefined) return listener.ended({ kind: 'failed', reason: problem });
    }
    // Nothing but a gap up to the end: compaction has removed what was there.
    position = nextOffset > position ? nextOffset : log.logEndOffset;
    source.clock.after(0, turn);
  };
  source.clock.after(0, turn);
  return () => {
    cancelled = true;
  };
}

/** Tells one batch. Returns what is wrong with it. */
function tell(
  bytes: Buffer,
  header: BatchHeader & { readonly at: number },
  listener: ReplayListener,
): string | undefined {
  if (isControl(header.attributes)) {
    const marker = decodeMarker(bytes, header.at);
    // Other control records mean nothing to a coordinator.
    if (marker !== undefined) listener.marker(marker, header.lastOffset);
    return undefined;
  }
  const batch = decodeBatch(bytes, header.at);
  switch (batch.kind) {
    case 'records':
      listener.records(batch.records, header);
      return undefined;
    case 'compressed':
      return `the batch at ${header.baseOffset} is compressed`;
    case 'malformed':
      return `the batch at ${header.baseOffset}: ${batch.reason}`;
  }
}
