// The end of a transaction that its coordinator decides: a successor has come, or its time is over (txn T-34, T-48,
// T-49). The owner is fenced, then an internal EndTxn(ABORT) runs under the fence's epoch. Pure.
import { assert } from '../../base/assert.ts';
import type { AnswerNow, Circumstances, Fence, Write } from './decision.ts';
import { reply } from './decision.ts';
import { FENCE_EPOCH, NONE } from './metadata.ts';
import type { TransactionEntry } from './metadata.ts';
import { prepare } from './prepare.ts';
import { variantOf } from './variant.ts';

/** The fence of an open transaction. A raised epoch whose record was not written is not raised again (txn T-48). */
export function decideFence(entry: TransactionEntry, reason: Fence['reason']): Fence {
  const { state, producerEpoch } = entry.metadata;
  assert(state === 'Ongoing' && entry.pendingState === undefined, `txn T-48: a fence in ${state}`);
  const raised = entry.hasFailedEpochFence || producerEpoch === FENCE_EPOCH ? producerEpoch : producerEpoch + 1;
  return { kind: 'fence', epoch: raised, reason };
}

/**
 * The abort that follows a fence, while PrepareEpochFence is pending. Its variant is the cluster's (txn T-190): below
 * 2 the raised epoch is in force at once; with 2 it is EndTxn that bumps, once, and that changes the producer id at
 * 32766 (txn T-49, T-77). Answers COORDINATOR_LOAD_IN_PROGRESS if that takes an id and none is at hand. A successor
 * is told CONCURRENT_TRANSACTIONS once the abort is durable: it asks again.
 */
export function decideFencedAbort(
  entry: TransactionEntry,
  fence: Fence,
  circumstances: Circumstances,
): AnswerNow | Write {
  const { metadata, pendingState } = entry;
  assert(pendingState === 'PrepareEpochFence', `txn T-48: ${pendingState} is pending instead of a fence`);
  assert(fence.epoch >= metadata.producerEpoch, `txn T-73: a fence at ${fence.epoch} below ${metadata.producerEpoch}`);
  const { producerId, producerEpoch } = metadata;
  if (fence.reason === 'timeout' && !circumstances.safeguard('epoch.bumpOnTimeout')) {
    const own = { outcome: 'abort', reason: 'timeout', by: { producerId, producerEpoch }, variant: 0 } as const;
    return prepare(metadata, own, circumstances, () => reply('NONE'));
  }
  const answered = reply(fence.reason === 'init' ? 'CONCURRENT_TRANSACTIONS' : 'NONE');
  const of = {
    outcome: 'abort',
    reason: fence.reason,
    by: { producerId, producerEpoch: fence.epoch },
  } as const;
  if (variantOf(circumstances.level, circumstances) === 2) {
    return prepare(metadata, { ...of, variant: 2 }, circumstances, () => answered);
  }
  const inForceNow = { ...metadata, producerEpoch: fence.epoch, lastProducerEpoch: NONE };
  const decision = prepare(inForceNow, { ...of, variant: 0 }, circumstances, () => answered);
  return decision.kind === 'write' ? { ...decision, inForceNow } : decision;
}
