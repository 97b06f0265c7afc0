// How long what failed waits before it is tried again: longer each time, up to a bound.
import type { DurationMs } from '../../base/units.ts';

const FIRST_MS: DurationMs = 20;
const LONGEST_MS: DurationMs = 1000;

/** The wait after this many failures in a row, counted from 0. */
export function backoffMs(failures: number): DurationMs {
  return Math.min(FIRST_MS * 2 ** Math.min(failures, 10), LONGEST_MS);
}
