// InitProducerId (txn T-38 to T-41): without a transactional id any broker gives an id, and nothing is written down; with
// one it is the coordinator's to answer.
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Coordination } from './coordination.ts';

const NONE = -1;

/**
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: half an identity is expected (T-38).
 * - what the coordinator says, of a transactional id.
 * - `COORDINATOR_LOAD_IN_PROGRESS`: no id is at hand; ask again (T-37).
 *
 * Without a transactional id the expected identity is ignored: every call gives a new id (T-39, wire W-54).
 */
export function initProducerId(
  coordination: Pick<Coordination, 'call' | 'producerIds' | 'host'>,
  request: RequestOf<'InitProducerId'>,
  answer: (response: ResponseOf<'InitProducerId'>) => void,
): void {
  const { hasTransactionalId, producerId, producerEpoch } = request;
  if ((producerId === NONE) !== (producerEpoch === NONE)) return answer(refuse('INVALID_REQUEST'));
  if (hasTransactionalId) return coordination.call('InitProducerId', request, answer);
  const id = coordination.producerIds.take();
  if (id === undefined) return answer(refuse('COORDINATOR_LOAD_IN_PROGRESS'));
  const identity = { producerId: id, producerEpoch: 0 };
  coordination.host.runtime.trace({ type: 'producer.identity', transactionalId: null, ...identity, by: 'init' });
  answer({ error: 'NONE', ...identity });
}

function refuse(error: ErrorName): ResponseOf<'InitProducerId'> {
  return { error, producerId: NONE, producerEpoch: NONE };
}
