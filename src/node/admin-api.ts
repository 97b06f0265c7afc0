// What a broker offers to administrators, beside what clients ask (api.ts): its own answers, and the way to the controller. The
// shells call it; no shell decides anything about Kafka.
import type { DurationMs } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Cancel } from './api.ts';
import type { NodeContext } from './context.ts';
import type { RecordDeletions } from './delete-records.ts';
import { describeConfigs, describeTopicConfigs } from './describe-configs.ts';
import type { ConfigResource, DescribedConfig, DescribedConfigs } from './describe-configs.ts';
import type { ControllerApi, Forwarded, Forwarding } from './forwarding.ts';
import type { Gate } from './gate.ts';
import type { Replicas } from './replicas.ts';

/** What one replica takes on disk. */
export interface ReplicaSize {
  readonly topic: string;
  readonly partition: number;
  readonly sizeBytes: number;
}

export interface AdminApi {
  /** Asks the controller (wire W-77). */
  forward<A extends ControllerApi>(
    api: A,
    request: RequestOf<A>,
    timeoutMs: DurationMs,
    answer: (outcome: Forwarded<A>) => void,
  ): void;
  /** How long to wait for the controller where a request does not say: request.timeout.ms. */
  readonly patienceMs: DurationMs;
  /** Repl R-118, wire W-101. Waits for the replicas. */
  deleteRecords(request: RequestOf<'DeleteRecords'>, answer: (response: ResponseOf<'DeleteRecords'>) => void): Cancel;
  /** Wire W-88, in the order of the resources. */
  describeConfigs(resources: readonly ConfigResource[], answer: (described: readonly DescribedConfigs[]) => void): void;
  /** The effective settings of a topic that has these of its own. */
  topicConfigs(own: ReadonlyMap<string, string>): readonly DescribedConfig[];
  /** The replicas hosted here, in the order they came. */
  replicaSizes(answer: (sizes: readonly ReplicaSize[]) => void): void;
}

export interface AdminParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly deletions: RecordDeletions;
  readonly forwarding: Forwarding;
  readonly gate: Gate;
}

/** The same behind the gate that opens when the broker is unfenced (repl R-89). */
export class GatedAdmin implements AdminApi {
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    this.#parts = parts;
  }

  get patienceMs(): DurationMs {
    return this.#parts.context.config['request.timeout.ms'];
  }

  forward<A extends ControllerApi>(
    api: A,
    request: RequestOf<A>,
    timeoutMs: DurationMs,
    answer: (outcome: Forwarded<A>) => void,
  ): void {
    this.#parts.gate.run(() => this.#parts.forwarding.forward(api, request, timeoutMs, answer));
  }

  deleteRecords(request: RequestOf<'DeleteRecords'>, answer: (response: ResponseOf<'DeleteRecords'>) => void): Cancel {
    let cancel: Cancel | undefined;
    let cancelled = false;
    this.#parts.gate.run(() => {
      if (!cancelled) cancel = this.#parts.deletions.delete(request, answer);
    });
    return () => {
      cancelled = true;
      cancel?.();
    };
  }

  describeConfigs(
    resources: readonly ConfigResource[],
    answer: (described: readonly DescribedConfigs[]) => void,
  ): void {
    const { gate, context } = this.#parts;
    gate.run(() => answer(resources.map((resource) => describeConfigs(context, resource))));
  }

  topicConfigs(own: ReadonlyMap<string, string>): readonly DescribedConfig[] {
    const { config, image } = this.#parts.context;
    return describeTopicConfigs(config, own, image.clusterConfigs);
  }

  replicaSizes(answer: (sizes: readonly ReplicaSize[]) => void): void {
    const { gate, replicas } = this.#parts;
    gate.run(() => {
      const sizes = [...replicas].map(({ topic, partition, log }) => {
        return { topic, partition, sizeBytes: log.bytesBetween(log.logStartOffset, log.logEndOffset) };
      });
      answer(sizes);
    });
  }
}
