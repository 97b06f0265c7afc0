// What is written down of the cleaner of one log (txn T-114): how far it came, and when, so that markers and tombstones stay for
// delete.retention.ms after their offsets were cleaned. Local to a replica: each cleans on its own.
import type { EpochMs, Offset } from '../base/units.ts';
import { decodeOffset, encodeOffset } from './keys.ts';

/** A pass that ended. */
export interface Pass {
  /** It cleaned everything below. */
  readonly upTo: Offset;
  readonly at: EpochMs;
}

export interface CleanerState {
  /** Batches below may be gone or rewritten, also by a pass that did not end: gaps there are no losses (repl R-110). */
  readonly gapsBelow: Offset;
  /** Oldest first, rising. The last one is where the next begins. */
  readonly passes: readonly Pass[];
}

export const NEVER_CLEANED: CleanerState = { gapsBelow: 0, passes: [] };

/** Passes that are remembered; older ones make room for the delete horizon that they give. */
const PASSES_MAX = 16;

export function cleanedTo(state: CleanerState): Offset {
  return state.passes.at(-1)?.upTo ?? 0;
}

/** Markers and tombstones below were cleaned around for long enough: nobody who reads from the start can need them. */
export function deleteHorizon(state: CleanerState, now: EpochMs, retentionMs: number): Offset {
  return state.passes.findLast(({ at }) => now - at >= retentionMs)?.upTo ?? 0;
}

/** A pass has ended. Of too many the second newest goes: the horizon then rises a little later. */
export function withPass(state: CleanerState, pass: Pass): CleanerState {
  const passes = state.passes.length < PASSES_MAX ? state.passes : state.passes.slice(0, -1);
  return { gapsBelow: Math.max(state.gapsBelow, pass.upTo), passes: [...passes, pass] };
}

/** The log was cut: what comes there now was not cleaned. */
export function cutCleaner(state: CleanerState, offset: Offset): CleanerState {
  if (state.gapsBelow <= offset) return state;
  const passes = state.passes.flatMap((pass) => (pass.upTo <= offset ? [pass] : []));
  return { gapsBelow: offset, passes };
}

/** As it stands in the store: gapsBelow, then upTo and time of each pass. */
export function encodeCleaner({ gapsBelow, passes }: CleanerState): Buffer {
  return Buffer.concat([gapsBelow, ...passes.flatMap(({ upTo, at }) => [upTo, at])].map((one) => encodeOffset(one)));
}

export function decodeCleaner(bytes: Buffer | undefined): CleanerState {
  if (bytes === undefined || bytes.length < 8) return NEVER_CLEANED;
  const passes: Pass[] = [];
  for (let at = 8; at + 16 <= bytes.length; at += 16) {
    passes.push({ upTo: decodeOffset(bytes, at), at: decodeOffset(bytes, at + 8) });
  }
  return { gapsBelow: decodeOffset(bytes), passes };
}
