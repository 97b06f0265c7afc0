// repl I-19: where a partition ends, as clients are told by its leader, never falls. A leader that has been replaced and has not
// heard of it may say what was true before; after an unclean election or a loss of data nothing is promised.
import { formatPartition, type Offset } from '../../../base/units.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { currentOf } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-19. */
export function latestNeverFalls(view: TraceView): Invariant {
  const told = new Map<string, Offset>();
  return {
    name: 'repl I-19',
    on: ['latest.told'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type !== 'latest.told') return undefined;
      const { topicId, partition, leaderEpoch, offset } = event;
      const decided = view.metadata.partition(topicId, partition);
      const isZombie = decided !== undefined && currentOf(decided).leaderEpoch > leaderEpoch;
      if (isZombie || view.partition(event)?.excused === true) return undefined;
      const key = `${topicId} ${partition}`;
      const before = told.get(key) ?? 0;
      told.set(key, Math.max(before, offset));
      if (offset >= before) return undefined;
      const detail = `leader ${node} of epoch ${leaderEpoch} says that it ends at ${offset}, after ${before} was said`;
      return { invariant: 'repl I-19', subject: formatPartition(event.topic, partition), detail };
    },
    sweep: () => [],
  };
}
