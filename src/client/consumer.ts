// The consumer as applications use it: polls as promises, records as an async iterator. Everything is decided in the core.
import { gunzipSync } from 'node:zlib';
import type { DurationMs, LeaderEpoch, Offset, TopicPartition } from '../base/units.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { ConsumerCore } from './core/consumer.ts';
import type { ConsumerRecord, Decompress, Delivery } from './core/consumer-record.ts';
import type { ListedOffsetResult } from './core/list-offsets.ts';
import { ConsumerError, HighwaterError } from './errors.ts';

/** How a poll waits. */
export interface PollOptions extends CallOptions {
  readonly maxWaitMs?: DurationMs;
}

/** A poll of an iterator waits this long before it begins anew. */
const POLL_MS: DurationMs = 1000;

/** What Node can undo by itself. Undefined for the others, and for damaged bytes. */
export const decompress: Decompress = (codec, body) => {
  try {
    return codec === 'gzip' ? gunzipSync(body) : undefined;
  } catch {
    return undefined;
  }
};

export class Consumer {
  readonly #core: ConsumerCore;
  readonly #calls: Calls;
  #closed = false;

  constructor(core: ConsumerCore, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
  }

  /** Reads these partitions from now on, and no others. */
  assign(partitions: readonly TopicPartition[]): void {
    this.#core.assign(partitions);
  }

  get assignment(): readonly TopicPartition[] {
    return this.#core.assignment;
  }

  /** Goes to an offset. With the leader epoch of the record before it, the position is validated first (repl R-36). */
  seek(of: TopicPartition, offset: Offset, leaderEpoch?: LeaderEpoch): void {
    mustBeAssigned(of, this.#core.seek(of, offset, leaderEpoch));
  }

  seekToBeginning(of: TopicPartition): void {
    mustBeAssigned(of, this.#core.seekTo(of, 'earliest'));
  }

  seekToEnd(of: TopicPartition): void {
    mustBeAssigned(of, this.#core.seekTo(of, 'latest'));
  }

  /** Offset of the next record to deliver; undefined before there is one. */
  position(of: TopicPartition): Offset | undefined {
    return this.#core.position(of);
  }

  /**
   * How far behind the end the position is, as of the last fetch; undefined before there is one. The end is the last stable
   * offset under read_committed, else the high watermark.
   */
  currentLag(of: TopicPartition): number | undefined {
    return this.#core.currentLag(of);
  }

  /** First offsets of logs, in the order of the question. */
  beginningOffsets(partitions: readonly TopicPartition[], options: CallOptions = {}) {
    return this.#calls.run<readonly ListedOffsetResult[]>(
      (resolve) => this.#core.beginningOffsets(partitions, resolve),
      options,
    );
  }

  /**
   * Where reading ends now, in the order of the question: the last stable offset under read_committed, else the high
   * watermark. It may lie behind the last record: markers take offsets too (txn T-146).
   */
  endOffsets(partitions: readonly TopicPartition[], options: CallOptions = {}) {
    return this.#calls.run<readonly ListedOffsetResult[]>(
      (resolve) => this.#core.endOffsets(partitions, resolve),
      options,
    );
  }

  /** What can be read now, partition by partition; empty after `maxWaitMs` without anything. Throws ConsumerError. */
  poll(options: PollOptions = {}): Promise<readonly Delivery[]> {
    const { maxWaitMs = POLL_MS } = options;
    return this.#calls.run<readonly Delivery[]>(
      (resolve, reject) => {
        this.#core.poll(maxWaitMs, (result) => {
          if (result.kind === 'failed') reject(new ConsumerError(result.failure));
          else resolve(result.deliveries);
        });
      },
      options,
      () => this.#core.cancelPoll(),
    );
  }

  /** Records as they come, until the consumer is closed or the signal aborts. Throws ConsumerError. */
  async *records(options: CallOptions = {}): AsyncGenerator<ConsumerRecord, void, undefined> {
    while (!this.#closed && !this.#calls.closed) {
      for (const { records } of await this.poll(options)) yield* records;
    }
  }

  close(): void {
    this.#closed = true;
    this.#core.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}

function mustBeAssigned({ topic, partition }: TopicPartition, assigned: boolean): void {
  if (assigned) return;
  const message = `${topic}-${partition} is not assigned to this consumer: call assign first`;
  throw new HighwaterError({ code: 'INVALID_REQUEST', message, definite: true });
}
