// Reads a topic from its beginning to where it ends now: for tests and tools, not for applications that go on.
import type { TopicPartition } from '../base/units.ts';
import { formatPartition } from '../base/units.ts';
import type { CallOptions } from './calls.ts';
import type { HighwaterClient } from './client.ts';
import type { ConsumerRecord } from './core/consumer-record.ts';
import { HighwaterError } from './errors.ts';

export interface ReadAllOptions extends CallOptions {
  readonly isolation?: 'read_uncommitted' | 'read_committed';
}

/** A partition may turn out to be empty: then no poll brings anything. */
const POLL_MS = 100;

/** Every record of a topic below its present end, partition by partition in log order. */
export async function readAll(
  client: HighwaterClient,
  topic: string,
  options: ReadAllOptions = {},
): Promise<readonly ConsumerRecord[]> {
  const { isolation = 'read_uncommitted', signal } = options;
  const [described] = await client.admin().describeTopics([topic], { signal });
  if (described?.error !== 'NONE') {
    const code = described?.error ?? 'UNKNOWN_TOPIC_OR_PARTITION';
    throw new HighwaterError({ code, message: `topic ${topic} cannot be read: ${code}`, definite: true });
  }
  const partitions = described.partitions.map(({ partition }) => ({ topic, partition }));
  const ends = new Map<string, number>();
  for (const of of partitions) ends.set(nameOf(of), await client.admin().endOffset(of, isolation));
  const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest', 'isolation.level': isolation } });
  try {
    consumer.assign(partitions);
    const records: ConsumerRecord[] = [];
    while (partitions.some((of) => (consumer.position(of) ?? -1) < ends.get(nameOf(of))!)) {
      for (const delivery of await consumer.poll({ signal, maxWaitMs: POLL_MS })) {
        records.push(...delivery.records.filter(({ offset }) => offset < ends.get(nameOf(delivery))!));
      }
    }
    return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
  } finally {
    consumer.close();
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return formatPartition(topic, partition);
}
