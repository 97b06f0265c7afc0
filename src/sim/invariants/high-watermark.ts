// repl I-2 to I-5: what a leader's high watermark may count on. I-2 speaks of the logs of followers, which the leader
// cannot see; I-3 and I-4 of the moment of an advance; I-5 of one leadership from its start to its end.
import type { LeaderEpoch, NodeId, Offset } from '../../base/units.ts';
import type { MetadataRecord } from '../../protocol/generated/index.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import { found } from './invariant.ts';
import type { ReplicaView } from './replica-view.ts';
import type { PartitionView, TraceView } from './trace-view.ts';

/** I-2: every member of the maximal ISR that has not moved on to a later epoch holds all below the high watermark. */
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

type Advance = Extract<TraceEvent, { type: 'hw' }>;

/** An advance by a leader, or undefined. */
function advanceOf(event: TraceEvent): Advance | undefined {
  return event.type === 'hw' && event.role === 'leader' && event.to > event.from ? event : undefined;
}

/** I-3: at each advance HW <= min(LEO, recorded end of every member of the maximal ISR). */
export function advanceIsRecorded(view: TraceView): Invariant {
  const check = (node: NodeId, advance: Advance): string | undefined => {
    const leader = view.replica(node, advance);
    if (advance.to > leader.logEndOffset) return `its log ends at ${leader.logEndOffset}`;
    for (const id of leader.maximalIsr) {
      if (id === node) continue;
      const recorded = Math.min(leader.recorded.get(id) ?? -1, advance.recorded?.[id] ?? Infinity);
      if (recorded < advance.to) return `${id}, in its maximal ISR, was recorded at ${recorded}`;
    }
    return undefined;
  };
  return {
    name: 'repl I-3',
    on: ['hw'],
    momentary: true,
    onEvent({ node, event }) {
      const advance = advanceOf(event);
      const why = advance && check(node, advance);
      if (advance === undefined || why === undefined) return undefined;
      const detail = `leader ${node} of epoch ${advance.leaderEpoch} advanced to ${advance.to}, but ${why}`;
      return { invariant: 'repl I-3', subject: view.replica(node, advance).name, detail };
    },
    sweep: () => [],
  };
}

/** I-4: no advance while the committed ISR is smaller than the effective min ISR. */
export function advanceNeedsMinIsr(view: TraceView): Invariant {
  return {
    name: 'repl I-4',
    on: ['hw'],
    momentary: true,
    onEvent({ node, event }) {
      const advance = advanceOf(event);
      if (advance === undefined) return undefined;
      const { name, isr, minIsr } = view.replica(node, advance);
      if (isr.length >= minIsr && (advance.isr ?? isr).length >= (advance.minIsr ?? minIsr)) return undefined;
      const detail = `leader ${node} advanced to ${advance.to} with ISR [${isr.join()}] below min ISR ${minIsr}`;
      return { invariant: 'repl I-4', subject: name, detail };
    },
    sweep: () => [],
  };
}

/** I-5: within one leadership the high watermark and the log end never fall, and nothing is cut. */
export function leaderNeverRetreats(view: TraceView): Invariant {
  /** Log end of each leader at its last event. */
  const ends = new Map<ReplicaView, Offset>();
  return {
    name: 'repl I-5',
    on: ['hw', 'log.appended', 'log.truncated', 'log.opened', 'leader.started', 'follower.started', 'log.deleted'],
    momentary: true,
    onEvent({ node, event }) {
      if (!('topicId' in event)) return undefined;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      if (replica.role !== 'leader') {
        ends.delete(replica);
        return undefined;
      }
      const end = ends.get(replica) ?? 0;
      ends.set(replica, event.type === 'leader.started' ? replica.logEndOffset : Math.max(end, replica.logEndOffset));
      const why = retreat(event, end);
      if (why === undefined) return undefined;
      const detail = `leader ${node} of epoch ${replica.leaderEpoch} ${why}`;
      return { invariant: 'repl I-5', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}

function retreat(event: TraceEvent, end: Offset): string | undefined {
  if (event.type === 'hw' && event.to < event.from)
    return `lowered its high watermark from ${event.from} to ${event.to}`;
  if (event.type === 'log.truncated' && event.to < event.from) return `cut its log from ${event.from} to ${event.to}`;
  if (event.type === 'log.appended' && event.logEndOffset < end)
    return `fell back from ${end} to ${event.logEndOffset}`;
  return undefined;
}
