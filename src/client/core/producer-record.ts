// What a producer is given and what it tells: the record, and its fate with the certainty that repl R-17 allows.
import type { EpochMs, LeaderEpoch, NodeId, Offset } from '../../base/units.ts';
import type { RecordData, RecordHeader } from '../../log/encode-batch.ts';
import type { ErrorName } from '../../protocol/errors.ts';

/** A record to send. Buffers must not change until its fate is known. */
export interface ProducerRecord {
  readonly topic: string;
  /** Undefined: by the key, else one that changes from batch to batch. */
  readonly partition?: number;
  readonly key?: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: readonly RecordHeader[];
  /** Undefined: the wall clock at the send. */
  readonly timestamp?: EpochMs;
}

/** The record was acknowledged as `acks` asks. */
export interface SendOk {
  readonly kind: 'ok';
  readonly partition: number;
  /** -1 with acks=0. */
  readonly offset: Offset;
  /** As it stands in the log: the record's own, or the broker's on a LogAppendTime topic. */
  readonly timestamp: EpochMs;
  /** An earlier attempt may have been appended as well: a second copy is legal. */
  readonly retried: boolean;
  /** Who says so; absent with acks=0, or if it does not tell its epoch. */
  readonly by?: AcknowledgedBy;
}

/** The broker that acknowledged a record, and the leader epoch in which it did. */
export interface AcknowledgedBy {
  readonly node: NodeId;
  readonly leaderEpoch: LeaderEpoch;
}

/** The record was not acknowledged. */
export interface SendFailed {
  readonly kind: 'failed';
  /** -1 if none was chosen yet. */
  readonly partition: number;
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
  /** True: no attempt of it was or will be appended (repl R-17). False: it may be in the log, now or later. */
  readonly definite: boolean;
  /** More than one attempt of it may have been appended. */
  readonly retried: boolean;
}

export type SendResult = SendOk | SendFailed;

/** The record as it goes into a batch. */
export function recordData(record: ProducerRecord, wallTime: EpochMs): RecordData {
  const { key = null, value, headers = [], timestamp = wallTime } = record;
  return { timestamp, key, value, headers };
}
