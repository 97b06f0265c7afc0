// The producer as applications use it. Everything is decided in the core; here strings become bytes and callbacks promises.
import type { DurationMs, EpochMs, Offset } from '../base/units.ts';
import type { RecordHeader } from '../log/encode-batch.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { ProducerCore } from './core/producer.ts';
import type { ProducerRecord } from './core/producer-record.ts';
import type { GroupMetadata, OffsetToSend } from './core/txn/requests.ts';
import type { TxnResult } from './core/txn/states.ts';
import { SendError, TransactionError } from './errors.ts';

/** Text is sent as UTF-8. */
export type Bytes = string | Buffer | null;

/** A record to send. */
export interface OutgoingRecord {
  readonly topic: string;
  readonly value: Bytes;
  readonly key?: Bytes;
  /** Undefined: by the key, else one that changes from batch to batch. */
  readonly partition?: number;
  readonly headers?: Readonly<Record<string, Bytes>>;
  /** Undefined: now. */
  readonly timestamp?: EpochMs;
}

/** Where an acknowledged record is. */
export interface RecordMetadata {
  readonly topic: string;
  readonly partition: number;
  /** -1 with acks=0. */
  readonly offset: Offset;
  readonly timestamp: EpochMs;
  /** An earlier attempt may have been appended as well. */
  readonly retried: boolean;
}

/** How long `close` waits for records under way if nothing else is said. */
const CLOSE_MS: DurationMs = 5000;

export class Producer {
  readonly #core: ProducerCore;
  readonly #calls: Calls;

  constructor(core: ProducerCore, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
  }

  /**
   * Sends a record and waits until it is acknowledged as `acks` asks. Rejects with a SendError, whose `definite` says
   * whether the record is certainly absent. Calls that are not awaited one by one share batches.
   */
  send(record: OutgoingRecord, options: CallOptions = {}): Promise<RecordMetadata> {
    return this.#calls.run<RecordMetadata>((resolve, reject) => {
      this.#core.send(encode(record), (result) => {
        if (result.kind === 'failed') return reject(new SendError(result));
        const { partition, offset, timestamp, retried } = result;
        resolve({ topic: record.topic, partition, offset, timestamp, retried });
      });
    }, options);
  }

  /**
   * Before anything else of a producer with a transactional.id: waits until the transaction that an earlier instance has left
   * open is over, and fences that instance. If its time is over, repeat it (txn T-155).
   */
  initTransactions(options: CallOptions = {}): Promise<void> {
    return this.#step((done) => this.#core.transactions.init(done), options);
  }

  /** What is sent from now on belongs to one transaction. No broker is asked. */
  beginTransaction(): void {
    const result = this.#core.transactions.begin();
    if (result.kind === 'failed') throw new TransactionError(result);
  }

  /** Commits the offsets of what was consumed with the transaction: for each partition the next one to be read. */
  sendOffsetsToTransaction(
    offsets: readonly OffsetToSend[],
    group: GroupMetadata,
    options: CallOptions = {},
  ): Promise<void> {
    return this.#step((done) => this.#core.transactions.sendOffsets(offsets, group, done), options);
  }

  /** Waits for all that was sent, then commits. If one record failed, so does the commit, and the transaction is to be aborted. */
  commitTransaction(options: CallOptions = {}): Promise<void> {
    return this.#step((done) => this.#core.transactions.commit(done), options);
  }

  /** Ends the transaction without effect. Records that have not left yet are given up. */
  abortTransaction(options: CallOptions = {}): Promise<void> {
    return this.#step((done) => this.#core.transactions.abort(done), options);
  }

  #step(start: (done: (result: TxnResult) => void) => void, options: CallOptions): Promise<void> {
    return this.#calls.run<void>((resolve, reject) => {
      start((result) => {
        if (result.kind === 'ok') resolve();
        else reject(new TransactionError(result));
      });
    }, options);
  }

  /** Waits until everything sent so far is answered, one way or the other. */
  flush(options: CallOptions = {}): Promise<void> {
    return this.#calls.run<void>((resolve) => this.#core.flush(resolve), options);
  }

  /** Waits at most `timeoutMs` for what is under way, then gives it up. */
  close(timeoutMs: DurationMs = CLOSE_MS): Promise<void> {
    if (this.#calls.closed) return Promise.resolve();
    return this.#calls.run<void>((resolve) => this.#core.close(timeoutMs, resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function encode({ topic, value, key, partition, headers, timestamp }: OutgoingRecord): ProducerRecord {
  return {
    topic,
    value: bytesOf(value),
    key: bytesOf(key ?? null),
    headers: Object.entries(headers ?? {}).map(([name, bytes]): RecordHeader => ({ key: name, value: bytesOf(bytes) })),
    ...(partition === undefined ? {} : { partition }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}

function bytesOf(bytes: Bytes): Buffer | null {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
