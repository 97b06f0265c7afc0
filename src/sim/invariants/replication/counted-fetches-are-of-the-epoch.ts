// repl I-27: a fetch that a leader counts came from a follower in the leader's own epoch (repl R-80). No exceptions; a follower
// that has started again meanwhile, or moved on, was in that epoch when it asked.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-27. */
export function countedFetchesAreOfTheEpoch(view: TraceView): Invariant {
  return {
    name: 'repl I-27',
    on: ['fetch.recorded'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'fetch.recorded') return undefined;
      const { follower, followerEpoch, leaderEpoch } = event;
      const applied = view.partition(event)?.replicas.get(follower);
      const late = applied !== undefined && applied.role !== 'none' && applied.leaderEpoch < leaderEpoch;
      if (followerEpoch === leaderEpoch && !late) return undefined;
      const was = late ? `has only applied epoch ${applied.leaderEpoch}` : `asked in epoch ${followerEpoch}`;
      const detail = `leader ${node} of epoch ${leaderEpoch} counted a fetch of ${follower}, which ${was}`;
      return { invariant: 'repl I-27', subject: view.replica(node, event).name, detail };
    },
    sweep: () => [],
  };
}
