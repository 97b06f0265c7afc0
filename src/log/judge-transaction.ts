// What a leader asks of transactional batches and of markers besides sequences (txn T-99, T-103, T-116, T-118, T-119).
// Pure: what is known of the producer and of its verification comes in, a refusal or nothing goes out.
import type { Safeguard } from '../fault/safeguards.ts';
import type { Marker } from './control-batch.ts';
import { isBelowEpoch } from './producer-entry.ts';
import type { NumberedBatch, ProducerEntry, Refused } from './producer-entry.ts';

/** The largest epoch of a producer: markers that recover it may repeat it (txn T-118). */
const EPOCH_MAX = 32767;

/** What is asked of markers. */
export interface MarkerRules {
  /** txn.markerEpoch. */
  readonly strictEpoch: boolean;
  /** txn.markerIdempotent. */
  readonly repeats: boolean;
  /** txn.coordEpochFence. */
  readonly coordinatorFence: boolean;
}

/** The safeguards as they stand. */
export function markerRules(context: { safeguard(name: Safeguard): boolean }): MarkerRules {
  return {
    strictEpoch: context.safeguard('txn.markerEpoch'),
    repeats: context.safeguard('txn.markerIdempotent'),
    coordinatorFence: context.safeguard('txn.coordEpochFence'),
  };
}

/** Whether the producer has a transaction open here: with the safeguard txn.openEpoch at this very epoch (txn T-99, W-22). */
export function isOpenAt(
  known: ProducerEntry | undefined,
  producerEpoch: number,
  context: { safeguard(name: Safeguard): boolean },
): boolean {
  if (known?.currentTxnFirstOffset === undefined) return false;
  return known.epoch === producerEpoch || !context.safeguard('txn.openEpoch');
}

/** Txn T-99: the epoch first, so that a fenced producer sees an error it can recover from. */
export function judgeGuard(
  known: ProducerEntry | undefined,
  batch: NumberedBatch,
  verified: boolean,
  context: { safeguard(name: Safeguard): boolean },
): Refused | undefined {
  if (isOpenAt(known, batch.producerEpoch, context)) return undefined;
  const fenced = context.safeguard('epoch.produceFence') ? isBelowEpoch(known, batch) : undefined;
  if (fenced !== undefined || verified) return fenced;
  const message =
    `producer ${batch.producerId} has no open transaction here at epoch ${batch.producerEpoch}, and its coordinator was not ` +
    'asked, or what it said is out of date';
  return { kind: 'refused', error: 'INVALID_TXN_STATE', message };
}

/** Txn T-116, T-118. */
export function judgeMarker(
  known: ProducerEntry | undefined,
  marker: Marker,
  transactionVersion: number,
  rules: MarkerRules,
): Refused | undefined {
  if (known === undefined) return undefined;
  const { producerId, producerEpoch, coordinatorEpoch } = marker;
  const strict = transactionVersion >= 2 && rules.strictEpoch;
  if (producerEpoch < known.epoch || (strict && producerEpoch === known.epoch && !mayRepeat(known, marker, rules))) {
    const message = `a marker of epoch ${producerEpoch} came to producer ${producerId}, which has epoch ${known.epoch} here`;
    return { kind: 'refused', error: 'INVALID_PRODUCER_EPOCH', message };
  }
  if (coordinatorEpoch < known.coordinatorEpoch && rules.coordinatorFence) {
    const message = `coordinator epoch ${coordinatorEpoch} came after ${known.coordinatorEpoch} for producer ${producerId}`;
    return { kind: 'refused', error: 'TRANSACTION_COORDINATOR_FENCED', message };
  }
  return undefined;
}

/** A marker that was sent again because nobody heard that it is there. */
function mayRepeat(known: ProducerEntry, marker: Marker, { repeats }: MarkerRules): boolean {
  return repeats && (known.currentTxnFirstOffset === undefined || marker.producerEpoch === EPOCH_MAX);
}
