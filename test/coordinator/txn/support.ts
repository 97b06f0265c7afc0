// A coordinator of one id without a log: writes are durable at once, unless a test says otherwise; a failover is what the
// codec keeps of the last record. Schedules of requests are pure calls.
import { decideAdd } from '../../../src/coordinator/txn/decide-add.ts';
import { decideEnd } from '../../../src/coordinator/txn/decide-end.ts';
import { decideFence, decideFencedAbort } from '../../../src/coordinator/txn/decide-fence.ts';
import { decideInit } from '../../../src/coordinator/txn/decide-init.ts';
import { answer } from '../../../src/coordinator/txn/decision.ts';
import type { Circumstances, Decision, Identity, Reply, Write } from '../../../src/coordinator/txn/decision.ts';
import { loadedEntry, newEntry } from '../../../src/coordinator/txn/metadata.ts';
import type { TransactionEntry, TransactionMetadata } from '../../../src/coordinator/txn/metadata.ts';
import { decideComplete, recheckPrepared } from '../../../src/coordinator/txn/prepare.ts';
import { decodeRecord, encodeKey, encodeValue } from '../../../src/coordinator/txn/record-codec.ts';
import type { IdentityField } from '../../../src/coordinator/txn/record-codec.ts';
import {
  applyWrite,
  beginFence,
  beginWrite,
  cancelFence,
  failWrite,
} from '../../../src/coordinator/txn/transitions.ts';
import type { TopicPartition } from '../../../src/base/units.ts';
import type { Safeguard } from '../../../src/fault/safeguards.ts';

export const ID = 'transfers';
export const P = 40;
export const A0: TopicPartition = { topic: 'a', partition: 0 };
export const B1: TopicPartition = { topic: 'b', partition: 1 };
export const MAX_EPOCH = 32766;

/** An id at (40, 5) in state Empty, but for `over`. */
export function metadata(over: Partial<TransactionMetadata> = {}): TransactionMetadata {
  const open = over.state !== undefined && over.state !== 'Empty';
  return {
    transactionalId: ID,
    producerId: P,
    previousProducerId: P,
    nextProducerId: -1,
    producerEpoch: 5,
    lastProducerEpoch: -1,
    timeoutMs: 60_000,
    state: 'Empty',
    partitions: over.state === 'Ongoing' || over.state?.startsWith('Prepare') === true ? [A0] : [],
    startTimeMs: open ? 900 : -1,
    lastUpdateMs: 950,
    clientTransactionVersion: 0,
    ...over,
  };
}

/** An entry in that state, nothing pending. */
export const entry = (over: Partial<TransactionMetadata> = {}): TransactionEntry => loadedEntry(metadata(over));

/** Time 1000, level 2, ids from 100, everything protected, but for `over`. */
export function circumstances(
  over: Partial<Circumstances> & { readonly off?: readonly Safeguard[] } = {},
): Circumstances {
  let next = 100;
  const { off = [], ...rest } = over;
  return {
    nowMs: 1000,
    level: 2,
    takeProducerId: () => next++,
    safeguard: (name) => !off.includes(name),
    ...rest,
  };
}

/** What a decision comes to, in one line: an error, or the state written with its identity. */
export function summary(decision: Decision): string {
  switch (decision.kind) {
    case 'answer':
      return decision.reply.error;
    case 'fence':
      return `fence at ${decision.epoch}`;
    case 'write':
      return `${decision.target.state} (${decision.target.producerId}, ${decision.target.producerEpoch})`;
  }
}

/** The write of a decision that must be one. */
export function written(decision: Decision): Write {
  if (decision.kind !== 'write') throw new Error(`no write: ${summary(decision)}`);
  return decision;
}

