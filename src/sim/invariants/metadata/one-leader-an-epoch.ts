// repl I-8: the metadata log gives each leader epoch of a partition to one broker, and whoever leads, is said to be elected, or
// appends as leader in that epoch is that one. No exceptions.
import type { NodeId } from '../../../base/units.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { violation } from './decided-by.ts';

/** I-8. */
export function oneLeaderAnEpoch(view: TraceView): Invariant {
  return {
    name: 'repl I-8',
    on: ['leader.started', 'log.appended', 'elected'],
    momentary: true,
    onEvent({ node, event }) {
      const claim = claimOf(node, event);
      if (claim === undefined || !('topicId' in event)) return undefined;
      const decided = view.metadata.partition(event.topicId, event.partition);
      // A deleted topic's leaders may not have heard of it.
      if (decided === undefined) return undefined;
      const leader = decided.leaders[claim.leaderEpoch];
      if (leader === claim.leader) return undefined;
      const known = leader === undefined ? 'has no such epoch' : `gave it to ${leader}`;
      return violation('repl I-8', decided, `${claim.what} epoch ${claim.leaderEpoch}, but the metadata log ${known}`);
    },
    sweep: () => [],
  };
}

interface Claim {
  readonly leader: NodeId;
  readonly leaderEpoch: number;
  readonly what: string;
}

function claimOf(node: NodeId, event: TraceEvent): Claim | undefined {
  switch (event.type) {
    case 'leader.started':
      return { leader: node, leaderEpoch: event.leaderEpoch, what: `${node} leads in` };
    case 'elected':
      return { leader: event.leader, leaderEpoch: event.leaderEpoch, what: `${event.leader} was elected in` };
    case 'log.appended':
      if (event.role !== 'leader') return undefined;
      return { leader: node, leaderEpoch: event.leaderEpoch, what: `${node} appended as leader of` };
    default:
      return undefined;
  }
}
