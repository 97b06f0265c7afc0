// txn INV-14, the part of what they complete: two coordinators never both complete a step of one id. What is in force stands in the
// one log that survives, so that an offset of it has one record in force.
import type { Invariant, Violation } from '../invariant.ts';
import { describeMark, type RecordMark, sameMark } from '../view/coordinator-fold.ts';
import { stateName, type TraceView } from '../view/trace-view.ts';

/** INV-14: what is in force. */
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
