// Which shards this broker coordinates: elected, loading, loaded, lost (txn T-25 to T-30), and who an id belongs to
// (txn T-1 to T-7, W-23). What a loaded shard does next is its owner's.
import { coordinatorPartition } from '../../base/java-hash.ts';
import type { DurationMs, LeaderEpoch } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Timer } from '../../runtime/ports.ts';
import type { CoordinatorHost, Shard } from '../host.ts';
import { loadShard } from './load-shard.ts';
import type { Load } from './load-shard.ts';
import { TRANSACTION_TOPIC, TransactionShard, markOf, ofShard } from './shard.ts';

/** A load that failed is tried again after this (txn T-28). */
const LOAD_RETRY_MS: DurationMs = 500;

/** A shard that is being read. */
interface Loading {
  readonly shard: Shard;
  cancel: () => void;
}

/** What becomes of shards. */
export interface ShardEvents {
  /** Its cache is in place; it is not served yet. Returns how many transactions are to be completed (txn T-26). */
  installed(shard: TransactionShard): number;
  /** It is served; nothing that it has to complete was begun. */
  resume(shard: TransactionShard): void;
  /** It has just been lost: what is queued of it is to be dropped (txn T-30). */
  lost(shard: TransactionShard): void;
}

export class TransactionShards {
  readonly #host: CoordinatorHost;
  readonly #events: ShardEvents;
  readonly #loading = new Map<number, Loading>();
  readonly #loaded = new Map<number, TransactionShard>();
  /** Fixed once the topic is known (txn T-3). */
  #partitionCount: number | undefined;

  constructor(host: CoordinatorHost, events: ShardEvents) {
    this.#host = host;
    this.#events = events;
  }

  /** Txn T-25. */
  elected(partition: number, leaderEpoch: LeaderEpoch): void {
    const known = this.#loading.get(partition)?.shard ?? this.#loaded.get(partition);
    if (known !== undefined && known.leaderEpoch >= leaderEpoch) return;
    this.#drop(partition);
    const loading: Loading = {
      shard: { topic: TRANSACTION_TOPIC, partition, leaderEpoch },
      cancel: () => undefined,
    };
    this.#loading.set(partition, loading);
    this.#load(loading);
  }

  /** Txn T-30: a shard of a later epoch goes on. */
  resigned(partition: number, leaderEpoch: LeaderEpoch | undefined): void {
    const known = this.#loading.get(partition)?.shard ?? this.#loaded.get(partition);
    if (known === undefined || (leaderEpoch !== undefined && known.leaderEpoch >= leaderEpoch)) return;
    const served = this.#loaded.has(partition);
    this.#drop(partition);
    if (served) this.#host.runtime.trace({ type: 'txn.resigned', ...ofShard(known) });
  }

  /** This broker stops. */
  stop(): void {
    for (const partition of [...this.#loading.keys(), ...this.#loaded.keys()]) this.#drop(partition);
  }

  /** Those that are loaded. */
  loaded(): Iterable<TransactionShard> {
    return this.#loaded.values();
  }

  get isAnyLoading(): boolean {
    return this.#loading.size > 0;
  }

  /** Who coordinates an id: its shard, or why not this broker (txn T-7). Loading is told before not owning. */
  find(transactionalId: string): TransactionShard | ErrorName {
    const partition = coordinatorPartition(transactionalId, this.#countPartitions());
    if (this.#loading.has(partition)) return 'COORDINATOR_LOAD_IN_PROGRESS';
    return this.#loaded.get(partition) ?? 'NOT_COORDINATOR';
  }

  /**
   * Whether an answer may be given from the cache alone (txn W-23): 'NONE', or why not. What needs an append is safe
   * without: a coordinator that was replaced cannot append.
   */
  refuseCached(shard: TransactionShard): ErrorName {
    if (!this.#host.runtime.safeguard('txn.ownership')) return 'NONE';
    if (!shard.alive || this.#host.leads(shard.topic, shard.partition) !== shard.leaderEpoch) return 'NOT_COORDINATOR';
    return this.#host.inTouch ? 'NONE' : 'COORDINATOR_NOT_AVAILABLE';
  }

  #countPartitions(): number {
    const { image, config } = this.#host;
    this.#partitionCount ??= image.topicNamed(TRANSACTION_TOPIC)?.partitions.length;
    return this.#partitionCount ?? config['transaction.state.log.num.partitions'];
  }

  #load(loading: Loading): void {
    const { shard } = loading;
    this.#host.runtime.faults.reach('txn.load.started', ofShard(shard), () => {
      if (!this.#isLoading(loading)) return;
      const count = this.#host.image.topicNamed(TRANSACTION_TOPIC)?.partitions.length;
      if (count !== undefined && count !== this.#countPartitions()) {
        return this.#retry(loading, `txn T-3: the topic had ${this.#countPartitions()} partitions and has ${count}`);
      }
      loading.cancel = loadShard(this.#host, shard, (load) => this.#onLoad(loading, load));
    });
  }

  #onLoad(loading: Loading, load: Load): void {
    if (!this.#isLoading(loading)) return;
    if (load.kind === 'failed') return this.#retry(loading, `txn T-28: ${load.reason}`);
    // Not led any more: the resignation is on its way (txn T-25).
    if (load.kind === 'over') return;
    const { runtime } = this.#host;
    const shard = new TransactionShard(loading.shard, load.entries);
    const pending = this.#events.installed(shard);
    this.#loading.delete(shard.partition);
    this.#loaded.set(shard.partition, shard);
    const transactions = [...shard.entries.values()].map(({ metadata }) => markOf(metadata));
    runtime.trace({ type: 'txn.loaded', ...ofShard(shard), transactions });
    runtime.faults.reach('txn.load.finished', { ...ofShard(shard), pending }, () => {
      if (shard.alive) this.#events.resume(shard);
    });
  }

  #retry(loading: Loading, reason: string): void {
    const { partition } = loading.shard;
    const { runtime } = this.#host;
    const message = `${TRANSACTION_TOPIC}-${partition} cannot be loaded, it is tried again: ${reason}`;
    runtime.trace({ type: 'log.line', level: 'error', message });
    const timer: Timer = runtime.clock.after(LOAD_RETRY_MS, () => {
      if (this.#isLoading(loading)) this.#load(loading);
    });
    loading.cancel = () => timer.cancel();
  }

  #isLoading(loading: Loading): boolean {
    return this.#loading.get(loading.shard.partition) === loading;
  }

  #drop(partition: number): void {
    this.#loading.get(partition)?.cancel();
    this.#loading.delete(partition);
    const shard = this.#loaded.get(partition);
    if (shard === undefined) return;
    this.#loaded.delete(partition);
    shard.alive = false;
    this.#events.lost(shard);
  }
}
