// Selectors name a node by its role: 2, leader(orders-0), coordinator(checkout-1), controller, random. Pure: what a selector
// stands for is looked up in a view of the cluster that the caller has.
import { coordinatorPartition } from '../base/java-hash.ts';
import { parsePartition, type NodeId, type TopicPartition } from '../base/units.ts';

export type Selector =
  | { readonly kind: 'id'; readonly id: NodeId }
  | { readonly kind: 'controller' }
  | { readonly kind: 'random' }
  | { readonly kind: 'leader' | 'isr' | 'replicas' | 'followers'; readonly of: TopicPartition }
  /** Who leads the partition of the internal topic that the id belongs to (txn T-5, wire G-2). */
  | { readonly kind: 'coordinator'; readonly topic: CoordinatorTopic; readonly id: string };

export type CoordinatorTopic = '__transaction_state' | '__consumer_offsets';

/** What selectors are looked up in. */
export interface ClusterView {
  readonly controller: NodeId;
  /** Brokers that exist, running or not, ascending. */
  readonly brokers: readonly NodeId[];
  partition(
    of: TopicPartition,
  ): { readonly leader: NodeId; readonly isr: readonly NodeId[]; readonly replicas: readonly NodeId[] } | undefined;
  /** Partitions of a topic; 0 if there is no such topic. */
  partitionCount(topic: string): number;
  /** In [0, bound). */
  below(bound: number): number;
}

const CALL = /^(leader|isr|replicas|followers|follower)\((.+)\)$/;

const COORDINATOR = /^(coordinator|group-coordinator)\((.*)\)$/;

/** How a selector may be written, for error messages. */
export const SELECTOR_FORMS =
  'a node id, controller, random, leader(t-p), followers(t-p), isr(t-p), replicas(t-p), coordinator(transactional id) or ' +
  'group-coordinator(group)';

/** Reads a selector; a string is the sentence that says why it is none. */
export function parseSelector(text: string): Selector | string {
  const word = text.trim();
  if (/^\d{1,9}$/.test(word)) return { kind: 'id', id: Number(word) };
  if (word === 'controller' || word === 'random') return { kind: word };
  const coordinator = COORDINATOR.exec(word);
  if (coordinator !== null) {
    const topic = coordinator[1] === 'coordinator' ? '__transaction_state' : '__consumer_offsets';
    return { kind: 'coordinator', topic, id: coordinator[2]! };
  }
  const call = CALL.exec(word);
  const of = call === null ? undefined : parsePartition(call[2]!.trim());
  if (call === null || of === undefined) return `"${text}" names no node. Write ${SELECTOR_FORMS}`;
  const kind = call[1] === 'follower' ? 'followers' : (call[1] as 'leader' | 'isr' | 'replicas' | 'followers');
  return { kind, of };
}

/** The nodes a selector stands for now; a string is the sentence that says why there is none. */
export function resolveSelector(selector: Selector, view: ClusterView): readonly NodeId[] | string {
  switch (selector.kind) {
    case 'id':
      if (selector.id === view.controller || view.brokers.includes(selector.id)) return [selector.id];
      return (
        `no node ${selector.id}. Brokers: ${view.brokers.join(', ')}, controller: ${view.controller}. ` +
        'Roles work too: leader(orders-0)'
      );
    case 'controller':
      return [view.controller];
    case 'random':
      return [view.brokers[view.below(view.brokers.length)]!];
    case 'coordinator': {
      const { topic, id } = selector;
      const count = view.partitionCount(topic);
      if (count === 0) return `nobody coordinates ${id}: there is no ${topic} yet`;
      const of = { topic, partition: coordinatorPartition(id, count) };
      return resolveSelector({ kind: 'leader', of }, view);
    }
    default: {
      const { topic, partition } = selector.of;
      const found = view.partition(selector.of);
      if (found === undefined) return `there is no partition ${topic}-${partition}. See: highwater topics list`;
      if (selector.kind === 'isr') return found.isr;
      if (selector.kind === 'replicas') return found.replicas;
      if (selector.kind === 'followers') return found.replicas.filter((id) => id !== found.leader);
      return found.leader < 0 ? `${topic}-${partition} has no leader now` : [found.leader];
    }
  }
}
