// Hands out blocks of producer ids (txn T-36). A block is committed before it is answered, so no id is given twice; the
// rest of a block whose answer was lost, or whose broker died, is never used.
import { producerIdsRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Draft } from './draft.ts';

/** Ids in a block. */
export const PRODUCER_ID_BLOCK = 1000;
/** The first id of a cluster. Not 0, which clients send that have none (wire W-54). */
const FIRST_PRODUCER_ID = PRODUCER_ID_BLOCK;
/** No block begins beyond. Kafka's ids are int64; ours are numbers (docs/divergence.md). */
const LAST_START = Number.MAX_SAFE_INTEGER - PRODUCER_ID_BLOCK;

/**
 * Decides AllocateProducerIds.
 *
 * Answers, in the order checked:
 * - `STALE_BROKER_EPOCH`: not the process that is registered.
 * - `UNKNOWN_SERVER_ERROR`: all ids are used.
 */
export function decideAllocateProducerIds(
  draft: Draft,
  { brokerId, brokerEpoch }: RequestOf<'AllocateProducerIds'>,
): ResponseOf<'AllocateProducerIds'> {
  if (draft.image.brokers.get(brokerId)?.brokerEpoch !== brokerEpoch) return refuse('STALE_BROKER_EPOCH');
  const start = Math.max(draft.image.nextProducerId, FIRST_PRODUCER_ID);
  if (start > LAST_START) return refuse('UNKNOWN_SERVER_ERROR');
  draft.add(producerIdsRecord(brokerId, start + PRODUCER_ID_BLOCK));
  return { error: 'NONE', producerIdStart: start, producerIdLen: PRODUCER_ID_BLOCK };
}

function refuse(error: ErrorName): ResponseOf<'AllocateProducerIds'> {
  return { error, producerIdStart: -1, producerIdLen: 0 };
}
