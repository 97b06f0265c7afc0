// The requests of a transactional producer, and how their answers are read (txn 7.2). Decides nothing about its state.
import type { LeaderEpoch, Offset, TopicPartition } from '../../../base/units.ts';
import { formatPartition } from '../../../base/units.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { TopicPartitions } from '../../../protocol/generated/index.ts';
import type { Identity } from '../producer-identity.ts';
import type { TxnCall } from './calls.ts';
import type { TxnApi } from './reactions.ts';
import { replyTo, type CoordinatorKey, type Reply, type TxnRequest } from './request-queue.ts';

/** Order of requests (txn T-153); 0 is FindCoordinator's. */
const PRIORITY = { init: 1, add: 2, end: 3, bump: 4 } as const;

/** A first AddPartitionsToTxn that meets the end of the transaction before is tried again after this (txn T-157). */
const ADD_PARTITIONS_RETRY_MS = 20;

/** The member of a group whose offsets are committed (txn T-61). Without generation and member the group fences nobody. */
export interface GroupMetadata {
  readonly groupId: string;
  readonly generationId?: number;
  readonly memberId?: string;
  readonly groupInstanceId?: string;
}

/** The next offset to be read of a partition: the last one processed, plus 1. */
export interface OffsetToSend extends TopicPartition {
  readonly offset: Offset;
  /** Of the last record processed; -1 unknown. */
  readonly leaderEpoch?: LeaderEpoch;
  readonly metadata?: string;
}

/** Who asks, at the moment of the attempt. */
export interface Asker {
  readonly transactionalId: string;
  readonly identity: Identity;
  /** The variant that it speaks (txn T-190). */
  readonly transactionVersion: number;
}

interface Shape<A extends TxnApi> {
  readonly api: A;
  readonly priority: number;
  readonly coordinator: CoordinatorKey;
  readonly call: TxnCall | undefined;
}

const start = <A extends TxnApi>(shape: Shape<A>) => ({ ...shape, mayHaveActed: false, notBefore: 0 });
const ofTransaction = (key: string): CoordinatorKey => ({ type: 'transaction', key });
const who = ({ transactionalId, identity }: Asker) => ({
  ...{ transactionalId, producerId: identity.producerId, producerEpoch: identity.epoch },
});

/** InitProducerId. With an expected identity it is a bump, which comes after everything else (txn T-158). */
export function initProducerId(
  of: { readonly transactionalId: string; readonly timeoutMs: number; readonly expected: Identity | undefined },
  call: TxnCall | undefined,
  take: (identity: Identity) => void,
): TxnRequest<'InitProducerId'> {
  const { transactionalId, timeoutMs, expected } = of;
  const priority = expected === undefined ? PRIORITY.init : PRIORITY.bump;
  return {
    ...start({ api: 'InitProducerId', priority, coordinator: ofTransaction(transactionalId), call }),
    build: () => ({
      ...{ hasTransactionalId: true, transactionalId, transactionTimeoutMs: timeoutMs },
      ...{ producerId: expected?.producerId ?? -1, producerEpoch: expected?.epoch ?? -1 },
    }),
    read: ({ error, producerId, producerEpoch }) => {
      if (error === 'NONE') take({ producerId, epoch: producerEpoch });
      return replyTo('InitProducerId', error);
    },
  };
}

/** AddPartitionsToTxn (txn T-54 to T-57). `isFirst`: the transaction has no partition yet. */
export function addPartitions(
  asker: Asker,
  partitions: readonly TopicPartition[],
  isFirst: () => boolean,
): TxnRequest<'AddPartitionsToTxn'> {
  const coordinator = ofTransaction(asker.transactionalId);
  return {
    ...start({ api: 'AddPartitionsToTxn', priority: PRIORITY.add, coordinator, call: undefined }),
    partitions,
    build: () => ({ ...who(asker), topics: byTopic(partitions) }),
    read: ({ partitions: answers }) => {
      const reply = worstOf('AddPartitionsToTxn', errorsOf(partitions, answers));
      return reply.error === 'CONCURRENT_TRANSACTIONS' && isFirst()
        ? { ...reply, retryMs: ADD_PARTITIONS_RETRY_MS }
        : reply;
    },
  };
}

