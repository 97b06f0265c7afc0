// txn INV-14: one broker serves a shard of a coordinator at one epoch, and an offset of its log has one record in force.
import type { NodeId } from '../../base/units.ts';
import type { TraceEvent } from '../../trace/events.ts';
import { describeMark, sameMark, type RecordMark } from './coordinator-fold.ts';
import type { Invariant, Violation } from './invariant.ts';
import { offsetsName, stateName, type TraceView } from './trace-view.ts';

/** Of transaction coordinators and of group coordinators. */
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

/** Two coordinators never both complete a step of one id: what is in force stands in the one log that survives. */
export function oneRecordAnOffset(view: TraceView): Invariant {
  const inForce = new Map<string, { readonly transactionalId: string; readonly record: RecordMark['record'] }>();
  return {
    name: 'txn INV-14',
    on: ['txn.record'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type !== 'txn.record' || event.phase !== 'applied') return undefined;
      const { partition, offset, transactionalId, record } = event;
      const subject = stateName(partition);
      if (view.isExcused(subject)) return undefined;
      const known = inForce.get(`${partition} ${offset}`) ?? event;
      inForce.set(`${partition} ${offset}`, known);
      if (known.transactionalId === transactionalId && sameMark(known.record, record)) return undefined;
      const detail =
        `broker ${node} put ${describeMark(record)} for ${transactionalId} in force at ${offset}, where ` +
        `${describeMark(known.record)} for ${known.transactionalId} was`;
      return { invariant: 'txn INV-14', subject, detail };
    },
    sweep: () => [],
  };
}
