// The broker's side of its coordinators: what they are told, what is asked of them, and what they append. Put together with
// them by the host.
import { assert } from '../base/assert.ts';
import type { NodeId, TopicId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import { CommittedWaits } from './committed-waits.ts';
import type { NodeContext } from './context.ts';
import { CoordinatorHosting } from './coordinator-host.ts';
import type { CoordinatorApi, Coordinators } from './coordinators.ts';
import { InternalTopics } from './internal-topics.ts';
import type { Partition } from './partition.ts';
import { ProducerIds } from './producer-ids.ts';
import type { MetadataDelta, Replicas } from './replicas.ts';
import { Verifications } from './verifications.ts';

export interface CoordinationOptions {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly controller: NodeId;
  readonly inTouch: () => boolean;
}

export class Coordination {
  readonly waits: CommittedWaits;
  readonly verifications: Verifications;
  readonly internalTopics: InternalTopics;
  readonly producerIds: ProducerIds;
  /** What the coordinators get of this broker (src/coordinator/host.ts). */
  readonly host: CoordinatorHosting;
  readonly #context: NodeContext;
  /** Names of topics by id, to be told once they are gone. */
  readonly #names = new Map<TopicId, string>();
  #coordinators: Coordinators | undefined;

  constructor({ context, replicas, controller, inTouch }: CoordinationOptions) {
    this.#context = context;
    this.waits = new CommittedWaits(context.runtime.clock);
    this.verifications = new Verifications(context);
    this.internalTopics = new InternalTopics(context, controller);
    this.producerIds = new ProducerIds(context, controller);
    const { waits, verifications, producerIds } = this;
    this.host = new CoordinatorHosting({ context, replicas, waits, verifications, producerIds, inTouch });
  }

  /** Once, before the broker starts. */
  attach(coordinators: Coordinators): void {
    this.#coordinators = coordinators;
  }

  get coordinators(): Coordinators {
    assert(this.#coordinators !== undefined, 'a broker starts with its coordinators attached');
    return this.#coordinators;
  }

  /** Passes a request on to the coordinator that answers it. */
  call<A extends CoordinatorApi>(api: A, request: RequestOf<A>, answer: (response: ResponseOf<A>) => void): void {
    this.coordinators.requests[api](request, answer);
  }

  /** A broker that was given none is found out here, not by whoever asks first. */
  start(): void {
    this.coordinators.start();
  }

  /** Answers all that waits: this broker stops. */
  stop(): void {
    this.#coordinators?.stop();
    this.verifications.endAll();
    this.waits.endAll();
  }

  roleChanged(replica: Partition): void {
    this.waits.look(replica);
    const { topic, partition, leaderEpoch, isKnown } = replica;
    if (!isInternalTopic(topic)) return;
    const epoch = replica.leading?.leaderEpoch;
    if (epoch !== undefined) this.#coordinators?.elected(topic, partition, epoch);
    else this.#coordinators?.resigned(topic, partition, isKnown ? leaderEpoch : undefined);
  }

  highWatermarkMoved(replica: Partition): void {
    this.waits.look(replica);
  }

  /** A piece of the metadata log is in force. */
  metadataApplied(delta: MetadataDelta): void {
    const gone = delta.removedTopics.flatMap((topicId) => {
      const topic = this.#names.get(topicId);
      this.#names.delete(topicId);
      return topic === undefined ? [] : [{ topic, topicId }];
    });
    for (const { topicId } of delta.changed) {
      const topic = this.#context.image.topics.get(topicId);
      if (topic !== undefined) this.#names.set(topicId, topic.name);
    }
    if (gone.length > 0) this.#coordinators?.topicsDeleted(gone);
    this.#coordinators?.metadataChanged();
  }
}
