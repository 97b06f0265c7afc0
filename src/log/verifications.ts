// The transactional batches that a leader has asked a coordinator about and that are not appended yet (txn T-119, T-122):
// one guard a producer, in the memory of this leader in this epoch only.
import type { DurationMs, EpochMs } from '../base/units.ts';
import type { ToVerify, VerificationGuard } from './transactions-api.ts';

/** What is remembered of a verification under way. */
export interface Verification {
  readonly guard: VerificationGuard;
  readonly epoch: number;
  /** Lowest sequence seen in that epoch; undefined if only coordinators came. */
  readonly lowestSequence: number | undefined;
  /** Whether a request of transaction.version 2 made it. */
  readonly version2: boolean;
  readonly since: EpochMs;
}

export class Verifications {
  readonly #pending = new Map<number, Verification>();

  of(producerId: number): Verification | undefined {
    return this.#pending.get(producerId);
  }

  /** The guard of the producer, made if there is none. A higher epoch begins anew with the lowest sequence. */
  begin(batch: ToVerify, now: EpochMs): VerificationGuard {
    const { producerId, producerEpoch: epoch, baseSequence, version2 } = batch;
    const known = this.#pending.get(producerId);
    if (known === undefined) {
      const guard = Object.freeze({ producerId });
      this.#pending.set(producerId, { guard, epoch, lowestSequence: baseSequence, version2, since: now });
      return guard;
    }
    if (epoch > known.epoch) {
      this.#pending.set(producerId, { ...known, epoch, lowestSequence: baseSequence });
    } else if (epoch === known.epoch && (baseSequence ?? Infinity) < (known.lowestSequence ?? Infinity)) {
      this.#pending.set(producerId, { ...known, lowestSequence: baseSequence });
    }
    return known.guard;
  }

  /** A transactional batch of the producer was appended. */
  batchAppended(producerId: number): void {
    this.#pending.delete(producerId);
  }

  /** A marker was: it may close the transaction before the one that version 2 is just adding (txn W-22). */
  markerAppended(producerId: number, epoch: number): void {
    const known = this.#pending.get(producerId);
    if (known?.version2 === true && known.epoch === epoch) return;
    this.#pending.delete(producerId);
  }

  /** Txn T-109. */
  expire(now: EpochMs, expirationMs: DurationMs): void {
    for (const [producerId, { since }] of this.#pending) {
      if (now - since >= expirationMs) this.#pending.delete(producerId);
    }
  }

  /** Another leader epoch has begun: nothing verified before it is good any more. */
  clear(): void {
    this.#pending.clear();
  }
}
