// repl I-18: no phantom. Each record that a consumer can be given was sent by some producer, so each batch of a log was appended by
// a leader before any follower had it; and each acknowledgement tells where the batch is that it is for. Values are not told here:
// batches stand for them, and the checker false-ok asks by value. Excused below where a cleaner was, which rewrites (txn T-114).
import type { Offset } from '../../../base/units.ts';
import type { BatchMark, Stamped, TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { describeBatch, firstEndingFrom, sameBatch, type ReplicaView } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** Batches that leaders appended, by base offset. */
type Origins = Map<Offset, BatchMark[]>;
type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;

/** I-18. */
export function nothingIsMadeUp(view: TraceView): Invariant {
  const origins = new Map<PartitionView, Origins>();
  const originsOf = (partition: PartitionView): Origins => {
    let known = origins.get(partition);
    if (known === undefined) origins.set(partition, (known = new Map<Offset, BatchMark[]>()));
    return known;
  };
  return {
    name: 'repl I-18',
    on: ['log.appended', 'log.opened', 'produce.answered'],
    momentary: true,
    onEvent({ node, event }: Stamped): Violation | undefined {
      const partition = 'topicId' in event ? view.partition(event) : undefined;
      const replica = partition?.replicas.get(node);
      if (partition === undefined || replica === undefined) return undefined;
      if (event.type === 'produce.answered') return misplaced(partition, replica, event);
      if (event.type === 'log.opened') for (const batch of underWay(replica, event)) note(originsOf(partition), batch);
      if (event.type !== 'log.appended') return undefined;
      if (event.role === 'follower') return madeUp(partition, replica, { event, origins: originsOf(partition) });
      for (const batch of event.batches) note(originsOf(partition), batch);
      return undefined;
    },
    sweep: () => [],
  };
}

function note(origins: Origins, batch: BatchMark): void {
  const known = origins.get(batch.baseOffset);
  if (known === undefined) origins.set(batch.baseOffset, [batch]);
  else if (!known.some((one) => sameBatch(one, batch))) known.push(batch);
}

/** What a kill left behind of a write that nobody had counted yet, so that nobody had told of it. */
function underWay({ earlier }: ReplicaView, { batches }: EventOf<'log.opened'>): readonly BatchMark[] {
  return batches.slice(firstEndingFrom(batches, earlier?.logEndOffset ?? 0));
}

interface Copied {
  readonly event: EventOf<'log.appended'>;
  readonly origins: Origins;
}

/** A follower has what no leader appended. */
function madeUp({ cleanedTo }: PartitionView, replica: ReplicaView, { event, origins }: Copied): Violation | undefined {
  for (const batch of event.batches) {
    if (batch.baseOffset < cleanedTo || origins.get(batch.baseOffset)?.some((one) => sameBatch(one, batch))) continue;
    const detail = `follower ${replica.node} has ${describeBatch(batch)}, which no leader ever appended`;
    return { invariant: 'repl I-18', subject: replica.name, detail };
  }
  return undefined;
}

/**
 * An acknowledgement that does not tell where its batch is. Judged while its leadership lasts: with acks=1 it may come when the log
 * has been cut or deleted, since it waits for the other partitions of its request.
 */
function misplaced(
  { cleanedTo }: PartitionView,
  { node, name, role, leaderEpoch, batches, logStartOffset }: ReplicaView,
  { error, crc, baseOffset, lastOffset, leaderEpoch: epoch }: EventOf<'produce.answered'>,
): Violation | undefined {
  if (role !== 'leader' || leaderEpoch !== epoch) return undefined;
  if (error !== 'NONE' || crc === undefined || baseOffset < Math.max(logStartOffset, cleanedTo)) return undefined;
  const there = batches[firstEndingFrom(batches, baseOffset)];
  if (there?.baseOffset === baseOffset && there.lastOffset === lastOffset && there.crc === crc) return undefined;
  const what = `a batch (crc ${crc.toString(16)}) at ${baseOffset}..${lastOffset}`;
  const detail = `leader ${node} acknowledged ${what}, where it holds ${describeBatch(there)}`;
  return { invariant: 'repl I-18', subject: name, detail };
}
