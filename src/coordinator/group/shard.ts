// One partition of __consumer_offsets while this broker leads it at one epoch (wire G-2): its steps run one after the other,
// an append is applied once it is in the local log (wire G-8), and whatever waits when the epoch ends is told so. What
// records and requests mean is known to the table and the offset store.
import { assert } from '../../base/assert.ts';
import type { LeaderEpoch, Offset } from '../../base/units.ts';
import type { AppendInfo } from '../../log/api.ts';
import { TRANSACTIONAL } from '../../log/attributes.ts';
import type { Marker } from '../../log/control-batch.ts';
import { encodeBatch } from '../../log/encode-batch.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Random } from '../../runtime/ports.ts';
import type { CoordinatorHost, Shard as ShardOfHost, WriteEvents, WriteOptions } from '../host.ts';
import type {
  AppliedRecord,
  GroupShard,
  OffsetEnvironment,
  OffsetState,
  ShardAppendEvents,
  ShardBatch,
} from './contract.ts';
import { keyVersion } from './group-record.ts';
import { Table } from './table.ts';

/** What a shard is made with. */
export interface ShardParts {
  readonly host: CoordinatorHost;
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
  /** Makes the ids of members. */
  readonly random: Random;
  readonly makeOffsets: (environment: OffsetEnvironment) => OffsetState;
  /** What the log says is not known any more: the shard must be read again. */
  readonly lost: () => void;
}

/** A step in the queue, and who hears that it will not run. */
interface Waiting {
  readonly step: () => void;
  readonly refuse: ((error: ErrorName) => void) | undefined;
}

export class Shard implements GroupShard {
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
  readonly groups: Table;
  readonly offsets: OffsetState;
  readonly host: CoordinatorHost;
  readonly random: Random;
  readonly #lost: () => void;
  readonly #place: ShardOfHost;
  #alive = true;
  /** Everything below was appended, and applied. */
  #appendedEnd: Offset = 0;
  #highWatermark: Offset = 0;
  #queue: Waiting[] = [];
  #running = false;
  /** An append is not in the local log yet: the next step must see its outcome. */
  #appending = false;
  /** Ends what waits for the high watermark, should the shard end first. */
  readonly #open = new Set<() => void>();

