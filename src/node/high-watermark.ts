// How far a leader may move its high watermark: arithmetic only (repl ). When it is tried is leader-role.ts's
// business (repl R-46).
import type { Offset } from '../base/units.ts';

/** What a leader knows at the moment it tries. */
export interface HighWatermarkView {
  readonly highWatermark: Offset;
  readonly logEndOffset: Offset;
  /** Size of the committed ISR: a pending expansion does not count here (repl R-45, T-1). */
  readonly committedIsrSize: number;
  /** Effective min ISR (repl R-11). */
  readonly minIsr: number;
  /**
   * Recorded log ends of the followers that count: those in the maximal ISR, and those that should be waited for
   * (caught up and eligible, repl R-44, T-2). -1: unknown, blocks any advance.
   */
  readonly counted: Iterable<Offset>;
}

/** The high watermark after the attempt: never lower than before, unchanged while the ISR is below the minimum. */
export function nextHighWatermark(view: HighWatermarkView): Offset {
  if (view.committedIsrSize < view.minIsr) return view.highWatermark;
  let candidate = view.logEndOffset;
  for (const logEndOffset of view.counted) if (logEndOffset < candidate) candidate = logEndOffset;
  return candidate > view.highWatermark ? candidate : view.highWatermark;
}
