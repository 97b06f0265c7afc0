// Partitions of a transaction are registered, or asked about (txn T-54 to T-60). Pure. Whether they exist is looked at
// before (txn T-55).
import type { TopicPartition } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { AnswerNow, Circumstances, Identity, Write } from './decision.ts';
import { answer, isBusy, reply } from './decision.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';
import { hasPartition, partitionSet } from './partitions.ts';
import { refuseVersion, variantOf } from './variant.ts';

/** What is asked for. */
export interface AddRequest extends Identity {
  readonly partitions: readonly TopicPartition[];
  /** 2: a leader or a group coordinator adds (txn T-59). Below: a client does, or AddOffsetsToTxn (txn T-60, T-190). */
  readonly transactionVersion: number;
  readonly point: 'txn.add-partitions' | 'txn.add-offsets';
}

/** Txn T-56, first match wins; the empty id and ownership were looked at before. `entry` undefined: an unknown id. */
export function decideAdd(
  entry: TransactionEntry | undefined,
  request: AddRequest,
  circumstances: Circumstances,
): AnswerNow | Write {
  const unsupported = refuseVersion(request.transactionVersion, circumstances.level);
  if (unsupported !== 'NONE') return answer(unsupported);
  if (entry === undefined) return answer('INVALID_PRODUCER_ID_MAPPING');
  const { metadata } = entry;
  if (isBusy(entry, circumstances)) return answer('CONCURRENT_TRANSACTIONS');
  const refusal = refuseOwner(metadata, request);
  if (refusal !== 'NONE') return answer(refusal);
  const open = metadata.state === 'Ongoing';
  if (open && request.partitions.every((one) => hasPartition(metadata.partitions, one))) return answer('NONE');
  const target: TransactionMetadata = {
    ...metadata,
    previousProducerId: metadata.producerId,
    state: 'Ongoing',
    partitions: partitionSet([...metadata.partitions, ...request.partitions]),
    startTimeMs: open ? metadata.startTimeMs : circumstances.nowMs,
    lastUpdateMs: circumstances.nowMs,
    clientTransactionVersion: variantOf(request.transactionVersion, circumstances),
  };
  return { kind: 'write', point: request.point, target, reply: reply('NONE') };
}

/** Whether each partition belongs to the transaction, in their order (txn T-58). What is pending does not matter. */
export function decideVerify(
  entry: TransactionEntry | undefined,
  request: Identity & { readonly partitions: readonly TopicPartition[] },
): readonly ErrorName[] {
  const refusal = entry === undefined ? 'INVALID_PRODUCER_ID_MAPPING' : refuseOwner(entry.metadata, request);
  return request.partitions.map((partition) => {
    if (refusal !== 'NONE' || entry === undefined) return refusal;
    return hasPartition(entry.metadata.partitions, partition) ? 'NONE' : 'TRANSACTION_ABORTABLE';
  });
}

/** The identity must be the stored one, and nothing decided that is not complete (txn T-56, T-58). 'NONE': go on. */
function refuseOwner(stored: TransactionMetadata, { producerId, producerEpoch }: Identity): ErrorName {
  if (producerId !== stored.producerId) return 'INVALID_PRODUCER_ID_MAPPING';
  if (producerEpoch !== stored.producerEpoch) return 'PRODUCER_FENCED';
  const decided = stored.state === 'PrepareCommit' || stored.state === 'PrepareAbort';
  return decided ? 'CONCURRENT_TRANSACTIONS' : 'NONE';
}
