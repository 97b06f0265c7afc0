// kafkajs as a benchmark's client: throughput of acks=all, what a commit takes, and how long a killed leader is missed.
import { Kafka, logLevel, Partitioners, type Producer } from 'kafkajs';
import { performance } from 'node:perf_hooks';

const BATCH = 100;

export interface JsClient {
  /** Creates a topic of one partition and three replicas. */
  createTopic(topic: string): Promise<void>;
  /** Megabytes a second of acks=all. */
  throughput(topic: string, seconds: number, bytes: number): Promise<number>;
  /** Milliseconds of each commit of a transaction of one record. */
  commits(topic: string, count: number, bytes: number): Promise<number[]>;
  /** Milliseconds until one record is acknowledged by all in sync, however often it has to be sent. */
  acknowledged(topic: string): Promise<number>;
  leaderOf(topic: string): Promise<number>;
  /** Waits until the three replicas of a topic are in sync. */
  settled(topic: string): Promise<void>;
  close(): Promise<void>;
}

export async function jsClient(bootstrap: string): Promise<JsClient> {
  const kafka = new Kafka({
    ...{ clientId: 'bench', brokers: bootstrap.split(','), logLevel: logLevel.NOTHING },
    retry: { retries: 100, initialRetryTime: 50, maxRetryTime: 100 },
  });
  const admin = kafka.admin();
  const createPartitioner = Partitioners.DefaultPartitioner;
  const plain = kafka.producer({ createPartitioner });
  await Promise.all([admin.connect(), plain.connect()]);
  const partition = async (topic: string) =>
    (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]!.partitions[0]!;
  return {
    createTopic: async (topic) => {
      const topics = [{ topic, numPartitions: 1, replicationFactor: 3 }];
      await admin.createTopics({ waitForLeaders: true, topics });
    },
    throughput: (topic, seconds, bytes) => throughput(plain, topic, { seconds, bytes }),
    commits: async (topic, count, bytes) => {
      const options = { transactionalId: 'bench-kafkajs', maxInFlightRequests: 1, idempotent: true, createPartitioner };
      const producer = kafka.producer(options);
      await producer.connect();
      const took = await commits(producer, topic, { count, bytes });
      await producer.disconnect();
      return took;
    },
    acknowledged: async (topic) => {
      const began = performance.now();
      await plain.send({ topic, acks: -1, timeout: 1000, messages: [{ value: 'still there', partition: 0 }] });
      return performance.now() - began;
    },
    leaderOf: async (topic) => (await partition(topic)).leader,
    settled: async (topic) => {
      while ((await partition(topic).catch(() => undefined))?.isr.length !== 3)
        await new Promise((resolve) => setTimeout(resolve, 200));
    },
    close: async () => {
      await Promise.all([plain.disconnect(), admin.disconnect()]);
    },
  };
}

async function throughput(producer: Producer, topic: string, of: { seconds: number; bytes: number }): Promise<number> {
  const messages = Array.from({ length: BATCH }, () => ({ value: Buffer.alloc(of.bytes, 120), partition: 0 }));
  const began = performance.now();
  let sent = 0;
  const until = began + of.seconds * 1000;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      await producer.send({ topic, acks: -1, messages });
      sent += BATCH;
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return (sent * of.bytes) / 1e6 / ((performance.now() - began) / 1000);
}

async function commits(producer: Producer, topic: string, of: { count: number; bytes: number }): Promise<number[]> {
  const took: number[] = [];
  for (let number = 0; number < of.count; number++) {
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: Buffer.alloc(of.bytes, 120), partition: 0 }] });
    const began = performance.now();
    await transaction.commit();
    took.push(performance.now() - began);
  }
  return took;
}
