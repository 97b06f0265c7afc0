// Up to where a consumer may read (repl R-21, txn T-133), and what switching those protections off changes. One place for Fetch and
// ListOffsets.
import type { Offset } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';

export type Isolation = 'read_uncommitted' | 'read_committed';

/** The wire's isolation level: 0 read_uncommitted, 1 read_committed. */
export function isolationOf(level: number): Isolation {
  return level === 1 ? 'read_committed' : 'read_uncommitted';
}

/** The safeguards hw.bound and txn.lsoBound: off, consumers read up to the log end, read_committed up to the high watermark. */
export interface Bounded {
  readonly hw: boolean;
  readonly lso: boolean;
}

/** As they stand now. */
export function boundedBy(runtime: { safeguard(name: Safeguard): boolean }): Bounded {
  return { hw: runtime.safeguard('hw.bound'), lso: runtime.safeguard('txn.lsoBound') };
}

/** Exclusive bound of consumers. */
export function readBound(
  log: { readonly highWatermark: Offset; readonly lastStableOffset: Offset; readonly logEndOffset: Offset },
  isolation: Isolation,
  bounded: Bounded,
): Offset {
  if (!bounded.hw) return log.logEndOffset;
  return isolation === 'read_committed' && bounded.lso ? log.lastStableOffset : log.highWatermark;
}
