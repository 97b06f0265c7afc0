// Operating a cluster by its command line: which transactions are open, late or hanging and how to end them, groups and what
// they can read, logs record by record. One cluster; every answer is what the command prints.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HighwaterClient, Producer } from '../../../src/client/index.ts';
import { TRANSACTIONAL } from '../../../src/log/attributes.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import { PRODUCE, produceBody } from '../../kafka/bodies.ts';
import { RawClient } from '../../kafka/raw-client.ts';
import { connectTo, partitionOf, untilConverged } from '../support/client.ts';
import { Highwater, type Ended } from '../support/highwater.ts';
import { until, untilHolds } from '../support/until.ts';

type Row = Readonly<Record<string, unknown>>;
interface Document {
  readonly data: readonly Row[];
  readonly warnings: readonly string[];
}

const of = ['--cluster', 'ops'] as const;
/** Long ago: what was written then is late, whoever wrote it. */
const LONG_AGO = 1_700_000_000_000;

let highwater: Highwater;
let client: HighwaterClient;

beforeAll(async () => {
  highwater = new Highwater();
  // Leaders believe whoever writes: so a transaction can be open that no coordinator knows (txn W-3).
  const settings = [
    ...['transaction.partition.verification.enable=false', 'transaction.state.log.num.partitions=5'],
    ...['offsets.topic.num.partitions=5', 'group.initial.rebalance.delay.ms=0'],
  ].flatMap((setting) => ['--config', setting]);
  const topics = ['orders:2:3', 'payments:1:3'].flatMap((topic) => ['--topic', topic]);
  await highwater.up('ops', '--transaction-version', '1', ...settings, ...topics);
  client = await connectTo(highwater.state('ops'));
});
afterAll(async () => {
  await client?.close(100);
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

const json = <T = Document>(...words: string[]): Promise<T> => highwater.json<T>(...words, ...of);
const run = (...words: string[]): Promise<Ended> => highwater.run([...words, ...of]);

async function transactional(id: string): Promise<Producer> {
  const producer = client.producer({ 'transactional.id': id, 'transaction.timeout.ms': 600_000 });
  await producer.initTransactions();
  return producer;
}

async function send(producer: Producer, topic: string, ...values: string[]): Promise<void> {
  for (const value of values) await producer.send({ topic, partition: 0, value: Buffer.from(value) });
}

/** Writes a record of a transaction that nobody began. */
async function writeUnregistered(topic: string, producerId: number): Promise<void> {
  const { leader } = await partitionOf(client, topic);
  const { kafkaPort } = highwater.state('ops').nodes.find(({ id }) => id === leader)!;
  const records = encodeBatch([{ timestamp: LONG_AGO, key: null, value: Buffer.from('lost') }], {
    ...{ attributes: TRANSACTIONAL, producerId, producerEpoch: 3, baseSequence: 0 },
  });
  const socket = new RawClient(kafkaPort);
  try {
    const { body } = await socket.ask(PRODUCE, 9, { ...produceBody(-1, records, topic), transactionalId: 'ghost' });
    expect(JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).toContain(
      '"errorCode":0',
    );
  } finally {
    socket.close();
  }
}

test('topics alter and delete-records change a topic that exists, and say what is so (repl R-118, wire W-88, W-102)', async () => {
  await highwater.ok('topics', 'create', 'changed', '--partitions', '1', '--config', 'retention.ms=5000', ...of);
  const words = ['--config', 'min.insync.replicas=2', '--delete-config', 'retention.ms', '--partitions', '2'];
  expect((await json('topics', 'alter', 'changed', ...words)).data).toMatchObject([
    { topic: 'changed', partitions: 2, configs: [{ name: 'min.insync.replicas', value: '2' }] },
  ]);
  for (const wrong of [['--config', 'no.such=1'], ['--partitions', '1'], []]) {
    expect(await run('topics', 'alter', 'changed', ...wrong)).toMatchObject({ code: 2 });
  }
  const producer = client.producer({});
  await send(producer, 'changed', 'a', 'b', 'c');
  expect((await json('topics', 'delete-records', 'changed-0', '--before', '2')).data).toMatchObject([
    { topic: 'changed', partition: 0, lowWatermark: 2 },
  ]);
  expect((await json('topics', 'delete-records', 'changed-0', '--before', 'hw')).data).toMatchObject([
    { lowWatermark: 3 },
  ]);
  const beyond = await run('topics', 'delete-records', 'changed-0', '--before', '9');
  expect(beyond).toMatchObject({ code: 1, stderr: expect.stringContaining('OFFSET_OUT_OF_RANGE') });
});

test('up --transaction-version sets the level, and refuses what is none', async () => {
  const { features } = await json<{ data: { features: Row[] } }>('status').then(({ data }) => data);
  expect(features).toContainEqual({ name: 'transaction.version', value: '1' });
  const bad = await highwater.run(['up', '--cluster', 'other', '--transaction-version', '3']);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--transaction-version is 0, 1 or 2, not "3"')]);
  const twice = ['up', '--cluster', 'other', '--transaction-version', '1', '--config', 'transaction.version=2'];
  expect(await highwater.run(twice)).toMatchObject({ code: 2, stderr: expect.stringContaining('give one') });
});

describe('transactions', () => {
  let live: Producer;
  beforeAll(async () => {
    const done = await transactional('checkout-1');
    done.beginTransaction();
    await send(done, 'orders', 'a', 'b');
    await done.commitTransaction();
    live = await transactional('checkout-2');
    live.beginTransaction();
    await send(live, 'orders', 'c');
    await until('checkout-1 to be complete', async () => {
      const { data } = await json('txn', 'describe', 'checkout-1');
      return data[0]!['state'] === 'CompleteCommit';
    });
  });

  test('txn T-176: list filters by state, producer id, duration and pattern', async () => {
    const ids = async (...flags: string[]): Promise<unknown[]> =>
      (await json('txn', 'list', ...flags)).data.map(({ transactionalId }) => transactionalId).sort();
    expect(await ids()).toEqual(['checkout-1', 'checkout-2']);
    expect(await ids('--state', 'Ongoing')).toEqual(['checkout-2']);
    expect(await ids('--state', 'Ongoing', '--duration-filter', '1h')).toEqual([]);
    expect(await ids('--transactional-id-pattern', 'checkout')).toEqual([]);
    expect(await ids('--transactional-id-pattern', '.*-1')).toEqual(['checkout-1']);
    const { producerId } = (await json('txn', 'describe', 'checkout-2')).data[0]!;
    expect(await ids('--producer-id', String(producerId))).toEqual(['checkout-2']);
    expect(await run('txn', 'list', '--state', 'Open')).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/no state "Open"\. States: Empty, Ongoing/) },
    });
    expect(await run('txn', 'list', '--transactional-id-pattern', '(')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('"(" is no regular expression') },
    });
  });

  test('txn T-177: an unknown id is told of with those that are known', async () => {
    const { code, stderr } = await run('txn', 'describe', 'nobody');
    expect(code).toBe(1);
    expect(stderr).toMatch(/"nobody" is unknown to its coordinator \(broker \d, __transaction_state-[0-4]\)/);
    expect(stderr).toMatch(/Known: checkout-\d, checkout-\d/);
  });

  test('txn T-178: any replica tells of producers and where their transaction began', async () => {
    const { leader, replicas } = await partitionOf(client, 'orders');
    const follower = replicas.find((id) => id !== leader)!;
    const [byLeader] = [(await json('txn', 'describe-producers', 'orders-0')).data];
    // In the order of their ids, which depends on whose coordinator had the first block.
    const told = byLeader.map((row) => [row['producerEpoch'], row['lastSequence'], row['currentTxnStartOffset']]);
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        [0, 1, undefined],
        [0, 0, 3],
      ]),
    );
    await untilHolds(async () => {
      const words = ['--topic', 'orders', '--partition', '0', '--broker', String(follower)];
      expect((await json('txn', 'describe-producers', ...words)).data).toEqual(byLeader);
    });
    expect(await run('txn', 'describe-producers', 'orders-9')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('orders has partitions 0 to 1, not 9') },
    });
  });

  test('txn T-180: what a coordinator owns does not hang, however silent it is', async () => {
    expect((await json('txn', 'find-hanging', '--max-transaction-timeout', '0s')).data).toEqual([]);
  });

  test('txn T-179, W-15: a live transaction is aborted with --force alone, and the tear is announced', async () => {
    const abort = ['txn', 'abort', 'orders-0', '--start-offset', '3'];
    const refused = await run(...abort);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/checkout-2 \(Ongoing, epoch 0\) owns this transaction.*torn.*--force/);
    const { data, warnings } = await json(...abort, '--force');
    expect(data).toMatchObject([{ topic: 'orders', partition: 0, startOffset: 3, lso: 5 }]);
    expect(warnings).toEqual([expect.stringContaining('if it commits, it is torn')]);
    expect((await run(...abort, '--force')).stderr).toContain('Open there: nothing');
    await live.commitTransaction(); // Its coordinator never heard of it.
  });
});

