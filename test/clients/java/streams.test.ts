// Kafka Streams, exactly_once_v2, two instances, while brokers and instances are killed at random (wire section 14, step 25).
// HIGHWATER_SEED repeats a run's choices.
import { Kafka, logLevel, Partitioners, type Admin } from 'kafkajs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { classpath, javaSide, SMALL_JVM } from '../support/java.ts';
import { Lines } from '../support/lines.ts';
import { chooser, seedOf } from '../support/seed.ts';
import { until } from '../support/until.ts';

const LINES = 600;
const WORDS = ['ebb', 'flow', 'spring', 'neap', 'slack', 'bore'];
const PARTITIONS = 3;
const KILLS = 5;
const BATCH = 20;
const RUNNING_MS = 90_000;
/** After the last kill: sessions and transactions of the dead time out, state is restored, the rest is counted. */
const COUNTED_MS = 120_000;
const LIMIT_MS = 400_000;

class Instance {
  readonly #args: readonly string[];
  #process: Lines<string>;

  constructor(bootstrap: string, state: string) {
    const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=off';
    this.#args = [...SMALL_JVM, quiet, '-cp', classpath(), 'highwater.WordCount', bootstrap, state];
    this.#process = new Lines('java', this.#args);
  }
  running(): Promise<void> {
    return this.#process.until('the instance runs', (said) => said.includes('running'), RUNNING_MS);
  }
  async killAndRestart(): Promise<void> {
    await this.#process.kill();
    this.#process = new Lines('java', this.#args);
  }
  kill(): Promise<void> {
    return this.#process.kill();
  }
}

/** Every count that was written, by word, in order. */
async function counts(kafka: Kafka, isDone: (counts: ReadonlyMap<string, number[]>) => boolean) {
  const found = new Map<string, number[]>(WORDS.map((word) => [word, []]));
  const consumer = kafka.consumer({ groupId: 'checker', maxWaitTimeInMs: 200 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: ['counts'], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => void found.get(String(message.key))!.push(Number(message.value)),
    });
    await until(
      'every word counted',
      () => [...found.values()].map((all) => all.length),
      () => isDone(found),
      COUNTED_MS,
    );
  } finally {
    await consumer.disconnect();
  }
  return found;
}

/** Sends the lines in batches, killing something after every few; resolves with the words that were sent. */
async function disturbed(
  kafka: Kafka,
  cluster: Highwater,
  instances: readonly Instance[],
  seed: number,
): Promise<string[]> {
  const below = chooser(seed);
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const sent: string[] = [];
  const batches = LINES / BATCH;
  const every = Math.floor(batches / KILLS);
  for (let batch = 0; batch < batches; batch++) {
    const messages = Array.from({ length: BATCH }, () => {
      const words = [0, 1].map(() => WORDS[below(WORDS.length)]!);
      sent.push(...words);
      return { partition: batch % PARTITIONS, value: words.join(' ') };
    });
    // To one partition each: of a send to several, kafkajs drops what goes to a leader that has just died, and says nothing.
    await producer.send({ topic: 'lines', acks: -1, messages });
    if (batch % every !== every - 1) continue;
    if (below(2) === 0) await instances[below(instances.length)]!.killAndRestart();
    else {
      const broker = 1 + below(3);
      await cluster.kill(broker);
      await cluster.restart(broker);
    }
  }
  await producer.disconnect();
  return sent;
}

async function isReplicated(admin: Admin): Promise<void> {
  const internal = (await admin.listTopics()).filter((name) => name.startsWith('word-count-'));
  expect(internal).toHaveLength(2); // The repartitioned words and the changelog of the counts.
  const { topics } = await admin.fetchTopicMetadata({ topics: internal });
  for (const { partitions } of topics) for (const { replicas } of partitions) expect(replicas).toHaveLength(3);
}

test.skipIf('missing' in javaSide()).each([2, 1] as const)(
  'wire ladder 25: word count is exact, transaction.version %i',
  { timeout: LIMIT_MS },
  async (transactionVersion) => {
    const seed = seedOf();
    process.stdout.write(`seed ${seed}\n`);
    const config = {
      ...{ 'transaction.version': String(transactionVersion), 'default.replication.factor': '3' },
      ...{
        'offsets.topic.num.partitions': '5',
        'transaction.state.log.num.partitions': '5',
        'min.insync.replicas': '2',
      },
    };
    const cluster = await startHighwater({ config });
    const folder = mkdtempSync(join(tmpdir(), 'highwater-streams-'));
    const kafka = new Kafka({
      ...{ clientId: 'words', brokers: cluster.bootstrap.split(','), logLevel: logLevel.NOTHING },
      retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1000 },
    });
    const admin = kafka.admin();
    const instances: Instance[] = [];
    try {
      await admin.connect();
      const topics = ['lines', 'counts'].map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: 3 }));
      await admin.createTopics({ waitForLeaders: true, topics });
      for (const name of ['a', 'b']) instances.push(new Instance(cluster.bootstrap, join(folder, name)));
      await Promise.all(instances.map((instance) => instance.running()));
      const sent = await disturbed(kafka, cluster, instances, seed);
      const expected = WORDS.map((word) => sent.filter((each) => each === word).length);
      const isDone = (found: ReadonlyMap<string, number[]>) =>
        WORDS.every((word, at) => found.get(word)!.length >= expected[at]!);
      const found = await counts(kafka, isDone);
      const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
      for (const [at, word] of WORDS.entries()) expect(found.get(word), word).toEqual(upTo(expected[at]!));
      await isReplicated(admin);
      const state = async () => (await admin.describeGroups(['word-count'])).groups[0]!.state;
      await until('the group stable', state, (name) => name === 'Stable');
    } finally {
      await Promise.all(instances.map((instance) => instance.kill()));
      await admin.disconnect();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
);
