// What a follower that does not trust its leader makes of fetched batches (seq.trustLeader off, BUG-62): the rules of a leader on
// what it happens to know of their producers. With the safeguard on, nothing is judged: what a leader has appended stands.
import type { Safeguard } from '../fault/safeguards.ts';
import { isControl, isTransactional } from './attributes.ts';
import type { FollowerDecision } from './follower-append.ts';
import { judgeBatch, withBatch } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';
import type { ProducerStates } from './producer-states.ts';

const RULES = { gapReject: true, firstIsZero: true, epochStartsAtZero: true, wraps: true, fence: true };

/** The decision as it is, or a refusal of all that was fetched. */
export function judgeReplicated(
  decision: FollowerDecision,
  producers: ProducerStates,
  context: { safeguard(name: Safeguard): boolean },
): FollowerDecision {
  if (decision.kind !== 'taken' || context.safeguard('seq.trustLeader')) return decision;
  const seen = new Map<number, ProducerEntry>();
  for (const header of decision.batches) {
    const { producerId, attributes } = header;
    if (producerId < 0 || isControl(attributes)) continue;
    const known = seen.get(producerId) ?? producers.of(producerId);
    const transactional = isTransactional(attributes);
    const verdict = judgeBatch(known, header, { transactional, verified: undefined }, RULES);
    if (verdict.kind === 'refused') return { kind: 'corrupt', reason: verdict.message };
    seen.set(producerId, withBatch(known, header, transactional));
  }
  return decision;
}
