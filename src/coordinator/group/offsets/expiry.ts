// Which offsets of a group are too old to be kept, and whether the group goes with them (wire G-41). Decides; the scan acts.
import type { DurationMs, EpochMs } from '../../../base/units.ts';
import type { GroupView } from '../contract.ts';
import type { OffsetView, StoredOffset } from './offset-entry.ts';

/** By which clock it is decided. */
export interface Retention {
  /** Broker's wall clock. */
  readonly now: EpochMs;
  readonly retentionMs: DurationMs;
  /** False: whatever the group is doing, and whatever a transaction may still change (BUG-69). */
  readonly guarded: boolean;
}

/** What is to be deleted. */
export interface Expired {
  readonly offsets: readonly OffsetView[];
  /** Nothing of the group is left. */
  readonly group: boolean;
}

/** Decides about one group. `entries`: all that it has. Nothing goes that a transaction may still change (txn T-68). */
export function expired(group: GroupView, entries: readonly OffsetView[], retention: Retention): Expired {
  const since = retention.guarded ? ageSource(group) : sinceCommit;
  const offsets = since === undefined ? [] : entries.filter((entry) => hasExpired(entry, group, since, retention));
  return { offsets, group: group.state === 'Empty' && offsets.length === entries.length };
}

/** From when on an offset of this group ages; undefined: it does not. */
function ageSource(group: GroupView): ((stored: StoredOffset) => EpochMs) | undefined {
  const { state, protocolType, stateSince } = group;
  if (protocolType === '') return sinceCommit;
  if (state === 'Empty') return stateSince < 0 ? sinceCommit : () => stateSince;
  return state === 'Stable' && protocolType === 'consumer' ? sinceCommit : undefined;
}

const sinceCommit = ({ commitTimestamp }: StoredOffset): EpochMs => commitTimestamp;

function hasExpired(
  { topic, latest, pending }: OffsetView,
  group: GroupView,
  since: (stored: StoredOffset) => EpochMs,
  { now, retentionMs, guarded }: Retention,
): boolean {
  if (latest === undefined) return false;
  if (guarded && (pending.size > 0 || group.subscribes(topic))) return false;
  const { expireTimestamp } = latest;
  return expireTimestamp >= 0 ? now >= expireTimestamp : now - since(latest) >= retentionMs;
}
