// repl I-20: the epoch of every later leader begins at or above the highest high watermark that any replica told before. Excused
// after unclean elections (U) and lost tails (P).
import type { LeaderEpoch, Offset } from '../../../base/units.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

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
