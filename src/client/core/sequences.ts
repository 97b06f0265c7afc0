// Numbers the batches of an idempotent producer, partition by partition, and decides what a failed one does to those behind
// it (txn T-160 to T-163): go on, wait until it is known what became of it, begin anew in another epoch, or, in a transaction,
// close the gap and leave the rest to its abort. Sends nothing.
import { formatPartition } from '../../base/units.ts';
import type { Offset } from '../../base/units.ts';
import { NO_SEQUENCE, nextSequence, sequenceAfter, sequenceBefore } from '../../log/producer-entry.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { ProducerBatch } from './producer-batch.ts';
import type { Identity } from './producer-identity.ts';

/** The sequences of one partition. */
interface PartitionSequences {
  /** Whose sequences they are. */
  identity: Identity;
  next: number;
  lastAcked: number;
  /** Of the last record that was acknowledged; -1 none. */
  lastAckedOffset: Offset;
  /** Numbered and not settled, in order; on the wire or waiting for a retry. */
  readonly inFlight: ProducerBatch[];
  /** A batch that may be in the log was given up: the sequence behind the last such batch (txn T-163). */
  unresolvedAt: number | undefined;
}

const NOTHING_ACKED = { lastAcked: NO_SEQUENCE, lastAckedOffset: -1 };

/** Half the range: of two sequences, the later one is less than this ahead. */
const HALF_RANGE = 0x4000_0000;

/** Whose sequences they are, and what is done about a partition that cannot go on. */
export interface SequenceOwner {
  /** Undefined: nobody, so nothing leaves. */
  readonly current: Identity | undefined;
  /** Takes another epoch, at once or in time. Undefined: epochs belong to transactions (txn T-158). */
  readonly bump?: () => void;
  /** The transaction at hand cannot be completed (txn T-163). */
  readonly unresolved?: () => void;
}

export class Sequences {
  readonly #owner: SequenceOwner;
  readonly #leavesUnresolved: () => boolean;
  readonly #partitions = new Map<string, PartitionSequences>();
  /** To be numbered from 0 in another epoch. */
  readonly #restarting = new Set<PartitionSequences>();
  /** The epoch for them is raised, or its new producer id is on its way. */
  #bumped = false;

  /** `leavesUnresolved` false: a client with a bug (seq.unresolved). */
  constructor(owner: SequenceOwner, leavesUnresolved: () => boolean = () => true) {
    this.#owner = owner;
    this.#leavesUnresolved = leavesUnresolved;
  }

  /** All sequences begin anew: the owner has another identity (txn T-191). Nothing is under way then. */
  reset(): void {
    this.#partitions.clear();
  }

