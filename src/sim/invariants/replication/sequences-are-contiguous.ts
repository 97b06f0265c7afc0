// repl I-26: the batches of one producer epoch stand in a log with contiguous sequences, each once, from 0 where the log has
// all it ever held. Excused after the producer's state has expired somewhere (txn T-109), where a cleaner was (txn T-114), and
// for the batches of group coordinators, which number none (txn T-107).
import { sequenceAfter } from '../../../log/producer-entry.ts';
import type { BatchMark } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { found } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

/** The sequence that comes next, by producer and epoch. */
type Expected = Map<number, Map<number, number>>;

export function sequencesAreContiguous(view: TraceView): Invariant {
  /** Of logs that have only grown since they were last looked at as a whole. */
  const known = new Map<ReplicaView, Expected>();
  const expired = new Set<number>();
  return {
    name: 'repl I-26',
    on: ['log.opened', 'log.appended', 'log.truncated', 'producers.expired'],
    onEvent({ node, event }) {
      if (event.type === 'producers.expired') {
        for (const producerId of event.producerIds) expired.add(producerId);
        return undefined;
      }
      if (event.type === 'log.truncated') {
        known.delete(view.replica(node, event));
        return undefined;
      }
      if (event.type !== 'log.appended' && event.type !== 'log.opened') return undefined;
      const replica = view.replica(node, event);
      const before = event.type === 'log.appended' ? known.get(replica) : undefined;
      const expected: Expected = before ?? new Map<number, Map<number, number>>();
      known.set(replica, expected);
      if (isExcused(view, replica)) return undefined;
      return check(replica, before === undefined ? replica.batches : event.batches, expected, expired);
    },
    sweep: () => {
      const judged = [...view.replicas()].filter((replica) => !isExcused(view, replica));
      return found(...judged.map((replica) => check(replica, replica.batches, new Map(), expired)));
    },
  };
}

function isExcused(view: TraceView, { name }: ReplicaView): boolean {
  return name.startsWith('__consumer_offsets-') || view.isCleaned(name);
}

/** Goes through further batches of a log. */
function check(
  replica: ReplicaView,
  batches: readonly BatchMark[],
  expected: Expected,
  expired: ReadonlySet<number>,
): Violation | undefined {
  let violation: Violation | undefined;
  for (const { producer, baseOffset, lastOffset } of batches) {
    if (producer === undefined) continue;
    const [producerId, epoch, baseSequence] = producer;
    let epochs = expected.get(producerId);
    if (epochs === undefined) expected.set(producerId, (epochs = new Map()));
    const next = epochs.get(epoch) ?? (replica.logStartOffset === 0 ? 0 : baseSequence);
    epochs.set(epoch, sequenceAfter(baseSequence, lastOffset - baseOffset + 1));
    if (next === baseSequence || expired.has(producerId)) continue;
    const name = `producer ${producerId} in epoch ${epoch}`;
    const detail = `replica ${replica.node} holds sequence ${baseSequence} of ${name} at ${baseOffset}, not ${next}`;
    violation ??= { invariant: 'repl I-26', subject: replica.name, detail };
  }
  return violation;
}
