// txn INV-13 and the answer's part of INV-5: no producer id is given to two, and the identity of a transactional id is answered
// only once its record is in force (txn T-51).
import type { Invariant, Violation } from './invariant.ts';
import type { TraceView } from './trace-view.ts';

/** Every idempotent producer gets a producer id of its own, every transactional id keeps its own. */
export function producerIdsAreUnique(): Invariant {
  const owners = new Map<number, string | null>();
  return {
    name: 'txn INV-13',
    on: ['producer.identity'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type !== 'producer.identity') return undefined;
      const { producerId, transactionalId } = event;
      const known = owners.get(producerId);
      owners.set(producerId, transactionalId);
      if (known === undefined || (known === transactionalId && transactionalId !== null)) return undefined;
      const name = (owner: string | null): string => owner ?? 'an idempotent producer';
      const detail = `broker ${node} gave producer id ${producerId} to ${name(transactionalId)}; ${name(known)} has it`;
      return { invariant: 'txn INV-13', subject: `producer ${producerId}`, detail };
    },
    sweep: () => [],
  };
}

/** EndTxn may answer the first identity of a fresh producer id ahead of the record that has it (txn T-77). */
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
