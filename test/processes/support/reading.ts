// Producers and consumers of tests about positions: records in bulk, and readers that say how far they came.
import type { TopicPartition } from '../../../src/base/units.ts';
import type { Consumer, ConsumerRecord, HighwaterClient, Producer } from '../../../src/client/index.ts';
import { until } from './until.ts';

export type Isolation = 'read_committed' | 'read_uncommitted';

/** Sends asked for at once: enough to fill batches, not so many that a test holds a million promises. */
const SENDS_AT_ONCE = 20_000;
/** A poll that finds nothing has asked the leader at least once within this. */
const POLL_MS = 200;

/** Batches as large as a producer makes them: for many tiny records. */
export const BULK = { 'batch.size': 900_000, 'linger.ms': 50 } as const;

/** Appends numbers as records, and answers when all are replicated. They must get the offsets that a test counts on. */
export async function fill(producer: Producer, to: TopicPartition, from: number, end: number): Promise<void> {
  for (let next = from; next < end; next += SENDS_AT_ONCE) {
    const count = Math.min(SENDS_AT_ONCE, end - next);
    const sent = await Promise.all(
      Array.from({ length: count }, (_, index) => producer.send({ ...to, value: String(next + index) })),
    );
    const wrong = sent.findIndex(({ offset }, index) => offset !== next + index);
    if (wrong >= 0) throw new Error(`record ${next + wrong} is at offset ${sent[wrong]!.offset}`);
  }
}

/** A consumer of one partition that keeps count of what it was given. */
export class Reader {
  readonly consumer: Consumer;
  readonly #of: TopicPartition;
  /** Values delivered, in the order they came. */
  readonly values: string[] = [];
  /** Offset of the last record delivered, -1 before there is one. */
  lastOffset = -1;

  constructor(client: HighwaterClient, of: TopicPartition, isolation: Isolation, from = 0) {
    const config = { 'isolation.level': isolation, 'auto.offset.reset': 'earliest', 'max.poll.records': 100_000 };
    this.consumer = client.consumer({ config });
    this.#of = of;
    this.consumer.assign([of]);
    if (from > 0) this.consumer.seek(of, from);
  }

  get position(): number {
    return this.consumer.position(this.#of) ?? 0;
  }

  /** One poll. */
  async poll(): Promise<readonly ConsumerRecord[]> {
    const records = (await this.consumer.poll({ maxWaitMs: POLL_MS })).flatMap((delivery) => delivery.records);
    for (const { value, offset } of records) {
      this.values.push(String(value));
      this.lastOffset = offset;
    }
    return records;
  }

  /** Polls until the position is there. */
  async readTo(position: number): Promise<void> {
    await until(`a reader of ${this.#of.topic} is at position ${position}`, async () => {
      await this.poll();
      return this.position >= position;
    });
  }

  /** What consumers call their lag: the end of what can be read, less the position. */
  async lag(): Promise<number> {
    return (await this.end()) - this.position;
  }

  /** Where reading ends now. */
  async end(): Promise<number> {
    const [listed] = await this.consumer.endOffsets([this.#of]);
    if (listed!.error !== 'NONE') throw new Error(`end offset: ${listed!.error}`);
    return listed!.offset;
  }
}

/** The texts of numbers from `from` up to and without `end`. */
export function numbers(from: number, end: number): string[] {
  return Array.from({ length: end - from }, (_, index) => String(from + index));
}
