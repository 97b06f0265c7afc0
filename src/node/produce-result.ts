// What became of one partition of one produce, from its append to its answer (repl ). When it is decided is
// delayed-produce.ts's business.
import type { NodeId, Offset } from '../base/units.ts';
import { NO_EPOCH, NO_OFFSET } from '../base/units.ts';
import type { AppendRefusal } from '../log/api.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { ProducedPartition, ProducePartition } from '../protocol/generated/index.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { Appended, Partition } from './partition.ts';

/** What a leader knew when it decided, for repl I-15. */
interface Decision {
  readonly error: ErrorName;
  readonly highWatermark: Offset;
  readonly maximalIsr: readonly NodeId[];
  readonly minIsr: number;
}

/** What acks=all looks at. */
export interface AcksAllView {
  readonly lastOffset: Offset;
  readonly highWatermark: Offset;
  /** Undefined: this broker does not lead the partition any more. */
  readonly leading: { readonly maximalIsrSize: number; readonly minIsr: number } | undefined;
  /** False: the metadata has no such partition any more. */
  readonly isKnown: boolean;
}

/**
 * Repl R-15: the outcome of an acks=all append, undefined while it must wait. Once the high watermark has passed the batch
 * the *maximal* ISR must be large enough (T-1), which it always is unless min ISR was just raised (repl R-16).
 */
export function acksAllOutcome({ lastOffset, highWatermark, leading, isKnown }: AcksAllView): ErrorName | undefined {
  if (leading === undefined) return isKnown ? 'NOT_LEADER_OR_FOLLOWER' : 'UNKNOWN_TOPIC_OR_PARTITION';
  if (highWatermark <= lastOffset) return undefined;
  return leading.maximalIsrSize >= leading.minIsr ? 'NONE' : 'NOT_ENOUGH_REPLICAS_AFTER_APPEND';
}

/** With these, Kafka tells no log start (wire W-73). */
const WITHOUT_LOG_START: readonly ErrorName[] = [
  'NOT_LEADER_OR_FOLLOWER',
  'CORRUPT_MESSAGE',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'KAFKA_STORAGE_ERROR',
];

export class PartitionResult {
  readonly #asked: ProducePartition;
  /** Whether the batch came as far as the log, so that an answer tells its start. */
  #reachedLog = true;
  #underlyingError: ErrorName = 'NONE';
  #replica: Partition | undefined;
  #appended: Appended | undefined;
  #refusal: AppendRefusal | undefined;
  /** Set once; a partition that is finished keeps its result (repl R-15). */
  #decision: Decision | undefined;

  constructor(asked: ProducePartition) {
    this.#asked = asked;
  }

  /**
   * Refused by the verification of its transaction, before the log was asked (wire W-74).
   * @param underlying What the coordinator said, if its producer is told something else (txn T-121).
   */
  refuseUnverified(refusal: AppendRefusal, replica: Partition, underlying: ErrorName = refusal.error): void {
    this.refuse(refusal, replica);
    this.#reachedLog = false;
    if (underlying !== refusal.error) this.#underlyingError = underlying;
  }

  /** Nothing was appended. */
  refuse(refusal: AppendRefusal, replica?: Partition): void {
    this.#refusal = refusal;
    this.#replica = replica;
    this.#decision = decisionOf(refusal.error, replica);
  }

  /** Appended and counted; acks=all waits from here. */
  append(replica: Partition, appended: Appended): void {
    this.#replica = replica;
    this.#appended = appended;
  }

  get isAppended(): boolean {
    return this.#appended !== undefined;
  }
  get isDecided(): boolean {
    return this.#decision !== undefined;
  }
  get replica(): Partition | undefined {
    return this.#replica;
  }

  /** Decides acks=all if it can be decided now. */
  tryDecide(): void {
    const replica = this.#replica;
    const appended = this.#appended;
    if (this.#decision !== undefined || replica === undefined || appended === undefined) return;
    const role = replica.leading;
    const { isKnown, log } = replica;
    const leading = role && { maximalIsrSize: role.maximalIsr.length, minIsr: role.minIsrForAcks };
    const error = acksAllOutcome({
      lastOffset: appended.lastOffset,
      highWatermark: log.highWatermark,
      leading,
      isKnown,
    });
    if (error !== undefined) this.decide(error);
  }

  /** Ends the wait with a result, unless there is one. */
  decide(error: ErrorName): void {
    this.#decision ??= decisionOf(error, this.#replica);
  }

  get answer(): ProducedPartition {
    const { topic, partition } = this.#asked;
    const error = this.#decision?.error ?? 'NONE';
    const appended = error === 'NONE' ? this.#appended : undefined;
    const tellsStart = this.#replica !== undefined && this.#reachedLog && !WITHOUT_LOG_START.includes(error);
    return {
      topic,
      partition,
      error,
      baseOffset: appended?.baseOffset ?? NO_OFFSET,
      logAppendTimeMs: appended?.logAppendTimeMs ?? -1,
      logStartOffset: tellsStart ? this.#replica!.log.logStartOffset : NO_OFFSET,
      recordErrors: [...(this.#refusal?.recordErrors ?? [])],
      errorMessage: this.#refusal?.message ?? '',
      underlyingError: this.#underlyingError,
      leaderEpoch: appended?.leaderEpoch ?? NO_EPOCH,
    };
  }

  /** Of the batch as it was sent, if it stands so in the log. */
  get #crcAsked(): { readonly crc?: number } {
    const appended = this.#appended;
    if (appended === undefined || appended.duplicate || appended.logAppendTimeMs >= 0) return {};
    return { crc: readBatchHeader(this.#asked.records)!.crc };
  }

  /** Says what is being answered. Partitions that this broker does not host have no events. */
  trace(runtime: Runtime, acks: number): void {
    const replica = this.#replica;
    if (replica === undefined) return;
    const { topic, topicId, partition } = replica;
    const { error, highWatermark, maximalIsr, minIsr } = this.#decision ?? decisionOf('NONE', replica);
    runtime.trace({
      ...{ type: 'produce.answered', topic, topicId, partition, acks, error, highWatermark, maximalIsr, minIsr },
      leaderEpoch: this.#appended?.leaderEpoch ?? replica.leaderEpoch,
      baseOffset: this.#appended?.baseOffset ?? NO_OFFSET,
      lastOffset: this.#appended?.lastOffset ?? NO_OFFSET,
      ...(this.#appended?.duplicate === true ? { duplicate: true as const } : {}),
      ...this.#crcAsked,
    });
  }
}

function decisionOf(error: ErrorName, replica: Partition | undefined): Decision {
  const role = replica?.leading;
  return {
    error,
    highWatermark: replica?.log.highWatermark ?? NO_OFFSET,
    maximalIsr: role?.maximalIsr ?? [],
    minIsr: role?.minIsr ?? 0,
  };
}
