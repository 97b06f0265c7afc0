// Writes high watermarks and flushed offsets down from time to time (repl ). Begins only when all partitions of
// the first metadata image are known: earlier, it would write a partial set (T-25).
import type { Offset } from '../base/units.ts';
import type { LogId, LogManager } from '../log/manager-api.ts';
import type { NodeContext } from './context.ts';
import type { Replicas } from './replicas.ts';

export class Checkpoints {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  readonly #logs: LogManager;
  #stopped = false;

  constructor(context: NodeContext, replicas: Replicas, logs: LogManager) {
    this.#context = context;
    this.#replicas = replicas;
    this.#logs = logs;
  }

  start(): void {
    const { config } = this.#context;
    const highWatermarksMs = config['replica.high.watermark.checkpoint.interval.ms'];
    this.#repeat(highWatermarksMs, (done) => this.writeHighWatermarks(done));
    this.#repeat(config['log.flush.offset.checkpoint.interval.ms'], (done) => this.#logs.checkpointOffsets(done));
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Of all hosted partitions in one go; also at a clean shutdown. */
  writeHighWatermarks(done: () => void): void {
    const entries = new Map<LogId, Offset>();
    for (const replica of this.#replicas) entries.set(replica.name, replica.log.highWatermark);
    this.#logs.checkpointHighWatermarks(entries, done);
  }

  #repeat(intervalMs: number, write: (done: () => void) => void): void {
    this.#context.runtime.clock.after(intervalMs, () => {
      if (!this.#stopped) write(() => this.#repeat(intervalMs, write));
    });
  }
}
