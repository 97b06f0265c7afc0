// Forgets ids that nobody has used for long (txn T-32): tombstones, many in a batch. Until one is durable its id is there,
// with Dead pending.
import { assert } from '../../base/assert.ts';
import type { Offset } from '../../base/units.ts';
import type { CorePoint, RecordPhase } from '../../fault/points.ts';
import { encodeBatch, sizeOfRecord } from '../../log/encode-batch.ts';
import { BATCH_HEADER_BYTES } from '../../protocol/batch-header.ts';
import type { CoordinatorHost } from '../host.ts';
import { isExpired } from './deadlines.ts';
import type { TransactionEntry } from './metadata.ts';
import { encodeKey } from './record-codec.ts';
import { ofShard, transactionFields } from './shard.ts';
import type { TransactionShard } from './shard.ts';

/** Ids on their way out; `epoch` of each is that of its producer when it was found (txn T-32). */
interface Batch {
  readonly shard: TransactionShard;
  readonly dead: readonly { readonly entry: TransactionEntry; readonly epoch: number }[];
}

export class ExpiryScan {
  readonly #host: CoordinatorHost;
  readonly #shards: () => Iterable<TransactionShard>;

  constructor(host: CoordinatorHost, shards: () => Iterable<TransactionShard>) {
    this.#host = host;
    this.#shards = shards;
  }

  /** Looks at all of them once. */
  scan(): void {
    const { config, runtime } = this.#host;
    const nowMs = runtime.clock.wallTime();
    for (const shard of [...this.#shards()]) {
      const expired = [...shard.entries.values()].filter((entry) => {
        return isExpired(entry, nowMs, config['transactional.id.expiration.ms']);
      });
      for (const entry of expired) entry.pendingState = 'Dead';
      for (const dead of this.#packed(expired)) {
        const batch = { shard, dead: dead.map((entry) => ({ entry, epoch: entry.metadata.producerEpoch })) };
        this.#reach(batch, 'deciding', () => this.#append(batch));
      }
    }
  }

  /** As many as fit into one batch each. */
  #packed(expired: readonly TransactionEntry[]): readonly TransactionEntry[][] {
    const batches: TransactionEntry[][] = [];
    let sizeBytes = 0;
    for (const entry of expired) {
      const recordBytes = sizeOfRecord(tombstone(entry), expired.length, 0);
      const last = batches.at(-1);
      if (last === undefined || sizeBytes + recordBytes > this.#host.config['message.max.bytes']) {
        batches.push([entry]);
        sizeBytes = BATCH_HEADER_BYTES + recordBytes;
      } else {
        last.push(entry);
        sizeBytes += recordBytes;
      }
    }
    return batches;
  }

  #append(batch: Batch): void {
    const { shard, dead } = batch;
    if (!shard.alive) return;
    const timestamp = this.#host.runtime.clock.wallTime();
    const records = dead.map(({ entry }) => ({ ...tombstone(entry), timestamp }));
    const options = { refuseBelowMinIsr: true, timeoutMs: this.#host.config['request.timeout.ms'] };
    this.#host.write(shard, encodeBatch(records), options, {
      appended: (info, proceed) => {
        this.#trace(batch, 'appended', info.baseOffset);
        this.#reach(batch, 'appended', proceed);
      },
      committed: (info) => this.#reach(batch, 'durable', () => this.#remove(batch, info.baseOffset)),
      failed: () => {
        for (const { entry } of dead) if (shard.holds(entry)) entry.pendingState = undefined;
      },
    });
  }

  #remove(batch: Batch, baseOffset: Offset): void {
    const { shard, dead } = batch;
    if (!shard.alive) return;
    this.#trace(batch, 'applied', baseOffset);
    for (const { entry, epoch } of dead) {
      const { transactionalId, producerEpoch } = entry.metadata;
      assert(entry.pendingState === 'Dead' && producerEpoch === epoch, `txn T-32: ${transactionalId} is in use again`);
      shard.entries.delete(transactionalId);
    }
  }

  /** The step of every id of the batch, one after the other: to hold one is to hold the batch. */
  #reach(batch: Batch, phase: RecordPhase, proceed: () => void, at = 0): void {
    const next = batch.dead[at];
    if (next === undefined) return proceed();
    const fields = transactionFields(batch.shard, next.entry.metadata);
    const point: CorePoint = `txn.expire.${phase}`;
    this.#host.runtime.faults.reach(point, fields, () => this.#reach(batch, phase, proceed, at + 1));
  }

  #trace({ shard, dead }: Batch, phase: 'appended' | 'applied', baseOffset: Offset): void {
    dead.forEach(({ entry }, i) => {
      const { transactionalId } = entry.metadata;
      const offset = baseOffset + i;
      const record = { type: 'txn.record', ...ofShard(shard), phase, offset, transactionalId, record: null } as const;
      this.#host.runtime.trace(record);
    });
  }
}

function tombstone({ metadata }: TransactionEntry) {
  return { timestamp: 0, key: encodeKey(metadata.transactionalId), value: null };
}
