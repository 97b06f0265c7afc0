// The record of a decision, PrepareCommit or PrepareAbort, and of its end, CompleteX: their identities (txn T-73,
// T-75 to T-77, T-49, T-88), and the look at the entry between the two (txn T-79). Pure.
import type { EpochMs } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { AnswerNow, Circumstances, Identity, Prepare, Reply, Write } from './decision.ts';
import { answer, reply } from './decision.ts';
import { FENCE_EPOCH, LAST_CLIENT_EPOCH, NONE } from './metadata.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';

/**
 * Prepares the end of the transaction of `stored`. Variant 2 bumps the epoch and, where it is used up, takes the next
 * producer id first: COORDINATOR_LOAD_IN_PROGRESS if there is none. An id that is broken at 32767 is aborted without
 * a bump; nobody owns it, so nobody commits it: PRODUCER_FENCED. `answered` makes the reply of the identity to go on
 * with.
 */
export function prepare(
  stored: TransactionMetadata,
  of: Prepare,
  circumstances: Circumstances,
  answered: (identity: Identity) => Reply,
): AnswerNow | Write {
  const kept = { ...stored, previousProducerId: stored.producerId, nextProducerId: NONE };
  const prepared: TransactionMetadata = {
    ...kept,
    state: of.outcome === 'commit' ? 'PrepareCommit' : 'PrepareAbort',
    // A transaction that has registered nothing starts where it ends (txn T-15).
    startTimeMs: stored.state === 'Ongoing' ? stored.startTimeMs : circumstances.nowMs,
    lastUpdateMs: circumstances.nowMs,
    clientTransactionVersion: of.variant,
  };
  const point = of.outcome === 'commit' ? 'txn.prepare-commit' : 'txn.prepare-abort';
  if (of.variant === 0) return { kind: 'write', point, target: prepared, prepare: of, reply: answered(prepared) };
  if (stored.producerEpoch === FENCE_EPOCH && of.outcome === 'commit') return answer('PRODUCER_FENCED');
  const bumped = {
    ...prepared,
    producerEpoch: Math.min(stored.producerEpoch + 1, FENCE_EPOCH),
    lastProducerEpoch: stored.producerEpoch,
  };
  if (stored.producerEpoch < LAST_CLIENT_EPOCH || !circumstances.safeguard('epoch.rotatePid')) {
    return { kind: 'write', point, target: bumped, prepare: of, reply: answered(bumped) };
  }
  const next = circumstances.takeProducerId();
  if (next === undefined) return answer('COORDINATOR_LOAD_IN_PROGRESS');
  const target = { ...bumped, nextProducerId: next };
  return { kind: 'write', point, target, prepare: of, reply: answered({ producerId: next, producerEpoch: 0 }) };
}

/**
 * The end of a transaction whose markers are all written (txn T-88): the identity of the decision, or the one it
 * rotates to (txn T-77). Decided of the metadata as prepared; what still lacks markers does not matter to it.
 */
export function decideComplete(prepared: TransactionMetadata, nowMs: EpochMs): Write {
  const rotates = prepared.nextProducerId !== NONE;
  const target: TransactionMetadata = {
    ...prepared,
    previousProducerId: prepared.producerId,
    producerId: rotates ? prepared.nextProducerId : prepared.producerId,
    nextProducerId: NONE,
    producerEpoch: rotates ? 0 : prepared.producerEpoch,
    state: prepared.state === 'PrepareCommit' ? 'CompleteCommit' : 'CompleteAbort',
    partitions: [],
    lastUpdateMs: nowMs,
  };
  return { kind: 'write', point: 'txn.complete', target, reply: reply('NONE') };
}

/**
 * Looks again once a decision is durable and in force, before markers are queued (txn T-79). 'NONE': queue them.
 * Otherwise what the request is answered; the next load completes what the log says. `entry` undefined: the cache has
 * lost it.
 */
export function recheckPrepared(entry: TransactionEntry | undefined, of: Prepare): ErrorName {
  if (entry === undefined) return 'NOT_COORDINATOR';
  const { metadata, pendingState } = entry;
  if (metadata.producerId !== of.by.producerId) return 'INVALID_PRODUCER_ID_MAPPING';
  const ahead = metadata.producerEpoch - of.by.producerEpoch;
  if (ahead !== 0 && !(of.variant === 2 && ahead === 1)) return 'PRODUCER_FENCED';
  if (pendingState !== undefined) return 'CONCURRENT_TRANSACTIONS';
  return metadata.state === (of.outcome === 'commit' ? 'PrepareCommit' : 'PrepareAbort') ? 'NONE' : 'INVALID_TXN_STATE';
}
