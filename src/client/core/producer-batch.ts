// A batch of one partition on its way, and what its attempts prove. An earlier attempt whose outcome is unknown makes the
// fate of all its records unknown, whatever the last answer says (repl R-17). Sends nothing itself.
import { assert } from '../../base/assert.ts';
import type { EpochMs, InstantMs, Offset, TopicPartition } from '../../base/units.ts';
import { TRANSACTIONAL } from '../../log/attributes.ts';
import { encodeBatch, sizeOfRecord, type BatchFields, type RecordData } from '../../log/encode-batch.ts';
import { BATCH_HEADER_BYTES } from '../../protocol/batch-header.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { RecordError } from '../../protocol/generated/index.ts';
import type { Identity } from './producer-identity.ts';
import type { AcknowledgedBy, SendResult } from './producer-record.ts';

/** A record on its way, and who waits for its fate. */
export interface PendingRecord {
  readonly data: RecordData;
  readonly done: (result: SendResult) => void;
}

/** Why an attempt, or the batch as a whole, failed. */
export interface BatchFailure {
  readonly error: ErrorName;
  readonly message: string;
  /** Records refused one by one. */
  readonly recordErrors?: readonly RecordError[];
}

export class ProducerBatch {
  readonly topic: string;
  readonly partition: number;
  /** Delivery timeout and linger count from here. */
  readonly createdAt: InstantMs;
  readonly records: PendingRecord[] = [];
  /** Place among the batches of its producer: the order in which they were begun. */
  readonly order: number;
  /** It belongs to a transaction. */
  readonly transactional: boolean;
  /** Takes no more records. */
  closed = false;
  /** Not before this time again. */
  retryAt: InstantMs = 0;
  #encoded: Buffer | undefined;
  #sizeBytes = BATCH_HEADER_BYTES;
  #attemptCount = 0;
  #unknownCount = 0;
  #lastFailure: BatchFailure | undefined;
  #settled = false;
  #numbers: { readonly identity: Identity; readonly baseSequence: number } | undefined;
  /** Its numbers changed since it was last sent, or ever. */
  #isRenumbered = false;
  #wasRenumbered = false;

  constructor(of: TopicPartition, order: number, createdAt: InstantMs, transactional = false) {
    this.topic = of.topic;
    this.partition = of.partition;
    this.order = order;
    this.createdAt = createdAt;
    this.transactional = transactional;
  }

  /** Bytes when encoded. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get attemptCount(): number {
    return this.#attemptCount;
  }

  /** Why the last attempt that was answered failed. */
  get lastFailure(): BatchFailure | undefined {
    return this.#lastFailure;
  }

  /** Its records know their fate; later answers change nothing. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Whether the record fits beside the others. A first record always does. */
  hasRoom(data: RecordData, maxBytes: number): boolean {
    return !this.closed && (this.records.length === 0 || this.#sizeBytes + this.#bytesOf(data) <= maxBytes);
  }

  add(pending: PendingRecord): void {
    assert(!this.closed, 'a closed batch takes no records');
    this.#sizeBytes += this.#bytesOf(pending.data);
    this.records.push(pending);
  }

  #bytesOf(data: RecordData): number {
    const baseTimestamp = this.records[0]?.data.timestamp ?? data.timestamp;
    return sizeOfRecord(data, this.records.length, data.timestamp - baseTimestamp);
  }

  /** Whether it has a sequence (txn T-160). */
  get isNumbered(): boolean {
    return this.#numbers !== undefined;
  }

  /** Whose sequence it has. */
  get identity(): Identity | undefined {
    return this.#numbers?.identity;
  }

  /** Its first sequence. */
  get baseSequence(): number {
    assert(this.#numbers !== undefined, 'txn T-160: a batch has a sequence once it has left');
    return this.#numbers.baseSequence;
  }

  /** Whether an attempt that is answered now had other numbers than the batch has. */
  get isRenumbered(): boolean {
    return this.#isRenumbered;
  }

  /** Gives it its sequence, or another one in another epoch (txn T-160, T-162). */
  number(identity: Identity, baseSequence: number): void {
    this.#isRenumbered = this.#wasRenumbered = this.#numbers !== undefined;
    this.#numbers = { identity, baseSequence };
    this.#encoded = undefined;
  }

  /** Its bytes. Every attempt sends the same ones, unless it was numbered anew. */
  encode(): Buffer {
    assert(this.closed, 'an open batch is not sent');
    this.#encoded ??= encodeBatch(
      this.records.map(({ data }) => data),
      this.#producerFields,
    );
    return this.#encoded;
  }

  get #producerFields(): BatchFields {
    if (this.#numbers === undefined) return {};
    const { identity, baseSequence } = this.#numbers;
    const attributes = this.transactional ? TRANSACTIONAL : 0;
    return { producerId: identity.producerId, producerEpoch: identity.epoch, baseSequence, attributes };
  }

  /** An attempt leaves. Until it is answered its outcome is unknown. */
  attemptStarted(): void {
    assert(this.closed && !this.#settled, 'only a closed batch that is not settled is sent');
    this.#attemptCount += 1;
    this.#unknownCount += 1;
    this.#isRenumbered = false;
  }

  /** The attempt that was last started failed. Only a definite error proves that it did not append. */
  attemptFailed(failure: BatchFailure): void {
    this.#lastFailure = failure;
    if (ERRORS[failure.error].definite) this.#unknownCount -= 1;
  }

  /** The records are in the log from `baseOffset` on (-1: acks=0 does not say), says `by`. */
  succeed(baseOffset: Offset, logAppendTimeMs: EpochMs, by?: AcknowledgedBy): void {
    // Attempts with the same sequence append once (txn T-98).
    const retried = this.#unknownCount > 1 && (!this.isNumbered || this.#wasRenumbered);
    const { partition } = this;
    this.#settle((pending, index) => {
      const offset = baseOffset < 0 ? -1 : baseOffset + index;
      const timestamp = logAppendTimeMs < 0 ? pending.data.timestamp : logAppendTimeMs;
      // No spread of what may be missing: this runs for every record.
      if (by === undefined) return { kind: 'ok', partition, offset, timestamp, retried };
      return { kind: 'ok', partition, offset, timestamp, retried, by };
    });
  }

  /** No more attempts. Definite only if every attempt was. */
  fail(failure: BatchFailure): void {
    const definite = this.#unknownCount === 0;
    const retried = this.#unknownCount > 1 && (!this.isNumbered || this.#wasRenumbered);
    const own = new Map((failure.recordErrors ?? []).map(({ batchIndex, message }) => [batchIndex, message]));
    this.#settle((_pending, index) => ({
      kind: 'failed',
      partition: this.partition,
      error: failure.error,
      message: own.size === 0 ? failure.message : (own.get(index) ?? 'another record of its batch was refused'),
      definite,
      retried,
    }));
  }

  #settle(resultOf: (pending: PendingRecord, index: number) => SendResult): void {
    assert(!this.#settled, 'a batch is settled once');
    this.#settled = true;
    this.records.forEach((pending, index) => pending.done(resultOf(pending, index)));
  }
}
