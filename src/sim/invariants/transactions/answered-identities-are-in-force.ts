// txn INV-5, the part of answers: the identity of a transactional id is answered only once a durable record has it (txn T-51). EndTxn
// may answer the first identity of a fresh producer id ahead of the record that has it (txn T-77).
import type { Invariant, Violation } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

/** INV-5: identities that are answered. */
export function answeredIdentitiesAreInForce(view: TraceView): Invariant {
  const inForce = new Set<string>();
  return {
    name: 'txn INV-5',
    on: ['txn.record', 'txn.loaded', 'producer.identity'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type === 'txn.loaded') for (const mark of event.transactions) inForce.add(nameOf(mark));
      else if (event.type === 'txn.record' && event.phase === 'applied' && event.record !== null) {
        if (view.isDurableAt(node, event.partition, event.offset)) inForce.add(nameOf(event.record));
      }
      if (event.type !== 'producer.identity' || event.transactionalId === null) return undefined;
      const { transactionalId, producerId, producerEpoch, by } = event;
      if (inForce.has(nameOf({ transactionalId, producerId, producerEpoch }))) return undefined;
      if (by === 'end' && producerEpoch === 0) return undefined;
      const detail = `broker ${node} answered producer ${producerId}, epoch ${producerEpoch}, which no durable record has`;
      return { invariant: 'txn INV-5', subject: transactionalId, detail };
    },
    sweep: () => [],
  };
}

interface Identity {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
}

function nameOf({ transactionalId, producerId, producerEpoch }: Identity): string {
  return `${producerId} ${producerEpoch} ${transactionalId}`;
}
