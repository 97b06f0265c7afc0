// A broker in one process without replicas: a real little log behind `BrokerApi`, so that the listener and foreign
// clients can be tested alone. Batches are checked, stored, found and parked for; nothing is canned.
import { randomBytes } from 'node:crypto';
import type { BrokerApi, Cancel, ClusterFeatures, ProduceOrigin } from '../../src/node/api.ts';
import type { RequestOf, ResponseOf } from '../../src/protocol/apis.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import type { FetchedPartition, FetchPartition, ListedOffset } from '../../src/protocol/generated/index.ts';
import { MemoryLog } from './memory-log.ts';

interface Topic {
  readonly topicId: string;
  readonly partitions: readonly MemoryLog[];
}
interface ParkedFetch {
  readonly complete: () => void;
  readonly isSatisfied: () => boolean;
}

const TOPIC_NAME = /^(?!\.\.?$)[a-zA-Z0-9._-]{1,249}$/;

export class MemoryBroker implements BrokerApi {
  readonly nodeId = 1;
  readonly clusterId = 'memory-cluster-00000000';
  /** Where clients are told to go: set once the listener has a port. */
  endpoint = { name: 'KAFKA', host: '127.0.0.1', port: 0 };
  /** False: followers are gone, acks=all waits and the high watermark stands still. */
  replicating = true;
  /** Requests withdrawn while parked. */
  withdrawnCount = 0;
  readonly #topics = new Map<string, Topic>();
  readonly #parkedFetches = new Set<ParkedFetch>();
  readonly #parkedProduces = new Set<() => void>();
  #nextProducerId = 0;

