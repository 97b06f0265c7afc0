// A broker as a transaction coordinator sees it: a real partition log, and writes and markers whose fate the test decides.
import { createTransactionCoordinator } from '../../../src/coordinator/txn/coordinator.ts';
import type { TransactionCoordinator } from '../../../src/coordinator/txn/api.ts';
import type { CoordinatorHost, Shard, WriteEvents, WriteOptions } from '../../../src/coordinator/host.ts';
import type { Safeguard } from '../../../src/fault/safeguards.ts';
import type { AppendInfo, PartitionLog } from '../../../src/log/api.ts';
import type { MetadataImage } from '../../../src/metadata/image.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import { nodeConfig, topicConfig } from '../../../src/protocol/config.ts';
import type { NodeConfig } from '../../../src/protocol/config.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { Network, Outcome, Random, Runtime, Store } from '../../../src/runtime/ports.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { Bench } from '../../log/bench.ts';
import { HeldPoints } from './held-points.ts';
import type { VirtualClock } from './virtual-clock.ts';

const CONFIG = topicConfig(nodeConfig(), new Map());

/** An append that the coordinator has asked for. */
export class HeardWrite {
  readonly shard: Shard;
  readonly batch: Buffer;
  readonly options: WriteOptions;
  info: AppendInfo | undefined = undefined;
  over = false;
  /** Followers were woken. */
  #awake = false;
  #wanted = false;
  readonly #broker: Broker;
  readonly #on: WriteEvents;

  constructor(broker: Broker, of: { shard: Shard; batch: Buffer; options: WriteOptions }, on: WriteEvents) {
    this.#broker = broker;
    this.shard = of.shard;
    this.batch = of.batch;
    this.options = of.options;
    this.#on = on;
  }

  /** It is in the local log. */
  append(): this {
    if (this.over || this.info !== undefined) return this;
    if (this.#broker.leaderEpoch !== this.shard.leaderEpoch) return this.fail('NOT_LEADER_OR_FOLLOWER');
    this.info = this.#broker.append(this.batch, this.shard.leaderEpoch);
    this.#on.appended(this.info, () => {
      this.#awake = true;
      if (this.#wanted) this.commit();
    });
    return this;
  }

  /** All in-sync replicas have it, once the coordinator lets them be woken. */
  commit(): this {
    this.append();
    this.#wanted = true;
    if (this.over || this.info === undefined || !this.#awake) return this;
    this.over = true;
    this.#broker.replica.setHighWatermark(this.info.lastOffset + 1);
    this.#on.committed(this.info);
    return this;
  }

  fail(error: ErrorName): this {
    if (this.over) return this;
    this.over = true;
    this.#on.failed(error, this.info !== undefined);
    return this;
  }
}

/** A WriteTxnMarkers on its way. */
export interface HeardMarkers {
  readonly from: number;
  readonly to: number;
  readonly request: RequestOf<'WriteTxnMarkers'>;
  readonly timeoutMs: number;
  answered: boolean;
  answer(outcome: Outcome<ResponseOf<'WriteTxnMarkers'>>): void;
}

export interface BrokerOptions {
  readonly id: number;
  readonly clock: VirtualClock;
  readonly image: MetadataImage;
  readonly off: ReadonlySet<Safeguard>;
  readonly config: Partial<Record<keyof NodeConfig, unknown>>;
  /** Batches that it has as a follower. */
  readonly records: Buffer;
  readonly nextProducerId: () => number | undefined;
  readonly onMarkers: (markers: HeardMarkers) => void;
}

export class Broker implements CoordinatorHost {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: number;
  readonly image: MetadataImage;
  readonly points = new HeldPoints();
  readonly events: TraceEvent[] = [];
  readonly writes: HeardWrite[] = [];
  readonly coordinator: TransactionCoordinator;
  readonly nextProducerId: () => number | undefined;
  readonly replica: PartitionLog;
  inTouch = true;
  alive = true;
  leaderEpoch: number | undefined = undefined;
  halted: string | undefined = undefined;
  /** Whether a write is durable soon after it is asked for, without the test's doing. */
  auto = true;
  readonly #bench = new Bench();

