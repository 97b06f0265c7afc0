// txn INV-14, the part of coordinators: one broker serves a shard of a coordinator at one epoch, of transactions and of groups.
import type { NodeId } from '../../../base/units.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { offsetsName, stateName } from '../view/trace-view.ts';

/** INV-14: who coordinates. */
export function oneCoordinatorAnEpoch(): Invariant {
  const owners = new Map<string, NodeId>();
  return {
    name: 'txn INV-14',
    on: ['txn.loaded', 'txn.record', 'group.loaded', 'group.state', 'group.offsets'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      const subject = shardOf(event);
      if (subject === undefined || !('coordinatorEpoch' in event)) return undefined;
      const key = `${subject} ${event.coordinatorEpoch}`;
      const owner = owners.get(key) ?? node;
      owners.set(key, owner);
      if (owner === node) return undefined;
      const detail = `brokers ${owner} and ${node} both coordinate it at epoch ${event.coordinatorEpoch}`;
      return { invariant: 'txn INV-14', subject, detail };
    },
    sweep: () => [],
  };
}

function shardOf(event: TraceEvent): string | undefined {
  if (event.type.startsWith('txn.') && 'coordinatorEpoch' in event) return stateName(event.partition);
  return event.type.startsWith('group.') && 'coordinatorEpoch' in event ? offsetsName(event.partition) : undefined;
}
