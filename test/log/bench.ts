// One node's log directory in a test: a store under control, recorded events, and short words for common steps.
import { assert } from '../../src/base/assert.ts';
import type { AppendInfo, AppendRefusal, PartitionLog } from '../../src/log/api.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import type { BatchFields } from '../../src/log/encode-batch.ts';
import { createLogManager } from '../../src/log/log-manager.ts';
import type { LogManagerOptions } from '../../src/log/log-manager.ts';
import type { Found, LogId, LogManager } from '../../src/log/manager-api.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { nodeConfig, topicConfig } from '../../src/protocol/config.ts';
import type { TopicConfig } from '../../src/protocol/config.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import { NO_FAULTS } from '../../src/fault/reach.ts';
import type { Network, Random, Runtime } from '../../src/runtime/ports.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { MemoryStore } from './memory-store.ts';
import type { Disk } from './memory-store.ts';

export const ORDERS: LogId = { topic: 'orders', topicId: 'AAAAAAAAAAAAAAAAAAAAAA', partition: 0 };
/** The broker's wall clock in these tests. */
export const NOW = 1_700_000_000_000;
/** More bytes than any test has. */
export const ALL = 1 << 30;

export type OpenedEvent = Extract<TraceEvent, { type: 'log.opened' }>;

/** Topic settings, with overrides. */
export function settings(overrides: Partial<TopicConfig> = {}): TopicConfig {
  return { ...topicConfig(nodeConfig(), new Map()), ...overrides };
}

export interface BenchOptions extends Partial<LogManagerOptions> {
  readonly disk?: Disk;
}

/** A process of node 1 on a disk. */
export class Bench {
  readonly store: MemoryStore;
  readonly events: TraceEvent[] = [];
  readonly manager: LogManager;
  halted: string | undefined = undefined;
  found: Found | undefined = undefined;
  /** The broker's wall clock. */
  now = NOW;
  /** Safeguards that are switched off. */
  readonly off = new Set<Safeguard>();
  readonly #later: (() => void)[] = [];

  constructor(options: BenchOptions = {}) {
    this.store = new MemoryStore(options.disk);
    this.manager = createLogManager(this.#runtime(), { config: nodeConfig(), nodeId: 1, ...options });
    this.manager.start((found) => (this.found = found));
    this.settle();
  }

  /** The log of `id`, opened. */
  open(id: LogId = ORDERS): PartitionLog {
    let opened: PartitionLog | undefined;
    this.manager.open(id, (log) => (opened = log));
    this.settle();
    assert(opened !== undefined, 'repl R-110: a log opens');
    return opened;
  }

  /** Completes all that is under way. */
  settle(): void {
    while (this.store.pending > 0 || this.#later.length > 0) {
      this.store.settle();
      for (const run of this.#later.splice(0)) run();
    }
  }

  /** One write, or what waits for the clock if none is under way. */
  turn(): void {
    if (this.store.pending > 0) this.store.step();
    else for (const run of this.#later.splice(0)) run();
  }

  /** Runs an operation with a completion to its end. */
  run<T>(start: (done: (result: T) => void) => void): T | undefined {
    const results: T[] = [];
    const completions = () => results.length;
    start((value) => results.push(value));
    assert(completions() === 0, 'repl R-9: a completion is never called inside the call');
    this.settle();
    assert(completions() === 1, 'repl R-9: a completion comes once');
    return results[0];
  }

  /** kill -9: of the writes under way the first `applied` still reach the disk. */
  kill(applied = Infinity, options: BenchOptions = {}): Bench {
    return new Bench({ ...options, disk: this.store.kill(applied) });
  }

  ofType<T extends TraceEvent['type']>(type: T): Extract<TraceEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
  }

  get opened(): OpenedEvent {
    return this.ofType('log.opened').at(-1)!;
  }

  #runtime(): Runtime {
    return {
      node: 1,
      clock: {
        now: () => 0,
        wallTime: () => this.now,
        after: (_delay, run) => {
          this.#later.push(run);
          return { cancel: () => undefined };
        },
      },
      // Logs use neither.
      random: undefined as unknown as Random,
      network: undefined as unknown as Network,
      store: this.store,
      faults: NO_FAULTS,
      safeguard: (name) => !this.off.has(name),
      trace: (event) => this.events.push(event),
      halt: (reason) => (this.halted = reason),
    };
  }
}

/** A batch of `count` records of about `valueBytes` each, as a client sends it. */
export function batchOf(count: number, fields: BatchFields & { text?: string; timestamp?: number } = {}): Buffer {
  const records = Array.from({ length: count }, (_, i) => ({
    timestamp: (fields.timestamp ?? NOW) + i,
    key: Buffer.from(`k${i}`),
    value: Buffer.from(fields.text ?? `v${i}`),
  }));
  return encodeBatch(records, fields);
}

/** Base offsets and epochs of all batches of a log, read as a follower would. */
export function batchesOf(log: PartitionLog): [number, number][] {
  const { records } = log.read(log.logStartOffset, log.logEndOffset, ALL, true);
  return [...batchHeaders(records)].map(({ baseOffset, leaderEpoch }) => [baseOffset, leaderEpoch]);
}

/** A log with batches [0,3) [3,5) [5,9) in epochs 0, 0 and 2; high watermark 9, nothing flushed. */
export function threeBatches(options: BenchOptions = {}): { bench: Bench; log: PartitionLog } {
  const bench = new Bench(options);
  const log = bench.open();
  append(log, batchOf(3), 0);
  append(log, batchOf(2), 0);
  append(log, batchOf(4), 2);
  bench.settle();
  log.setHighWatermark(9);
  return { bench, log };
}

/** Appends as leader without waiting. */
export function append(
  log: PartitionLog,
  batch: Buffer,
  leaderEpoch = 0,
  config = settings(),
): { refusal: AppendRefusal | undefined; info: () => AppendInfo | undefined } {
  let info: AppendInfo | undefined;
  const refusal = log.appendAsLeader({ batch, leaderEpoch, now: NOW, config, origin: 'client' }, (appended) => {
    info = appended;
  });
  return { refusal, info: () => info };
}
