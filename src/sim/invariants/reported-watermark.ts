// repl I-20 and I-21: the highest high watermark that any replica ever told is behind nobody. Later leaders begin at or above
// it, and no follower cuts below it what it had by then. Excused after U and P; a log that is begun anew further on, because its leader
// has deleted what came before (repl R-74), is not cut.
import type { LeaderEpoch, Offset } from '../../base/units.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import type { ReplicaView } from './replica-view.ts';
import type { PartitionView, TraceView } from './trace-view.ts';

/** What was told of a partition. */
interface Told {
  /** Highest high watermark by the epoch in which it was told. */
  readonly watermarks: Map<LeaderEpoch, Offset>;
  /** Where epochs began. */
  readonly starts: Map<LeaderEpoch, Offset>;
}

type Moved = Extract<TraceEvent, { type: 'hw' }>;
type Started = Extract<TraceEvent, { type: 'leader.started' }>;

/** I-20. Asked when a leader starts, and when a high watermark of an earlier epoch is told after that. */
export function leadersBeginAboveWatermark(view: TraceView): Invariant {
  const told = new Map<PartitionView, Told>();
  return {
    name: 'repl I-20',
    on: ['hw', 'leader.started'],
    momentary: true,
    onEvent({ event }) {
      if (event.type !== 'hw' && event.type !== 'leader.started') return undefined;
      const partition = view.partition(event);
      if (partition === undefined) return undefined;
      let known = told.get(partition);
      if (known === undefined) told.set(partition, (known = { watermarks: new Map(), starts: new Map() }));
      if (event.type === 'hw') return moved(partition, known, event);
      return started(partition, known, event);
    },
    sweep: () => [],
  };
}

function moved({ name, excused }: PartitionView, { watermarks, starts }: Told, event: Moved): Violation | undefined {
  const { leaderEpoch, to } = event;
  if (to <= (watermarks.get(leaderEpoch) ?? -1)) return undefined;
  watermarks.set(leaderEpoch, to);
  if (excused) return undefined;
  for (const [epoch, start] of starts)
    if (epoch > leaderEpoch && start < to) return below(name, [epoch, start], [leaderEpoch, to]);
  return undefined;
}

function started(
  { name, excused }: PartitionView,
  { watermarks, starts }: Told,
  event: Started,
): Violation | undefined {
  const { leaderEpoch, epochStart } = event;
  if (starts.has(leaderEpoch)) return undefined;
  starts.set(leaderEpoch, epochStart);
  if (excused) return undefined;
  for (const [epoch, watermark] of watermarks)
    if (epoch < leaderEpoch && watermark > epochStart)
      return below(name, [leaderEpoch, epochStart], [epoch, watermark]);
  return undefined;
}

type AtEpoch = readonly [epoch: LeaderEpoch, offset: Offset];

function below(subject: string, [epoch, start]: AtEpoch, [earlier, watermark]: AtEpoch): Violation {
  const detail = `epoch ${epoch} begins at ${start}, though high watermark ${watermark} was told in epoch ${earlier}`;
  return { invariant: 'repl I-20', subject, detail };
}

/**
 * I-21. What counts for a cut is what was told up to the epoch of the last batch that is cut: whoever had that batch from
 * its leader had all that this leader and those before it told of. A replica that was away may be cut below what was told later.
 */
export function cutsAreAboveWatermark(view: TraceView): Invariant {
  const told = new Map<PartitionView, Told['watermarks']>();
  /** Epoch of the last batch of each log. */
  const lastEpochs = new Map<ReplicaView, LeaderEpoch>();
  return {
    name: 'repl I-21',
    on: ['hw', 'log.opened', 'log.appended', 'log.truncated'],
    momentary: true,
    onEvent({ node, event }) {
      if (!('topicId' in event)) return undefined;
      const partition = view.partition(event);
      const replica = partition?.replicas.get(node);
      if (partition === undefined || replica === undefined) return undefined;
      if (event.type === 'hw') {
        let watermarks = told.get(partition);
        if (watermarks === undefined) told.set(partition, (watermarks = new Map()));
        watermarks.set(event.leaderEpoch, Math.max(watermarks.get(event.leaderEpoch) ?? 0, event.to));
        return undefined;
      }
      const epoch = lastEpochs.get(replica) ?? -1;
      lastEpochs.set(replica, replica.batches.at(-1)?.leaderEpoch ?? -1);
      if (event.type !== 'log.truncated' || event.why === 'restarted') return undefined;
      if (partition.excused || replica.lossy) return undefined;
      const { from, to } = event;
      const watermark = highestUpTo(told.get(partition), epoch);
      if (to >= Math.min(watermark, from)) return undefined;
      const detail = `replica ${node} cut its log from ${from} to ${to}, below the high watermark ${watermark} of epoch ${epoch}`;
      return { invariant: 'repl I-21', subject: partition.name, detail };
    },
    sweep: () => [],
  };
}

function highestUpTo(watermarks: Told['watermarks'] | undefined, epoch: LeaderEpoch): Offset {
  let highest = 0;
  for (const [of, watermark] of watermarks ?? []) if (of <= epoch && watermark > highest) highest = watermark;
  return highest;
}
