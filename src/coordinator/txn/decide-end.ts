// EndTxn of a client, in both variants (txn T-72 to T-80, T-189): the checks, then the state tables as data. Pure. The
// coordinator's own ends are decide-fence.ts.
import { assert } from '../../base/assert.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Circumstances, AnswerNow, Identity, Write } from './decision.ts';
import { answer, isBusy, reply } from './decision.ts';
import { LAST_CLIENT_EPOCH } from './metadata.ts';
import type { Outcome, TransactionEntry, TransactionMetadata, TransactionState } from './metadata.ts';
import { prepare } from './prepare.ts';
import { refuseVersion, variantOf } from './variant.ts';

/** What is asked for. */
export interface EndRequest extends Identity {
  readonly committed: boolean;
  /** 2: EndTxn v5. Below: EndTxn v4 (txn T-190). */
  readonly transactionVersion: number;
}

/** An error, success without a record, or the record of the decision. */
type Cell = ErrorName | 'PREPARE';
type SettledState = Exclude<TransactionState, 'Dead' | 'PrepareEpochFence'>;

/** Txn T-73: the epoch is the stored one. */
export const END_WITHOUT_BUMP: Readonly<Record<SettledState, Readonly<Record<Outcome, Cell>>>> = {
  Ongoing: { commit: 'PREPARE', abort: 'PREPARE' },
  PrepareCommit: { commit: 'CONCURRENT_TRANSACTIONS', abort: 'INVALID_TXN_STATE' },
  PrepareAbort: { commit: 'INVALID_TXN_STATE', abort: 'CONCURRENT_TRANSACTIONS' },
  CompleteCommit: { commit: 'NONE', abort: 'INVALID_TXN_STATE' },
  CompleteAbort: { commit: 'INVALID_TXN_STATE', abort: 'NONE' },
  Empty: { commit: 'INVALID_TXN_STATE', abort: 'INVALID_TXN_STATE' },
};

/** How the request's identity stands to the stored one (txn T-75). */
type Age = 'retry' | 'current';
const FENCED = { retry: 'PRODUCER_FENCED', current: 'PRODUCER_FENCED' } as const;

/** Txn T-76, with the [D] decision of txn W-8 for a commit that follows an abort by the coordinator. */
export const END_WITH_BUMP: Readonly<Record<SettledState, Readonly<Record<Outcome, Readonly<Record<Age, Cell>>>>>> = {
  Ongoing: {
    abort: { ...FENCED, current: 'PREPARE' },
    commit: { ...FENCED, current: 'PREPARE' },
  },
  PrepareAbort: {
    abort: { ...FENCED, retry: 'CONCURRENT_TRANSACTIONS' },
    commit: { ...FENCED, retry: 'INVALID_TXN_STATE' },
  },
  PrepareCommit: {
    abort: { ...FENCED, retry: 'INVALID_TXN_STATE' },
    commit: { ...FENCED, retry: 'CONCURRENT_TRANSACTIONS' },
  },
  Empty: {
    abort: { ...FENCED, current: 'PREPARE' },
    commit: { ...FENCED, current: 'INVALID_TXN_STATE' },
  },
  CompleteAbort: {
    abort: { retry: 'NONE', current: 'PREPARE' },
    commit: { ...FENCED, current: 'INVALID_TXN_STATE' },
  },
  CompleteCommit: {
    abort: { retry: 'INVALID_TXN_STATE', current: 'PREPARE' },
    commit: { retry: 'NONE', current: 'INVALID_TXN_STATE' },
  },
};

