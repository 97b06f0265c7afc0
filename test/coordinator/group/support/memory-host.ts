// A broker with one replica of everything, as coordinators see it: the real partition log on a simulated store, and a high
// watermark that the test can hold still. Leadership, failures and verification are the test's to say.
import type { LeaderEpoch, Offset } from '../../../../src/base/units.ts';
import type { CoordinatorHost, Shard, WriteEvents, WriteOptions } from '../../../../src/coordinator/host.ts';
import type { AppendInfo, AppendRefusal, PartitionLog } from '../../../../src/log/api.ts';
import type { Marker } from '../../../../src/log/control-batch.ts';
import { createLogManager } from '../../../../src/log/log-manager.ts';
import type { LogManager } from '../../../../src/log/manager-api.ts';
import type { VerificationGuard } from '../../../../src/log/transactions-api.ts';
import { MetadataImage } from '../../../../src/metadata/image.ts';
import { SerialQueue } from '../../../../src/node/serial-queue.ts';
import { nodeConfig, topicConfig } from '../../../../src/protocol/config.ts';
import type { NodeConfig } from '../../../../src/protocol/config.ts';
import type { ErrorName } from '../../../../src/protocol/errors.ts';
import type { Runtime, Timer } from '../../../../src/runtime/ports.ts';

interface Replica {
  readonly log: PartitionLog;
  readonly queue: SerialQueue;
  leaderEpoch: LeaderEpoch | undefined;
}

interface Waiter {
  readonly shard: Shard;
  readonly offset: Offset;
  readonly timer: Timer;
  done(error: ErrorName): void;
}

export class MemoryHost implements CoordinatorHost {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me = 1;
  readonly image = new MetadataImage();
  readonly inTouch = true;
  /** The next writes are refused so; nothing is appended. */
  readonly refusals: ErrorName[] = [];
  /** What a verification is answered. */
  verification: { readonly error: ErrorName } = { error: 'NONE' };
  readonly #manager: LogManager;
  readonly #replicas = new Map<number, Replica>();
  #frozen = false;
  #waiters: Waiter[] = [];

  constructor(runtime: Runtime, overrides: Readonly<Record<string, unknown>>) {
    this.runtime = runtime;
    this.config = nodeConfig(overrides);
    this.#manager = createLogManager(runtime, { config: this.config, nodeId: this.me });
  }