  constructor({ host, partition, coordinatorEpoch, random, makeOffsets, lost }: ShardParts) {
    this.host = host;
    this.partition = partition;
    this.coordinatorEpoch = coordinatorEpoch;
    this.random = random;
    this.#lost = lost;
    this.#place = { topic: '__consumer_offsets', partition, leaderEpoch: coordinatorEpoch };
    this.groups = new Table(this);
    this.offsets = makeOffsets({ host, partition, coordinatorEpoch, highWatermark: () => this.highWatermark });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get highWatermark(): Offset {
    // The log asked for is this epoch's or none: what a deposed leader is told of its successor never counts (BUG-15).
    const log = this.#alive ? this.host.log(this.#place) : undefined;
    if (log !== undefined) this.#highWatermark = log.highWatermark;
    return this.#highWatermark;
  }

  /** The log to be loaded; undefined once it is not this shard's any more. */
  log(): ReturnType<CoordinatorHost['log']> {
    return this.#alive ? this.host.log(this.#place) : undefined;
  }

  /** The log was read up to here: from now on records are written, not read. */
  loaded(endOffset: Offset): void {
    this.#appendedEnd = endOffset;
    this.groups.loaded();
    this.offsets.loaded();
  }

  enter(step: () => void, refuse?: (error: ErrorName) => void): void {
    if (!this.#alive) return refuse?.('NOT_COORDINATOR');
    this.#queue.push({ step, refuse });
    this.#drain();
  }

  append({ records, transaction }: ShardBatch, on: ShardAppendEvents): void {
    const fields =
      transaction === undefined
        ? {}
        : {
            ...{ attributes: TRANSACTIONAL, baseSequence: 0 },
            ...{ producerId: transaction.producerId, producerEpoch: transaction.producerEpoch },
          };
    const batch = encodeBatch(records, fields);
    const guard = transaction?.guard;
    const options = { ...this.#writeOptions(), ...(guard === undefined ? {} : { guard }) };
    const events = this.#track(on, ({ baseOffset }, applied) => {
      records.forEach(({ key, value }, i) => {
        assert(key !== null, 'wire 8.1: a record of __consumer_offsets has a key');
        this.apply({ offset: baseOffset + i, key, value }, transaction?.producerId);
      });
      applied();
    });
    this.host.write(this.#place, batch, options, events);
  }

  appendMarker(marker: Marker & { readonly transactionVersion: number }, on: ShardAppendEvents): void {
    const events = this.#track(on, ({ lastOffset }, applied) => this.#endTransaction(marker, lastOffset, applied));
    this.host.writeMarker(this.#place, marker, this.#writeOptions(), events);
  }

  /** Applies a marker, before anything that comes after it (wire G-46). */
  #endTransaction({ type: outcome, producerId }: Marker, offset: Offset, applied: () => void): void {
    const { partition, coordinatorEpoch } = this;
    const { faults } = this.host.runtime;
    const waits = this.host.runtime.safeguard('txn.markersBeforeAck');
    faults.reach('group.offsets.deciding', { partition, coordinatorEpoch, producerId, outcome }, () => {
      if (this.#alive) this.offsets.endTransaction(producerId, outcome, offset);
      if (waits) applied();
    });
    if (!waits) applied();
  }

  /** Applies one data record, appended or read again: in log order. */
  apply(record: AppliedRecord, producerId?: number): void {
    const version = keyVersion(record.key);
    if (version === 0 || version === 1) {
      const groupId = this.offsets.apply(record, producerId);
      if (groupId !== undefined) this.groups.offsetApplied(groupId, record.offset);
    } else this.groups.apply(record, version);
  }

  whenCommitted(done: (error: ErrorName) => void): void {
    const upTo = this.#appendedEnd;
    if (!this.#alive) return done('NOT_COORDINATOR');
    if (this.highWatermark >= upTo) return done('NONE');
    const settle = this.#wait(done);
    this.host.whenCommitted(this.#place, upTo, this.host.config['offsets.commit.timeout.ms'], settle);
  }

  /** Ends the shard: groups are dead, and everything that waits is answered NOT_COORDINATOR (wire G-7). */
  end(): void {
    if (!this.#alive) return;
    this.#alive = false;
    const [queue, open] = [this.#queue, [...this.#open]];
    this.#queue = [];
    this.groups.end();
    for (const give of open) give();
    for (const { refuse } of queue) refuse?.('NOT_COORDINATOR');
  }

  #writeOptions(): WriteOptions {
    return { refuseBelowMinIsr: false, timeoutMs: this.host.config['offsets.commit.timeout.ms'] };
  }

  /** Follows one write. Steps wait until it is in the local log and `apply` has made it count, or it has failed. */
  #track(on: ShardAppendEvents, apply: (info: AppendInfo, applied: () => void) => void): WriteEvents {
    assert(this.#running && !this.#appending, 'wire G-2: a shard appends within a step, and once');
    this.#appending = true;
    let appended = false;
    let committed: AppendInfo | undefined;
    const settle = this.#wait((error) => {
      if (committed !== undefined) on.committed(committed);
      else on.failed(error);
    });
    const release = (): void => {
      this.#appending = false;
      this.#drain();
    };
    return {
      appended: (info, proceed) => {
        if (!this.#alive) return proceed();
        appended = true;
        apply(info, () => {
          this.#appendedEnd = info.lastOffset + 1;
          if (on.appended === undefined) proceed();
          else on.appended(info, proceed);
          release();
        });
      },
      committed: (info) => {
        if (!this.#alive) return;
        committed = info;
        settle('NONE');
      },
      failed: (error, maybe) => {
        if (!this.#alive) return;
        settle(error);
        if (appended) return;
        // It may still reach the log, unapplied: what this shard knows is not what the log says any more.
        if (maybe) this.#lost();
        release();
      },
    };
  }

  /** A wait that ends once: by itself, or with the shard. */
  #wait(done: (error: ErrorName) => void): (error: ErrorName) => void {
    const finish = (error: ErrorName): void => {
      if (!this.#open.delete(give)) return;
      done(error);
    };
    const give = (): void => finish('NOT_COORDINATOR');
    this.#open.add(give);
    return finish;
  }

  #drain(): void {
    if (this.#running) return;
    this.#running = true;
    while (!this.#appending) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      next.step();
    }
    this.#running = false;
  }
}
