// Our client, as an application uses it, in a process of its own: the counterpart of bare/client.ts.
import { randomBytes } from 'node:crypto';
import { connect, type HighwaterClient, type Producer } from '../../src/client/index.ts';
import { quantile } from '../figures.ts';
import { BATCH_BYTES, batchesToMb, IN_FLIGHT, POOL_BYTES, RECORD_VALUE_BYTES, RECORDS_PER_BATCH } from '../sizes.ts';
import { TOPIC, type Reach } from './cluster.ts';

const pool = randomBytes(POOL_BYTES + RECORD_VALUE_BYTES);
let client: HighwaterClient | undefined;

/** Records sent and not answered: what is in flight, and as much again twice, so that the producer never waits for us. */
const WINDOW = IN_FLIGHT * RECORDS_PER_BATCH * 3;

/** Random bytes, others each time. */
function cut(number: number): Buffer {
  const at = (number * 4099) % POOL_BYTES;
  return pool.subarray(at, at + RECORD_VALUE_BYTES);
}

function producerOf(config: Readonly<Record<string, unknown>>): Producer {
  if (client === undefined) throw new Error('not connected');
  return client.producer({ acks: 'all', 'max.in.flight.requests.per.connection': IN_FLIGHT, ...config });
}

/** Handlers of the part "our-client". */
export const ourClient = {
  connect: async (reach: Reach): Promise<void> => {
    client = await connect(reach);
  },
  /** MB/s acknowledged, counted as records of 1 KiB. */
  throughput: async ({ count: batches }: { count: number }): Promise<number> => {
    const producer = producerOf({ 'batch.size': BATCH_BYTES });
    const records = batches * RECORDS_PER_BATCH;
    const started = performance.now();
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < records) await producer.send({ topic: TOPIC, partition: 0, value: cut(sent++) });
    };
    await Promise.all(Array.from({ length: WINDOW }, lane));
    const seconds = (performance.now() - started) / 1000;
    await producer.close();
    return batchesToMb(batches) / seconds;
  },
  /** p50 of one record at a time, ms. */
  latency: async ({ count }: { count: number }): Promise<number> => {
    const producer = producerOf({ 'linger.ms': 0 });
    const times: number[] = [];
    for (let number = 0; number < count; number++) {
      const started = performance.now();
      await producer.send({ topic: TOPIC, partition: 0, value: cut(number) });
      times.push(performance.now() - started);
    }
    await producer.close();
    return quantile(times, 0.5);
  },
};
