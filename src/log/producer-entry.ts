// What a partition knows of one producer, and the rules on it (txn T-90 to T-104, wire W-99): is its next batch a
// duplicate, out of order, fenced, or welcome; and what is known afterwards. Pure: nothing is stored or looked up here.
import type { EpochMs, Offset } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';

/** Batches of a producer that are known again (txn T-90, T-98): as many as it may have under way. */
export const WINDOW_BATCHES = 5;
/** The largest sequence; 0 follows (txn T-102). */
const SEQUENCE_MAX = 0x7fffffff;
/** The last sequence of a producer without batches in its window. */
export const NO_SEQUENCE = -1;
export const NO_PRODUCER_ID = -1;
export const NO_PRODUCER_EPOCH = -1;
const NO_COORDINATOR_EPOCH = -1;

/** A data batch that is known again. Its first offset and sequence follow. */
export interface KnownBatch {
  readonly lastSequence: number;
  readonly lastOffset: Offset;
  readonly offsetDelta: number;
  /** The largest timestamp of its records, as stored. */
  readonly timestamp: EpochMs;
}

/** One producer as a partition knows it (txn T-90). Never changed in place. */
export interface ProducerEntry {
  readonly epoch: number;
  /** Of the last marker; -1 before the first. */
  readonly coordinatorEpoch: number;
  readonly lastTimestamp: EpochMs;
  /** Where its open transaction began here (txn T-106). */
  readonly currentTxnFirstOffset: Offset | undefined;
  /** The newest data batches of this epoch, oldest first; at most WINDOW_BATCHES. */
  readonly batches: readonly KnownBatch[];
}

/** A data batch with a producer id, as its header says. */
export interface NumberedBatch {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly baseOffset: Offset;
  readonly lastOffset: Offset;
  readonly maxTimestamp: EpochMs;
}

/** What is asked of a batch. Safeguards switch single rules off. */
export interface ProducerRules {
  /** The same epoch goes on without a gap (txn T-101). */
  readonly gapReject: boolean;
  /** An unknown producer begins with sequence 0 (KAFKA-15591). */
  readonly firstIsZero: boolean;
  /** A new epoch begins with sequence 0 (txn T-101). */
  readonly epochStartsAtZero: boolean;
  /** The largest sequence is followed by 0 (txn T-102). */
  readonly wraps: boolean;
  /** Batches of older epochs are refused (txn T-100). */
  readonly fence: boolean;
}

/** What a verification under way says of the sequences to come (txn T-101). */
export interface VerifiedSequence {
  readonly lowestSequence: number | undefined;
  readonly version2: boolean;
}

export interface Refused {
  readonly kind: 'refused';
  readonly error: ErrorName;
  readonly message: string;
}

export type ProducerVerdict =
  | { readonly kind: 'next' }
  /** It is in the log already. */
  | { readonly kind: 'duplicate'; readonly of: KnownBatch }
  | Refused;

const NEXT: ProducerVerdict = { kind: 'next' };

/** The sequence `by` records behind `sequence`; it wraps, perhaps inside a batch (txn T-102). */
export function sequenceAfter(sequence: number, by: number): number {
  const sum = sequence + by;
  return sum > SEQUENCE_MAX ? sum - SEQUENCE_MAX - 1 : sum;
}

/** The sequence `by` records before `sequence` (txn T-102). */
export function sequenceBefore(sequence: number, by: number): number {
  const difference = sequence - by;
  return difference < 0 ? difference + SEQUENCE_MAX + 1 : difference;
}

/** The first sequence of a batch. */
export function firstSequenceOf({ lastSequence, offsetDelta }: KnownBatch): number {
  return sequenceBefore(lastSequence, offsetDelta);
}

/** What comes next of a producer with this last sequence. */
export function nextSequence(lastSequence: number): number {
  return lastSequence === NO_SEQUENCE ? 0 : sequenceAfter(lastSequence, 1);
}

/**
 * Judges a client's batch that is no duplicate and passed the guard, in Kafka's order: epoch, sequence, transaction (txn T-100
 * to T-103).
 */
export function judgeBatch(
  known: ProducerEntry | undefined,
  batch: NumberedBatch,
  of: { readonly transactional: boolean; readonly verified: VerifiedSequence | undefined },
  rules: ProducerRules,
): ProducerVerdict {
  const behind = isBelowEpoch(known, batch);
  if (behind !== undefined) return rules.fence ? behind : NEXT;
  const refusal =
    (rules.gapReject ? judgeVerified(known, batch, of.verified) : undefined) ?? judgeSequence(known, batch, rules);
  if (refusal !== undefined) return refusal;
  if (known?.currentTxnFirstOffset !== undefined && !of.transactional) {
    const message = `producer ${batch.producerId} has an open transaction, and the batch is no part of it`;
    return { kind: 'refused', error: 'INVALID_TXN_STATE', message };
  }
  return NEXT;
}

/** Judges a coordinator's batch that passed the guard: by its epoch alone (txn T-107). */
export function judgeCoordinated(
  known: ProducerEntry | undefined,
  batch: NumberedBatch,
  fence: boolean,
): ProducerVerdict {
  return (fence ? isBelowEpoch(known, batch) : undefined) ?? NEXT;
}

/** The batch of the window with the same epoch and exactly the same sequences (txn T-98). */
export function duplicateOf(known: ProducerEntry | undefined, batch: NumberedBatch): KnownBatch | undefined {
  if (known?.epoch !== batch.producerEpoch) return undefined;
  const lastSequence = lastSequenceOf(batch);
  return known.batches.find((one) => firstSequenceOf(one) === batch.baseSequence && one.lastSequence === lastSequence);
}

