// One node's log directory: identity, format, clean-shutdown marker, checkpoints, and the logs that are open. Layout in
// keys.ts. A directory that cannot be used halts the node with a sentence, and `start` then never answers.
import type { BrokerEpoch, DurationMs, NodeId, Offset } from '../base/units.ts';
import type { NodeConfig } from '../protocol/config.ts';
import { topicConfig } from '../protocol/config.ts';
import type { Runtime, StoreOp } from '../runtime/ports.ts';
import { BatchIndex } from './batch-index.ts';
import { ALL_LOGS, FORMAT, LogKeys, decodeIdentity, encodeOffset, factKey } from './keys.ts';
import { loadLog } from './load-log.ts';
import type { LoadedLog } from './load-log.ts';
import { emptyAt, stateOps } from './log-state.ts';
import { LogStore } from './log-store.ts';
import { LogTrace } from './log-trace.ts';
import { OpenTransactions } from './open-transactions.ts';
import type { Found, LogId, LogManager } from './manager-api.ts';
import type { PartitionLog } from './api.ts';
import { StoredLog } from './partition-log.ts';
import type { SegmentLimits } from './segments.ts';

export interface LogManagerOptions {
  readonly config: NodeConfig;
  readonly nodeId: NodeId;
  /**
   * Emulates power loss at this start: each log that is found loses at most this many batches from its end, only
   * unflushed ones; -1 takes all unflushed. What was flushed with them, marker and checkpoints, stays; truncations are
   * not undone (docs/divergence.md).
   */
  readonly truncateTail?: number;
  /** The directory was emptied on purpose before this start: repl I-29 cannot hold. */
  readonly wiped?: boolean;
  /** One atomic write holds about this much; 1 MiB. Tests lower it. */
  readonly maxWriteBytes?: number;
  /** Newest bytes of each log kept in memory; 1 MiB. */
  readonly newestMaxBytes?: number;
}

/** Nothing is read or written before `start`. */
export function createLogManager(runtime: Runtime, options: LogManagerOptions): LogManager {
  return new Manager(runtime, options);
}

const MIB = 1024 * 1024;

class Manager implements LogManager {
  readonly #runtime: Runtime;
  readonly #store: LogStore;
  readonly #nodeId: NodeId;
  readonly #truncateTail: number | undefined;
  readonly #lossy: boolean;
  readonly #segmentLimits: SegmentLimits;
  readonly #producerIdExpirationMs: DurationMs;
  readonly #verificationEnabled: boolean;
  readonly #sizes: { readonly maxWriteBytes: number; readonly newestMaxBytes: number };
  #clean = false;
  readonly #open = new Map<string, { readonly id: LogId; readonly log: StoredLog }>();
  /** Who waits for a log that is being opened. */
  readonly #opening = new Map<string, ((log: PartitionLog) => void)[]>();
  readonly #aside = new Set<string>();
  /** What waits for a log to be gone. */
  readonly #deleting = new Map<string, (() => void)[]>();