describe('a hanging transaction', () => {
  const hanging = async (...flags: string[]) => (await json('txn', 'find-hanging', ...flags)).data;

  test('txn T-180, T-182, T-183: it is found, late, and named where people look', async () => {
    await writeUnregistered('payments', 777_001);
    expect(await hanging()).toMatchObject([
      {
        ...{ topic: 'payments', partition: 0, producerId: 777_001, producerEpoch: 3, startOffset: 0 },
        ...{ holdsLso: true, why: { kind: 'unknown-producer' } },
      },
    ]);
    expect(await hanging('--topic', 'orders')).toEqual([]);
    const said = await run('txn', 'find-hanging', '--topic', 'payments', '--partition', '0');
    expect(said.stderr).toContain('no coordinator knows producer 777001, and it holds the LSO of payments-0 at 0');
    expect(said.stderr).toContain('txn abort --topic payments --partition 0 --start-offset 0 --cluster ops');

    const status = (await json<{ data: Row }>('status')).data;
    expect(status).toMatchObject({
      ...{ lateTransactions: ['payments-0'], maxLsoLag: { partition: 'payments-0', lag: 1 } },
    });
    const [described] = (await json('topics', 'describe', 'payments')).data;
    expect(described).toMatchObject({ lso: 0, hw: 1, lsoLag: 1, lsoHeldBy: { producerId: 777_001, late: true } });
    expect(described!['state']).toMatch(/producer 777001, in no transaction that a coordinator knows \(late\)/);
    const leader = (await json('replicas', 'show', 'payments-0')).data.find(({ role }) => role === 'leader')!;
    expect(leader).toMatchObject({ lsoLag: 1, oldestTransaction: { producerId: 777_001, startOffset: 0, late: true } });
  });

  test('txn T-179: it is aborted by its start, or by its producer', async () => {
    await run('txn', 'abort', 'payments-0', '--start-offset', '0');
    expect(await hanging()).toEqual([]);
    await writeUnregistered('payments', 777_002);
    const by = (epoch: string) => [
      ...['txn', 'abort', '--topic', 'payments', '--partition', '0', '--producer-id', '777002'],
      ...['--producer-epoch', epoch, '--coordinator-epoch', '0'],
    ];
    const old = await run(...by('2'));
    expect([old.code, old.stderr]).toEqual([
      1,
      expect.stringContaining('knows a newer epoch of producer 777002 than 2'),
    ]);
    expect((await json(...by('3'))).data).toMatchObject([{ producerId: 777_002, startOffset: 2, lso: 4 }]);
    expect(await hanging()).toEqual([]);
    expect((await json<{ data: Row }>('status')).data).toMatchObject({ lateTransactions: [], lsoLags: [] });
    const missing = await run('txn', 'abort', 'payments-0', '--producer-id', '7');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('all three')]);
  });
});

