// The leader-epoch cache as pure functions on its content (repl ): where each leader epoch starts in a
// log. Every function answers the very array it was given when nothing changes.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { EpochEndOffset } from './api.ts';

/** (epoch, start offset) pairs, strictly increasing in both. */
export type EpochCache = readonly (readonly [LeaderEpoch, Offset])[];

export function latestEpoch(cache: EpochCache): LeaderEpoch | undefined {
  return cache.at(-1)?.[0];
}

/** Adds (epoch, start). Entries that contradict it, at or above either, go first (repl R-65). */
export function assignEpoch(cache: EpochCache, epoch: LeaderEpoch, start: Offset): EpochCache {
  const latest = cache.at(-1);
  if (latest !== undefined && latest[0] === epoch && start >= latest[1]) return cache;
  let kept = cache.length;
  while (kept > 0 && (cache[kept - 1]![0] >= epoch || cache[kept - 1]![1] >= start)) kept--;
  return [...cache.slice(0, kept), [epoch, start]];
}

/** Drops entries that start at or above a new log end (repl R-67). */
export function cutEpochs(cache: EpochCache, endOffset: Offset): EpochCache {
  let kept = cache.length;
  while (kept > 0 && cache[kept - 1]![1] >= endOffset) kept--;
  return kept === cache.length ? cache : cache.slice(0, kept);
}

/** Follows a raised log start: the epoch in force there now starts there (repl R-67). */
export function raiseEpochs(cache: EpochCache, logStartOffset: Offset): EpochCache {
  let dropped = 0;
  while (dropped < cache.length && cache[dropped]![1] <= logStartOffset) dropped++;
  if (dropped === 0) return cache;
  const [epoch, start] = cache[dropped - 1]!;
  if (dropped === 1 && start === logStartOffset) return cache;
  return [[epoch, logStartOffset], ...cache.slice(dropped)];
}

/**
 * Where `epoch` ends in a log that ends at `logEndOffset` (repl R-68): the largest epoch known at or below it, and the
 * start of the one after. Undefined if nothing is known, or if the epoch is newer than all that is known.
 *
 * @param walks False: as KIP-101 alone, the end is taken for that of the epoch asked about, known or not (KIP-279).
 */
export function endOffsetFor(
  cache: EpochCache,
  epoch: LeaderEpoch,
  logEndOffset: Offset,
  walks = true,
): EpochEndOffset | undefined {
  const latest = latestEpoch(cache);
  if (latest === undefined || epoch < 0 || epoch > latest) return undefined;
  if (epoch === latest) return { epoch, endOffset: logEndOffset };
  const higher = cache.findIndex(([known]) => known > epoch);
  const floor = walks ? cache[higher - 1]?.[0] : undefined;
  return { epoch: floor ?? epoch, endOffset: cache[higher]![1] };
}

/** The latest epoch that starts at or below `offset`. */
export function epochAt(cache: EpochCache, offset: Offset): LeaderEpoch | undefined {
  return cache.findLast(([, start]) => start <= offset)?.[0];
}
