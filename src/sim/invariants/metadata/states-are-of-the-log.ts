// repl I-9: a partition epoch rises by 1 with each change record (and with a ClearElr that emptied something), a leader epoch by 1
// with those that carry a leader, and with no others. Records do not carry the epochs: what is compared with the fold of the log are
// the states that brokers say they act on. No exceptions.
import type { NodeId } from '../../../base/units.ts';
import type { Invariant } from '../invariant.ts';
import { partitionEpochOf } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';
import { violation } from './decided-by.ts';

/** I-9. */
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