test('groups: offsets beside LSO, HW and LEO; a lag that cannot be read says why', async () => {
  const config = {
    'auto.offset.reset': 'earliest',
    'isolation.level': 'read_committed',
    'enable.auto.commit': 'false',
    // The commands below take as long as they take; nothing polls meanwhile.
    'session.timeout.ms': '60000',
    'max.poll.interval.ms': '280000',
  };
  const consumer = client.groupConsumer('billing', { config });
  consumer.subscribe(['orders']);
  const read: string[] = [];
  await until('a and b to be read, and nothing else', async () => {
    const deliveries = await consumer.poll({ maxWaitMs: 100 });
    read.push(...deliveries.flatMap(({ records }) => records.map(({ value }) => String(value))));
    return read.length >= 2 && consumer.position({ topic: 'orders', partition: 0 }) === 6;
  });
  expect(read).toEqual(['a', 'b']);
  await consumer.commit();
  const open = await transactional('checkout-3');
  open.beginTransaction();
  await send(open, 'orders', 'd', 'e');
  const words = ['groups', 'describe', 'billing', '--isolation-level', 'read_committed'];
  const row = async () => (await json(...words)).data.find(({ partition }) => partition === 0)!;
  await untilHolds(async () => {
    expect(await row()).toMatchObject({
      ...{ groupId: 'billing', topic: 'orders', currentOffset: 6, lso: 6, hw: 8, leo: 8, lag: 2, readable: 0 },
      ...{
        consumerId: expect.any(String),
        note: expect.stringMatching(/^caught up; 6-7 wait: LSO held by checkout-3 for /),
      },
    });
  });
  const [first] = (await run(...words)).stdout.split('\n');
  expect(first!.split(/ {2,}/)).toEqual([
    ...['GROUP', 'TOPIC', 'PARTITION', 'CURRENT-OFFSET', 'LOG-END-OFFSET', 'LAG', 'CONSUMER-ID', 'HOST', 'CLIENT-ID'],
    ...['LSO', 'LEO', 'READABLE'],
  ]);
  await open.commitTransaction();
  await untilHolds(async () => {
    expect(await row()).toMatchObject({ lso: 9, hw: 9, lag: 3, readable: 2 });
  });
  const members = (await json('groups', 'describe', 'billing', '--members')).data;
  expect(members).toMatchObject([{ groupId: 'billing', assignment: ['orders-0', 'orders-1'] }]);
  const states = (await json('groups', 'describe', 'billing', '--state')).data;
  expect(states).toMatchObject([{ groupId: 'billing', state: 'Stable', members: 1, generation: 1 }]);
  expect((await json('groups', 'list', '--state', 'stable')).data).toMatchObject([{ groupId: 'billing' }]);
  await consumer.close();
  const unknown = await run('groups', 'describe', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('does not exist. Groups: billing')]);
});

