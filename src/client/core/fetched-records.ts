// The bytes of one fetched partition, decoded batch by batch as the application takes records. Leading records below the
// position, markers, what was aborted and empty batches are stepped over, but their offsets count (repl R-30, txn T-143,
// T-146; BUG corpus K-30).
import type { LeaderEpoch, Offset, TopicPartition } from '../../base/units.ts';
import { CODECS, isControl, type Codec } from '../../log/attributes.ts';
import { decodeMarker } from '../../log/control-batch.ts';
import { decodeBatch, decodeBody, type DecodedBatch, type LogRecord } from '../../log/decode-batch.ts';
import { BATCH_HEADER_BYTES, readBatchHeader, type BatchHeader } from '../../protocol/batch-header.ts';
import type { AbortedFilter } from './aborted-filter.ts';
import type { ConsumerFailure, ConsumerRecord, Decompress } from './consumer-record.ts';

/** Why the bytes cannot be read on. */
export type DecodeFailure = Pick<ConsumerFailure, 'kind' | 'error' | 'message'>;

export class FetchedRecords {
  readonly #of: TopicPartition;
  readonly #bytes: Buffer;
  readonly #decompress: Decompress | undefined;
  readonly #filter: AbortedFilter | undefined;
  #at = 0;
  #batch: readonly LogRecord[] = [];
  #index = 0;
  #batchEnd: Offset;
  #batchEpoch: LeaderEpoch;
  #nextOffset: Offset;
  #lastEpoch: LeaderEpoch;
  #failure: DecodeFailure | undefined;
  #done = false;

  /** Over a response's records from `offset` on; `offsetEpoch` is the epoch of what was read before. Keeps `bytes`. */
  constructor(
    of: TopicPartition,
    bytes: Buffer,
    start: { readonly offset: Offset; readonly offsetEpoch: LeaderEpoch },
    tools: { readonly decompress?: Decompress | undefined; readonly filter?: AbortedFilter | undefined } = {},
  ) {
    this.#of = { topic: of.topic, partition: of.partition };
    this.#bytes = bytes;
    this.#decompress = tools.decompress;
    this.#filter = tools.filter;
    this.#nextOffset = this.#batchEnd = start.offset;
    this.#lastEpoch = this.#batchEpoch = start.offsetEpoch;
  }

  /** Position after what was taken. */
  get nextOffset(): Offset {
    return this.#nextOffset;
  }
  /** Epoch of the batch that was read last. */
  get lastEpoch(): LeaderEpoch {
    return this.#lastEpoch;
  }
  /** Set once all readable records were taken and something unreadable comes next. */
  get failure(): DecodeFailure | undefined {
    return this.#failure;
  }

  /** Whether all that can be read was taken. */
  get isDone(): boolean {
    return this.#done || (this.#index === this.#batch.length && this.#at === this.#bytes.length);
  }

  /** Takes up to `max` records. Fewer: there are no more, see `failure`. */
  take(max: number): ConsumerRecord[] {
    const taken: ConsumerRecord[] = [];
    while (taken.length < max) {
      const record = this.#batch[this.#index];
      if (record !== undefined) {
        this.#index += 1;
        if (record.offset < this.#nextOffset) continue;
        this.#passed(record.offset + 1);
        const { topic, partition } = this.#of;
        const { offset, timestamp, key, value, headers } = record;
        taken.push({ topic, partition, offset, leaderEpoch: this.#batchEpoch, timestamp, key, value, headers });
      } else {
        this.#passed(this.#batchEnd);
        if (!this.#nextBatch()) {
          this.#done = true;
          break;
        }
      }
    }
    if (this.#index === this.#batch.length) this.#passed(this.#batchEnd);
    return taken;
  }

  #passed(offset: Offset): void {
    if (offset <= this.#nextOffset) return;
    this.#nextOffset = offset;
    this.#lastEpoch = this.#batchEpoch;
  }

  /** Decodes the next batch. False at the end: a tail that was cut off is not looked at (repl R-29). */
  #nextBatch(): boolean {
    if (this.#failure !== undefined) return false;
    const header = readBatchHeader(this.#bytes, this.#at);
    if (header === undefined || header.sizeBytes > this.#bytes.length - this.#at) {
      if (this.#at === 0 && this.#bytes.length > 0) this.#failure = corrupt('the broker sent less than one batch');
      return false;
    }
    const records = this.#isLeftOut(header) ? [] : this.#decode(header);
    if (records === undefined) return false;
    this.#at += header.sizeBytes;
    this.#batch = isControl(header.attributes) ? [] : records;
    this.#index = 0;
    this.#batchEnd = header.lastOffset + 1;
    this.#batchEpoch = header.leaderEpoch;
    return true;
  }

  #isLeftOut(header: BatchHeader): boolean {
    if (this.#filter === undefined) return false;
    const endsAborted = isControl(header.attributes) && decodeMarker(this.#bytes, this.#at)?.type === 'abort';
    return this.#filter.leavesOut(header, endsAborted);
  }

  /** The records of the batch at hand; undefined if it cannot be read. */
  #decode(header: BatchHeader): readonly LogRecord[] | undefined {
    let batch: DecodedBatch = decodeBatch(this.#bytes, this.#at);
    if (batch.kind === 'compressed') {
      const codec = CODECS[batch.codec];
      const body = codec === undefined ? undefined : this.#inflate(codec, header);
      if (body === undefined) {
        this.#failure = compressed(header.baseOffset, codec ?? `codec ${batch.codec}`);
        return undefined;
      }
      batch = decodeBody(header, body);
    }
    if (batch.kind === 'records') return batch.records;
    const reason = batch.kind === 'malformed' ? batch.reason : 'the body is compressed twice';
    this.#failure = corrupt(`the batch at offset ${header.baseOffset} cannot be read: ${reason}`);
    return undefined;
  }

  #inflate(codec: Codec, header: BatchHeader): Buffer | undefined {
    return this.#decompress?.(codec, this.#bytes.subarray(this.#at + BATCH_HEADER_BYTES, this.#at + header.sizeBytes));
  }
}

function corrupt(message: string): DecodeFailure {
  return { kind: 'corrupt', error: 'CORRUPT_MESSAGE', message };
}

function compressed(baseOffset: Offset, codec: string): DecodeFailure {
  const message = `the batch at offset ${baseOffset} is compressed with ${codec}, which this consumer cannot read`;
  return { kind: 'compressed', error: 'UNSUPPORTED_COMPRESSION_TYPE', message };
}
