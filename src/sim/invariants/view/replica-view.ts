// One replica as its events tell it: its log batch by batch, its ends, its role and what it knows of others.
import type { LeaderEpoch, NodeId, Offset } from '../../../base/units.ts';
import type { BatchMark } from '../../../trace/events.ts';

/** What a replica's log held before its process started again. */
export interface EarlierLog {
  readonly batches: readonly BatchMark[];
  readonly logEndOffset: Offset;
}

export interface ReplicaView {
  readonly node: NodeId;
  /** E.g. "orders-0". */
  readonly name: string;
  logStartOffset: Offset;
  logEndOffset: Offset;
  highWatermark: Offset;
  /** By base offset. */
  batches: BatchMark[];
  epochs: readonly (readonly [LeaderEpoch, Offset])[];
  /** 'none' from the opening of the log until the process has heard its role. */
  role: 'none' | 'leader' | 'follower';
  /** The epoch it has applied; -1 before that. */
  leaderEpoch: LeaderEpoch;
  /** Leaders: the committed ISR, the maximal ISR (repl R-43), the effective min ISR. */
  isr: readonly NodeId[];
  maximalIsr: readonly NodeId[];
  minIsr: number;
  /** Leaders: ends recorded from fetches in this leadership (repl R-41). */
  readonly recorded: Map<NodeId, Offset>;
  /** It lost a counted tail to power loss or its disk, and has not been in sync since: exception P. */
  lossy: boolean;
  /** The log at the end of the previous process; undefined in the first one or after a loss. */
  earlier: EarlierLog | undefined;
}

/** A replica of which nothing is known. */
export function unknownReplica(node: NodeId, name: string): ReplicaView {
  return {
    ...{ node, name, logStartOffset: 0, logEndOffset: 0, highWatermark: 0, batches: [], epochs: [] },
    ...{ role: 'none', leaderEpoch: -1, isr: [], maximalIsr: [], minIsr: 0, recorded: new Map() },
    ...{ lossy: false, earlier: undefined },
  };
}

/** Index of the first batch that ends at or behind `offset`. */
export function firstEndingFrom(batches: readonly BatchMark[], offset: Offset): number {
  let low = 0;
  let high = batches.length;
  // Most questions are about the end of the log: back from it in steps that double, then halve what is left.
  for (let step = 1; high > 0; step *= 2) {
    const at = Math.max(0, high - step);
    if (batches[at]!.lastOffset < offset) {
      low = at + 1;
      break;
    }
    high = at;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (batches[middle]!.lastOffset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Equal content, offset and leader epoch. */
export function sameBatch(a: BatchMark, b: BatchMark): boolean {
  return (
    a.baseOffset === b.baseOffset && a.lastOffset === b.lastOffset && a.leaderEpoch === b.leaderEpoch && a.crc === b.crc
  );
}

/** "3..5 of epoch 2 (crc 1f)", for reports. */
export function describeBatch(batch: BatchMark | undefined): string {
  if (batch === undefined) return 'nothing';
  const { baseOffset, lastOffset, leaderEpoch, crc } = batch;
  return `${baseOffset}..${lastOffset} of epoch ${leaderEpoch} (crc ${(crc >>> 0).toString(16)})`;
}