  constructor(runtime: Runtime, options: LogManagerOptions) {
    this.#runtime = runtime;
    this.#store = new LogStore(runtime);
    this.#nodeId = options.nodeId;
    this.#truncateTail = options.truncateTail;
    this.#lossy = (options.truncateTail ?? 0) !== 0 || options.wiped === true;
    this.#segmentLimits = topicConfig(options.config, new Map());
    this.#producerIdExpirationMs = options.config['producer.id.expiration.ms'];
    this.#verificationEnabled = options.config['transaction.partition.verification.enable'];
    this.#sizes = {
      maxWriteBytes: options.maxWriteBytes ?? MIB,
      newestMaxBytes: options.newestMaxBytes ?? MIB,
    };
  }

  start(done: (found: Found) => void): void {
    const [format, node, cluster, marker] = (['format', 'node', 'cluster', 'clean'] as const).map((name) =>
      this.#store.get(factKey(name))?.toString(),
    );
    const refusal = this.#refusal(format, node);
    if (refusal !== undefined) return this.#runtime.halt(refusal);
    if (this.#lossy) this.#runtime.trace({ type: 'logs.lossy' });
    // A new directory has nothing to recover.
    this.#clean = marker !== undefined || format === undefined;
    const ops: StoreOp[] = [
      { type: 'put', key: factKey('format'), value: Buffer.from(String(FORMAT)) },
      { type: 'put', key: factKey('node'), value: Buffer.from(String(this.#nodeId)) },
      { type: 'del', key: factKey('clean') },
    ];
    const found = { clusterId: cluster, previousBrokerEpoch: Number(marker ?? -1), clean: this.#clean };
    // Synced: should the power fail now, the next start must not take this one's logs for cleanly closed (repl R-109).
    this.#store.write(ops, { sync: true }, () => done(found));
  }

  #refusal(format: string | undefined, node: string | undefined): string | undefined {
    if (format !== undefined && Number(format) > FORMAT) {
      return (
        `the data directory has format ${format}, and this version of Highwater knows formats up to ${FORMAT}: ` +
        'start the newer version that wrote it, or give the node an empty directory'
      );
    }
    if (node !== undefined && Number(node) !== this.#nodeId) {
      return (
        `the data directory belongs to node ${node}, and this is node ${this.#nodeId}: ` +
        'give the node its own directory, or an empty one'
      );
    }
    return undefined;
  }

  setClusterId(clusterId: string, done: () => void): void {
    this.#store.write([{ type: 'put', key: factKey('cluster'), value: Buffer.from(clusterId) }], { sync: true }, done);
  }

  stored(done: (ids: readonly LogId[]) => void): void {
    this.#store.scan(ALL_LOGS, (entries) => done(entries.map(({ key, value }) => decodeIdentity(key, value))));
  }

  setAside(ids: readonly LogId[]): void {
    for (const id of ids) {
      this.#aside.add(nameOf(id));
      const log = `the log of ${id.topic}-${id.partition} (topic id ${id.topicId})`;
      const message = `${log} is set aside: it is not assigned to this node`;
      this.#runtime.trace({ type: 'log.line', level: 'warn', message });
    }
  }

  open(id: LogId, done: (log: PartitionLog) => void): void {
    const name = nameOf(id);
    const deleting = this.#deleting.get(name);
    const opening = this.#opening.get(name);
    const open = this.#open.get(name);
    if (deleting !== undefined) deleting.push(() => this.open(id, done));
    else if (opening !== undefined) opening.push(done);
    else if (open !== undefined) this.#runtime.clock.after(0, () => done(open.log));
    else {
      this.#opening.set(name, [done]);
      this.#load(id);
    }
  }

  #load(id: LogId): void {
    const keys = new LogKeys(id);
    if (this.#store.get(keys.identity) === undefined) return this.#create(id, keys);
    const lose = this.#truncateTail ?? 0;
    const now = this.#runtime.clock.wallTime();
    const producers = {
      ...{ now, expirationMs: this.#producerIdExpirationMs, followLog: this.#producersFollowLog() },
      wholeWindow: this.#runtime.safeguard('seq.wholeWindow'),
    };
    const options = { clean: this.#clean, loseBatches: lose < 0 ? Infinity : lose, producers };
    loadLog({ keys, store: this.#store, ...this.#sizes }, options, (loaded) => this.#opened(id, keys, loaded));
  }

  #create(id: LogId, keys: LogKeys): void {
    const index = new BatchIndex(this.#sizes.newestMaxBytes);
    const known = { producers: new Map(), transactions: new OpenTransactions(), aborted: [] };
    const loaded = { state: emptyAt(0), index, highWatermark: 0, cut: 0, ...known };
    const identity: StoreOp = { type: 'put', key: keys.identity, value: Buffer.from(id.topic) };
    const ops = [identity, ...stateOps(keys, undefined, loaded.state)];
    this.#store.write(ops, { sync: false }, () => this.#opened(id, keys, loaded));
  }

  #opened(id: LogId, keys: LogKeys, loaded: LoadedLog): void {
    const name = nameOf(id);
    const trace = new LogTrace(this.#runtime, id);
    const log = new StoredLog(
      {
        keys,
        store: this.#store,
        trace,
        clock: this.#runtime.clock,
        safeguard: (safeguard) => this.#runtime.safeguard(safeguard),
        now: () => this.#runtime.clock.wallTime(),
        producerIdExpirationMs: this.#producerIdExpirationMs,
        verificationEnabled: this.#verificationEnabled,
        producersFollowLog: () => this.#producersFollowLog(),
        maxWriteBytes: this.#sizes.maxWriteBytes,
        segmentLimits: this.#segmentLimits,
        deletion: (stage) => (stage === 'begun' ? this.#deletionBegun(name) : this.#deletionDone(name)),
      },
      loaded,
    );
    trace.opened(loaded, { clean: this.#clean, lossy: this.#lossy });
    this.#open.set(name, { id, log });
    const waiting = this.#opening.get(name) ?? [];
    this.#opening.delete(name);
    for (const done of waiting) done(log);
  }

  #producersFollowLog(): boolean {
    return this.#runtime.safeguard('seq.replicatedState');
  }

  #deletionBegun(name: string): void {
    this.#open.delete(name);
    this.#deleting.set(name, []);
  }

  #deletionDone(name: string): void {
    const waiting = this.#deleting.get(name) ?? [];
    this.#deleting.delete(name);
    for (const run of waiting) run();
  }

  deleteLog(id: LogId, done: () => void): void {
    const name = nameOf(id);
    const deleting = this.#deleting.get(name);
    if (deleting !== undefined) {
      deleting.push(done);
      return;
    }
    // What was never opened is opened first: deleting needs to know what is there.
    const stored = this.#open.has(name) || this.#opening.has(name) || this.#store.get(new LogKeys(id).identity);
    if (stored) this.open(id, (log) => log.delete(done));
    else this.#runtime.clock.after(0, done);
  }

  checkpointHighWatermarks(entries: ReadonlyMap<LogId, Offset>, done: () => void): void {
    const ops: StoreOp[] = [];
    for (const [id, highWatermark] of entries) {
      if (this.#open.has(nameOf(id))) ops.push(highWatermarkOp(new LogKeys(id), highWatermark));
    }
    this.#checkpoint(ops, true, done);
  }

  checkpointOffsets(done: () => void): void {
    const ops = [...this.#open.values()].flatMap(({ log }) => log.checkpointOps());
    this.#checkpoint(ops, false, done);
  }

  closeCleanly(brokerEpoch: BrokerEpoch, done: () => void): void {
    const flushed = () => {
      const ops = [...this.#open.values()].map(({ id, log }) => highWatermarkOp(new LogKeys(id), log.highWatermark));
      this.#allLoaded((allLoaded) => {
        const marker: StoreOp = { type: 'put', key: factKey('clean'), value: Buffer.from(String(brokerEpoch)) };
        // Without the marker the logs that were never looked at are verified by the next start (repl R-109).
        this.#checkpoint(this.#clean || allLoaded ? [...ops, marker] : ops, true, done);
      });
    };
    let left = this.#open.size;
    if (left === 0) return flushed();
    for (const { log } of [...this.#open.values()]) {
      log.close(() => {
        if (--left === 0) flushed();
      });
    }
  }

  #allLoaded(answer: (allLoaded: boolean) => void): void {
    this.stored((ids) => answer(ids.map(nameOf).every((name) => this.#open.has(name) || this.#aside.has(name))));
  }

  #checkpoint(ops: readonly StoreOp[], sync: boolean, done: () => void): void {
    if (ops.length === 0) this.#runtime.clock.after(0, done);
    else this.#store.write(ops, { sync }, done);
  }
}

function nameOf(id: LogId): string {
  return `${id.topicId}-${id.partition}`;
}

function highWatermarkOp(keys: LogKeys, highWatermark: Offset): StoreOp {
  return { type: 'put', key: keys.highWatermark, value: encodeOffset(highWatermark) };
}
