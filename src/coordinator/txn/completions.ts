// Brings decided transactions to their end (txn T-19, T-26, T-88): markers to all partitions, then CompleteX, which is tried
// until it is written or the shard is lost (txn T-22).
import { formatPartition } from '../../base/units.ts';
import type { Timer } from '../../runtime/ports.ts';
import type { CoordinatorHost } from '../host.ts';
import { failedCompletion } from './append-error.ts';
import { backoffMs } from './backoff.ts';
import { beginCompletion, isLive, settlePartition } from './completion.ts';
import type { Completion } from './completion.ts';
import { MarkerSender } from './marker-sender.ts';
import type { TransactionEntry } from './metadata.ts';
import type { TransactionShard } from './shard.ts';
import { writeRecord } from './write-record.ts';

export class Completions {
  readonly #host: CoordinatorHost;
  readonly #sender: MarkerSender;
  /** Of shards that are loaded, and not resumed yet (txn T-26). */
  readonly #loaded = new Map<TransactionShard, readonly Completion[]>();
  readonly #timers = new Set<Timer>();

  constructor(host: CoordinatorHost) {
    this.#host = host;
    this.#sender = new MarkerSender(host, {
      acked: settlePartition,
      settled: (completion, partition) => {
        settlePartition(completion, partition);
        if (completion.entry.metadata.partitions.length === 0) this.#complete(completion, 0);
      },
      refused: (completion, partition, error) => {
        completion.givenUp = true;
        const where = formatPartition(partition.topic, partition.partition);
        const message = `txn W-12: ${where} refuses the marker of ${completion.marker.transactionalId}: ${error}`;
        host.runtime.trace({ type: 'log.line', level: 'warn', message });
      },
    });
  }

  /** The decision of this id has just come in force (txn T-19). `start` sends its markers. */
  begin(shard: TransactionShard, entry: TransactionEntry): Completion {
    const { clock } = this.#host.runtime;
    return beginCompletion(shard, entry, clock.wallTime(), this.#host.runtime.safeguard('txn.pendingCas'));
  }

  /** Sends the markers, or ends at once what has registered no partition. */
  start(completion: Completion): void {
    if (!isLive(completion)) return;
    if (completion.entry.metadata.partitions.length > 0) this.#sender.send(completion);
    else this.#complete(completion, 0);
  }

  /** A shard was loaded: what it has decided is pending from now on. Returns how many. */
  installed(shard: TransactionShard): number {
    const decided = [...shard.entries.values()].filter(({ metadata: { state } }) => {
      return state === 'PrepareCommit' || state === 'PrepareAbort';
    });
    // Its `holds` needs the shard's entries only: they are in place.
    this.#loaded.set(
      shard,
      decided.map((entry) => this.begin(shard, entry)),
    );
    return decided.length;
  }

  /** All markers again, to all partitions: the log does not know which have theirs (txn T-16, T-26). */
  resume(shard: TransactionShard): void {
    const completions = this.#loaded.get(shard) ?? [];
    this.#loaded.delete(shard);
    for (const completion of completions) {
      if (this.#host.runtime.safeguard('txn.markerRetry')) this.start(completion);
      else this.#complete(completion, 0);
    }
  }

  /** A shard was lost (txn T-30). */
  lost(shard: TransactionShard): void {
    this.#loaded.delete(shard);
    this.#sender.sweep();
  }

  /** Leaders have changed, or topics are gone (txn T-82, T-83). */
  metadataChanged(): void {
    this.#sender.loop();
  }

  stop(): void {
    this.#sender.stop();
    for (const timer of this.#timers) timer.cancel();
  }

  #complete(completion: Completion, failures: number): void {
    const { shard, entry, write, marker } = completion;
    writeRecord(this.#host, { shard, entry, write, fields: { outcome: marker.outcome } }, (error) => {
      if (error === 'NONE' || !isLive(completion)) return;
      switch (failedCompletion(error)) {
        case 'retry': {
          const timer = this.#host.runtime.clock.after(backoffMs(failures), () => {
            this.#timers.delete(timer);
            if (isLive(completion)) this.#complete(completion, failures + 1);
          });
          this.#timers.add(timer);
          return;
        }
        case 'drop':
          return;
        case 'fatal':
          this.#host.runtime.halt(`txn T-22: the end of ${marker.transactionalId} cannot be written: ${error}`);
      }
    });
  }
}
