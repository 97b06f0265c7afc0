// A cluster by script: every broker answers from one in-memory log with the real batch codec, and a test says what it does
// differently, request by request. For what real brokers do rarely or only by luck. It replicates nothing.
import { ClientCore, type ConfigOverrides } from '../../../src/client/core/client.ts';
import { decodeBatch } from '../../../src/log/decode-batch.ts';
import { stampBatch } from '../../../src/log/stamp-batch.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import { readBatchHeader } from '../../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { FetchPartition } from '../../../src/protocol/generated/index.ts';
import type { InStream, Runtime } from '../../../src/runtime/ports.ts';
import { World } from '../../../src/sim/world.ts';

type TxnApi = keyof ScriptedCluster['answers'];
type Api =
  'InitProducerId' | 'Produce' | 'ConsumerFetch' | 'ListOffsets' | 'OffsetsForLeaderEpoch' | 'Metadata' | TxnApi;

/** What to do with one request. An error: instead of acting. `acts`: act, but answer this; 'nothing' is an empty answer. */
export type Deed =
  | { readonly kind: 'error'; readonly error: ErrorName; readonly message?: string }
  | { readonly kind: 'acts'; readonly answer: ErrorName | 'silence' | 'break' | 'nothing' }
  | { readonly kind: 'silence' | 'break' };

export interface Seen {
  readonly api: Api;
  readonly node: number;
  readonly at: number;
  readonly request: object;
}

export const TOPIC = 'orders';
const TOPIC_ID = 'topic-id-of-orders-000';
const BROKERS = [1, 2, 3];

export class ScriptedCluster {
  readonly world: World;
  readonly seen: Seen[] = [];
  readonly partitionCount: number;
  leader = 1;
  leaderEpoch = 0;
  /** Leader as metadata has it, if it is behind. */
  metadataLeader: { leader: number; leaderEpoch: number } | undefined;
  /** Of partition 0; undefined: the log end. */
  highWatermark: number | undefined;
  topicError: ErrorName = 'NONE';
  /** A follower that the leader points consumers with a rack to, and where it ends. */
  follower: { readonly node: number; end: number } | undefined;
  /** Finalized level of transaction.version. */
  transactionVersion = 2;
  /** Log start that producers are told. */
  logStartOffset = 0;
  /** What a coordinator that has no trouble answers. */
  answers = {
    FindCoordinator: ({ keys }: RequestOf<'FindCoordinator'>): ResponseOf<'FindCoordinator'> => ({
      coordinators: keys.map((key) => ({ key, error: 'NONE', nodeId: this.coordinator, partition: 0 })),
    }),
    AddPartitionsToTxn: ({ topics }: RequestOf<'AddPartitionsToTxn'>): ResponseOf<'AddPartitionsToTxn'> => ({
      partitions: topics.flatMap(({ topic, partitions }) =>
        partitions.map((partition) => ({ topic, partition, error: 'NONE' as const })),
      ),
    }),
    AddOffsetsToTxn: (): ResponseOf<'AddOffsetsToTxn'> => ({ error: 'NONE' }),
    TxnOffsetCommit: ({ offsets }: RequestOf<'TxnOffsetCommit'>): ResponseOf<'TxnOffsetCommit'> => ({
      partitions: offsets.map(({ topic, partition }) => ({ topic, partition, error: 'NONE' as const })),
    }),
    EndTxn: ({ producerId, producerEpoch, transactionVersion }: RequestOf<'EndTxn'>): ResponseOf<'EndTxn'> => {
      if (transactionVersion < 2) return { error: 'NONE', producerId: -1, producerEpoch: -1 };
      if (producerEpoch < 32_766) return { error: 'NONE', producerId, producerEpoch: producerEpoch + 1 };
      return { error: 'NONE', producerId: producerId + 1000, producerEpoch: 0 };
    },
  };
  /** Who coordinates everything. */
  coordinator = 2;
  /** Epoch of the producer ids that are given. */
  firstEpoch = 0;
  #producerIds = 0;
  epochs: [epoch: number, start: number][] = [[0, 0]];
  readonly #logs: Buffer[][];
  readonly #script: [Api, Deed][] = [];