  get #inTransactions(): boolean {
    return this.#owner.bump === undefined;
  }

  /** To be called before batches are taken: ends what is unresolved and raises the epoch if that is due. */
  resolve(): void {
    for (const of of this.#partitions.values()) {
      if (of.unresolvedAt === undefined || of.inFlight.length > 0) continue;
      of.unresolvedAt = undefined;
      if (isNext(of, of.next)) continue;
      if (this.#inTransactions) this.#owner.unresolved?.();
      else this.#restarting.add(of);
    }
    if (this.#restarting.size === 0) return;
    if (!this.#bumped) this.#owner.bump?.();
    this.#bumped = true;
    const { current } = this.#owner;
    if (current === undefined) return;
    for (const of of this.#restarting) restart(of, current);
    this.#restarting.clear();
    this.#bumped = false;
  }

  /** Whether this batch, the oldest that waits in its partition, may leave now (txn T-160, T-161, T-163). */
  mayLeave(batch: ProducerBatch): boolean {
    const { current } = this.#owner;
    if (current === undefined) return false;
    const of = this.#partitions.get(nameOf(batch));
    if (of === undefined) return true;
    if (batch.isNumbered) return of.inFlight[0] === batch;
    return of.unresolvedAt === undefined && (of.inFlight.length === 0 || of.identity === current);
  }

  /** Numbers a batch that leaves for the first time. A retry keeps its numbers. */
  assign(batch: ProducerBatch): void {
    if (batch.isNumbered) return;
    const identity = this.#owner.current!;
    let of = this.#partitions.get(nameOf(batch));
    if (of === undefined) {
      of = { ...{ identity, next: 0, inFlight: [], unresolvedAt: undefined }, ...NOTHING_ACKED };
      this.#partitions.set(nameOf(batch), of);
    } else if (of.identity !== identity) restart(of, identity);
    batch.number(identity, of.next);
    of.next = sequenceAfter(of.next, batch.records.length);
    of.inFlight.push(batch);
  }

  /** Whether a batch whose attempt failed with this error is sent again. May raise the epoch at the next `resolve`. */
  mayRetry(batch: ProducerBatch, error: ErrorName, logStartOffset: number): boolean {
    const of = this.#partitions.get(nameOf(batch))!;
    if (this.#inTransactions) return mayRetryInTransaction(of, batch, error, logStartOffset);
    switch (error) {
      case 'UNKNOWN_PRODUCER_ID':
        if (logStartOffset !== -1 && !batch.isRenumbered) this.#restarting.add(of);
        return true;
      case 'OUT_OF_ORDER_SEQUENCE_NUMBER':
        // Only the batch that was to be next shows a gap; the others wait for it.
        if (of.unresolvedAt === undefined) {
          if (!batch.isRenumbered && isNext(of, batch.baseSequence)) this.#restarting.add(of);
        } else if (of.unresolvedAt === batch.baseSequence) this.#restarting.add(of);
        return true;
      default:
        return ERRORS[error].retriable;
    }
  }

  /** The batch is in the log, though perhaps given up before that was known. */
  succeeded(batch: ProducerBatch, baseOffset: Offset): void {
    const of = this.#remove(batch);
    if (of === undefined || of.identity !== batch.identity) return;
    const last = lastSequenceOf(batch);
    if (of.lastAcked === NO_SEQUENCE || isLater(last, of.lastAcked)) of.lastAcked = last;
    if (baseOffset >= 0) of.lastAckedOffset = Math.max(of.lastAckedOffset, baseOffset + batch.records.length - 1);
  }

  /** No more attempts, and no attempt was accepted: there is a gap (txn T-162). */
  rejected(batch: ProducerBatch): void {
    const of = this.#remove(batch);
    if (of === undefined || of.identity !== batch.identity) return;
    if (this.#inTransactions) closeGap(of, batch);
    else this.#restarting.add(of);
  }

  /** No more attempts, and what became of them is not known (txn T-163). */
  abandoned(batch: ProducerBatch): void {
    const of = this.#remove(batch);
    if (of === undefined) return;
    if (this.#leavesUnresolved()) of.unresolvedAt = sequenceAfter(lastSequenceOf(batch), 1);
    else of.next = batch.baseSequence;
  }

  #remove(batch: ProducerBatch): PartitionSequences | undefined {
    if (!batch.isNumbered) return undefined;
    const of = this.#partitions.get(nameOf(batch));
    const at = of?.inFlight.indexOf(batch) ?? -1;
    if (at >= 0) of!.inFlight.splice(at, 1);
    return of;
  }
}

/** Numbers everything that is not settled from 0 (txn T-161, T-162). */
function restart(of: PartitionSequences, identity: Identity): void {
  of.identity = identity;
  of.next = 0;
  Object.assign(of, NOTHING_ACKED);
  of.unresolvedAt = undefined;
  for (const batch of of.inFlight) {
    batch.number(identity, of.next);
    of.next = sequenceAfter(of.next, batch.records.length);
  }
}

/** Txn T-160 to T-163 and the row of Produce in txn 7.2: whether the transaction can still be completed. */
function mayRetryInTransaction(
  of: PartitionSequences,
  batch: ProducerBatch,
  error: ErrorName,
  logStartOffset: Offset,
): boolean {
  switch (error) {
    case 'UNKNOWN_PRODUCER_ID':
      if (logStartOffset === -1 || batch.isRenumbered) return true;
      // The head of the log was deleted, and the broker's memory of the producer with it: nothing was lost.
      if (of.lastAckedOffset >= logStartOffset) return false;
      restart(of, of.identity);
      return true;
    case 'OUT_OF_ORDER_SEQUENCE_NUMBER':
      return of.unresolvedAt === undefined && (batch.isRenumbered || !isNext(of, batch.baseSequence));
    default:
      return ERRORS[error].retriable;
  }
}

/** The batch will never be there: those behind it take its place (txn T-162). */
function closeGap(of: PartitionSequences, batch: ProducerBatch): void {
  const { baseSequence, records } = batch;
  for (const later of of.inFlight) {
    if (isLater(later.baseSequence, baseSequence)) {
      later.number(of.identity, sequenceBefore(later.baseSequence, records.length));
    }
  }
  of.next = sequenceBefore(of.next, records.length);
}

function isNext(of: PartitionSequences, sequence: number): boolean {
  return nextSequence(of.lastAcked) === sequence;
}

function isLater(a: number, b: number): boolean {
  const ahead = a - b;
  return ahead >= 0 ? ahead < HALF_RANGE : ahead < -HALF_RANGE;
}

function lastSequenceOf(batch: ProducerBatch): number {
  return sequenceAfter(batch.baseSequence, batch.records.length - 1);
}

function nameOf({ topic, partition }: ProducerBatch): string {
  return formatPartition(topic, partition);
}
