// What a change of the min ISR does to eligible leader replicas (repl R-119): who was eligible under another one need not be
// under this one. Called when the setting is decided already.
import { NO_LEADER } from '../base/units.ts';
import { clearElrRecord } from '../metadata/records.ts';
import type { Draft } from './draft.ts';
import { acceptableIn, partitionsWhere } from './replica-changes.ts';

/**
 * Of a topic, or of all (''): nobody is eligible any more. But those of a partition that nobody leads stay, for nothing was
 * committed without them, and nobody else could ever lead it; where there is such a one the others are judged anew, each by
 * its ISR (docs/divergence.md).
 */
export function forgetEligible(draft: Draft, topic: string): void {
  const meant = partitionsWhere(draft.image, (partition) => topic === '' || partition.topic === topic);
  if (meant.every(({ leader }) => leader !== NO_LEADER)) return draft.add(clearElrRecord(topic));
  const acceptable = acceptableIn(draft.image);
  for (const partition of meant) {
    if (partition.leader === NO_LEADER || partition.elr.length === 0) continue;
    draft.change(partition, { election: { kind: 'online' }, acceptable, reason: 'reconfigured' });
  }
}