  constructor(seed = 1, partitionCount = 1) {
    this.world = new World({ seed, network: { codecSample: 1 } });
    this.partitionCount = partitionCount;
    this.#logs = Array.from({ length: partitionCount }, () => []);
    for (const id of BROKERS) this.world.spawn(id, (runtime) => this.#serve(runtime));
  }

  /** Its producers are plain unless the settings say otherwise: these logs know no producers. */
  client(settings: ConfigOverrides = {}, id = 1001): ClientCore {
    const config = { 'enable.idempotence': false, ...settings };
    return this.world.spawn(
      id,
      (runtime) => new ClientCore({ runtime, bootstrap: BROKERS, clientId: 'test', profile: 'fast', config }),
    );
  }

  /** The next requests of this API meet these deeds, one each; then all is normal again. */
  next(api: Api, ...deeds: readonly Deed[]): void {
    for (const deed of deeds) this.#script.push([api, deed]);
  }

  /** Requests of one API so far. */
  requests<A extends Api>(api: A): (Seen & { request: RequestOf<A> })[] {
    return this.seen.filter((one) => one.api === api) as (Seen & { request: RequestOf<A> })[];
  }

  logEnd(partition = 0): number {
    const last = this.#logs[partition]!.at(-1);
    return last === undefined ? 0 : readBatchHeader(last)!.lastOffset + 1;
  }

  /** Appends a batch at the leader. Returns its base offset. */
  append(batch: Buffer, partition = 0): number {
    const header = readBatchHeader(batch)!;
    const baseOffset = this.logEnd(partition);
    const { attributes, maxTimestamp } = header;
    const stamp = { baseOffset, leaderEpoch: this.leaderEpoch, attributes, maxTimestamp };
    this.#logs[partition]!.push(stampBatch(batch, header, stamp));
    return baseOffset;
  }

  /** Changes a byte of the last batch of partition 0, behind the CRC. */
  corruptLast(): void {
    const last = this.#logs[0]!.at(-1)!;
    last[last.length - 1]! ^= 1;
  }

  /** A new leader, whose log ends at `logEnd` (default: nothing is lost). */
  elect(leader: number, logEnd = this.logEnd()): void {
    this.#logs[0] = this.#logs[0]!.filter((batch) => readBatchHeader(batch)!.lastOffset < logEnd);
    this.epochs = this.epochs.filter(([, start]) => start < logEnd);
    this.leader = leader;
    this.leaderEpoch += 1;
    this.epochs.push([this.leaderEpoch, logEnd]);
  }

  /** Values in the log of a partition. */
  values(partition = 0): string[] {
    return this.#logs[partition]!.flatMap((batch) => {
      const decoded = decodeBatch(batch);
      return decoded.kind === 'records' ? decoded.records.map(({ value }) => value?.toString() ?? 'null') : [];
    });
  }

  #serve(runtime: Runtime): void {
    const unary = <A extends Exclude<Api, 'Produce'>>(api: A, act: (request: RequestOf<A>) => ResponseOf<A>) => {
      return (request: RequestOf<A>, _from: number, answer: (response: ResponseOf<A>) => void): void => {
        const deed = this.#take(api, runtime, request);
        if (deed?.kind === 'silence' || deed?.kind === 'break') return;
        const response = act(request);
        if (deed?.kind === 'error') this.#setError(api, response, deed.error);
        if (deed?.kind === 'acts' && isError(deed.answer)) this.#setError(api, response, deed.answer);
        answer(response);
      };
    };
    runtime.network.serve({
      unary: {
        InitProducerId: unary('InitProducerId', ({ producerId, producerEpoch }) =>
          producerId >= 0
            ? { error: 'NONE', producerId, producerEpoch: producerEpoch + 1 }
            : { error: 'NONE', producerId: 7000 + this.#producerIds++, producerEpoch: this.firstEpoch },
        ),
        FindCoordinator: unary('FindCoordinator', (request) => this.answers.FindCoordinator(request)),
        AddPartitionsToTxn: unary('AddPartitionsToTxn', (request) => this.answers.AddPartitionsToTxn(request)),
        AddOffsetsToTxn: unary('AddOffsetsToTxn', () => this.answers.AddOffsetsToTxn()),
        TxnOffsetCommit: unary('TxnOffsetCommit', (request) => this.answers.TxnOffsetCommit(request)),
        EndTxn: unary('EndTxn', (request) => this.answers.EndTxn(request)),
        Metadata: unary('Metadata', () => this.#metadata()),
        ListOffsets: unary('ListOffsets', (request) => this.#listOffsets(runtime.node, request)),
        OffsetsForLeaderEpoch: unary('OffsetsForLeaderEpoch', (request) => this.#endOffsets(runtime.node, request)),
        ConsumerFetch: (request, from, answer) => {
          const serve = unary('ConsumerFetch', (again) => this.#fetch(runtime.node, again));
          const parks = request.partitions.every((one) => this.#parks(runtime.node, request.rackId, one));
          runtime.clock.after(parks ? request.maxWaitMs : 0, () => serve(request, from, answer));
        },
      },
      stream: {
        Produce: (stream) => ({
          message: (request) => this.#onProduce(runtime, stream, request),
          ended: () => stream.end(),
          closed: () => undefined,
        }),
      },
    });
  }

  #take(api: Api, runtime: Runtime, request: object): Deed | undefined {
    this.seen.push({ api, node: runtime.node, at: this.world.now, request });
    const index = this.#script.findIndex(([name]) => name === api);
    return index < 0 ? undefined : this.#script.splice(index, 1)[0]![1];
  }

  #setError(api: Api, response: object, error: ErrorName): void {
    if ('error' in response && api !== 'ConsumerFetch') (response as { error: ErrorName }).error = error;
    const { partitions, topics, coordinators } = response as Partial<Record<string, { error: ErrorName }[]>>;
    const entries = api === 'Metadata' ? topics : (partitions ?? coordinators);
    for (const entry of entries ?? []) entry.error = error;
  }

  #onProduce(runtime: Runtime, stream: InStream<ResponseOf<'Produce'>>, request: RequestOf<'Produce'>): void {
    const deed = this.#take('Produce', runtime, request);
    const refused = runtime.node !== this.leader ? 'NOT_LEADER_OR_FOLLOWER' : undefined;
    const partitions = request.partitions.map(({ topic, partition, records }) => {
      const error = deed?.kind === 'error' ? deed.error : refused;
      const acts = error === undefined && deed?.kind !== 'silence' && deed?.kind !== 'break';
      const baseOffset = acts ? this.append(records, partition) : -1;
      const lied = deed?.kind === 'acts' && isError(deed.answer) ? deed.answer : undefined;
      return {
        ...{ topic, partition, error: lied ?? error ?? ('NONE' as const), recordErrors: [] },
        logStartOffset: this.logStartOffset,
        ...{ baseOffset: lied === undefined ? baseOffset : -1, logAppendTimeMs: -1 },
        underlyingError: 'NONE' as const,
        leaderEpoch: acts ? this.leaderEpoch : -1,
        errorMessage: deed?.kind === 'error' ? (deed.message ?? '') : '',
      };
    });
    const how = deed?.kind === 'acts' ? deed.answer : deed?.kind;
    if (how === 'break') stream.end();
    else if (how !== 'silence' && request.acks !== 0) {
      stream.send({ correlationId: request.correlationId, partitions: how === 'nothing' ? [] : partitions });
    }
  }

  #metadata(): ResponseOf<'Metadata'> {
    const { leader, leaderEpoch } = this.metadataLeader ?? this;
    const error = this.topicError;
    const partition = { leader, leaderEpoch, replicas: BROKERS, isr: BROKERS, offlineReplicas: [], partitionEpoch: 0 };
    const live = BROKERS.filter((id) => this.world.node(id).state === 'running');
    return {
      ...{ clusterId: 'c', metadataOffset: 1, transactionVersion: this.transactionVersion },
      brokers: live.map((id) => ({
        ...{ id, fenced: false, brokerEpoch: 1, inControlledShutdown: false, rack: '' },
        endpoints: [{ name: 'REPLICATION', host: 'h', port: 9000 + id }],
      })),
      topics: [
        {
          ...{ error, name: TOPIC, topicId: TOPIC_ID, isInternal: false, configs: [] },
          partitions: this.#logs.map((_log, index) => ({
            ...partition,
            ...{ partition: index, error: 'NONE' as const, leaderRecoveryState: 'RECOVERED' },
            ...{ elr: [], lastKnownElr: [], addingReplicas: [], removingReplicas: [] },
          })),
        },
      ],
    };
  }

  #check(node: number, epoch: number): ErrorName {
    if (epoch >= 0 && epoch < this.leaderEpoch) return 'FENCED_LEADER_EPOCH';
    if (epoch > this.leaderEpoch) return 'UNKNOWN_LEADER_EPOCH';
    return node === this.leader ? 'NONE' : 'NOT_LEADER_OR_FOLLOWER';
  }

  #bound(partition: number): number {
    return partition === 0 ? (this.highWatermark ?? this.logEnd()) : this.logEnd(partition);
  }

  #listOffsets(node: number, request: RequestOf<'ListOffsets'>): ResponseOf<'ListOffsets'> {
    return {
      partitions: request.partitions.map(({ topic, partition, currentLeaderEpoch, timestamp }) => {
        const error = this.#check(node, currentLeaderEpoch);
        const offset = error !== 'NONE' ? -1 : timestamp === -2 ? 0 : this.#bound(partition);
        const leaderEpoch = timestamp === -2 ? 0 : this.leaderEpoch;
        return { topic, partition, error, timestamp: -1, offset, leaderEpoch };
      }),
    };
  }

  #endOffsets(node: number, request: RequestOf<'OffsetsForLeaderEpoch'>): ResponseOf<'OffsetsForLeaderEpoch'> {
    return {
      partitions: request.partitions.map(({ topic, partition, currentLeaderEpoch, leaderEpoch }) => {
        const error = this.#check(node, currentLeaderEpoch);
        const index = this.epochs.findLastIndex(([epoch]) => epoch <= leaderEpoch);
        if (error !== 'NONE' || index < 0) return { topic, partition, error, leaderEpoch: -1, endOffset: -1 };
        const endOffset = this.epochs[index + 1]?.[1] ?? this.logEnd(partition);
        return { topic, partition, error, leaderEpoch: this.epochs[index]![0], endOffset };
      }),
    };
  }

  #parks(node: number, rackId: string, { partition, currentLeaderEpoch, fetchOffset }: FetchPartition): boolean {
    if (this.#points(node, rackId)) return false;
    const end = this.#follows(node) ? this.follower!.end : this.#bound(partition);
    return this.#check(this.#reader(node), currentLeaderEpoch) === 'NONE' && fetchOffset === end;
  }

  #follows(node: number): boolean {
    return node !== this.leader && node === this.follower?.node;
  }

  /** Whether the leader sends such a consumer to the follower. */
  #points(node: number, rackId: string): boolean {
    return rackId !== '' && node === this.leader && this.follower !== undefined;
  }

  /** Consumers may read from the follower as from the leader. */
  #reader(node: number): number {
    return this.#follows(node) ? this.leader : node;
  }

  #fetch(node: number, request: RequestOf<'ConsumerFetch'>): ResponseOf<'ConsumerFetch'> {
    const partitions = request.partitions.map((asked) => {
      const { topic, partition, fetchOffset } = asked;
      const known = this.#check(this.#reader(node), asked.currentLeaderEpoch);
      const end = this.#follows(node) ? this.follower!.end : this.logEnd(partition);
      const outside = fetchOffset > end;
      const points = this.#points(node, request.rackId);
      const error: ErrorName = known === 'NONE' && outside ? 'OFFSET_OUT_OF_RANGE' : known;
      const bound = points ? 0 : Math.min(end, this.#bound(partition));
      const batches = this.#logs[partition]!.filter((batch) => {
        const { lastOffset } = readBatchHeader(batch)!;
        return lastOffset >= fetchOffset && lastOffset < bound;
      });
      const hints = error !== 'NONE' && error !== 'UNKNOWN_LEADER_EPOCH' && error !== 'OFFSET_OUT_OF_RANGE';
      return {
        ...{ topicId: asked.topicId, topic, partition, error, highWatermark: bound, lastStableOffset: bound },
        ...{ logStartOffset: 0, records: error === 'NONE' ? Buffer.concat(batches) : Buffer.alloc(0) },
        ...{
          divergingEpoch: null,
          abortedTransactions: [],
          preferredReadReplica: points ? this.follower!.node : -1,
          fromFollower: false,
        },
        currentLeader: hints ? this.leader : -1,
        currentLeaderEpoch: hints ? this.leaderEpoch : -1,
      };
    });
    return { streamGeneration: 0, sequence: 0, error: 'NONE', partitions };
  }
}

function isError(answer: ErrorName | 'silence' | 'break' | 'nothing'): answer is ErrorName {
  return answer !== 'silence' && answer !== 'break' && answer !== 'nothing';
}
