// InitProducerId without a transactional id (txn T-38 to T-40): any broker gives an id, and nothing is written down.
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { ProducerIds } from './producer-ids.ts';

const NONE = -1;

/**
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: half an identity is expected (T-38), or the transactional id is empty (T-40).
 * - `UNSUPPORTED_VERSION`: a transactional id; transactions are not served yet (docs/divergence.md).
 * - `COORDINATOR_LOAD_IN_PROGRESS`: no id is at hand; ask again (T-37).
 *
 * Without a transactional id the expected identity is ignored: every call gives a new id (T-39, wire W-54).
 */
export function initProducerId(
  ids: Pick<ProducerIds, 'take'>,
  request: RequestOf<'InitProducerId'>,
): ResponseOf<'InitProducerId'> {
  const { hasTransactionalId, transactionalId, producerId, producerEpoch } = request;
  if ((producerId === NONE) !== (producerEpoch === NONE)) return refuse('INVALID_REQUEST');
  if (hasTransactionalId) return refuse(transactionalId === '' ? 'INVALID_REQUEST' : 'UNSUPPORTED_VERSION');
  const id = ids.take();
  return id === undefined
    ? refuse('COORDINATOR_LOAD_IN_PROGRESS')
    : { error: 'NONE', producerId: id, producerEpoch: 0 };
}

function refuse(error: ErrorName): ResponseOf<'InitProducerId'> {
  return { error, producerId: NONE, producerEpoch: NONE };
}
