// InitProducerId with a transactional id (txn T-38 to T-50): a new identity, or first the end of what the owner
// before left open. Pure.
import { assert } from '../../base/assert.ts';
import type { DurationMs } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { isTooLong } from '../../protocol/string-length.ts';
import type { Circumstances, Decision, Identity } from './decision.ts';
import { answer, isBusy, reply } from './decision.ts';
import { decideFence } from './decide-fence.ts';
import { FENCE_EPOCH, LAST_CLIENT_EPOCH, NONE } from './metadata.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';

/** What is asked for. */
export interface InitRequest {
  readonly timeoutMs: DurationMs;
  /** The identity that the producer has; undefined if it expects none. */
  readonly expected: Identity | undefined;
}

/** Checks that need no state, before ownership is looked at (txn T-38, T-40, T-41). 'NONE': go on. */
export function precheckInit(
  request: Identity & { readonly transactionalId: string; readonly transactionTimeoutMs: number },
  maxTimeoutMs: DurationMs,
): ErrorName {
  const { producerId, producerEpoch, transactionTimeoutMs } = request;
  if ((producerId === NONE) !== (producerEpoch === NONE)) return 'INVALID_REQUEST';
  if (request.transactionalId === '' || isTooLong(request.transactionalId)) return 'INVALID_REQUEST';
  if (transactionTimeoutMs <= 0 || transactionTimeoutMs > maxTimeoutMs) return 'INVALID_TRANSACTION_TIMEOUT';
  return 'NONE';
}

/**
 * Decides about a known id; an unknown one gets an entry first (txn T-42, `newEntry`). First match wins:
 * - a transition is pending: CONCURRENT_TRANSACTIONS (T-43)
 * - the expected identity is neither this one, nor the used-up one before, nor is the id new: PRODUCER_FENCED (T-44)
 * - PrepareX: CONCURRENT_TRANSACTIONS (T-45); Ongoing: a fence (T-48); else a new identity (T-46).
 */
export function decideInit(entry: TransactionEntry, request: InitRequest, circumstances: Circumstances): Decision {
  const { metadata } = entry;
  if (isBusy(entry, circumstances)) return answer('CONCURRENT_TRANSACTIONS');
  if (request.expected !== undefined && !mayExpect(metadata, request.expected)) return answer('PRODUCER_FENCED');
  switch (metadata.state) {
    case 'PrepareCommit':
    case 'PrepareAbort':
      // Without, the next identity is given out while the markers of the one before are on their way (BUG-82).
      if (circumstances.safeguard('txn.pendingCas')) return answer('CONCURRENT_TRANSACTIONS');
      return decideIdentity(metadata, request, circumstances);
    case 'Ongoing':
      // Without the bump both instances share the identity, and the open transaction with it.
      return circumstances.safeguard('epoch.bumpOnInit') ? decideFence(entry, 'init') : answer('NONE', metadata);
    case 'Empty':
    case 'CompleteCommit':
    case 'CompleteAbort':
      return decideIdentity(metadata, request, circumstances);
    case 'Dead':
    case 'PrepareEpochFence':
      assert(false, `txn T-50: ${metadata.transactionalId} in state ${metadata.state}`);
  }
}

/** Txn T-44. */
function mayExpect(stored: TransactionMetadata, expected: Identity): boolean {
  if (stored.producerEpoch === NONE || expected.producerId === stored.producerId) return true;
  return expected.producerId === stored.previousProducerId && expected.producerEpoch >= LAST_CLIENT_EPOCH;
}

/** What an id becomes (txn T-46). */
interface NextIdentity extends Identity {
  readonly lastProducerEpoch: number;
}

function decideIdentity(stored: TransactionMetadata, request: InitRequest, circumstances: Circumstances): Decision {
  const next = nextIdentity(stored, request.expected?.producerEpoch, circumstances);
  if (typeof next === 'string') return answer(next);
  const target: TransactionMetadata = {
    ...stored,
    ...next,
    previousProducerId: stored.producerId,
    nextProducerId: NONE,
    timeoutMs: request.timeoutMs,
    state: 'Empty',
    partitions: [],
    startTimeMs: NONE,
    lastUpdateMs: circumstances.nowMs,
  };
  return { kind: 'write', point: 'txn.init', target, reply: reply('NONE', next) };
}

/** The rows of txn T-46, with the [D] decision for its last one (txn W-18). */
function nextIdentity(
  stored: TransactionMetadata,
  expected: number | undefined,
  circumstances: Circumstances,
): NextIdentity | ErrorName {
  const { producerId, producerEpoch, lastProducerEpoch } = stored;
  const { firstEpoch = 0 } = circumstances;
  if (producerEpoch === NONE) return { producerId, producerEpoch: firstEpoch, lastProducerEpoch: NONE };
  if (expected === undefined || expected === producerEpoch) {
    const last = expected === undefined ? NONE : producerEpoch;
    const usedUp = producerEpoch >= LAST_CLIENT_EPOCH;
    if (usedUp && circumstances.safeguard('epoch.rotatePid')) return rotated(last, circumstances);
    const bump = circumstances.safeguard('epoch.bumpOnInit') ? 1 : 0;
    return { producerId, producerEpoch: Math.min(producerEpoch + bump, FENCE_EPOCH), lastProducerEpoch: last };
  }
  // A retry of what was done already; no epoch above the last of clients is ever given out (txn T-47).
  if (expected === lastProducerEpoch && producerEpoch < FENCE_EPOCH) {
    return { producerId, producerEpoch, lastProducerEpoch };
  }
  return 'PRODUCER_FENCED';
}

function rotated(lastProducerEpoch: number, circumstances: Circumstances): NextIdentity | ErrorName {
  const producerId = circumstances.takeProducerId();
  if (producerId === undefined) return 'COORDINATOR_LOAD_IN_PROGRESS';
  return { producerId, producerEpoch: 0, lastProducerEpoch };
}
