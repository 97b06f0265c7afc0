// Where reading ends, with the design documents' own offsets on real processes: the log of 900 000 records (txn T-147), the
// long transaction (txn T-148), the demo (txn T-149). What a user sees with our client, and what the command line shows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HighwaterClient } from '../../../src/client/index.ts';
import { connectTo, partitionOf } from '../support/client.ts';
import { eventsOf } from '../support/events.ts';
import { Highwater } from '../support/highwater.ts';
import { BULK, fill, numbers, Reader, type Isolation } from '../support/reading.ts';
import { until, untilHolds } from '../support/until.ts';

const of = ['--cluster', 'positions'] as const;

let highwater: Highwater;
let client: HighwaterClient;

beforeAll(async () => {
  highwater = new Highwater();
  const topics = ['ledger:1:3', 'long:1:3', 'demo:2:3'].flatMap((topic) => ['--topic', topic]);
  // A marker that is held up for longer would be sent a second time, and take another offset.
  const patience = ['--config', 'request.timeout.ms=120s'];
  await highwater.up('positions', '--config', 'min.insync.replicas=2', ...patience, ...topics);
  client = await connectTo(highwater.state('positions'));
});
afterAll(async () => {
  await client?.close(100);
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

/** What `replicas show` says of the leader. The lag of whoever reads what is committed is its HW less its LSO (txn T-182). */
async function shown(topic: string): Promise<{ leo: number; hw: number; lso: number }> {
  const { data } = await highwater.json<{ data: Record<string, number | string>[] }>('replicas', 'show', topic, ...of);
  const { leo, hw, lso } = data.find(({ role }) => role === 'leader')!;
  return { leo: Number(leo), hw: Number(hw), lso: Number(lso) };
}

async function transactional(id: string, config: Readonly<Record<string, unknown>> = {}) {
  const producer = client.producer({ 'transactional.id': id, 'transaction.timeout.ms': 600_000, ...config });
  await producer.initTransactions();
  return producer;
}

/** Where the last stable offset of the leader has been behind `offset`, step by step. */
async function stepsBehind(offset: number, topic: string): Promise<number[]> {
  const { leader } = await partitionOf(client, topic);
  const steps = eventsOf(highwater.state('positions'), leader).flatMap(({ event }) =>
    event.type === 'lso' && event.topic === topic && event.to > offset ? [event.to] : [],
  );
  return [...new Set(steps)];
}

/** What the command line says of a group at an offset of the ledger, and of the partition that lags most (txn T-182). */
async function lagOf(group: string): Promise<object> {
  const isolation = ['--isolation-level', 'read_committed'];
  type Rows = { data: Record<string, unknown>[] };
  const { currentOffset, hw, lso, leo, lag, readable } = (
    await highwater.json<Rows>('groups', 'describe', group, ...isolation, ...of)
  ).data[0]!;
  return { currentOffset, hw, lso, leo, lag, readable };
}

/** Commits an offset of a group, and nothing else, in a transaction. */
async function commitOffset(groupId: string, offset: number): Promise<void> {
  const producer = await transactional(`offsets-of-${groupId}`);
  producer.beginTransaction();
  await producer.sendOffsetsToTransaction([{ topic: 'ledger', partition: 0, offset }], { groupId });
  await producer.commitTransaction();
}

test('txn T-147, T-127 to T-129, T-146: 900 000 records, open since 880 000, all visible in one step', async () => {
  const ledger = { topic: 'ledger', partition: 0 };
  const z = client.producer(BULK);
  const x = await transactional('x');
  const y = await transactional('y', BULK);

  await fill(z, ledger, 0, 880_000);
  x.beginTransaction();
  await fill(x, ledger, 880_000, 880_001);
  await fill(z, ledger, 880_001, 885_000);
  y.beginTransaction();
  await fill(y, ledger, 885_000, 890_000);
  await y.commitTransaction();
  await until('the marker of Y is at 890 000', async () => (await shown('ledger-0')).hw === 890_001);
  await fill(z, ledger, 890_001, 900_000);

  // Before: 20 000 records are replicated and withheld, Y's and Z's among them.
  expect(await shown('ledger-0')).toEqual({ leo: 900_000, hw: 900_000, lso: 880_000 });
  const committed = new Reader(client, ledger, 'read_committed');
  await committed.readTo(880_000);
  expect(await committed.poll()).toEqual([]);
  expect([committed.position, committed.lastOffset, committed.values.length]).toEqual([880_000, 879_999, 880_000]);
  expect([await committed.end(), await committed.lag()]).toEqual([880_000, 0]);
  const uncommitted = new Reader(client, ledger, 'read_uncommitted', 880_000);
  expect([await uncommitted.end(), await uncommitted.lag()]).toEqual([900_000, 20_000]);
  await uncommitted.readTo(900_000);
  const data = [...numbers(880_000, 890_000), ...numbers(890_001, 900_000)];
  expect(uncommitted.values).toEqual(data);

  await commitOffset('readers', 880_000);
  const at = { currentOffset: 880_000, hw: 900_000, lso: 880_000, leo: 900_000 };
  await untilHolds(async () => expect(await lagOf('readers')).toEqual({ ...at, lag: 20_000, readable: 0 }));
  expect(await highwater.json<object>('status', ...of)).toMatchObject({
    data: { maxLsoLag: { partition: 'ledger-0', lag: 20_000 } },
  });

  // X's marker is in the log, and no follower says that it has it: nothing has changed for readers.
  const behind = ['--where', 'topic=ledger', '--where', 'offset>=900001'];
  await highwater.ok(
    'fault',
    'add',
    '--id',
    'unreplicated',
    '--at',
    'replica.fetch.received',
    ...behind,
    '--do',
    'hold',
    ...of,
  );
  await x.commitTransaction();
  await untilHolds(async () => expect(await shown('ledger-0')).toEqual({ leo: 900_001, hw: 900_000, lso: 880_000 }));
  expect(await committed.poll()).toEqual([]);
  expect([await committed.end(), await committed.lag()]).toEqual([880_000, 0]);

  // It is replicated: one step, and what was withheld is there at once.
  await highwater.ok('fault', 'rm', 'unreplicated', ...of);
  await untilHolds(async () => expect(await shown('ledger-0')).toEqual({ leo: 900_001, hw: 900_001, lso: 900_001 }));
  expect([await committed.end(), await committed.lag()]).toEqual([900_001, 20_001]);
  const ends = { currentOffset: 880_000, hw: 900_001, lso: 900_001, leo: 900_001 };
  expect(await lagOf('readers')).toEqual({ ...ends, lag: 20_001, readable: data.length });
  await committed.readTo(900_001);
  expect(committed.values.slice(880_000)).toEqual(data);
  expect([committed.lastOffset, committed.position, await committed.lag()]).toEqual([899_999, 900_001, 0]);
  expect(await stepsBehind(880_000, 'ledger')).toEqual([900_001]);
}, 280_000);

test('txn T-148, T-129, T-131: an open transaction at 1000 hides two committed ones until it ends', async () => {
  const partition = { topic: 'long', partition: 0 };
  const plain = client.producer(BULK);
  const [long, one, other] = [await transactional('long'), await transactional('one'), await transactional('other')];

  await fill(plain, partition, 0, 1000);
  long.beginTransaction();
  await fill(long, partition, 1000, 1001);
  await fill(plain, partition, 1001, 1100);
  for (const [producer, from, next] of [
    [one, 1100, 1400],
    [other, 1400, 1600],
  ] as const) {
    producer.beginTransaction();
    await fill(producer, partition, from, from + 100);
    await producer.commitTransaction();
    await until(`a marker is at ${from + 100}`, async () => (await shown('long-0')).hw === from + 101);
    await fill(plain, partition, from + 101, next);
  }

  expect(await shown('long-0')).toEqual({ leo: 1600, hw: 1600, lso: 1000 });
  const committed = new Reader(client, partition, 'read_committed');
  await committed.readTo(1000);
  expect(await committed.poll()).toEqual([]);
  expect([committed.values, await committed.end()]).toEqual([numbers(0, 1000), 1000]);

  await long.abortTransaction();
  await untilHolds(async () => expect(await shown('long-0')).toEqual({ leo: 1601, hw: 1601, lso: 1601 }));
  await committed.readTo(1601);
  const markers = new Set(['1200', '1500']);
  const visible = numbers(1001, 1600).filter((value) => !markers.has(value));
  expect(committed.values.slice(1000)).toEqual(visible);
  expect(await stepsBehind(1000, 'long')).toEqual([1601]);
});

test('txn T-149: the demo, 121 to 129, -2, 131 to 159', async () => {
  const partition = { topic: 'demo', partition: 0 };
  const plain = client.producer();
  const producer = await transactional('demo');
  const [committed, uncommitted] = (['read_committed', 'read_uncommitted'] as const).map(
    (isolation: Isolation) => new Reader(client, partition, isolation),
  ) as [Reader, Reader];
  const all: string[] = [];
  /** Sends, and looks: at once below the high watermark for one reader, and nothing for the other. */
  const seenByOne = async (send: () => Promise<unknown>, values: readonly string[]): Promise<void> => {
    await send();
    all.push(...values);
    await uncommitted.readTo(all.length);
    expect(uncommitted.values).toEqual(all);
    expect([await committed.poll(), await committed.end(), committed.position]).toEqual([[], 0, 0]);
  };
  const sendAll = (values: readonly string[]) => () =>
    Promise.all(values.map((value) => producer.send({ ...partition, value })));

  producer.beginTransaction();
  await seenByOne(sendAll(numbers(121, 130)), numbers(121, 130));
  await seenByOne(() => plain.send({ ...partition, value: '-2' }), ['-2']);
  await seenByOne(sendAll(numbers(131, 160)), numbers(131, 160));
  expect(await shown('demo-0')).toEqual({ leo: 39, hw: 39, lso: 0 });

  await producer.commitTransaction();
  await committed.readTo(40);
  expect(committed.values).toEqual([...numbers(121, 130), '-2', ...numbers(131, 160)]);
  expect([committed.lastOffset, committed.position, await committed.lag()]).toEqual([38, 40, 0]);
  await uncommitted.readTo(40);
  expect(uncommitted.values).toEqual(all);
});

test('txn T-149: a plain record before the transaction is visible at once, whoever reads', async () => {
  const partition = { topic: 'demo', partition: 1 };
  const readers = [new Reader(client, partition, 'read_committed'), new Reader(client, partition, 'read_uncommitted')];
  await client.producer().send({ ...partition, value: 'before' });
  const producer = await transactional('behind');
  producer.beginTransaction();
  await producer.send({ ...partition, value: 'within' });
  await Promise.all([readers[0]!.readTo(1), readers[1]!.readTo(2)]);
  expect(await readers[0]!.poll()).toEqual([]);
  expect(readers.map(({ values }) => values)).toEqual([['before'], ['before', 'within']]);
  await producer.abortTransaction();
  await Promise.all(readers.map((reader) => reader.readTo(3)));
  expect(readers.map(({ values }) => values)).toEqual([['before'], ['before', 'within']]);
});
