// What a recording keeps of a request of the Kafka wire and of its answer: as much as checkers need. Values of records stand
// for themselves or for their hash, as the recording was asked.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';

/** A producer that numbers its batches; of one that does not: null. */
export interface WireProducer {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly sequence: number;
}

/** One batch that a client sends to a partition. */
export interface WireBatch {
  readonly partition: string;
  readonly producer: WireProducer | null;
  readonly transactional: boolean;
  readonly values: readonly string[];
}

export type WireAsk =
  | {
      readonly api: 'Produce';
      readonly acks: number;
      readonly transactionalId: string;
      readonly batches: readonly WireBatch[];
    }
  | {
      readonly api: 'Fetch';
      readonly isolation: 'read_committed' | 'read_uncommitted';
      readonly partitions: readonly WireFetch[];
    }
  | {
      readonly api: 'InitProducerId';
      readonly transactionalId: string;
      readonly timeoutMs: number;
      readonly producerId: number;
      readonly producerEpoch: number;
    }
  | (OfTransaction & { readonly api: 'AddPartitionsToTxn' | 'AddOffsetsToTxn' })
  | (OfTransaction & { readonly api: 'TxnOffsetCommit' } & WireOffsets)
  | (OfTransaction & { readonly api: 'EndTxn'; readonly committed: boolean })
  | ({ readonly api: 'OffsetCommit' } & WireOffsets)
  | { readonly api: 'OffsetFetch'; readonly groups: readonly string[]; readonly stable: boolean };

interface OfTransaction {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
}

interface WireOffsets {
  readonly group: string;
  /** Next offset to be read by partition. */
  readonly offsets: Readonly<Record<string, Offset>>;
}

/** Of a partition, or of the whole (then without a partition): what became of it. */
export interface WireOutcome {
  readonly partition?: string;
  readonly error: ErrorName;
}

export type WireAnswer =
  /** acks=0: nothing leaves, and nothing failed. `lost` answers are not told: nothing left. */
  | { readonly api: 'silence' }
  | {
      readonly api: 'Produce';
      readonly partitions: readonly WireProduced[];
    }
  | { readonly api: 'Fetch'; readonly partitions: readonly WireFetched[] }
  | { readonly api: 'identity'; readonly error: ErrorName; readonly producerId: number; readonly producerEpoch: number }
  | { readonly api: 'outcomes'; readonly outcomes: readonly WireOutcome[] }
  | {
      readonly api: 'OffsetFetch';
      readonly groups: readonly {
        readonly group: string;
        readonly error: ErrorName;
        readonly offsets: Readonly<Record<string, Offset>>;
        readonly failed: readonly string[];
      }[];
    };

/** What a reader asks of a partition. */
export interface WireFetch {
  readonly partition: string;
  readonly offset: Offset;
  /** The leader epoch that it is fenced with; absent: none (repl R-24). */
  readonly leaderEpoch?: LeaderEpoch;
}

/** What became of what was sent to a partition. */
export interface WireProduced extends Required<WireOutcome> {
  readonly baseOffset: Offset;
  /** Of a success: in which the broker gave it, which the wire does not tell. */
  readonly leaderEpoch?: LeaderEpoch;
}

/** What a reader is given of a partition. Aborted records, markers and what it has read before are left out. */
export interface WireFetched {
  readonly partition: string;
  readonly error: ErrorName;
  /** Where it goes on. */
  readonly to: Offset;
  /** Absent with an error. */
  readonly highWatermark?: Offset;
  readonly records: readonly { readonly offset: Offset; readonly value: string }[];
}
