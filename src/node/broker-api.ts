// The client APIs of one broker behind the gate that opens when it is unfenced (repl R-89), and the same on the network.
import type { TopicId } from '../base/units.ts';
import { ELR_VERSION } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Handlers } from '../runtime/ports.ts';
import type { GatedAdmin } from './admin-api.ts';
import type { BrokerApi, Cancel, ClusterFeatures, ProduceOrigin } from './api.ts';
import type { AutoTopics } from './auto-topics.ts';
import { consumerFetch } from './consumer-fetch.ts';
import type { Coordination } from './coordination.ts';
import type { CoordinatorApi } from './coordinators.ts';
import { describeProducers } from './describe-producers.ts';
import { findCoordinator } from './find-coordinator.ts';
import { writeMarkers } from './write-markers.ts';
import type { NodeContext } from './context.ts';
import { describeReplicas } from './describe-replicas.ts';
import type { Fetches } from './fetches.ts';
import type { FollowerStreams } from './follower-streams.ts';
import type { Gate } from './gate.ts';
import { listOffsets, offsetsForLeaderEpoch } from './list-offsets.ts';
import { initProducerId } from './init-producer-id.ts';
import { describeMetadata } from './metadata-api.ts';
import { serveProduceStream } from './produce-stream.ts';
import type { Produces } from './produce.ts';
import type { Replicas } from './replicas.ts';

export interface ServedParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly fetches: Fetches;
  readonly produces: Produces;
  readonly autoTopics: AutoTopics;
  readonly coordination: Coordination;
  readonly admin: GatedAdmin;
  readonly gate: Gate;
}

export class GatedApi implements BrokerApi {
  readonly #parts: ServedParts;

  constructor(parts: ServedParts) {
    this.#parts = parts;
  }

  get admin(): GatedAdmin {
    return this.#parts.admin;
  }

  produce(
    request: RequestOf<'Produce'>,
    origin: ProduceOrigin,
    answer: (response: ResponseOf<'Produce'>) => void,
  ): Cancel {
    return this.#cancellable(() => this.#parts.produces.produce(request, origin, answer));
  }

  fetch(request: RequestOf<'ConsumerFetch'>, answer: (response: ResponseOf<'ConsumerFetch'>) => void): Cancel {
    return this.#cancellable(() => consumerFetch(this.#parts, request, answer));
  }

  listOffsets(request: RequestOf<'ListOffsets'>, answer: (response: ResponseOf<'ListOffsets'>) => void): void {
    const { gate, context, replicas } = this.#parts;
    gate.run(() => answer(listOffsets(context, replicas, request)));
  }

  offsetsForLeaderEpoch(
    request: RequestOf<'OffsetsForLeaderEpoch'>,
    answer: (response: ResponseOf<'OffsetsForLeaderEpoch'>) => void,
  ): void {
    const { gate, replicas } = this.#parts;
    gate.run(() => answer(offsetsForLeaderEpoch(replicas, request)));
  }

  initProducerId(request: RequestOf<'InitProducerId'>, answer: (response: ResponseOf<'InitProducerId'>) => void): void {
    const { gate, coordination } = this.#parts;
    gate.run(() => initProducerId(coordination, request, answer));
  }

  findCoordinator(
    request: RequestOf<'FindCoordinator'>,
    answer: (response: ResponseOf<'FindCoordinator'>) => void,
  ): void {
    const { gate, context, coordination } = this.#parts;
    gate.run(() => answer(findCoordinator(context, coordination.internalTopics, request)));
  }

  describeProducers(
    request: RequestOf<'DescribeProducers'>,
    answer: (response: ResponseOf<'DescribeProducers'>) => void,
  ): void {
    const { gate, replicas } = this.#parts;
    gate.run(() => answer(describeProducers(replicas, request)));
  }

  coordinate<A extends CoordinatorApi>(api: A, request: RequestOf<A>, answer: (response: ResponseOf<A>) => void): void {
    const { gate, coordination } = this.#parts;
    gate.run(() => coordination.call(api, request, answer));
  }

  /** From transaction coordinators (txn T-84). */
  writeMarkers(request: RequestOf<'WriteTxnMarkers'>, answer: (response: ResponseOf<'WriteTxnMarkers'>) => void): void {
    const { gate, context, replicas, coordination } = this.#parts;
    const { waits } = coordination;
    const parts = { context, replicas, waits, coordinators: () => coordination.coordinators };
    gate.run(() => writeMarkers(parts, request, answer));
  }

