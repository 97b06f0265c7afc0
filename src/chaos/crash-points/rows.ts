// All rows of the crash-point table, in its order.
import { ADD_ROWS } from './add.ts';
import { CLIENT_ROWS } from './clients.ts';
import { COMPLETION_ROWS } from './completion.ts';
import { ABORT_DECISION, COMMIT_DECISION } from './decision.ts';
import { EXPIRY_ROWS } from './expiry.ts';
import { FAILOVER_ROWS } from './failover.ts';
import { INIT_ROWS } from './init.ts';
import { MARKER_ROWS } from './markers.ts';
import { OFFSET_ROWS } from './offsets.ts';
import { PRODUCE_ROWS } from './produce.ts';
import type { CrashPoint } from './row.ts';
import { TIMEOUT_ROWS } from './timeout.ts';
import { UNCLEAN_ROWS } from './unclean.ts';

/** CP-1 first. */
export const ROWS: readonly CrashPoint[] = [
  ...INIT_ROWS,
  ...ADD_ROWS,
  ...PRODUCE_ROWS,
  ...OFFSET_ROWS,
  ...COMMIT_DECISION,
  ...MARKER_ROWS,
  ...COMPLETION_ROWS,
  ...ABORT_DECISION,
  ...TIMEOUT_ROWS,
  ...FAILOVER_ROWS,
  ...UNCLEAN_ROWS,
  ...CLIENT_ROWS,
  ...EXPIRY_ROWS,
].sort((a, b) => numberOf(a) - numberOf(b));

function numberOf({ id }: CrashPoint): number {
  return Number(id.slice('CP-'.length));
}
