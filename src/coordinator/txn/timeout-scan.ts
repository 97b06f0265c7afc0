// Ends transactions that have lasted too long (txn T-34): the owner is fenced and the transaction aborted, as a successor
// would do it.
import type { CoordinatorHost } from '../host.ts';
import { hasTimedOut } from './deadlines.ts';
import { decideFence } from './decide-fence.ts';
import type { TransactionEntry } from './metadata.ts';
import { transactionFields } from './shard.ts';
import type { TransactionShard } from './shard.ts';
import type { Transactor } from './transactor.ts';

export class TimeoutScan {
  readonly #host: CoordinatorHost;
  readonly #transactor: Transactor;
  readonly #shards: () => Iterable<TransactionShard>;
  /** Those that a fault holds between being found and being fenced. */
  readonly #found = new Set<TransactionEntry>();

  constructor(host: CoordinatorHost, transactor: Transactor, shards: () => Iterable<TransactionShard>) {
    this.#host = host;
    this.#transactor = transactor;
    this.#shards = shards;
  }

  /** Looks at all of them once. */
  scan(): void {
    if (!this.#host.runtime.safeguard('txn.timeout')) return;
    const nowMs = this.#host.runtime.clock.wallTime();
    for (const shard of [...this.#shards()]) {
      for (const entry of [...shard.entries.values()]) {
        if (hasTimedOut(entry, nowMs) && !this.#found.has(entry)) this.#end(shard, entry);
      }
    }
  }

  #end(shard: TransactionShard, entry: TransactionEntry): void {
    const { runtime } = this.#host;
    this.#found.add(entry);
    runtime.faults.reach('txn.timeout', transactionFields(shard, entry.metadata), () => {
      this.#found.delete(entry);
      if (!shard.holds(entry) || !hasTimedOut(entry, runtime.clock.wallTime())) return;
      this.#transactor.carryOut({ shard, entry, respond: () => undefined }, decideFence(entry, 'timeout'));
    });
  }
}
