// All rows of the crash-point table, in its order.
import { ABORT_DECISION, COMMIT_DECISION } from './decision.ts';
import { MARKER_ROWS } from './markers.ts';
import type { CrashPoint } from './row.ts';

export const ROWS: readonly CrashPoint[] = [...COMMIT_DECISION, ...MARKER_ROWS, ...ABORT_DECISION];
