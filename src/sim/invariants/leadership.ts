// repl I-8 and I-9: who leads in which epoch is decided once, by the metadata log, and whoever acts on it acts on a state
// that the log has had.
import type { NodeId } from '../../base/units.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import { partitionEpochOf, type Decided } from './metadata-fold.ts';
import type { TraceView } from './trace-view.ts';

/** I-8: one leader an epoch; whoever claims leadership, or appends as leader, in an epoch is that one. */
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

/**
 * I-9: the partition epoch rises by 1 a change record and the leader epoch by 1 iff it carries a leader. The records do
 * not carry the epochs, so what is compared are the states that brokers say they act on.
 */
export function statesAreOfTheLog(view: TraceView): Invariant {
  return {
    name: 'repl I-9',
    on: ['leader.started', 'follower.started', 'isr'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'leader.started' && event.type !== 'follower.started' && event.type !== 'isr')
        return undefined;
      if (event.type === 'isr' && event.state !== 'committed') return undefined;
      const decided = view.metadata.partition(event.topicId, event.partition);
      if (decided === undefined) return undefined;
      const { partitionEpoch, leaderEpoch } = event;
      const at = `${node} acts on partition epoch ${partitionEpoch}`;
      const state = decided.states[partitionEpoch];
      if (state === undefined) {
        return violation('repl I-9', decided, `${at}, but the log has only reached ${partitionEpochOf(decided)}`);
      }
      if (state.leaderEpoch !== leaderEpoch) {
        return violation('repl I-9', decided, `${at} as leader epoch ${leaderEpoch}; there it is ${state.leaderEpoch}`);
      }
      const leader = event.type === 'follower.started' ? event.leader : node;
      if (state.leader !== leader) {
        return violation('repl I-9', decided, `${at} with leader ${leader}; there it is ${state.leader}`);
      }
      if (event.type === 'follower.started' || sameSet(event.isr, state.isr)) return undefined;
      return violation('repl I-9', decided, `${at} with ISR [${event.isr.join()}]; there it is [${state.isr.join()}]`);
    },
    sweep: () => [],
  };
}

function sameSet(a: readonly NodeId[], b: readonly NodeId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

function violation(invariant: string, { topic, partition }: Decided, detail: string): Violation {
  return { invariant, subject: `${topic}-${partition}`, detail };
}