  constructor(options: BrokerOptions) {
    const { id, clock, image, off, config, records, nextProducerId, onMarkers } = options;
    this.me = id;
    this.image = image;
    this.config = nodeConfig(config);
    this.nextProducerId = nextProducerId;
    this.replica = this.#bench.open({ topic: '__transaction_state', topicId: 'T'.repeat(22), partition: 0 });
    if (records.length > 0) this.replica.appendAsFollower(records, 0, 1_000_000, () => undefined);
    this.#bench.settle();
    this.runtime = {
      node: id,
      clock: clock.of(() => this.alive),
      random: undefined as unknown as Random,
      network: this.#network(onMarkers),
      store: undefined as unknown as Store,
      faults: this.points,
      safeguard: (name) => !off.has(name),
      trace: (event) => this.events.push(event),
      halt: (reason) => {
        this.halted = reason;
        this.alive = false;
      },
    };
    this.coordinator = createTransactionCoordinator(this);
    this.coordinator.start();
  }

  brokerEpoch(): number {
    return 1000 + this.me;
  }

  leads(_topic: string, partition: number): number | undefined {
    return partition === 0 ? this.leaderEpoch : undefined;
  }

  log(shard: Shard): PartitionLog | undefined {
    return this.leaderEpoch === shard.leaderEpoch ? this.replica : undefined;
  }

  write(shard: Shard, batch: Buffer, options: WriteOptions, on: WriteEvents): void {
    const write = new HeardWrite(this, { shard, batch, options }, on);
    this.writes.push(write);
    this.runtime.clock.after(0, () => {
      if (this.auto) write.commit();
    });
  }

  writeMarker(): void {
    throw new Error('a transaction coordinator writes no markers itself');
  }

  whenCommitted(shard: Shard, offset: number, timeoutMs: number, done: (error: ErrorName) => void): void {
    const { clock } = this.runtime;
    const deadline = clock.now() + timeoutMs;
    const look = (): void => {
      if (this.leaderEpoch !== shard.leaderEpoch) done('NOT_LEADER_OR_FOLLOWER');
      else if (this.replica.highWatermark >= offset) done('NONE');
      else if (clock.now() >= deadline) done('REQUEST_TIMED_OUT');
      else clock.after(10, look);
    };
    clock.after(0, look);
  }

  /** All in-sync replicas have all of its log. */
  replicate(): void {
    this.replica.setHighWatermark(this.replica.logEndOffset);
  }

  verify(): void {
    throw new Error('a transaction coordinator does not verify');
  }

  /** Becomes leader of the shard, and its coordinator. */
  elect(leaderEpoch: number): void {
    if (this.auto) this.replicate();
    this.leaderEpoch = leaderEpoch;
    this.coordinator.elected(0, leaderEpoch);
  }

  /** Loses the shard: what waits fails, then the coordinator is told. */
  resign(leaderEpoch: number | undefined): void {
    this.leaderEpoch = undefined;
    for (const write of this.writes) write.fail('NOT_LEADER_OR_FOLLOWER');
    this.coordinator.resigned(0, leaderEpoch);
  }

  /** kill -9. */
  kill(): void {
    this.alive = false;
  }

  append(batch: Buffer, leaderEpoch: number): AppendInfo {
    let info: AppendInfo | undefined;
    const append = {
      batch,
      leaderEpoch,
      now: this.runtime.clock.wallTime(),
      config: CONFIG,
      origin: 'coordinator' as const,
    };
    const refusal = this.replica.appendAsLeader(append, (appended) => (info = appended));
    if (refusal !== undefined) throw new Error(refusal.message);
    this.#bench.settle();
    return info!;
  }

  /** The log's bytes below an offset. */
  recordsBelow(offset: number): Buffer {
    return this.replica.read(0, offset, 1 << 30, true).records;
  }

  /** The write that was asked for last. */
  get lastWrite(): HeardWrite {
    return this.writes.at(-1)!;
  }

  ofType<T extends TraceEvent['type']>(type: T): Extract<TraceEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
  }

  #network(onMarkers: (markers: HeardMarkers) => void): Network {
    const request = (
      to: number,
      api: string,
      body: RequestOf<'WriteTxnMarkers'>,
      timeoutMs: number,
      done: (outcome: Outcome<ResponseOf<'WriteTxnMarkers'>>) => void,
    ): void => {
      if (api !== 'WriteTxnMarkers') throw new Error(`unexpected ${api}`);
      const markers: HeardMarkers = {
        ...{ from: this.me, to, request: body, timeoutMs, answered: false },
        answer: (outcome) => {
          if (markers.answered) return;
          markers.answered = true;
          this.runtime.clock.after(0, () => done(outcome));
        },
      };
      this.runtime.clock.after(0, () => onMarkers(markers));
    };
    return { request } as unknown as Network;
  }
}
