// What coordinators get of the broker they live in: appends to the partitions they own, waits for the high watermark,
// verification and producer ids (src/coordinator/host.ts says what each means). Decides nothing of transactions or groups.
import type { BrokerEpoch, DurationMs, LeaderEpoch, NodeId, Offset } from '../base/units.ts';
import type { AppendInfo, AppendRefusal, PartitionLog } from '../log/api.ts';
import type { VerificationGuard } from '../log/transactions-api.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { CommittedAt, CommittedWaits } from './committed-waits.ts';
import type { NodeContext } from './context.ts';
import type { SentMarker } from './coordinators.ts';
import { OFFSETS_TOPIC } from './internal-topics.ts';
import type { Appended, Partition, Reached } from './partition.ts';
import type { ProducerIds } from './producer-ids.ts';
import type { Replicas } from './replicas.ts';
import type { Verifications } from './verifications.ts';

/** A partition of an internal topic that this broker leads at this epoch. */
interface Shard {
  readonly topic: string;
  readonly partition: number;
  readonly leaderEpoch: LeaderEpoch;
}

interface WriteOptions {
  readonly refuseBelowMinIsr: boolean;
  readonly timeoutMs: DurationMs;
  readonly guard?: VerificationGuard;
}

interface WriteEvents {
  appended(info: AppendInfo, proceed: () => void): void;
  committed(info: AppendInfo): void;
  failed(error: ErrorName, maybe: boolean): void;
}

interface Verification {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly transactionVersion: number;
}

export interface CoordinatorHostParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly waits: CommittedWaits;
  readonly verifications: Verifications;
  readonly producerIds: ProducerIds;
  /** Whether the controller was heard of within a session (txn W-23). */
  readonly inTouch: () => boolean;
}

/** ACKS of an append that is refused below min ISR, and of one that is not. */
const ALL = -1;
const LEADER = 1;

export class CoordinatorHosting {
  readonly #parts: CoordinatorHostParts;

  constructor(parts: CoordinatorHostParts) {
    this.#parts = parts;
  }

  get runtime(): Runtime {
    return this.#parts.context.runtime;
  }
  get config(): NodeConfig {
    return this.#parts.context.config;
  }
  get me(): NodeId {
    return this.#parts.context.me;
  }
  get image(): MetadataImage {
    return this.#parts.context.image;
  }
  get inTouch(): boolean {
    return this.#parts.inTouch();
  }

  brokerEpoch(): BrokerEpoch {
    return this.#parts.context.brokerEpoch();
  }

  leads(topic: string, partition: number): LeaderEpoch | undefined {
    return this.#led(topic, partition)?.leading?.leaderEpoch;
  }

  log(shard: Shard): PartitionLog | undefined {
    return this.#leading(shard)?.log;
  }

  write(shard: Shard, batch: Buffer, options: WriteOptions, on: WriteEvents): void {
    const { guard } = options;
    const verified = guard === undefined ? {} : { guard };
    this.#append(shard, options, on, (replica, acks, reached, done) =>
      replica.append({ batch, acks, origin: 'coordinator', reached, ...verified }, done),
    );
  }

  writeMarker(shard: Shard, marker: SentMarker, options: WriteOptions, on: WriteEvents): void {
    const { transactionVersion } = marker;
    this.#append(shard, options, on, (replica, acks, reached, done) =>
      replica.appendMarker({ marker, transactionVersion, acks, reached }, done),
    );
  }

  whenCommitted(shard: Shard, offset: Offset, timeoutMs: DurationMs, done: (error: ErrorName) => void): void {
    const replica = this.#leading(shard);
    if (replica === undefined) this.#later(() => done('NOT_LEADER_OR_FOLLOWER'));
    else this.#parts.waits.wait(replica, this.#at(shard, offset, { refuseBelowMinIsr: false, timeoutMs }), done);
  }

  verify(
    shard: Shard,
    of: Verification,
    done: (outcome: { readonly error: ErrorName; readonly guard?: VerificationGuard }) => void,
  ): void {
    const replica = this.#leading(shard);
    if (replica === undefined) {
      this.#later(() => done({ error: 'NOT_LEADER_OR_FOLLOWER' }));
      return;
    }
    const { producerId, producerEpoch, transactionVersion } = of;
    const version2 = transactionVersion >= 2;
    const needed = replica.log.guardFor({ producerId, producerEpoch, baseSequence: undefined, version2 });
    if (needed !== undefined && 'error' in needed) this.#later(() => done({ error: needed.error }));
    else if (needed === undefined) this.#later(() => done({ error: 'NONE' }));
    else {
      const { topic, partition } = shard;
      this.#parts.verifications.verify({ ...of, partitions: [{ topic, partition }], retryAdd: false }, ([error]) =>
        done({ error: error ?? 'UNKNOWN_SERVER_ERROR', guard: needed }),
      );
    }
  }

  nextProducerId(): number | undefined {
    return this.#parts.producerIds.take();
  }

  #leading({ topic, partition, leaderEpoch }: Shard): Partition | undefined {
    const replica = this.#led(topic, partition);
    return replica?.leading?.leaderEpoch === leaderEpoch ? replica : undefined;
  }

  /** The image is switched first (repl R-101): what it says is over is over, though the replica is not told yet. */
  #led(topic: string, partition: number): Partition | undefined {
    const { context, replicas } = this.#parts;
    const located = replicas.locate({ topicId: '', topic, partition });
    if (located.kind !== 'hosted') return undefined;
    const { replica } = located;
    const decided = context.image.partition(replica.topicId, partition);
    const isOver = decided?.leader !== context.me || decided.leaderEpoch !== replica.leading?.leaderEpoch;
    return isOver ? undefined : replica;
  }

  #append(
    shard: Shard,
    { refuseBelowMinIsr, timeoutMs }: WriteOptions,
    on: WriteEvents,
    append: (
      replica: Partition,
      acks: number,
      reached: Reached,
      done: (appended: Appended) => void,
    ) => AppendRefusal | undefined,
  ): void {
    const replica = this.#leading(shard);
    if (replica === undefined) {
      this.#later(() => on.failed('NOT_LEADER_OR_FOLLOWER', false));
      return;
    }
    const reached: Reached = (info, proceed) => on.appended(info, proceed);
    const refusal = append(replica, refuseBelowMinIsr ? ALL : LEADER, reached, (appended) => {
      const at = this.#at(shard, appended.lastOffset + 1, { refuseBelowMinIsr, timeoutMs });
      this.#parts.waits.wait(replica, at, (error) => {
        if (error === 'NONE') on.committed(appended);
        else on.failed(error, true);
      });
    });
    if (refusal !== undefined) this.#later(() => on.failed(refusal.error, false));
  }

  /** What a coordinator waits for: its own epoch's high watermark, and no other's (BUG-15). */
  #at({ topic, leaderEpoch }: Shard, offset: Offset, { refuseBelowMinIsr, timeoutMs }: WriteOptions): CommittedAt {
    const anyEpoch = topic === OFFSETS_TOPIC && !this.runtime.safeguard('group.ackAfterHwOwnEpoch');
    return { leaderEpoch, offset, timeoutMs, minIsr: refuseBelowMinIsr, anyEpoch };
  }

  #later(run: () => void): void {
    this.runtime.clock.after(0, run);
  }
}
