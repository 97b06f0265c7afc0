// repl I-2: every member of a leader's maximal ISR (repl R-43) that is still in its epoch holds all below its high watermark. The
// leader cannot see that: it knows what followers asked for, and here are their logs. A member that has applied a later epoch is
// skipped, one that has lost its tail with the power (P) excused until it is in sync again.
import type { LeaderEpoch } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import { found, type Invariant, type Violation } from '../invariant.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** I-2. */
export function isrHoldsHighWatermark(view: TraceView): Invariant {
  return {
    name: 'repl I-2',
    on: [
      'hw',
      'isr',
      'leader.started',
      'follower.started',
      'log.truncated',
      'log.start',
      'log.opened',
      'metadata.committed',
    ],
    onEvent({ event }) {
      // A replica that rejoins the ISR is excused no longer.
      const change = event.type === 'metadata.committed' ? (event.record as MetadataRecord).partitionChange : undefined;
      const of = 'topicId' in event ? event : (change ?? undefined);
      const partition = of && view.partition(of);
      return partition && checkIsr(partition);
    },
    sweep: () => found(...[...view.partitions()].map(checkIsr)),
  };
}

function checkIsr(partition: PartitionView): Violation | undefined {
  if (partition.excused) return undefined;
  for (const leader of partition.replicas.values()) {
    if (leader.role !== 'leader' || leader.lossy) continue;
    for (const id of leader.maximalIsr) {
      const follower = partition.replicas.get(id);
      if (follower === undefined || follower.lossy || follower.leaderEpoch > leader.leaderEpoch) continue;
      // A replica that was moved away and comes back is empty, and of a later epoch, as it is about to tell: a deposed leader may
      // not have heard of either.
      if (follower.role === 'none' && isDeposed(partition, leader.leaderEpoch)) continue;
      if (follower.logEndOffset >= leader.highWatermark) continue;
      const detail =
        `leader ${leader.node} of epoch ${leader.leaderEpoch} has high watermark ${leader.highWatermark}, but ${id}, ` +
        `in its maximal ISR, ends at ${follower.logEndOffset}`;
      return { invariant: 'repl I-2', subject: partition.name, detail };
    }
  }
  return undefined;
}

/** Whether anybody has heard of a later epoch. */
function isDeposed(partition: PartitionView, epoch: LeaderEpoch): boolean {
  return [...partition.replicas.values()].some(({ leaderEpoch }) => leaderEpoch > epoch);
}
