// What is recorded of each API that changes or reads data: from decoded bodies of the wire, under the names that the
// specification gives their fields, to the words of trace/wire.ts. Other APIs leave nothing that a checker looks at.
import type { BatchHeader } from '../protocol/batch-header.ts';
import { batchHeaders } from '../protocol/batch-header.ts';
import { errorName } from './error-names.ts';
import { isTransactional } from '../log/attributes.ts';
import type { WireAnswer, WireAsk, WireBatch, WireOutcome } from '../trace/wire.ts';
import type { ProduceRequest, ProduceResponse } from './apis/produce.ts';
import type { FetchRequest, FetchResponse } from './apis/fetch.ts';
import { fetchedPartition } from './recorded-fetch.ts';
import type { NamedRecord } from './recorded-values.ts';

/** How records and partitions are called. */
export interface Naming {
  valuesOf(batches: Buffer, header: BatchHeader & { readonly at: number }): readonly NamedRecord[];
  /** A topic is known by name or by id. */
  partition(topic: { readonly topic?: string; readonly topicId?: string }, partition: number): string;
}

type Ask = (body: object, naming: Naming) => WireAsk | undefined;
type Answer = (response: object, request: object, naming: Naming) => WireAnswer | undefined;

interface Identified {
  readonly transactionalId?: string | null;
  readonly producerId: number;
  readonly producerEpoch: number;
}
interface Offsets {
  readonly groupId: string;
  readonly topics: readonly NamedTopic<{ readonly partitionIndex: number; readonly committedOffset: number }>[];
}
interface NamedTopic<Partition> {
  readonly name: string;
  readonly partitions: readonly Partition[];
}
interface FetchedGroup {
  readonly groupId: string;
  readonly errorCode: number;
  readonly topics: readonly NamedTopic<{
    readonly partitionIndex: number;
    readonly committedOffset: number;
    readonly errorCode: number;
  }>[];
}
type Coded = { readonly errorCode: number };

/** What a request asks for; undefined: nothing that is recorded. */
export const ASKS: Readonly<Record<string, Ask>> = {
  Produce: (body, naming) => {
    const { acks, transactionalId, topicData } = body as ProduceRequest;
    const batches = topicData.flatMap(({ name, partitionData }) =>
      partitionData.flatMap(({ index, records }) =>
        batchesOf(naming.partition({ topic: name }, index), records, naming),
      ),
    );
    return { api: 'Produce', acks, transactionalId: transactionalId ?? '', batches };
  },
  Fetch: (body, naming) => {
    const { isolationLevel, topics } = body as FetchRequest;
    const partitions = topics.flatMap((topic) =>
      topic.partitions.map(({ partition, fetchOffset, currentLeaderEpoch }) => ({
        ...{ partition: naming.partition(topic, partition), offset: fetchOffset },
        ...(currentLeaderEpoch < 0 ? {} : { leaderEpoch: currentLeaderEpoch }),
      })),
    );
    return { api: 'Fetch', isolation: isolationLevel === 1 ? 'read_committed' : 'read_uncommitted', partitions };
  },
  InitProducerId: (body) => {
    const { transactionalId, ...rest } = body as Identified & { readonly transactionTimeoutMs: number };
    const { producerId, producerEpoch, transactionTimeoutMs: timeoutMs } = rest;
    return { api: 'InitProducerId', transactionalId: transactionalId ?? '', timeoutMs, producerId, producerEpoch };
  },
  AddPartitionsToTxn: (body) => ({ api: 'AddPartitionsToTxn', ...identity(body) }),
  AddOffsetsToTxn: (body) => ({ api: 'AddOffsetsToTxn', ...identity(body) }),
  TxnOffsetCommit: (body, naming) => {
    return { api: 'TxnOffsetCommit', ...identity(body), ...offsetsOf(body as Offsets, naming) };
  },
  EndTxn: (body) => {
    return { api: 'EndTxn', ...identity(body), committed: (body as { readonly committed: boolean }).committed };
  },
  OffsetCommit: (body, naming) => ({ api: 'OffsetCommit', ...offsetsOf(body as Offsets, naming) }),
  OffsetFetch: (body) => {
    const { groupId, groups, requireStable } = body as {
      readonly groupId: string;
      readonly groups: readonly { readonly groupId: string }[];
      readonly requireStable: boolean;
    };
    const named = groups.length > 0 ? groups.map((group) => group.groupId) : [groupId];
    return { api: 'OffsetFetch', groups: named, stable: requireStable };
  },
};