  createTopic(name: string, partitionCount = 1): string {
    const topicId = randomBytes(16).toString('base64url');
    this.#topics.set(name, { topicId, partitions: Array.from({ length: partitionCount }, () => new MemoryLog()) });
    return topicId;
  }
  log(topic: string, partition = 0): MemoryLog {
    return this.#topics.get(topic)!.partitions[partition]!;
  }
  /** Followers are back: everything appended is replicated. */
  replicate(): void {
    this.replicating = true;
    for (const topic of this.#topics.values()) for (const log of topic.partitions) log.highWatermark = log.logEndOffset;
    for (const complete of [...this.#parkedProduces]) complete();
    this.#wakeFetches();
  }

  initProducerId(request: RequestOf<'InitProducerId'>, answer: (response: ResponseOf<'InitProducerId'>) => void): void {
    const half = (request.producerId === -1) !== (request.producerEpoch === -1);
    if (half || request.hasTransactionalId) answer({ error: 'INVALID_REQUEST', producerId: -1, producerEpoch: -1 });
    else answer({ error: 'NONE', producerId: this.#nextProducerId++, producerEpoch: 0 });
  }

  produce(
    request: RequestOf<'Produce'>,
    origin: ProduceOrigin,
    answer: (response: ResponseOf<'Produce'>) => void,
  ): Cancel {
    const partitions = request.partitions.map(({ topic, partition, records }) => {
      const log = this.#topics.get(topic)?.partitions[partition];
      const refused: ErrorName | undefined =
        log === undefined
          ? 'UNKNOWN_TOPIC_OR_PARTITION'
          : acksAccepted(request.acks)
            ? undefined
            : 'INVALID_REQUIRED_ACKS';
      const appended = refused ?? log!.append(records, origin.zstdAllowed);
      const [error, baseOffset] = typeof appended === 'string' ? [appended, -1] : ['NONE' as const, appended];
      return {
        ...{ topic, partition, error, baseOffset, logAppendTimeMs: -1, logStartOffset: 0 },
        ...{
          recordErrors: [],
          underlyingError: 'NONE' as const,
          leaderEpoch: error === 'NONE' ? 0 : -1,
          errorMessage: error === 'NONE' ? '' : `refused: ${error}`,
        },
      };
    });
    const done = () => answer({ correlationId: request.correlationId, partitions });
    if (this.replicating) this.replicate();
    if (this.replicating || request.acks !== -1 || partitions.every(({ error }) => error !== 'NONE')) {
      done();
      return () => undefined;
    }
    const complete = () => {
      if (this.#parkedProduces.delete(complete)) done();
    };
    this.#parkedProduces.add(complete);
    return () => {
      if (this.#parkedProduces.delete(complete)) this.withdrawnCount++;
    };
  }

  fetch(request: RequestOf<'ConsumerFetch'>, answer: (response: ResponseOf<'ConsumerFetch'>) => void): Cancel {
    const read = () => this.#read(request);
    const isSatisfied = () => {
      const partitions = read();
      const bytes = partitions.reduce((sum, { records }) => sum + records.length, 0);
      return partitions.length === 0 || partitions.some(({ error }) => error !== 'NONE') || bytes >= request.minBytes;
    };
    const done = () => answer({ streamGeneration: 0, sequence: request.sequence, error: 'NONE', partitions: read() });
    if (request.maxWaitMs <= 0 || isSatisfied()) {
      done();
      return () => undefined;
    }
    const complete = () => {
      clearTimeout(timer);
      if (this.#parkedFetches.delete(parked)) done();
    };
    const parked: ParkedFetch = { complete, isSatisfied };
    const timer = setTimeout(complete, request.maxWaitMs);
    this.#parkedFetches.add(parked);
    return () => {
      clearTimeout(timer);
      if (this.#parkedFetches.delete(parked)) this.withdrawnCount++;
    };
  }

  listOffsets(request: RequestOf<'ListOffsets'>, answer: (response: ResponseOf<'ListOffsets'>) => void): void {
    const names = request.partitions.map(({ topic, partition }) => `${topic}-${partition}`);
    answer({
      partitions: request.partitions.map(({ topic, partition, timestamp }, i): ListedOffset => {
        const listed = { topic, partition, error: 'NONE' as const, timestamp: -1, offset: -1, leaderEpoch: -1 };
        const log = this.#topics.get(topic)?.partitions[partition];
        if (names.indexOf(names[i]!) !== names.lastIndexOf(names[i]!)) return { ...listed, error: 'INVALID_REQUEST' };
        if (log === undefined) return { ...listed, error: 'UNKNOWN_TOPIC_OR_PARTITION' };
        const hit = log.find(timestamp);
        return hit === undefined ? listed : { ...listed, offset: hit.offset, timestamp: hit.timestamp, leaderEpoch: 0 };
      }),
    });
  }

  offsetsForLeaderEpoch(
    request: RequestOf<'OffsetsForLeaderEpoch'>,
    answer: (response: ResponseOf<'OffsetsForLeaderEpoch'>) => void,
  ): void {
    answer({
      partitions: request.partitions.map(({ topic, partition }) => {
        const log = this.#topics.get(topic)?.partitions[partition];
        if (log === undefined) {
          return { topic, partition, error: 'UNKNOWN_TOPIC_OR_PARTITION', leaderEpoch: -1, endOffset: -1 };
        }
        return { topic, partition, error: 'NONE', leaderEpoch: 0, endOffset: log.logEndOffset };
      }),
    });
  }

  metadata(request: RequestOf<'Metadata'>, answer: (response: ResponseOf<'Metadata'>) => void): void {
    const names = request.allTopics ? [...this.#topics.keys()] : request.topics;
    answer({
      clusterId: this.clusterId,
      brokers: [
        {
          ...{ id: this.nodeId, endpoints: [this.endpoint], fenced: false, brokerEpoch: 1 },
          inControlledShutdown: false,
          rack: '',
        },
      ],
      topics: names.map((name) => this.#describe(name, request.allowAutoTopicCreation)),
      metadataOffset: 1,
      transactionVersion: 2,
    });
  }

  /** Nobody coordinates anything here. */
  findCoordinator(
    request: RequestOf<'FindCoordinator'>,
    answer: (response: ResponseOf<'FindCoordinator'>) => void,
  ): void {
    const none = { error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1, partition: -1 } as const;
    answer({ coordinators: request.keys.map((key) => ({ key, ...none })) });
  }

  describeProducers(
    _request: RequestOf<'DescribeProducers'>,
    answer: (response: ResponseOf<'DescribeProducers'>) => void,
  ): void {
    answer({ partitions: [] });
  }

  /** What ApiVersions depends on. */
  finalized: ClusterFeatures = { transactionVersion: 2, elrVersion: 1, metadataOffset: 1 };
  features(answer: (features: ClusterFeatures) => void): void {
    answer(this.finalized);
  }

  abortTransaction(
    _request: RequestOf<'AbortTransaction'>,
    answer: (response: ResponseOf<'AbortTransaction'>) => void,
  ): void {
    answer({ markers: [] });
  }

  coordinate(): void {
    throw new Error('there is no coordinator in memory');
  }

  describeReplicas(
    _request: RequestOf<'DescribeReplicas'>,
    answer: (response: ResponseOf<'DescribeReplicas'>) => void,
  ): void {
    answer({ replicas: [] });
  }

  get admin(): never {
    throw new Error('the memory broker has no administration; ask a real one');
  }

  topicName(topicId: string): string | undefined {
    return [...this.#topics].find(([, topic]) => topic.topicId === topicId)?.[0];
  }
  topicId(name: string): string | undefined {
    return this.#topics.get(name)?.topicId;
  }

  #describe(name: string, create: boolean): ResponseOf<'Metadata'>['topics'][number] {
    const topic = this.#topics.get(name);
    if (topic === undefined) {
      const valid = TOPIC_NAME.test(name);
      if (valid && create) this.createTopic(name);
      const error = valid ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'INVALID_TOPIC_EXCEPTION';
      return { error, name, topicId: '', isInternal: false, partitions: [], configs: [] };
    }
    return {
      ...{ error: 'NONE', name, topicId: topic.topicId, isInternal: false, configs: [] },
      partitions: topic.partitions.map((_, partition) => ({
        ...{ error: 'NONE', partition, leader: this.nodeId, leaderEpoch: 0, replicas: [this.nodeId] },
        ...{ isr: [this.nodeId], offlineReplicas: [], partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' },
        ...{ elr: [], lastKnownElr: [], addingReplicas: [], removingReplicas: [] },
      })),
    };
  }

  #read(request: RequestOf<'ConsumerFetch'>): FetchedPartition[] {
    let budget = request.maxBytes;
    let empty = true;
    return request.partitions.map((wanted) => {
      const name = wanted.topicId === '' ? wanted.topic : this.topicName(wanted.topicId);
      const log = name === undefined ? undefined : this.#topics.get(name)?.partitions[wanted.partition];
      if (log === undefined) {
        const byId = wanted.topicId !== '' && name === undefined;
        return failed(wanted, byId ? 'UNKNOWN_TOPIC_ID' : 'UNKNOWN_TOPIC_OR_PARTITION');
      }
      if (wanted.fetchOffset < 0 || wanted.fetchOffset > log.logEndOffset) return failed(wanted, 'OFFSET_OUT_OF_RANGE');
      const records = log.read(wanted.fetchOffset, Math.min(budget, wanted.partitionMaxBytes), empty);
      budget -= records.length;
      empty = empty && records.length === 0;
      const { highWatermark } = log;
      return {
        ...failed(wanted, 'NONE'),
        ...{ topic: name!, highWatermark, lastStableOffset: highWatermark, logStartOffset: 0, records },
      };
    });
  }

  #wakeFetches(): void {
    for (const parked of [...this.#parkedFetches]) if (parked.isSatisfied()) parked.complete();
  }
}

function acksAccepted(acks: number): boolean {
  return acks === 0 || acks === 1 || acks === -1;
}

function failed({ topicId, topic, partition }: FetchPartition, error: ErrorName): FetchedPartition {
  return {
    ...{ topicId, topic, partition, error, highWatermark: -1, lastStableOffset: -1, logStartOffset: -1 },
    ...{
      records: Buffer.alloc(0),
      divergingEpoch: null,
      currentLeader: -1,
      currentLeaderEpoch: -1,
      preferredReadReplica: -1,
      fromFollower: false,
    },
    abortedTransactions: [],
  };
}
