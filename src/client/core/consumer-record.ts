// What a consumer gives: records, how far a poll got, and why it could not go on.
import type { EpochMs, LeaderEpoch, Offset, TopicPartition } from '../../base/units.ts';
import type { Codec } from '../../log/attributes.ts';
import type { RecordHeader } from '../../log/encode-batch.ts';
import type { ErrorName } from '../../protocol/errors.ts';

/** A record as read. Its buffers are the reader's to keep. */
export interface ConsumerRecord extends TopicPartition {
  readonly offset: Offset;
  readonly leaderEpoch: LeaderEpoch;
  readonly timestamp: EpochMs;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly RecordHeader[];
}

/** What one poll got from one partition. `to` may be past the last record: markers and gaps take offsets too. */
export interface Delivery extends TopicPartition {
  /** Position before and after. */
  readonly from: Offset;
  readonly to: Offset;
  readonly records: readonly ConsumerRecord[];
  /** As of the last fetch answer, -1 unknown. */
  readonly highWatermark: Offset;
  /** The leader epoch that this answer was fenced with (repl R-24); -1: unknown, or a follower gave it (repl R-35). */
  readonly highWatermarkEpoch: LeaderEpoch;
}

/** Why a partition cannot be read on until the application acts (repl R-36). */
export interface ConsumerFailure extends TopicPartition {
  readonly kind:
    | 'no-offset' // no position, and auto.offset.reset is none
    | 'out-of-range' // the position is outside the log, and auto.offset.reset is none
    | 'log-truncation' // the log was cut below the position, and auto.offset.reset is none
    | 'corrupt' // a batch is damaged
    | 'compressed' // nobody can decompress this codec here
    | 'refused'; // the broker answered an error that waiting does not mend
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
  /** Where the consumer stands, -1 nowhere. */
  readonly position: Offset;
  /** log-truncation: where the logs part, if the leader could tell. */
  readonly divergentOffset?: Offset;
}

/** Undoes the compression of a batch's records. Cores have none: shells give one. Undefined: unknown codec. */
export type Decompress = (codec: Codec, body: Buffer) => Buffer | undefined;
