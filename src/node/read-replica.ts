// Which replica a consumer is pointed to instead of the leader (repl R-35, KIP-392). Decides only: the leader asks, when a
// consumer has told where it stands. What the chosen replica then serves is bounded by its own high watermark (repl R-22).
import type { DurationMs, NodeId, Offset } from '../base/units.ts';
import { RACK_AWARE_SELECTOR } from '../protocol/config.ts';
import type { NodeContext } from './context.ts';
import type { LeaderRole } from './leader-role.ts';

/** A replica that could serve the consumer, as its leader knows it. */
export interface Candidate {
  readonly id: NodeId;
  /** Empty: none. */
  readonly rack: string;
  readonly logEndOffset: Offset;
  readonly sinceCaughtUpMs: DurationMs;
}

/**
 * The follower that stands in the consumer's rack and has the most; among equals the one that was caught up last, then the
 * highest id. Undefined, the leader itself: no rack, nobody there, or the leader stands there too.
 */
export function preferredReadReplica(
  rack: string,
  leaderRack: string,
  followers: readonly Candidate[],
): NodeId | undefined {
  if (rack === '' || rack === leaderRack) return undefined;
  let best: Candidate | undefined;
  for (const follower of followers) {
    if (follower.rack === rack && (best === undefined || isBetter(follower, best))) best = follower;
  }
  return best?.id;
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.logEndOffset !== b.logEndOffset) return a.logEndOffset > b.logEndOffset;
  if (a.sinceCaughtUpMs !== b.sinceCaughtUpMs) return a.sinceCaughtUpMs < b.sinceCaughtUpMs;
  return a.id > b.id;
}

/**
 * By the selector that is configured; undefined: the leader itself. To be chosen a follower must be in the committed ISR,
 * unfenced, and known to hold what is asked for: a replica that has not got so far would answer that there is no such
 * offset (the safeguard follower.readBounds).
 */
export function readReplicaFor(
  context: NodeContext,
  { isr, followers }: LeaderRole,
  { rack, fetchOffset }: { readonly rack: string; readonly fetchOffset: Offset },
): NodeId | undefined {
  const { runtime, config, me, image } = context;
  if (rack === '' || config['replica.selector.class'] !== RACK_AWARE_SELECTOR) return undefined;
  const bounded = runtime.safeguard('follower.readBounds');
  const now = runtime.clock.now();
  const candidates: Candidate[] = [];
  for (const [id, { logEndOffset, logStartOffset, lastCaughtUpTimeMs }] of followers) {
    const broker = image.brokers.get(id);
    const holds = isr.includes(id) && logEndOffset >= fetchOffset && logStartOffset <= fetchOffset;
    if (broker === undefined || broker.fenced || (bounded && !holds)) continue;
    candidates.push({ id, rack: broker.rack, logEndOffset, sinceCaughtUpMs: now - lastCaughtUpTimeMs });
  }
  return preferredReadReplica(rack, image.brokers.get(me)?.rack ?? '', candidates);
}
