// repl I-21: no follower cuts its log below the highest high watermark that was ever told. What counts is what was told up to the
// epoch of the last batch that is cut: whoever had that batch from its leader had all that this leader and those before it told of,
// and a replica that was away may be cut below what was told later. Excused after U and P; a log that is begun anew further on,
// because its leader has deleted what came before (repl R-74), is not cut.
import type { LeaderEpoch, Offset } from '../../../base/units.ts';
import type { Invariant } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** Highest high watermark by the epoch in which it was told. */
type Watermarks = Map<LeaderEpoch, Offset>;

/** I-21. */
export function cutsAreAboveWatermark(view: TraceView): Invariant {
  const told = new Map<PartitionView, Watermarks>();
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

function highestUpTo(watermarks: Watermarks | undefined, epoch: LeaderEpoch): Offset {
  let highest = 0;
  for (const [of, watermark] of watermarks ?? []) if (of <= epoch && watermark > highest) highest = watermark;
  return highest;
}
