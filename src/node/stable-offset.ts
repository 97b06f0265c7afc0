// Tells when the last stable offset of one replica moves, or what it follows from (txn T-125 to T-132). The log knows it;
// here is only what was told last. Partitions without transactions say nothing in the trace: their last stable offset is the
// high watermark.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { PartitionLog } from '../log/api.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { PartitionName } from './context.ts';

const NONE = -1;

export class StableOffset {
  readonly #runtime: Pick<Runtime, 'trace' | 'faults'>;
  readonly #name: PartitionName;
  readonly #log: PartitionLog;
  #lastStableOffset: Offset;
  #firstUnstableOffset: Offset = NONE;

  constructor(runtime: Pick<Runtime, 'trace' | 'faults'>, name: PartitionName, log: PartitionLog) {
    this.#runtime = runtime;
    this.#name = name;
    this.#log = log;
    this.#lastStableOffset = log.lastStableOffset;
  }

  /** Something happened to the log. */
  look(role: 'leader' | 'follower', leaderEpoch: LeaderEpoch): void {
    const log = this.#log;
    const [from, wasUnstable] = [this.#lastStableOffset, this.#firstUnstableOffset];
    const to = log.lastStableOffset;
    const firstUnstableOffset = log.firstUnstableOffset ?? NONE;
    if (to === from && firstUnstableOffset === wasUnstable) return;
    this.#lastStableOffset = to;
    this.#firstUnstableOffset = firstUnstableOffset;
    if (firstUnstableOffset !== NONE || wasUnstable !== NONE) {
      const { highWatermark, logEndOffset } = log;
      const ends = { from, to, highWatermark, logEndOffset, firstUnstableOffset };
      this.#runtime.trace({ type: 'lso', ...this.#name, leaderEpoch, ...ends });
    }
    if (to <= from) return;
    const { topic, partition } = this.#name;
    this.#runtime.faults.observe('replica.lso.advanced', { offset: to, role, topic, partition, leaderEpoch });
  }
}
