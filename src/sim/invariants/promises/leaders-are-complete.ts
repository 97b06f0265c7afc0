// repl I-14: what was acknowledged with acks=all is in the log of every later leader, below the start of its epoch. Excused
// after U and P, where it was deleted (retention) and where a cleaner was (txn T-114). The last acknowledged batch stands for
// those before it: logs that share it share all that precedes (repl I-6).
import type { LeaderEpoch } from '../../../base/units.ts';
import type { BatchMark, Stamped } from '../../../trace/events.ts';
import { isAckOfAll } from './answered-is-committed.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { describeBatch, firstEndingFrom, sameBatch, type ReplicaView } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** The last batch that was acknowledged. */
interface Acked {
  readonly batch: BatchMark;
  /** In which epoch the answer was given. */
  readonly leaderEpoch: LeaderEpoch;
}

/** I-14. Asked when a leader starts, and when an acknowledgement comes after a later leader has started. */
export function leadersAreComplete(view: TraceView): Invariant {
  const acked = new Map<PartitionView, Acked>();
  const onAnswer = ({ node, event }: Stamped): Violation | undefined => {
    if (!isAckOfAll(event)) return undefined;
    const partition = view.partition(event);
    const by = partition?.replicas.get(node);
    const batch = by === undefined ? undefined : by.batches[firstEndingFrom(by.batches, event.lastOffset)];
    if (partition === undefined || batch === undefined || batch.baseOffset > event.lastOffset) return undefined;
    const answered = { batch, leaderEpoch: event.leaderEpoch };
    const known = acked.get(partition);
    if (known === undefined || batch.lastOffset >= known.batch.lastOffset) acked.set(partition, answered);
    for (const leader of partition.replicas.values()) {
      const violation = checkLeader(partition, leader, answered);
      if (violation !== undefined) return violation;
    }
    return undefined;
  };
  return {
    name: 'repl I-14',
    on: ['produce.answered', 'leader.started'],
    momentary: true,
    onEvent(stamped) {
      const { event, node } = stamped;
      if (event.type !== 'leader.started') return onAnswer(stamped);
      const partition = view.partition(event);
      const last = partition === undefined ? undefined : acked.get(partition);
      const leader = partition?.replicas.get(node);
      if (partition === undefined || last === undefined || leader === undefined) return undefined;
      if (event.leaderEpoch > last.leaderEpoch && event.epochStart <= last.batch.lastOffset && !partition.excused) {
        return missing(leader, last, `begins it at ${event.epochStart}`);
      }
      return checkLeader(partition, leader, last);
    },
    sweep: () => [],
  };
}

/** A replica that leads in a later epoch holds the batch. */
function checkLeader(partition: PartitionView, leader: ReplicaView, acked: Acked): Violation | undefined {
  const { batch, leaderEpoch } = acked;
  if (partition.excused || leader.lossy || leader.role !== 'leader' || leader.leaderEpoch <= leaderEpoch)
    return undefined;
  if (batch.baseOffset < Math.max(leader.logStartOffset, partition.cleanedTo)) return undefined;
  const there = leader.batches[firstEndingFrom(leader.batches, batch.lastOffset)];
  if (there !== undefined && sameBatch(there, batch)) return undefined;
  return missing(leader, acked, `holds ${describeBatch(there)} there`);
}

function missing({ node, name, leaderEpoch }: ReplicaView, acked: Acked, what: string): Violation {
  const detail =
    `${describeBatch(acked.batch)} was acknowledged with acks=all in epoch ${acked.leaderEpoch}; ` +
    `leader ${node} of epoch ${leaderEpoch} ${what}`;
  return { invariant: 'repl I-14', subject: name, detail };
}