/** What an answer says; undefined: nothing that is recorded. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  Produce: (response, _request, naming) => {
    const { responses } = response as ProduceResponse;
    const partitions = responses.flatMap(({ name, partitionResponses }) =>
      partitionResponses.map(({ index, errorCode, baseOffset, leaderEpoch }) => ({
        ...{ partition: naming.partition({ topic: name }, index), error: errorName(errorCode), baseOffset },
        ...(leaderEpoch === undefined ? {} : { leaderEpoch }),
      })),
    );
    return { api: 'Produce', partitions };
  },
  Fetch: (response, request, naming) => {
    const { responses } = response as FetchResponse;
    const asked = request as FetchRequest;
    const partitions = responses.flatMap((topic, at) =>
      topic.partitions.map((partition, place) => {
        const from = asked.topics[at]?.partitions[place]?.fetchOffset ?? 0;
        return fetchedPartition(naming.partition(topic, partition.partitionIndex), partition, { from, naming });
      }),
    );
    return { api: 'Fetch', partitions };
  },
  InitProducerId: identityOf,
  AddPartitionsToTxn: outcomes,
  AddOffsetsToTxn: outcomes,
  TxnOffsetCommit: outcomes,
  EndTxn: identityOf,
  OffsetCommit: outcomes,
  OffsetFetch: (response, request, naming) => {
    const { groups, topics, errorCode } = response as Partial<FetchedGroup> & {
      readonly groups?: readonly FetchedGroup[];
    };
    const { groupId } = request as { readonly groupId: string };
    const all =
      groups !== undefined && groups.length > 0
        ? groups
        : [{ groupId, errorCode: errorCode ?? 0, topics: topics ?? [] }];
    return { api: 'OffsetFetch', groups: all.map((group) => fetchedGroup(group, naming)) };
  },
};

function batchesOf(partition: string, records: Buffer | null, naming: Naming): WireBatch[] {
  if (records === null) return [];
  return [...batchHeaders(records)].map((header) => {
    const { producerId, producerEpoch, baseSequence, attributes } = header;
    return {
      partition,
      producer: producerId < 0 ? null : { producerId, producerEpoch, sequence: baseSequence },
      transactional: isTransactional(attributes),
      values: naming.valuesOf(records, header).map(({ name }) => name),
    };
  });
}

/** Up to version 3, AddPartitionsToTxn calls its fields `v3AndBelow…`. */
function identity(body: object): { transactionalId: string; producerId: number; producerEpoch: number } {
  const { transactionalId, producerId, producerEpoch } = body as Partial<Identified>;
  const old = body as Readonly<Record<string, unknown>>;
  return {
    transactionalId: transactionalId ?? String(old['v3AndBelowTransactionalId'] ?? ''),
    producerId: producerId ?? Number(old['v3AndBelowProducerId'] ?? -1),
    producerEpoch: producerEpoch ?? Number(old['v3AndBelowProducerEpoch'] ?? -1),
  };
}

function offsetsOf({ groupId, topics }: Offsets, naming: Naming): { group: string; offsets: Record<string, number> } {
  const offsets = topics.flatMap(({ name, partitions }) =>
    partitions.map(({ partitionIndex, committedOffset }): [string, number] => [
      naming.partition({ topic: name }, partitionIndex),
      committedOffset,
    ]),
  );
  return { group: groupId, offsets: Object.fromEntries(offsets) };
}

function identityOf(response: object): WireAnswer {
  const { errorCode, producerId = -1, producerEpoch = -1 } = response as Partial<Identified> & Coded;
  return { api: 'identity', error: errorName(errorCode), producerId, producerEpoch };
}

/** Every error in the response, wherever it stands. */
function outcomes(response: object): WireAnswer {
  return { api: 'outcomes', outcomes: [...errorsIn(response)] };
}

function* errorsIn(body: object): Generator<WireOutcome> {
  const { errorCode = (body as { readonly partitionErrorCode?: number }).partitionErrorCode } = body as Partial<Coded>;
  if (errorCode !== undefined) yield { error: errorName(errorCode) };
  for (const value of Object.values(body) as unknown[]) {
    if (!Array.isArray(value)) continue;
    for (const element of value as unknown[]) {
      if (typeof element === 'object' && element !== null) yield* errorsIn(element);
    }
  }
}

function fetchedGroup({ groupId, errorCode, topics }: FetchedGroup, naming: Naming) {
  const all = topics.flatMap(({ name, partitions }) =>
    partitions.map((partition) => ({
      partition: naming.partition({ topic: name }, partition.partitionIndex),
      ...partition,
    })),
  );
  const known = all.filter((one) => one.errorCode === 0);
  return {
    ...{ group: groupId, error: errorName(errorCode) },
    offsets: Object.fromEntries(known.map(({ partition, committedOffset }) => [partition, committedOffset])),
    failed: all.filter((one) => one.errorCode !== 0).map(({ partition }) => partition),
  };
}
