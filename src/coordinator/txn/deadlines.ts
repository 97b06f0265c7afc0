// When a transaction has lasted too long, and when an id has been idle too long (txn T-32, T-34). The scans are not
// here.
import type { DurationMs, EpochMs } from '../../base/units.ts';
import type { TransactionEntry } from './metadata.ts';
import { TRANSITIONS } from './transitions.ts';

/** Timeout of a transaction that never times out: reserved for two-phase commit (txn T-34). */
export const NO_TIMEOUT_MS = 2_147_483_647;

/** Whether an open transaction is to be aborted (txn T-34): counted from its start, strictly later than its timeout. */
export function hasTimedOut({ metadata, pendingState }: TransactionEntry, nowMs: EpochMs): boolean {
  if (metadata.state !== 'Ongoing' || pendingState !== undefined) return false;
  return metadata.timeoutMs !== NO_TIMEOUT_MS && metadata.startTimeMs + metadata.timeoutMs < nowMs;
}

/** Whether an idle id is to be forgotten (txn T-32): nothing open or decided, untouched for that long. */
export function isExpired(
  { metadata, pendingState }: TransactionEntry,
  nowMs: EpochMs,
  expirationMs: DurationMs,
): boolean {
  if (!TRANSITIONS[metadata.state].includes('Dead') || pendingState !== undefined) return false;
  return metadata.lastUpdateMs <= nowMs - expirationMs;
}