/** AddOffsetsToTxn (txn T-60), which the commit of the offsets follows. */
export function addOffsets(
  asker: Asker,
  { groupId, commit }: { readonly groupId: string; readonly commit: TxnRequest<'TxnOffsetCommit'> },
  call: TxnCall,
): TxnRequest<'AddOffsetsToTxn'> {
  const coordinator = ofTransaction(asker.transactionalId);
  return {
    ...start({ api: 'AddOffsetsToTxn', priority: PRIORITY.add, coordinator, call }),
    next: commit,
    build: () => ({ ...who(asker), groupId }),
    read: ({ error }) => replyTo('AddOffsetsToTxn', error),
  };
}

/** TxnOffsetCommit (txn T-61). Partitions that were accepted are not sent again. */
export function txnOffsetCommit(
  asker: Asker,
  commit: { readonly offsets: readonly OffsetToSend[]; readonly group: GroupMetadata },
  call: TxnCall,
): TxnRequest<'TxnOffsetCommit'> {
  const { groupId, generationId = -1, memberId = '', groupInstanceId = '' } = commit.group;
  let left = commit.offsets;
  return {
    ...start({ api: 'TxnOffsetCommit', priority: PRIORITY.add, coordinator: { type: 'group', key: groupId }, call }),
    build: () => ({
      ...who(asker),
      ...{ groupId, generationId, memberId, groupInstanceId, transactionVersion: asker.transactionVersion },
      offsets: left.map(({ topic, partition, offset, leaderEpoch = -1, metadata = '' }) => ({
        ...{ topic, partition, offset, leaderEpoch, metadata },
      })),
    }),
    read: ({ partitions }) => {
      const errors = errorsOf(left, partitions);
      left = left.filter((_offset, index) => errors[index] !== 'NONE');
      return worstOf('TxnOffsetCommit', errors);
    },
  };
}

/** EndTxn (txn T-72 to T-80). `take` gets the identity to go on with, if there is one (txn T-191). */
export function endTxn(
  asker: Asker,
  committed: boolean,
  call: TxnCall | undefined,
  take: (identity: Identity) => void,
): TxnRequest<'EndTxn'> {
  const coordinator = ofTransaction(asker.transactionalId);
  return {
    ...start({ api: 'EndTxn', priority: PRIORITY.end, coordinator, call }),
    build: () => ({ ...who(asker), committed, transactionVersion: asker.transactionVersion }),
    read: ({ error, producerId, producerEpoch }) => {
      if (error === 'NONE' && producerId !== -1) take({ producerId, epoch: producerEpoch });
      return replyTo('EndTxn', error, !committed);
    },
  };
}

function errorsOf(
  asked: readonly TopicPartition[],
  answers: readonly { readonly topic: string; readonly partition: number; readonly error: ErrorName }[],
): ErrorName[] {
  const errors = new Map(answers.map(({ topic, partition, error }) => [formatPartition(topic, partition), error]));
  return asked.map(({ topic, partition }) => errors.get(formatPartition(topic, partition)) ?? 'UNKNOWN_SERVER_ERROR');
}

/** How much a reply decides; of equal ones the first counts. An error that only echoes another one decides least. */
function weightOf({ reaction, error }: Reply): number {
  if (error === 'OPERATION_NOT_ATTEMPTED' && reaction === 'abortable') return 1;
  return { done: 0, retry: 2, lookup: 3, uninitialized: 4, abortable: 4, bump: 4, fatal: 5 }[reaction];
}

function worstOf(api: TxnApi, errors: readonly ErrorName[]): Reply {
  let worst = replyTo(api, 'NONE');
  for (const error of errors) {
    const reply = replyTo(api, error);
    if (weightOf(reply) > weightOf(worst)) worst = reply;
  }
  return worst;
}

function byTopic(partitions: readonly TopicPartition[]): TopicPartitions[] {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
  return [...topics].map(([topic, indexes]) => ({ topic, partitions: indexes }));
}
