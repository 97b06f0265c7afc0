// What one fault has done on all nodes together: counts are added; of the near misses those are kept that say most.
import type { FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import { notReached } from './armed-fault.ts';

/** Near misses that a status carries at most. */
const NEAR_MISSES_MAX = 3;

/** A fault that no node has told of yet. */
export function emptyStatus(fault: FaultSpec): FaultStatus {
  return { fault, hits: 0, matches: 0, firings: 0, holding: 0, nearMisses: [] };
}

/** Adds what one node tells to the sum. */
export function addStatus(sum: FaultStatus, status: FaultStatus): void {
  for (const count of ['hits', 'matches', 'firings', 'holding'] as const) sum[count] += status[count];
  const nobody = notReached(sum.fault?.point ?? '');
  const all = [...new Set([...sum.nearMisses, ...status.nearMisses])];
  // Most nodes never come to a point at which one of them is all the time; and a fault that fired has missed nothing.
  const telling = all.filter((sentence) => sentence !== nobody);
  const kept = telling.length > 0 || sum.hits > 0 ? telling : all;
  sum.nearMisses = sum.firings > 0 ? [] : kept.slice(0, NEAR_MISSES_MAX);
}
