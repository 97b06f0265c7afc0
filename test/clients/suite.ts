// Foreign clients, unchanged, against whatever speaks the wire protocol (wire section 14, the steps without groups and
// transactions). A client that is not installed is reported as skipped.
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODECS, codecNumber } from '../../src/log/attributes.ts';
import { installed, kcat, PYTHON, run } from './run-client.ts';
import { BAD_BATCHES, type BadBatch } from '../kafka/bad-batches.ts';
import { batchOf, PRODUCE, produceBody } from '../kafka/bodies.ts';
import type { Struct } from '../kafka/generic-codec.ts';
import { leaderOf, storedBatches } from './stored-batches.ts';

/** A running cluster as a client is told of it. */
export interface ForeignCluster {
  /** "127.0.0.1:port" of any broker. */
  readonly bootstrap: string;
  readonly brokerCount: number;
  /** Creates a topic of three partitions; resolves when they have leaders. */
  createTopic(name: string): Promise<void>;
  close(): Promise<void>;
}

const lines = (count: number, prefix = '') => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}\n`).join('');

/** Defines the suite. `start` is called once. */
export function foreignClients(where: string, start: () => Promise<ForeignCluster>): void {
  describe(where, () => {
    let cluster: ForeignCluster;
    beforeAll(async () => {
      cluster = await start();
    });
    afterAll(() => cluster.close());

    describe.concurrent('kcat', () => kcatTests(() => cluster));
    test.skipIf(!installed.kafkaPython)('wire ladder 7: kafka-python, the lowest versions', () => kafkaPython(cluster));
    test.each(BAD_BATCHES)('wire ladder 9: over raw protocol, $name is refused and the log unchanged', (bad) =>
      refused(cluster, bad),
    );
    test('wire ladder 6, 10: kafkajs produces and asks for offsets', () => kafkaJs(cluster));
  });
}

/** Of the suite, what kcat does. `start` is called once. */
export function foreignKcat(where: string, start: () => Promise<ForeignCluster>): void {
  describe(where, () => {
    let cluster: ForeignCluster;
    beforeAll(async () => {
      cluster = await start();
    });
    afterAll(() => cluster.close());
    kcatTests(() => cluster);
  });
}

function kcatTests(at: () => ForeignCluster): void {
  const withKcat = test.skipIf(!installed.kcat);

  withKcat('wire ladder 2: -L lists brokers, topics and leaders', async () => {
    const { bootstrap, brokerCount, createTopic } = at();
    await createTopic('listed');
    const listing = await kcat(bootstrap, ['-L']);
    expect(listing).toContain(` ${brokerCount} brokers:\n`);
    expect(listing.match(/^ {2}broker \d+ at 127\.0\.0\.1:\d+/gm)).toHaveLength(brokerCount);
    expect(listing).toContain('  topic "listed" with 3 partitions:\n');
    expect(await kcat(bootstrap, ['-L', '-t', 'listed'])).toMatch(/^ {4}partition 2, leader \d+, replicas: \d+/m);
  });

  withKcat('wire W-69: -P to a topic that is not there creates it', async () => {
    const { bootstrap } = at();
    await kcat(bootstrap, ['-P', '-t', 'created', '-p', '0', '-X', 'acks=all'], lines(1));
    expect(await kcat(bootstrap, ['-C', '-e', '-q', '-t', 'created', '-p', '0'])).toBe(lines(1));
  });

  withKcat('wire ladder 3: 1000 lines come back in order, acks all, 1 and 0', async () => {
    const { bootstrap, createTopic } = at();
    await createTopic('lines');
    const consume = (partition: string) => kcat(bootstrap, ['-C', '-e', '-q', '-t', 'lines', '-p', partition]);
    for (const [partition, acks] of [
      ['0', 'all'],
      ['1', '1'],
      ['2', '0'],
    ] as const) {
      await kcat(bootstrap, ['-P', '-t', 'lines', '-p', partition, '-X', `acks=${acks}`], lines(1000, `${acks}-`));
      expect(await consume(partition)).toBe(lines(1000, `${acks}-`));
    }
  });

  withKcat('wire ladder 8: with idempotence, which a batch says itself', async () => {
    const { bootstrap, createTopic } = at();
    await createTopic('idempotent');
    const options = ['-X', 'enable.idempotence=true', '-X', 'linger.ms=1'];
    await kcat(bootstrap, ['-P', '-t', 'idempotent', '-p', '0', ...options], lines(1000));
    const batches = await storedBatches(bootstrap, 'idempotent');
    expect(new Set(batches.map(({ producerId, producerEpoch }) => producerId >= 0 && producerEpoch))).toEqual(
      new Set([0]),
    );
    expect(batches.map(({ baseSequence }) => baseSequence)).toEqual(batches.map(({ baseOffset }) => baseOffset));
    expect(await kcat(bootstrap, ['-C', '-e', '-q', '-t', 'idempotent', '-p', '0'])).toBe(lines(1000));
  });

  withKcat.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
    'wire ladder 4, W-44: -z %s is stored so and decoded',
    async (codec) => {
      const { bootstrap, createTopic } = at();
      const topic = `compressed-${codec}`;
      await createTopic(topic);
      const text = lines(1000, 'compressible ');
      await kcat(bootstrap, ['-P', '-t', topic, '-p', '0', '-z', codec, '-X', 'linger.ms=100'], text);
      const batches = await storedBatches(bootstrap, topic);
      // A batch of few records gains nothing, and is sent as it is.
      const [largest] = batches.sort((a, b) => b.recordCount - a.recordCount);
      expect(CODECS[codecNumber(largest!.attributes)]).toBe(codec);
      expect(await kcat(bootstrap, ['-C', '-e', '-q', '-t', topic, '-p', '0'])).toBe(text);
    },
  );

  withKcat('wire ladder 10: -Q earliest, latest, by time, beyond the end', async () => {
    const { bootstrap, createTopic } = at();
    await createTopic('queried');
    await kcat(bootstrap, ['-P', '-t', 'queried', '-p', '0'], lines(10));
    const query = (time: string) => kcat(bootstrap, ['-Q', '-t', `queried:0:${time}`]);
    expect(await query('-2')).toBe('queried [0] offset 0\n');
    expect(await query('-1')).toBe('queried [0] offset 10\n');
    expect(await query('1')).toBe('queried [0] offset 0\n');
    expect(await query('9000000000000')).toBe('queried [0] offset -1\n');
  });
}

async function refused({ bootstrap, createTopic }: ForeignCluster, bad: BadBatch): Promise<void> {
  const topic = `refused-${BAD_BATCHES.indexOf(bad)}`;
  await createTopic(topic);
  const client = await leaderOf(bootstrap, topic);
  const produce = async (records: Buffer): Promise<Struct> => {
    const { body } = await client.ask(PRODUCE, 7, produceBody(-1, records, topic));
    return ((body['responses'] as Struct[])[0]!['partitionResponses'] as Struct[])[0]!;
  };
  expect(await produce(batchOf('before'))).toMatchObject({ errorCode: 0, baseOffset: 0 });
  expect(await produce(bad.records)).toMatchObject({ errorCode: bad.errorCode, baseOffset: -1 });
  expect(await produce(batchOf('after'))).toMatchObject({ errorCode: 0, baseOffset: 1 });
  client.close();
  expect((await storedBatches(bootstrap, topic)).map(({ baseOffset }) => baseOffset)).toEqual([0, 1]);
}

async function kafkaPython({ bootstrap, createTopic }: ForeignCluster): Promise<void> {
  await createTopic('python');
  const script = fileURLToPath(new URL('kafka-python-client.py', import.meta.url));
  const { status, stdout, stderr } = await run(PYTHON, [script, bootstrap, 'python', '100']);
  expect(status, stderr).toBe(0);
  const indexes = Array.from({ length: 100 }, (_, i) => i);
  expect(JSON.parse(stdout)).toEqual({
    offsets: indexes,
    consumed: indexes.map((i) => [i, `k${i}`, `v${i}`, 1000 + i]),
    beginning: 0,
    end: 100,
    at: [50, 1050],
    beyond: null,
  });
}

async function kafkaJs({ bootstrap, createTopic }: ForeignCluster): Promise<void> {
  await createTopic('javascript');
  const kafka = new Kafka({ clientId: 'foreign', brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  const admin = kafka.admin();
  try {
    await producer.connect();
    const messages = Array.from({ length: 50 }, (_, i) => ({
      value: `v${i}`,
      partition: i % 2,
      timestamp: `${1000 + i}`,
    }));
    const answers = await producer.send({ topic: 'javascript', acks: -1, messages });
    expect(answers.map(({ partition, errorCode, baseOffset }) => [partition, errorCode, baseOffset]).sort()).toEqual([
      [0, 0, '0'],
      [1, 0, '0'],
    ]);
    await admin.connect();
    expect(await admin.describeCluster()).toMatchObject({ brokers: expect.any(Array), controller: expect.any(Number) });
    expect((await admin.fetchTopicOffsets('javascript')).sort((a, b) => a.partition - b.partition)).toEqual([
      { partition: 0, offset: '25', high: '25', low: '0' },
      { partition: 1, offset: '25', high: '25', low: '0' },
      { partition: 2, offset: '0', high: '0', low: '0' },
    ]);
    // 1011 is the time of an odd message, so partition 0 answers with the one after it. kafkajs turns "none" into the end.
    expect(
      (await admin.fetchTopicOffsetsByTimestamp('javascript', 1011)).sort((a, b) => a.partition - b.partition),
    ).toEqual([
      { partition: 0, offset: '6' },
      { partition: 1, offset: '5' },
      { partition: 2, offset: '0' },
    ]);
  } finally {
    await producer.disconnect();
    await admin.disconnect();
  }
}
