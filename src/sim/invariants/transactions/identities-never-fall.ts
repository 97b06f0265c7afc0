// txn INV-5, the part of coordinators: within a producer id the epochs of a transactional id never fall; another producer id is a
// fresh one and begins at epoch 0, and is never that of another transactional id.
import type { TransactionMark } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { describeMark } from '../view/coordinator-fold.ts';
import type { TraceView } from '../view/trace-view.ts';

/** INV-5: identities in force. */
export function identitiesNeverFall(view: TraceView): Invariant {
  const owners = new Map<number, string>();
  return {
    name: 'txn INV-5',
    on: ['txn.record'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type !== 'txn.record' || event.phase !== 'applied' || event.record === null) return undefined;
      const { record, transactionalId, offset } = event;
      const before = view.coordinators.before;
      const owner = owners.get(record.producerId) ?? transactionalId;
      owners.set(record.producerId, owner);
      const why = identityProblem(before, record, owner);
      if (why === undefined) return undefined;
      const detail = `coordinator ${node} put ${describeMark(record)} in force at ${offset}: ${why}`;
      return { invariant: 'txn INV-5', subject: transactionalId, detail };
    },
    sweep: () => [],
  };
}

function identityProblem(
  before: TransactionMark | undefined,
  { transactionalId, producerId, producerEpoch }: TransactionMark,
  owner: string,
): string | undefined {
  if (owner !== transactionalId) return `the producer id is that of ${owner}`;
  if (before?.producerId === producerId)
    return producerEpoch >= before.producerEpoch ? undefined : `it was in epoch ${before.producerEpoch}`;
  // A new transactional id begins where transaction.first.epoch says.
  return producerEpoch === 0 || before === undefined ? undefined : 'a fresh producer id begins at epoch 0';
}
