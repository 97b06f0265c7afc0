// Records written during a storm and what became of them: those that were acknowledged must all be there afterwards, each at
// the offset that was told, once. What was not acknowledged may be there or not.
import type { TopicPartition } from '../../base/units.ts';
import type { HighwaterClient } from '../../client/index.ts';

/** What was found when all was read again. */
export interface Audit {
  readonly acknowledged: number;
  readonly unacknowledged: number;
  /** "storm-0 offset 17: 4711 was acknowledged there and is not there". */
  readonly findings: readonly string[];
}

/** Between two sends: some hundred records a second are enough to be hit. */
const PAUSE_MS = 5;
const POLL_MS = 500;

export class Ledger {
  readonly #client: HighwaterClient;
  readonly #topic: string;
  /** Values by "partition/offset". */
  readonly #acknowledged = new Map<string, string>();
  #unacknowledged = 0;
  #writing: Promise<void> | undefined;
  #stop = false;

  constructor(client: HighwaterClient, topic: string) {
    this.#client = client;
    this.#topic = topic;
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Writes from now on. */
  begin(): void {
    this.#writing = this.#write();
  }

  /** Writes no more; resolves when it is known of every record what became of it. */
  async end(): Promise<void> {
    this.#stop = true;
    await this.#writing;
  }

  async #write(): Promise<void> {
    const producer = this.#client.producer({ acks: 'all' });
    const underWay = new Set<Promise<void>>();
    for (let number = 1; !this.#stop; number++) {
      const value = String(number);
      const sent: Promise<void> = producer.send({ topic: this.#topic, value }).then(
        ({ partition, offset }) => void this.#acknowledged.set(`${partition}/${offset}`, value),
        () => void (this.#unacknowledged += 1),
      );
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    await Promise.all(underWay);
  }

  /** Reads everything and compares. */
  async audit(partitions: readonly number[]): Promise<Audit> {
    const consumer = this.#client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
    const assigned: TopicPartition[] = partitions.map((partition) => ({ topic: this.#topic, partition }));
    const ends = await consumer.endOffsets(assigned);
    consumer.assign(assigned);
    const found = new Map<string, string>();
    const behind = (at: TopicPartition, index: number): boolean =>
      (consumer.position(at) ?? 0) < (ends[index]?.offset ?? 0);
    while (assigned.some(behind)) {
      for (const { records } of await consumer.poll({ maxWaitMs: POLL_MS }))
        for (const { partition, offset, value } of records)
          found.set(`${partition}/${offset}`, value?.toString('utf8') ?? '');
    }
    consumer.close();
    return {
      acknowledged: this.#acknowledged.size,
      unacknowledged: this.#unacknowledged,
      findings: compare(this.#topic, this.#acknowledged, found),
    };
  }
}

/** What was promised and is not so. Both maps hold values by "partition/offset". */
export function compare(
  topic: string,
  acknowledged: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string[] {
  const place = (at: string): string => `${topic}-${at.replace('/', ' offset ')}`;
  const findings: string[] = [];
  for (const [at, value] of acknowledged) {
    const there = found.get(at);
    if (there === value) continue;
    const instead = there === undefined ? 'nothing is there' : `${there} is there`;
    findings.push(`lost write: ${place(at)}: ${value} was acknowledged, and ${instead}`);
  }
  const first = new Map<string, string>();
  for (const [at, value] of found) {
    const before = first.get(value);
    if (before !== undefined) findings.push(`duplicate: ${value} is at ${place(before)} and at ${place(at)}`);
    else first.set(value, at);
  }
  return findings;
}
