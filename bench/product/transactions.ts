// Transactions of our client, as an application uses it, in a process of its own. A producer is begun once and goes on from
// round to round.
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type HighwaterClient, type Producer } from '../../src/client/index.ts';
import { quantile } from '../figures.ts';
import { TOPIC, type Reach } from './cluster.ts';

const VALUE = Buffer.alloc(1010, 'v');
/** Longest that a cluster allows: what is held open must not end by itself. */
const TIMEOUT_MS = 900_000;
/** On a busy machine a round makes fewer transactions than asked for, but not fewer than COUNT_MIN. */
const ENOUGH_MS = 1200;
const COUNT_MIN = 5;
/** Whose transaction is measured; the others are held open. */
const MEASURED = 'measured';

let client: HighwaterClient | undefined;
const producers = new Map<string, Promise<Producer>>();

/** A producer that is ready for a transaction. */
function producerOf(id: string): Promise<Producer> {
  let producer = producers.get(id);
  if (producer === undefined) producers.set(id, (producer = begin(id)));
  return producer;
}

async function begin(id: string): Promise<Producer> {
  if (client === undefined) throw new Error('not connected');
  const config = { 'transactional.id': id, 'transaction.timeout.ms': TIMEOUT_MS };
  const producer = client.producer(config);
  await producer.initTransactions();
  return producer;
}

/** One record of 1 KiB to each of the first partitions. */
function sendTo(producer: Producer, partitions: number): Promise<unknown> {
  const sends = Array.from({ length: partitions }, (_, partition) =>
    producer.send({ topic: TOPIC, partition, value: VALUE }),
  );
  return Promise.all(sends);
}

/** A whole transaction. Records are not awaited one by one: the commit does that, and they leave together. */
async function transact(producer: Producer, partitions: number): Promise<void> {
  producer.beginTransaction();
  const [, committed] = await Promise.allSettled([sendTo(producer, partitions), producer.commitTransaction()]);
  if (committed.status === 'rejected') throw committed.reason;
}

/** What processing for a while costs in transactions (txn T-184). */
export interface Overhead {
  /** F / (T + F), percent. */
  readonly percent: number;
  /** F: what the commit takes, ms. */
  readonly fixedMs: number;
}

/** Handlers of the part "our-transactions". */
export const ourTransactions = {
  connect: async (reach: Reach): Promise<void> => {
    client = await connect(reach);
  },
  /**
   * From begin to the answered commit; p50, ms. With a pause between them none meets the one before, whose markers are
   * still on their way when its commit is answered (txn T-59).
   */
  latency: async (asked: { count: number; partitions?: number; pauseMs?: number }): Promise<number> => {
    const { count, partitions = 1, pauseMs = 0 } = asked;
    const producer = await producerOf(MEASURED);
    const times: number[] = [];
    const enough = performance.now() + ENOUGH_MS;
    for (let number = 0; number < count && !(number >= COUNT_MIN && performance.now() > enough); number++) {
      const started = performance.now();
      await transact(producer, partitions);
      times.push(performance.now() - started);
      if (pauseMs > 0) await delay(pauseMs);
    }
    return quantile(times, 0.5);
  },
  /** Transactions a second of several producers side by side. */
  rate: async ({ count, lanes }: { count: number; lanes: number }): Promise<number> => {
    const ready = await Promise.all(Array.from({ length: lanes }, (_, lane) => producerOf(`lane-${lane}`)));
    const started = performance.now();
    let begun = 0;
    const goOn = (): boolean => begun < count && !(begun >= lanes && performance.now() - started > ENOUGH_MS);
    const lane = async (producer: Producer): Promise<void> => {
      for (; goOn(); await transact(producer, 1)) begun += 1;
    };
    await Promise.all(ready.map(lane));
    return begun / ((performance.now() - started) / 1000);
  },
  /** Transactions in each of which something is processed for `processingMs`, with a record at its beginning. */
  overhead: async (asked: { count: number; processingMs: number }): Promise<Overhead> => {
    const producer = await producerOf(MEASURED);
    const [processing, fixed]: [number[], number[]] = [[], []];
    for (let number = 0; number < asked.count; number++) {
      const started = performance.now();
      producer.beginTransaction();
      const sent = sendTo(producer, 1);
      await delay(asked.processingMs);
      const processed = performance.now();
      await Promise.all([sent, producer.commitTransaction()]);
      processing.push(processed - started);
      fixed.push(performance.now() - processed);
    }
    const [t, f] = [sum(processing), sum(fixed)];
    return { percent: (100 * f) / (t + f), fixedMs: f / asked.count };
  },
  /** Begins transactions of other producers in partition 0 and leaves them open. */
  hold: async ({ count }: { count: number }): Promise<void> => {
    const held = await Promise.all(Array.from({ length: count }, (_, number) => producerOf(`held-${number}`)));
    for (const producer of held) producer.beginTransaction();
    await Promise.all(held.map((producer) => sendTo(producer, 1)));
  },
  /** Ends those that are open. */
  letGo: async ({ count }: { count: number }): Promise<void> => {
    const held = await Promise.all(Array.from({ length: count }, (_, number) => producerOf(`held-${number}`)));
    await Promise.all(held.map((producer) => producer.abortTransaction()));
  },
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