  /** Opens the logs of these partitions. */
  open(partitions: readonly number[], done: () => void): void {
    this.#manager.start(() => {
      let missing = partitions.length;
      for (const partition of partitions) {
        this.#manager.open({ topic: '__consumer_offsets', topicId: 'offsets-topic-id', partition }, (log) => {
          this.#replicas.set(partition, { log, queue: new SerialQueue(), leaderEpoch: undefined });
          if (--missing === 0) done();
        });
      }
    });
  }

  /** Makes this broker leader, with everything in the log committed. */
  lead(partition: number, leaderEpoch: LeaderEpoch, done: () => void): void {
    const replica = this.#replicas.get(partition)!;
    replica.log.assignLeaderEpoch(leaderEpoch, () => {
      replica.leaderEpoch = leaderEpoch;
      this.#advance();
      done();
    });
  }

  /** It leads no more: writes and waits of that epoch fail. */
  depose(partition: number): void {
    this.#replicas.get(partition)!.leaderEpoch = undefined;
    const gone = this.#waiters.filter(({ shard }) => shard.partition === partition);
    this.#waiters = this.#waiters.filter(({ shard }) => shard.partition !== partition);
    for (const waiter of gone) this.#settle(waiter, 'NOT_LEADER_OR_FOLLOWER');
  }

  /** Holds every high watermark where it is, or lets it go to the log end. */
  freeze(frozen: boolean): void {
    this.#frozen = frozen;
    this.#advance();
  }

  logOf(partition: number): PartitionLog {
    return this.#replicas.get(partition)!.log;
  }

  brokerEpoch(): number {
    return 1;
  }

  leads(topic: string, partition: number): LeaderEpoch | undefined {
    return topic === '__consumer_offsets' ? this.#replicas.get(partition)?.leaderEpoch : undefined;
  }

  log(shard: Shard): PartitionLog | undefined {
    const replica = this.#replicas.get(shard.partition);
    return replica?.leaderEpoch === shard.leaderEpoch ? replica.log : undefined;
  }

  write(shard: Shard, batch: Buffer, options: WriteOptions, on: WriteEvents): void {
    const { guard } = options;
    this.#append(shard, options, on, (log, done) =>
      log.appendAsLeader(
        {
          ...{ batch, leaderEpoch: shard.leaderEpoch, now: this.runtime.clock.wallTime() },
          ...{ config: topicConfig(this.config, new Map()), origin: 'coordinator' as const },
          ...(guard === undefined ? {} : { guard }),
        },
        done,
      ),
    );
  }

  writeMarker(
    shard: Shard,
    marker: Marker & { readonly transactionVersion: number },
    options: WriteOptions,
    on: WriteEvents,
  ): void {
    this.#append(shard, options, on, (log, done) =>
      log.appendMarker(
        {
          ...{ marker, transactionVersion: marker.transactionVersion, leaderEpoch: shard.leaderEpoch },
          ...{ now: this.runtime.clock.wallTime(), config: topicConfig(this.config, new Map()) },
        },
        done,
      ),
    );
  }

  whenCommitted(shard: Shard, offset: Offset, timeoutMs: number, done: (error: ErrorName) => void): void {
    const waiter: Waiter = {
      ...{ shard, offset, done },
      timer: this.runtime.clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        done('REQUEST_TIMED_OUT');
      }),
    };
    this.#waiters.push(waiter);
    this.runtime.clock.after(0, () => this.#advance());
  }

  verify(
    shard: Shard,
    of: { readonly producerId: number; readonly producerEpoch: number; readonly transactionVersion: number },
    done: (outcome: { readonly error: ErrorName; readonly guard?: VerificationGuard }) => void,
  ): void {
    this.runtime.clock.after(1, () => {
      const { producerId, producerEpoch, transactionVersion } = of;
      const log = this.log(shard);
      if (log === undefined) return done({ error: 'NOT_LEADER_OR_FOLLOWER' });
      if (this.verification.error !== 'NONE') return done(this.verification);
      const version2 = transactionVersion === 2;
      const guard = log.guardFor({ producerId, producerEpoch, baseSequence: undefined, version2 });
      if (guard === undefined) return done({ error: 'NONE' });
      return 'error' in guard ? done({ error: guard.error }) : done({ error: 'NONE', guard });
    });
  }

  nextProducerId(): number | undefined {
    return undefined;
  }

  /** One write, in its turn: as the broker's partition queue makes it. */
  #append(
    shard: Shard,
    options: WriteOptions,
    on: WriteEvents,
    append: (log: PartitionLog, done: (info: AppendInfo) => void) => AppendRefusal | undefined,
  ): void {
    const { clock } = this.runtime;
    this.#replicas.get(shard.partition)!.queue.run((next) => {
      const fail = (error: ErrorName): void => {
        clock.after(0, () => on.failed(error, false));
        next();
      };
      const log = this.log(shard);
      if (log === undefined) return fail('NOT_LEADER_OR_FOLLOWER');
      const refusal = this.refusals.shift();
      if (refusal !== undefined) return fail(refusal);
      const refused = append(log, (info) => {
        on.appended(info, () => {
          this.whenCommitted(shard, info.lastOffset + 1, options.timeoutMs, (error) =>
            error === 'NONE' ? on.committed(info) : on.failed(error, true),
          );
          next();
        });
      });
      if (refused !== undefined) fail(refused.error);
    });
  }

  #advance(): void {
    for (const { log, leaderEpoch } of this.#replicas.values()) {
      if (!this.#frozen && leaderEpoch !== undefined) log.setHighWatermark(log.logEndOffset);
    }
    const reached = this.#waiters.filter(({ shard, offset }) => (this.log(shard)?.highWatermark ?? -1) >= offset);
    this.#waiters = this.#waiters.filter((waiter) => !reached.includes(waiter));
    for (const waiter of reached) this.#settle(waiter, 'NONE');
  }

  #settle({ timer, done }: Waiter, error: ErrorName): void {
    timer.cancel();
    this.runtime.clock.after(0, () => done(error));
  }
}
