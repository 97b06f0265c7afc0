// The moments that repl I-3 and I-4 speak of: a leader raises its high watermark. Shared by the two, judges nothing.
import type { TraceEvent } from '../../../trace/events.ts';

/** A leader raises its high watermark. */
export type Advance = Extract<TraceEvent, { type: 'hw' }>;

/** An advance by a leader, or undefined. */
export function advanceOf(event: TraceEvent): Advance | undefined {
  return event.type === 'hw' && event.role === 'leader' && event.to > event.from ? event : undefined;
}
