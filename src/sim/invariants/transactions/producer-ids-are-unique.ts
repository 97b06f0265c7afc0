// txn INV-13: no producer id is given to two, whether by InitProducerId or by an EndTxn that rotates: every idempotent producer gets
// one of its own, every transactional id keeps its own.
import type { Invariant, Violation } from '../invariant.ts';

/** INV-13. */
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
