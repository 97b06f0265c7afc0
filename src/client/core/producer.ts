// A producer: takes records, finds their partition, and tells the fate of each (repl ). Whether a retry appends
// once is the sender's business (enable.idempotence). What is not ready to be batched waits here: for its topic's metadata
// or for memory, at most max.block.ms, in order of the sends.
import type { DurationMs } from '../../base/units.ts';
import { sizeOfRecord, type RecordData } from '../../log/encode-batch.ts';
import { BATCH_HEADER_BYTES } from '../../protocol/batch-header.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { Runtime, Timer } from '../../runtime/ports.ts';
import { Accumulator } from './accumulator.ts';
import type { ClientConfig } from './config.ts';
import { Flushes } from './flushes.ts';
import type { ClientMetadata } from './metadata.ts';
import { Partitioner } from './partitioner.ts';
import { recordData, type ProducerRecord, type SendResult } from './producer-record.ts';
import { Sender } from './sender.ts';
import { TransactionManager } from './txn/manager.ts';
import { IllegalStateError } from './txn/states.ts';

/** What a producer works with. */
export interface ProducerParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  /** Told to brokers. */
  readonly clientId: string;
  /** Hears once that the producer is closed. */
  readonly onClosed?: () => void;
}

/** A record on its way into a batch. */
interface WaitingRecord {
  readonly record: ProducerRecord;
  readonly data: RecordData;
  readonly sizeBytes: number;
  readonly done: (result: SendResult) => void;
  /** It came too late to be part of a transaction. */
  readonly isOutside: boolean;
  timer?: Timer;
}

export class ProducerCore {
  readonly #parts: ProducerParts;
  readonly #accumulator: Accumulator;
  readonly #partitioner: Partitioner;
  readonly #sender: Sender;
  readonly #flushes = new Flushes();
  readonly #transaction: TransactionManager | undefined;
  readonly #stopListening: () => void;
  /** In order of the sends, over all topics. */
  #waiting: WaitingRecord[] = [];
  /** Topics of records that wait for metadata: later records of the topic wait behind them. */
  #blockedTopics = new Set<string>();
  /** The first record that could be batched waits for memory: all later ones wait behind it. */
  #outOfMemory = false;
  /** The sender has something to look at. */
  #news = false;
  #closed = false;
  #stopped = false;