/** Decides about an EndTxn. The empty id and ownership were looked at before. `entry` undefined: an unknown id. */
export function decideEnd(
  entry: TransactionEntry | undefined,
  request: EndRequest,
  circumstances: Circumstances,
): AnswerNow | Write {
  const unsupported = refuseVersion(request.transactionVersion, circumstances.level);
  if (unsupported !== 'NONE') return answer(unsupported);
  if (entry === undefined) return answer('INVALID_PRODUCER_ID_MAPPING');
  const asked = circumstances.safeguard('epoch.strictEndTxn') ? request : atMost(request, entry.metadata);
  return variantOf(request.transactionVersion, circumstances) === 2
    ? endWithBump(entry, asked, circumstances)
    : endWithoutBump(entry, asked, circumstances);
}

/** Takes a newer epoch for the stored one: as a coordinator that only asks whether an epoch is too old (BUG-54). */
function atMost(request: EndRequest, stored: TransactionMetadata): EndRequest {
  return { ...request, producerEpoch: Math.min(request.producerEpoch, stored.producerEpoch) };
}

function endWithoutBump(entry: TransactionEntry, request: EndRequest, circumstances: Circumstances): AnswerNow | Write {
  const { metadata } = entry;
  if (metadata.producerId !== request.producerId) return answer('INVALID_PRODUCER_ID_MAPPING');
  if (metadata.producerEpoch !== request.producerEpoch) return answer('PRODUCER_FENCED');
  if (isBusy(entry, circumstances)) return answer('CONCURRENT_TRANSACTIONS');
  const outcome = outcomeOf(request);
  const cell = END_WITHOUT_BUMP[settled(metadata)][outcome];
  if (cell !== 'PREPARE') return answer(cell);
  return prepare(metadata, { ...ask(request, outcome), variant: 0 }, circumstances, () => reply('NONE'));
}

function endWithBump(entry: TransactionEntry, request: EndRequest, circumstances: Circumstances): AnswerNow | Write {
  const { metadata } = entry;
  if (isBusy(entry, circumstances)) return answer('CONCURRENT_TRANSACTIONS');
  const overflowed = isOverflowRetry(metadata, request);
  if (metadata.producerId !== request.producerId && !overflowed) return answer('INVALID_PRODUCER_ID_MAPPING');
  const state = settled(metadata);
  const age = ageOf(metadata, request, overflowed);
  if (age === undefined) return answer('PRODUCER_FENCED');
  const outcome = outcomeOf(request);
  const cell = END_WITH_BUMP[state][outcome][age];
  if (cell === 'NONE') return answer('NONE', metadata);
  if (cell !== 'PREPARE') return answer(cell);
  return prepare(metadata, { ...ask(request, outcome), variant: 2 }, circumstances, (next) => reply('NONE', next));
}

/** A retry at (p, 32766) against (q, 0), which it became (txn T-77). */
function isOverflowRetry(stored: TransactionMetadata, request: Identity): boolean {
  return (
    stored.producerId !== request.producerId &&
    stored.previousProducerId === request.producerId &&
    request.producerEpoch === LAST_CLIENT_EPOCH &&
    stored.producerEpoch === 0
  );
}

/** Txn T-75; undefined: any other identity, lower or higher. */
function ageOf(stored: TransactionMetadata, request: Identity, overflowed: boolean): Age | undefined {
  // Where no transition by EndTxn has just ended, the id before was given up by InitProducerId.
  if (overflowed) return stored.state === 'CompleteCommit' || stored.state === 'CompleteAbort' ? 'retry' : undefined;
  if (request.producerEpoch === stored.producerEpoch) return 'current';
  return request.producerEpoch + 1 === stored.producerEpoch ? 'retry' : undefined;
}

function outcomeOf(request: EndRequest): Outcome {
  return request.committed ? 'commit' : 'abort';
}

function ask({ producerId, producerEpoch }: Identity, outcome: Outcome) {
  const by = { producerId, producerEpoch };
  return outcome === 'abort' ? ({ outcome, reason: 'client', by } as const) : { outcome, by };
}

function settled({ state, transactionalId }: TransactionMetadata): SettledState {
  assert(state !== 'Dead' && state !== 'PrepareEpochFence', `txn T-13: ${transactionalId} in state ${state}`);
  return state;
}