/** Runs requests against one id. `fail` answers whether the next append fails. */
export class OneId {
  entry: TransactionEntry | undefined;
  /** Every record that became durable. */
  readonly log: TransactionMetadata[] = [];
  readonly taken: number[] = [];
  nowMs = 1000;
  level: number;
  appendFails = false;
  /** Durable decisions stay in PrepareX until `complete`. */
  markersHeld = false;
  readonly off: readonly Safeguard[];
  readonly without: readonly IdentityField[];

  constructor(of: { level?: number; off?: readonly Safeguard[]; without?: readonly IdentityField[] } = {}) {
    this.level = of.level ?? 2;
    this.off = of.off ?? [];
    this.without = of.without ?? [];
  }

  get stored(): TransactionMetadata {
    return this.entry!.metadata;
  }

  circumstances(): Circumstances {
    return circumstances({
      nowMs: this.nowMs,
      level: this.level,
      off: this.off,
      takeProducerId: () => {
        const id = P + this.taken.length;
        this.taken.push(id);
        return id;
      },
    });
  }

  init(expected?: Identity, timeoutMs = 60_000): Reply {
    const circumstances = this.circumstances();
    this.entry ??= newEntry({
      transactionalId: ID,
      producerId: circumstances.takeProducerId()!,
      timeoutMs,
      nowMs: this.nowMs,
    });
    return this.#run(decideInit(this.entry, { timeoutMs, expected }, circumstances));
  }

  add(by: Identity, partition: TopicPartition = A0, transactionVersion = this.level): Reply {
    const request = { ...by, partitions: [partition], transactionVersion, point: 'txn.add-partitions' } as const;
    return this.#run(decideAdd(this.entry, request, this.circumstances()));
  }

  end(by: Identity, outcome: 'commit' | 'abort', transactionVersion = this.level): Reply {
    const request = { ...by, committed: outcome === 'commit', transactionVersion };
    return this.#run(decideEnd(this.entry, request, this.circumstances()));
  }

  timeOut(): Reply {
    return this.#run(decideFence(this.entry!, 'timeout'));
  }

  /** All markers are written. */
  complete(): void {
    const write = decideComplete(this.stored, this.nowMs);
    // Pending since the decision, or since the load.
    this.entry!.pendingState = undefined;
    beginWrite(this.entry!, write);
    this.#durable(write);
  }

  /** Another broker loads what the log says. */
  failover(): void {
    const last = this.log.at(-1);
    if (last === undefined) {
      this.entry = undefined;
      return;
    }
    const value = encodeValue(last, { level: this.level, without: this.without });
    const record = decodeRecord(encodeKey(ID), value);
    if (record.kind !== 'metadata') throw new Error(record.kind);
    this.entry = loadedEntry(record.metadata);
    if (this.stored.state.startsWith('Prepare')) this.#markersQueued();
  }

  /** A tombstone. */
  expire(): void {
    this.entry = undefined;
  }

  #run(decision: Decision): Reply {
    if (decision.kind === 'answer') return decision.reply;
    const entry = this.entry!;
    if (decision.kind === 'fence') {
      beginFence(entry);
      const abort = decideFencedAbort(entry, decision, this.circumstances());
      if (abort.kind === 'answer') cancelFence(entry);
      return this.#run(abort);
    }
    beginWrite(entry, decision);
    if (this.appendFails) {
      failWrite(entry, decision);
      return answer('COORDINATOR_NOT_AVAILABLE').reply;
    }
    this.#durable(decision);
    if (decision.prepare === undefined) return decision.reply;
    const error = recheckPrepared(entry, decision.prepare);
    if (error !== 'NONE') return answer(error).reply;
    this.#markersQueued();
    return decision.reply;
  }

  #markersQueued(): void {
    if (this.markersHeld) this.entry!.pendingState = decideComplete(this.stored, this.nowMs).target.state;
    else this.complete();
  }

  #durable(write: Write): void {
    applyWrite(this.entry!, write);
    this.log.push(write.target);
  }
}

/** An identity, short. */
export const at = (producerEpoch: number, producerId = P): Identity => ({ producerId, producerEpoch });