/** Txn T-100. */
export function isBelowEpoch(
  known: ProducerEntry | undefined,
  batch: Pick<NumberedBatch, 'producerId' | 'producerEpoch'>,
): Refused | undefined {
  if (known === undefined || batch.producerEpoch >= known.epoch) return undefined;
  const message = `producer ${batch.producerId} has epoch ${known.epoch} here, and the batch ${batch.producerEpoch}`;
  return { kind: 'refused', error: 'INVALID_PRODUCER_EPOCH', message };
}

/** Txn T-101: what came while it was verified must not be overtaken. */
function judgeVerified(
  known: ProducerEntry | undefined,
  { producerId, baseSequence }: NumberedBatch,
  verified: VerifiedSequence | undefined,
): Refused | undefined {
  if (verified === undefined) return undefined;
  const first = verified.version2 && (known?.batches.length ?? 0) === 0 ? 0 : (verified.lowestSequence ?? Infinity);
  if (baseSequence <= first) return undefined;
  const message = `producer ${producerId} was verified from sequence ${first} on: ${baseSequence} came before it`;
  return { kind: 'refused', error: 'OUT_OF_ORDER_SEQUENCE_NUMBER', message };
}

/** Txn T-101. */
function judgeSequence(
  known: ProducerEntry | undefined,
  { producerId, producerEpoch, baseSequence }: NumberedBatch,
  { gapReject, firstIsZero, epochStartsAtZero, wraps }: ProducerRules,
): Refused | undefined {
  const outOfOrder = (expected: number, why: string): Refused | undefined => {
    if (baseSequence === expected) return undefined;
    const message = `producer ${producerId} ${why}: sequence ${expected} was expected, not ${baseSequence}`;
    return { kind: 'refused', error: 'OUT_OF_ORDER_SEQUENCE_NUMBER', message };
  };
  if (known === undefined || known.epoch === NO_PRODUCER_EPOCH) {
    return firstIsZero ? outOfOrder(0, 'is new to this partition') : undefined;
  }
  if (known.epoch !== producerEpoch) {
    return epochStartsAtZero ? outOfOrder(0, `begins epoch ${producerEpoch}`) : undefined;
  }
  const lastSequence = known.batches.at(-1)?.lastSequence ?? NO_SEQUENCE;
  const expected = wraps ? nextSequence(lastSequence) : lastSequence + 1;
  return gapReject ? outOfOrder(expected, `goes on in epoch ${producerEpoch}`) : undefined;
}

function lastSequenceOf({ baseSequence, baseOffset, lastOffset }: NumberedBatch): number {
  return sequenceAfter(baseSequence, lastOffset - baseOffset);
}

/** What is known once a data batch is in the log (txn T-91, T-92, T-106). */
export function withBatch(
  known: ProducerEntry | undefined,
  batch: NumberedBatch,
  transactional: boolean,
): ProducerEntry {
  const { producerEpoch, baseOffset, maxTimestamp } = batch;
  const before = known?.epoch === producerEpoch ? known.batches.slice(1 - WINDOW_BATCHES) : [];
  return {
    epoch: producerEpoch,
    coordinatorEpoch: known?.coordinatorEpoch ?? NO_COORDINATOR_EPOCH,
    lastTimestamp: maxTimestamp,
    currentTxnFirstOffset: known?.currentTxnFirstOffset ?? (transactional ? baseOffset : undefined),
    batches: [...before, knownBatch(batch)],
  };
}

function knownBatch(batch: NumberedBatch): KnownBatch {
  const { baseOffset, lastOffset, maxTimestamp } = batch;
  return {
    lastSequence: lastSequenceOf(batch),
    lastOffset,
    offsetDelta: lastOffset - baseOffset,
    timestamp: maxTimestamp,
  };
}

/** Whether a batch stands right before those that are known of its producer: of their epoch, and without a gap. */
export function isBatchBefore({ epoch, batches }: ProducerEntry, batch: NumberedBatch): boolean {
  const oldest = batches[0];
  if (oldest === undefined || epoch !== batch.producerEpoch) return false;
  return nextSequence(lastSequenceOf(batch)) === firstSequenceOf(oldest);
}

/** What is known if one more is known again: a batch for which isBatchBefore is true. */
export function withOlderBatch(known: ProducerEntry, batch: NumberedBatch): ProducerEntry {
  return { ...known, batches: [knownBatch(batch), ...known.batches] };
}

/** What is known once a marker is in the log: the transaction is over (txn T-92, T-93). */
export function withMarker(
  known: ProducerEntry | undefined,
  marker: { readonly producerEpoch: number; readonly coordinatorEpoch: number; readonly timestamp: EpochMs },
): ProducerEntry {
  const { producerEpoch, coordinatorEpoch, timestamp } = marker;
  return {
    epoch: producerEpoch,
    coordinatorEpoch,
    lastTimestamp: timestamp,
    currentTxnFirstOffset: undefined,
    batches: known?.epoch === producerEpoch ? known.batches : [],
  };
}

/** Whether a producer has been silent for long enough to be forgotten (txn T-109). */
export function isExpired(entry: ProducerEntry, now: EpochMs, expirationMs: number): boolean {
  return entry.currentTxnFirstOffset === undefined && now - entry.lastTimestamp >= expirationMs;
}