  constructor(parts: ProducerParts) {
    const { runtime, config, metadata } = parts;
    this.#parts = parts;
    this.#partitioner = new Partitioner(runtime.random.fork('client.partitioner'));
    this.#accumulator = new Accumulator(config, (batch) => {
      const topic = metadata.topic(batch.topic);
      if (topic !== undefined && topic.partitions.length > 0) this.#partitioner.batchClosed(topic, batch.partition);
    });
    this.#stopListening = metadata.onUpdate(() => this.#admitWaiting());
    this.#transaction = config['transactional.id'] === '' ? undefined : this.#transactions();
    this.#sender = new Sender({
      ...parts,
      ...{ accumulator: this.#accumulator, transaction: this.#transaction },
      isPushed: () => this.#flushes.pending || this.#outOfMemory || this.#transaction?.isPushing === true,
      onSettled: () => {
        this.#admitWaiting();
        this.#transaction?.wake();
      },
    });
  }

  /** The transactions of a producer with a transactional.id. Throws IllegalStateError without one. */
  get transactions(): TransactionManager {
    if (this.#transaction !== undefined) return this.#transaction;
    throw new IllegalStateError('this producer has no transactions: give it a transactional.id');
  }

  #transactions(): TransactionManager {
    return new TransactionManager({
      ...this.#parts,
      hasIncomplete: () => this.#flushes.hasUnsettled,
      onIdentity: () => this.#sender.resetSequences(),
      onNews: () => {
        this.#admitWaiting();
        this.#sender.wake();
      },
    });
  }

  /**
   * Sends a record. `done` is called exactly once, never inside the call, within max.block.ms + delivery.timeout.ms. A
   * transactional producer throws IllegalStateError outside a transaction (txn T-151).
   */
  send(record: ProducerRecord, done: (result: SendResult) => void): void {
    const { runtime, config, metadata } = this.#parts;
    const refusal = this.#closed ? undefined : this.#transaction?.refusalToSend();
    const era = this.#flushes.sent();
    const settle = (result: SendResult): void => {
      done(result);
      this.#flushes.settled(era);
      if (!this.#flushes.hasUnsettled) this.#transaction?.wake();
    };
    const data = recordData(record, runtime.clock.wallTime());
    const sizeBytes = BATCH_HEADER_BYTES + sizeOfRecord(data, 0, 0);
    const isOutside = this.#closed || refusal !== undefined;
    const waiting: WaitingRecord = { record, data, sizeBytes, done: settle, isOutside };
    if (this.#closed) return this.#refuseLater(waiting, 'OPERATION_NOT_ATTEMPTED', 'the producer is closed');
    if (refusal !== undefined) return this.#refuseLater(waiting, refusal.error, refusal.message);
    if (sizeBytes > config['max.request.size']) {
      const message = `the record takes ${sizeBytes} bytes; max.request.size is ${config['max.request.size']}`;
      return this.#refuseLater(waiting, 'MESSAGE_TOO_LARGE', message);
    }
    metadata.track(record.topic);
    if (this.#outOfMemory || this.#blockedTopics.has(record.topic) || !this.#admit(waiting)) this.#wait(waiting);
    this.#wakeSender();
  }

  /** Calls `done` when all records sent so far have been answered; they do not linger. Never inside the call. */
  flush(done: () => void): void {
    if (this.#flushes.flush(done)) this.#sender.wake();
    else this.#parts.runtime.clock.after(0, done);
  }

  /**
   * Takes no more records, gives those under way `timeoutMs`, then gives them up; `done` when all are answered. A transaction
   * that is open then is aborted if there is time, else left to its timeout (txn T-156).
   */
  close(timeoutMs: DurationMs, done: () => void): void {
    this.#closed = true;
    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      timer.cancel();
      this.#stop();
      done();
    };
    const timer = this.#parts.runtime.clock.after(timeoutMs, finish);
    this.flush(() => (this.#transaction === undefined ? finish() : this.#transaction.finish(finish)));
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#transaction?.close(); // First: what is given up below must not look settled to a commit that waits for it.
    this.#stopListening();
    for (const waiting of this.#waiting.splice(0)) {
      this.#refuse(waiting, 'OPERATION_NOT_ATTEMPTED', 'the producer was closed before the record was sent');
    }
    this.#sender.close();
    this.#parts.onClosed?.();
  }

  // ---- into batches

  /** Puts a record into a batch. False if it has to wait; then what it waits for is remembered. */
  #admit(waiting: WaitingRecord): boolean {
    const { record, data, sizeBytes, done } = waiting;
    const givenUp = this.#transaction?.givenUp;
    if (givenUp !== undefined) {
      this.#refuseLater(waiting, givenUp.failure.error, givenUp.failure.message);
      return true;
    }
    const topic = this.#parts.metadata.topic(record.topic);
    if (topic?.error === 'INVALID_TOPIC_EXCEPTION') {
      this.#refuseLater(waiting, topic.error, ERRORS[topic.error].message);
      return true;
    }
    const partition = topic?.partitions.length ? this.#partitioner.choose(record, topic) : undefined;
    if (partition === undefined) this.#blockedTopics.add(record.topic);
    else if (!this.#accumulator.hasMemory(sizeBytes)) this.#outOfMemory = true;
    else {
      waiting.timer?.cancel();
      const now = this.#parts.runtime.clock.now();
      this.#transaction?.choose({ topic: record.topic, partition });
      if (this.#accumulator.append(record.topic, partition, { data, done }, now)) this.#news = true;
      return true;
    }
    return false;
  }

  #wait(waiting: WaitingRecord): void {
    const { clock } = this.#parts.runtime;
    waiting.timer = clock.after(this.#parts.config['max.block.ms'], () => this.#giveUp(waiting));
    this.#waiting.push(waiting);
    if (this.#outOfMemory) this.#news = true;
    else this.#parts.metadata.requestUpdate();
  }

  /** Tries again what waits, in order. */
  #admitWaiting(): void {
    if (this.#waiting.length === 0 || this.#stopped) return;
    this.#blockedTopics = new Set();
    this.#outOfMemory = false;
    this.#waiting = this.#waiting.filter(
      (waiting) => this.#outOfMemory || this.#blockedTopics.has(waiting.record.topic) || !this.#admit(waiting),
    );
    if (this.#blockedTopics.size > 0) this.#parts.metadata.requestUpdate();
    this.#wakeSender();
  }

  /** Not while `#waiting` is walked: what the sender settles may send more. */
  #wakeSender(): void {
    if (!this.#news) return;
    this.#news = false;
    this.#transaction?.wake();
    this.#sender.wake();
  }

  // ---- refusals: nothing was sent, so all of them are definite

  #giveUp(waiting: WaitingRecord): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    const { metadata, config } = this.#parts;
    const topic = metadata.topic(waiting.record.topic);
    const waited = `after max.block.ms (${config['max.block.ms']})`;
    if (topic === undefined) {
      const why = metadata.lastFailure ?? 'no broker has answered yet';
      this.#refuse(waiting, 'REQUEST_TIMED_OUT', `no metadata of topic ${waiting.record.topic} ${waited}: ${why}`);
    } else if (this.#blockedTopics.has(topic.name)) {
      const what = topic.error === 'NONE' ? `partition ${waiting.record.partition}` : 'it';
      const message = `topic ${topic.name} is known, ${what} does not exist ${waited}`;
      this.#refuse(waiting, 'UNKNOWN_TOPIC_OR_PARTITION', message);
    } else {
      this.#refuse(waiting, 'REQUEST_TIMED_OUT', `buffer.memory (${config['buffer.memory']}) is still full ${waited}`);
    }
    this.#admitWaiting();
  }

  #refuseLater(waiting: WaitingRecord, error: ErrorName, message: string): void {
    this.#parts.runtime.clock.after(0, () => this.#refuse(waiting, error, message));
  }

  #refuse(waiting: WaitingRecord, error: ErrorName, message: string): void {
    waiting.timer?.cancel();
    const partition = waiting.record.partition ?? -1;
    // A record that cannot be sent is missing in its transaction.
    if (!waiting.isOutside && this.#transaction?.givenUp === undefined)
      this.#transaction?.batchFailed({ error, message });
    waiting.done({ kind: 'failed', partition, error, message, definite: true, retried: false });
  }
}
