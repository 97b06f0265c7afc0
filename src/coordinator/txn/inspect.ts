// What operators are told of ids: lists with filters (txn T-176) and descriptions (txn T-177). What is pending is not
// shown: an id that is being expired is shown as it was.
import type { EpochMs } from '../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import { TRANSACTION_STATES } from './metadata.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';
import { byTopic } from './partitions.ts';

/**
 * The ids that pass all filters, by id (txn T-176). A pattern must match the whole id: INVALID_REGULAR_EXPRESSION if
 * it is none. Whether a partition is loading is looked at before.
 */
export function listTransactions(
  entries: Iterable<TransactionEntry>,
  request: RequestOf<'ListTransactions'>,
  nowMs: EpochMs,
): ResponseOf<'ListTransactions'> {
  const asked = [...new Set(request.states)];
  const unknownStates = asked.filter((name) => !(TRANSACTION_STATES as readonly string[]).includes(name));
  const pattern = wholePattern(request.idPattern);
  if (pattern === undefined) return { error: 'INVALID_REGULAR_EXPRESSION', unknownStates: [], transactions: [] };
  const listed = [...entries]
    .map((entry) => entry.metadata)
    .filter((metadata) => passes(metadata, request, nowMs) && pattern.test(metadata.transactionalId))
    .sort((a, b) => (a.transactionalId < b.transactionalId ? -1 : 1));
  const transactions = listed.map(({ transactionalId, producerId, state }) => ({ transactionalId, producerId, state }));
  return { error: 'NONE', unknownStates, transactions };
}

function passes(metadata: TransactionMetadata, request: RequestOf<'ListTransactions'>, nowMs: EpochMs): boolean {
  const { states, producerIds, minDurationMs } = request;
  if (states.length > 0 && !states.includes(metadata.state)) return false;
  if (producerIds.length > 0 && !producerIds.includes(metadata.producerId)) return false;
  // Also where nothing is open: a start of -1 is long ago.
  return minDurationMs < 0 || nowMs - metadata.startTimeMs > minDurationMs;
}

/** Undefined: no regular expression. The pattern is tried by itself first, so that "a)(b" is none. */
function wholePattern(pattern: string): RegExp | undefined {
  if (pattern === '') return /^/u;
  try {
    return new RegExp(`^(?:${new RegExp(pattern, 'u').source})$`, 'u');
  } catch {
    return undefined;
  }
}

/** Txn T-177; ownership was looked at before. `entry` undefined: TRANSACTIONAL_ID_NOT_FOUND. */
export function describeTransaction(
  transactionalId: string,
  entry: TransactionEntry | undefined,
  shard: { readonly partition: number; readonly coordinatorEpoch: number },
): ResponseOf<'DescribeTransactions'>['transactions'][number] {
  if (entry === undefined) return undescribed(transactionalId, 'TRANSACTIONAL_ID_NOT_FOUND');
  const { metadata } = entry;
  return {
    transactionalId,
    error: 'NONE',
    producerId: metadata.producerId,
    producerEpoch: metadata.producerEpoch,
    state: metadata.state,
    transactionTimeoutMs: metadata.timeoutMs,
    startTimeMs: metadata.startTimeMs,
    topics: byTopic(metadata.partitions),
    ...shard,
  };
}

/** A description that is only an error: INVALID_REQUEST for an empty id, or one of ownership (txn T-7, T-177). */
export function undescribed(
  transactionalId: string,
  error: ResponseOf<'DescribeTransactions'>['transactions'][number]['error'],
): ResponseOf<'DescribeTransactions'>['transactions'][number] {
  return {
    transactionalId,
    error,
    producerId: -1,
    producerEpoch: -1,
    state: '',
    transactionTimeoutMs: 0,
    startTimeMs: -1,
    topics: [],
    partition: -1,
    coordinatorEpoch: -1,
  };
}
