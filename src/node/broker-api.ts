// The client APIs of one broker behind the gate that opens when it is unfenced (repl R-89), and the same on the network.
import type { TopicId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Handlers } from '../runtime/ports.ts';
import type { BrokerApi, Cancel, ProduceOrigin } from './api.ts';
import type { AutoTopics } from './auto-topics.ts';
import { consumerFetch } from './consumer-fetch.ts';
import type { NodeContext } from './context.ts';
import { describeReplicas } from './describe-replicas.ts';
import type { Fetches } from './fetches.ts';
import type { FollowerStreams } from './follower-streams.ts';
import type { Gate } from './gate.ts';
import { listOffsets, offsetsForLeaderEpoch } from './list-offsets.ts';
import { initProducerId } from './init-producer-id.ts';
import { describeMetadata } from './metadata-api.ts';
import type { ProducerIds } from './producer-ids.ts';
import { serveProduceStream } from './produce-stream.ts';
import type { Produces } from './produce.ts';
import type { Replicas } from './replicas.ts';

export interface ServedParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly fetches: Fetches;
  readonly produces: Produces;
  readonly autoTopics: AutoTopics;
  readonly producerIds: ProducerIds;
  readonly gate: Gate;
}

export class GatedApi implements BrokerApi {
  readonly #parts: ServedParts;

  constructor(parts: ServedParts) {
    this.#parts = parts;
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
    const { gate, producerIds } = this.#parts;
    gate.run(() => answer(initProducerId(producerIds, request)));
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
export function brokerHandlers(api: BrokerApi, followers: FollowerStreams): Handlers {
  return {
    unary: {
      ConsumerFetch: (request, _from, answer) => void api.fetch(request, answer),
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
