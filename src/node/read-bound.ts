// Up to where a consumer may read (repl R-21), and what switching that protection off changes. One place for Fetch and
// ListOffsets.
import type { Offset } from '../base/units.ts';

export type Isolation = 'read_uncommitted' | 'read_committed';

/** The wire's isolation level: 0 read_uncommitted, 1 read_committed. */
export function isolationOf(level: number): Isolation {
  return level === 1 ? 'read_committed' : 'read_uncommitted';
}

/** Exclusive bound of consumers. `bounded` is the safeguard hw.bound: off, they read up to the log end. */
export function readBound(
  log: { readonly highWatermark: Offset; readonly lastStableOffset: Offset; readonly logEndOffset: Offset },
  isolation: Isolation,
  bounded: boolean,
): Offset {
  if (!bounded) return log.logEndOffset;
  return isolation === 'read_committed' ? log.lastStableOffset : log.highWatermark;
}