  /** From administrators: their markers have no transaction version, so that an equal epoch passes (txn T-118, T-179). */
  abortTransaction(
    request: RequestOf<'AbortTransaction'>,
    answer: (response: ResponseOf<'AbortTransaction'>) => void,
  ): void {
    const markers = request.markers.map((marker) => ({ ...marker, transactionVersion: 0 }));
    const { runtime } = this.#parts.context;
    for (const { producerId, committed } of markers) {
      runtime.trace({ type: 'marker.by-hand', producerId, outcome: committed ? 'commit' : 'abort' });
    }
    this.writeMarkers({ markers }, answer);
  }

  metadata(request: RequestOf<'Metadata'>, answer: (response: ResponseOf<'Metadata'>) => void): void {
    const { gate, context, autoTopics } = this.#parts;
    gate.run(() => answer(describeMetadata(context.image, request, (name) => autoTopics.create(name))));
  }

  /** Answered in every state: it is for whoever wants to know why a broker does not serve. */
  describeReplicas(
    request: RequestOf<'DescribeReplicas'>,
    answer: (response: ResponseOf<'DescribeReplicas'>) => void,
  ): void {
    answer(describeReplicas(this.#parts.context, this.#parts.replicas, request));
  }

  features(answer: (features: ClusterFeatures) => void): void {
    const { gate, context } = this.#parts;
    gate.run(() => {
      const { features, endOffset } = context.image;
      answer({
        transactionVersion: features.get('transaction.version') ?? 0,
        elrVersion: features.get(ELR_VERSION) ?? 0,
        metadataOffset: endOffset - 1,
      });
    });
  }

  topicName(topicId: TopicId): string | undefined {
    return this.#parts.context.image.topics.get(topicId)?.name;
  }

  topicId(name: string): TopicId | undefined {
    return this.#parts.context.image.topicNamed(name)?.topicId;
  }

  #cancellable(serve: () => Cancel): Cancel {
    let cancel: Cancel | undefined;
    let cancelled = false;
    this.#parts.gate.run(() => {
      if (!cancelled) cancel = serve();
    });
    return () => {
      cancelled = true;
      cancel?.();
    };
  }
}

/** What a broker serves on the network. Nothing is decided here. */
export function brokerHandlers(api: GatedApi, followers: FollowerStreams): Handlers {
  return {
    unary: {
      ...coordinatorHandlers(api),
      FindCoordinator: (request, _from, answer) => api.findCoordinator(request, answer),
      DescribeProducers: (request, _from, answer) => api.describeProducers(request, answer),
      WriteTxnMarkers: (request, _from, answer) => api.writeMarkers(request, answer),
      AbortTransaction: (request, _from, answer) => api.abortTransaction(request, answer),
      ConsumerFetch: (request, _from, answer) => void api.fetch(request, answer),
      DeleteRecords: (request, _from, answer) => void api.admin.deleteRecords(request, answer),
      ListOffsets: (request, _from, answer) => api.listOffsets(request, answer),
      FollowerListOffsets: (request, _from, answer) => api.listOffsets(request, answer),
      OffsetsForLeaderEpoch: (request, _from, answer) => api.offsetsForLeaderEpoch(request, answer),
      InitProducerId: (request, _from, answer) => api.initProducerId(request, answer),
      Metadata: (request, _from, answer) => api.metadata(request, answer),
      DescribeReplicas: (request, _from, answer) => api.describeReplicas(request, answer),
    },
    stream: {
      Fetch: (stream) => followers.serve(stream),
      Produce: (stream) => serveProduceStream(api, stream),
    },
  };
}

/** What coordinators answer, one line an API. */
const COORDINATOR_APIS = [
  ...(['AddPartitionsToTxn', 'VerifyTransactions', 'AddOffsetsToTxn', 'EndTxn'] as const),
  ...(['ListTransactions', 'DescribeTransactions', 'JoinGroup', 'SyncGroup', 'Heartbeat', 'LeaveGroup'] as const),
  ...(['OffsetCommit', 'TxnOffsetCommit', 'OffsetFetch', 'OffsetDelete', 'DeleteGroups'] as const),
  ...(['DescribeGroups', 'ListGroups'] as const),
];

function coordinatorHandlers(api: BrokerApi): Handlers['unary'] {
  const handlers: Record<string, (request: never, from: unknown, answer: never) => void> = {};
  for (const name of COORDINATOR_APIS) {
    handlers[name] = (request, _from, answer) => api.coordinate(name, request, answer);
  }
  return handlers as Handlers['unary'];
}
