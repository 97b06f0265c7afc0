// Reads what a storm writes, from the beginning and all the time, and puts what it is given into the history: what was shown
// once must stay.
import { setTimeout as delay } from 'node:timers/promises';
import { formatPartition, type TopicPartition } from '../../base/units.ts';
import { ConsumerError, type Consumer, type Delivery, type HighwaterClient } from '../../client/index.ts';
import type { StormTopic } from './writer.ts';

/** The reader's name in the history. */
export const READER = 'reader';

const POLL_MS = 500;
const LOOK_MS = 50;

export class Reader {
  readonly #consumer: Consumer;
  readonly #of: readonly TopicPartition[];
  readonly #from: StormTopic;
  #op = 0;
  #reading: Promise<void> | undefined;
  #stop = false;

  constructor(client: HighwaterClient, from: StormTopic) {
    const { topic, partitions, record } = from;
    this.#consumer = client.consumer({
      config: { 'auto.offset.reset': 'earliest' },
      onPosition: (of, why, before, to) =>
        record({ f: 'position', type: 'info', process: READER, partition: nameOf(of), why, from: before, to }),
    });
    this.#of = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
    this.#from = from;
  }

  /** Reads from now on. */
  begin(): void {
    this.#consumer.assign(this.#of);
    this.#reading = this.#read();
  }

  /** Reads to the end, for at most so long, and no more. Answers whether it came there. */
  async end(withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    let isThere = false;
    while (!isThere && performance.now() < end) {
      isThere = await this.#isAtEnd();
      if (!isThere) await delay(LOOK_MS);
    }
    this.#stop = true;
    await this.#reading;
    this.#consumer.close();
    return isThere;
  }

  async #isAtEnd(): Promise<boolean> {
    const ends = await this.#consumer.endOffsets(this.#of);
    return this.#of.every((of, at) => {
      const { error, offset } = ends[at]!;
      return error === 'NONE' && (this.#consumer.position(of) ?? 0) >= offset;
    });
  }

  async #read(): Promise<void> {
    while (!this.#stop) {
      try {
        for (const delivery of await this.#consumer.poll({ maxWaitMs: POLL_MS })) this.#told(delivery);
      } catch (error) {
        if (!(error instanceof ConsumerError)) throw error;
        const at = { process: READER, op: this.#op++, partition: nameOf(error.failure) };
        this.#from.record({ f: 'poll', type: 'fail', ...at, error: error.code });
        await delay(LOOK_MS);
      }
    }
  }

  #told(delivery: Delivery): void {
    const { from, to } = delivery;
    const records = delivery.records.map(({ offset, value }) => ({ offset, value: value?.toString('utf8') ?? '' }));
    const at = { process: READER, op: this.#op++, partition: nameOf(delivery) };
    this.#from.record({ f: 'poll', type: 'ok', ...at, from, to, records });
  }
}

const nameOf = ({ topic, partition }: TopicPartition): string => formatPartition(topic, partition);