test('--watch: a document a line with --json, tables one after the other without', async () => {
  const watch = (...words: string[]) => highwater.ok(...words, '--watch=1ms', '--times', '2', ...of);
  const lines = (await watch('replicas', 'show', 'orders-0', '--json')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { schema: string }).schema)).toEqual([
    ...['highwater.replicas.show/1', 'highwater.replicas.show/1'],
  ]);
  expect(await watch('topics', 'list')).toMatch(/^(?:(?!\n\n)[^])+\n\n(?:(?!\n\n)[^])+$/);
});

test('completion: names come from the cluster that the line names', async () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    (await highwater.ok('__complete', '--', ...of, ...words)).trimEnd().split('\n');
  expect(await complete('replicas', 'verify', 'orders-')).toEqual(['orders-0', 'orders-1']);
  expect(await complete('txn', 'describe', 'checkout-')).toEqual(['checkout-1', 'checkout-2', 'checkout-3']);
  expect(await complete('groups', 'describe', '')).toEqual(['billing']);
  expect(await complete('node', 'kill', 'leader(orders-')).toEqual(['leader(orders-0)', 'leader(orders-1)']);
});

describe('log dump', () => {
  const dump = async (...words: string[]) => (await run('log', 'dump', ...words)).stdout;

  test('repl R-84: the metadata log, of the controller that runs', async () => {
    const records = (await json('log', 'dump', '__cluster_metadata-0')).data;
    expect(records[0]).toMatchObject({ offset: 0, type: 'CLUSTER_RECORD' });
    expect(records.map(({ offset }) => offset)).toEqual(records.map((_, at) => at));
    const topics = records.filter(({ type }) => type === 'TOPIC_RECORD').map(({ data }) => (data as Row)['name']);
    expect(topics).toEqual(expect.arrayContaining(['orders', 'payments']));
    const one = await dump('--cluster-metadata-decoder', '--from', '1', '--max-batches', '1');
    expect(one).toMatch(/^\| offset: 1 payload: \{"type":"FEATURE_LEVEL_RECORD","version":0,"data":\{.+\}\}\n$/);
    const snapshot = await run('log', 'dump', '__cluster_metadata-0', '--snapshot');
    expect([snapshot.code, snapshot.stderr]).toEqual([2, expect.stringContaining('has no snapshot yet')]);
    const folder = `${highwater.state('ops').dir}/controller`;
    const held = await run('log', 'dump', '__cluster_metadata-0', '--data-dir', folder);
    expect([held.code, held.stderr]).toEqual([5, expect.stringContaining('is in use by another process')]);
  });

  test('txn T-14, wire 8.1: internal topics are decoded', async () => {
    const { partition } = (await highwater.json<{ data: Row }>('txn', 'map', 'checkout-1', '--partitions', '5')).data;
    const states = (await json('log', 'dump', `__transaction_state-${String(partition)}`)).data
      .flatMap(({ records }) => records as { key: Row; payload: Row }[])
      .filter(({ key }) => key['transactionalId'] === 'checkout-1')
      .map(({ payload }) => [payload['state'], payload['partitions']]);
    const orders = ['orders-0'];
    expect(states).toEqual([
      ...[
        ['Empty', []],
        ['Ongoing', orders],
        ['PrepareCommit', orders],
        ['CompleteCommit', []],
      ],
    ]);
    const offsets: string[] = [];
    for (let index = 0; index < 5; index++) offsets.push(await dump(`__consumer_offsets-${index}`));
    expect(offsets.join('')).toMatch(
      /key: {"type":"1","data":{"group":"billing","topic":"orders","partition":0}} payload: {"version":"4","data":{"offset":6,/,
    );
    expect(offsets.join('')).toMatch(
      /"protocolType":"consumer","generation":1.*"assignment":\["orders-0","orders-1"\]/,
    );
  });

  test('a stopped replica says the same as its leader, batch for batch, markers too', async () => {
    await untilConverged(client, 'orders');
    const { leader, replicas } = await partitionOf(client, 'orders');
    const stopped = String(replicas.find((id) => id !== leader)!);
    const lines = await dump('orders-0', '--print-data-log');
    expect(lines).toMatch(/payload: a\n/);
    expect(lines).toMatch(/endTxnMarker: COMMIT coordinatorEpoch: 0\n/);
    expect(lines).toMatch(/endTxnMarker: ABORT coordinatorEpoch: 0\n/);
    const whole = (await json('replicas', 'verify', '--all')).data;
    expect(whole).toContainEqual(
      expect.objectContaining({ partition: 'orders-0', silent: [], from: 0, upTo: 9, batches: 9, tail: [] }),
    );
    await highwater.ok('node', 'stop', stopped, ...of);
    expect(await run('replicas', 'verify', 'orders-0')).toMatchObject({
      ...{ code: 3, stdout: expect.stringContaining(`same; broker ${stopped} cannot be asked`) },
    });
    expect(await dump('orders-0', '--print-data-log', '--broker', stopped)).toBe(lines);
    const folder = `${highwater.state('ops').dir}/broker-${stopped}`;
    expect(await highwater.ok('log', 'dump', 'orders-0', '--print-data-log', '--data-dir', folder)).toBe(lines);
    const running = await run('log', 'dump', 'orders-0', '--data-dir', folder.replace(/\d$/, String(leader)));
    expect([running.code, running.stderr]).toEqual([5, expect.stringContaining('is in use by another process')]);
    expect(await run('log', 'dump', 'nope-0', '--data-dir', folder)).toMatchObject({
      ...{
        code: 2,
        stderr: expect.stringMatching(/holds no log of nope-0\. It holds changed-0, changed-1, orders-0, /),
      },
    });
    for (const words of [['describe-producers', 'orders-0'], ['find-hanging']]) {
      const { code, stderr } = await run('txn', ...words, '--broker', stopped);
      expect([code, stderr]).toEqual([4, expect.stringContaining(`broker ${stopped} is stopped; start it with`)]);
    }
    await highwater.ok('node', 'start', stopped, ...of);
  });
});
