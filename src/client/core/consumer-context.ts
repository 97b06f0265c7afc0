// What the parts of one consumer share: its surroundings, and the one place where a partition's errors become a retry or a
// failure for the application (repl R-36).
import type { LeaderEpoch, NodeId } from '../../base/units.ts';
import { NO_EPOCH, NO_LEADER } from '../../base/units.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { Random, Runtime } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';
import type { ConsumerFailure } from './consumer-record.ts';
import type { FetchPosition } from './fetch-position.ts';
import type { ClientMetadata } from './metadata.ts';

/** A failure before it is tied to its partition. */
export type Raised = Omit<ConsumerFailure, 'topic' | 'partition' | 'position'>;

/** Errors that say the client's picture of the cluster is stale: refresh metadata, then retry (repl R-36). */
const REFRESH_AND_RETRY: ReadonlySet<ErrorName> = new Set<ErrorName>([
  ...(['NOT_LEADER_OR_FOLLOWER', 'FENCED_LEADER_EPOCH', 'KAFKA_STORAGE_ERROR', 'OFFSET_NOT_AVAILABLE'] as const),
  ...(['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID', 'INCONSISTENT_TOPIC_ID', 'LEADER_NOT_AVAILABLE'] as const),
]);

/** Errors that say nothing about the client: plain retry. UNKNOWN_LEADER_EPOCH: the broker is behind (repl R-36). */
const PLAIN_RETRY: ReadonlySet<ErrorName> = new Set<ErrorName>([
  ...(['UNKNOWN_LEADER_EPOCH', 'UNKNOWN_SERVER_ERROR', 'REQUEST_TIMED_OUT', 'NETWORK_EXCEPTION'] as const),
]);

export class ConsumerContext {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  /** Something may be deliverable, or may have to be asked next. */
  readonly progress: () => void;
  /** For backoffs. */
  readonly random: Random;
  #failures: ConsumerFailure[] = [];

  constructor(
    surroundings: { readonly runtime: Runtime; readonly config: ClientConfig; readonly metadata: ClientMetadata },
    progress: () => void,
  ) {
    this.runtime = surroundings.runtime;
    this.config = surroundings.config;
    this.metadata = surroundings.metadata;
    this.progress = progress;
    this.random = surroundings.runtime.random.fork('client.consumer');
  }

  /** The application must hear of this. Once a partition at a time. */
  raise(position: FetchPosition, raised: Raised): void {
    const { topic, partition, offset } = position;
    if (this.#failures.some((known) => known.topic === topic && known.partition === partition)) return;
    this.#failures.push({ topic, partition, position: offset, ...raised });
  }

  /** The oldest failure not told yet, of a partition for which `stillAssigned` holds. */
  nextFailure(stillAssigned: (failure: ConsumerFailure) => boolean): ConsumerFailure | undefined {
    this.#failures = this.#failures.filter(stillAssigned);
    return this.#failures.shift();
  }

  /** Nothing came of a request: try this partition again after a backoff; with `refresh`, at its leader (repl R-36). */
  failed(position: FetchPosition, options: { readonly refresh: boolean }): void {
    position.failureCount += 1;
    position.retryAt = this.runtime.clock.now() + backoffMs(this.config, position.failureCount, this.random);
    if (!options.refresh) return;
    position.leaveReadReplica();
    this.metadata.requestUpdate();
  }

  /** A broker refused a partition of any request. `leader` is the one it named, if it did (repl R-33). */
  onError(position: FetchPosition, error: ErrorName, leader: NodeId = NO_LEADER, epoch: LeaderEpoch = NO_EPOCH): void {
    if (REFRESH_AND_RETRY.has(error)) {
      this.failed(position, { refresh: true });
      if (leader !== NO_LEADER) this.metadata.hint(position.topic, position.partition, leader, epoch);
    } else if (PLAIN_RETRY.has(error)) this.failed(position, { refresh: false });
    else {
      const kind = error === 'CORRUPT_MESSAGE' ? 'corrupt' : 'refused';
      this.failed(position, { refresh: false });
      this.raise(position, { kind, error, message: ERRORS[error].message });
    }
  }
}
