// A transaction over ten partitions whose producer stalls: exactly those ten last stable offsets stand still, each at its own
// first offset, everything else flows, and the timeout frees them (txn T-34, T-130, T-131).
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HighwaterClient } from '../../../src/client/index.ts';
import { connectTo } from '../support/client.ts';
import { Highwater } from '../support/highwater.ts';
import { fill, numbers, Reader } from '../support/reading.ts';
import { until, untilHolds } from '../support/until.ts';

const of = ['--cluster', 'pinned'] as const;
const TOPIC = 'orders';
const PARTITIONS = Array.from({ length: 16 }, (_, partition) => partition);
const PINNED = [0, 1, 3, 4, 6, 7, 9, 10, 12, 13];
/** The transaction holds it registered, but nothing of it is in the log. */
const ONLY_REGISTERED = 15;
/** Every partition has as many plain records before the transaction: each first offset is another one. */
const before = (partition: number): number => 5 + 3 * partition;
const BEHIND = 10;

let highwater: Highwater;
let client: HighwaterClient;

beforeAll(async () => {
  highwater = new Highwater();
  await highwater.up('pinned', '--config', 'min.insync.replicas=2', '--topic', `${TOPIC}:${PARTITIONS.length}:3`);
  client = await connectTo(highwater.state('pinned'));
});
afterAll(async () => {
  await client?.close(100);
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

interface Ends {
  readonly partition: number;
  readonly lso: number;
  readonly hw: number;
}

/** What the leaders of all partitions say. */
async function leaders(): Promise<Ends[]> {
  const held = await Promise.all([1, 2, 3].map((node) => client.admin().describeReplicas(node, { topic: TOPIC })));
  return held
    .flat()
    .filter(({ role }) => role === 'leader')
    .map(({ partition, lastStableOffset: lso, highWatermark: hw }) => ({ partition, lso, hw }))
    .sort((a, b) => a.partition - b.partition);
}

const arm = (id: string, point: string, where: string) =>
  highwater.ok('fault', 'add', '--id', id, '--at', point, '--where', where, '--do', 'hold', ...of);

/** How many flows a fault holds now. */
async function holding(id: string): Promise<number> {
  const { data } = await highwater.json<{ data: { id: string; holding: number }[] }>('fault', 'list', ...of);
  return data.find((fault) => fault.id === id)!.holding;
}

/** What the coordinator of the stalled producer says. */
async function described(): Promise<{ readonly state: string; readonly partitions: readonly string[] }> {
  type Answer = { data: { state: string; partitions: string[] }[] };
  return (await highwater.json<Answer>('txn', 'describe', 'stalled', ...of)).data[0]!;
}

test('txn T-130: ten partitions stand still, each at its own first offset, until the timeout', async () => {
  // The timeout strikes when it likes, and waits at its point until everything else was looked at.
  await arm('timeout', 'txn.timeout', 'transactionalId=stalled');
  await arm('verified', 'txn.verified', `partition=${ONLY_REGISTERED}`);
  const plain = client.producer();
  const config = { 'transaction.timeout.ms': 2000, 'request.timeout.ms': 60_000, 'delivery.timeout.ms': 120_000 };
  const stalled = client.producer({ 'transactional.id': 'stalled', ...config });
  await stalled.initTransactions();
  const at = (partition: number) => ({ topic: TOPIC, partition });

  await Promise.all(PARTITIONS.map((partition) => fill(plain, at(partition), 0, before(partition))));
  stalled.beginTransaction();
  const sent = await Promise.all(PINNED.map((partition) => stalled.send({ ...at(partition), value: 'stalled' })));
  expect(sent.map(({ offset }) => offset)).toEqual(PINNED.map(before));
  const unwritten = stalled.send({ ...at(ONLY_REGISTERED), value: 'never' }).catch((error: unknown) => error);
  await until('a write is registered and not appended', async () => (await holding('verified')) > 0);
  const begins = (partition: number): number => before(partition) + (PINNED.includes(partition) ? 1 : 0);
  const ends = (partition: number): number => begins(partition) + BEHIND;
  await Promise.all(PARTITIONS.map((partition) => fill(plain, at(partition), begins(partition), ends(partition))));

  // The producer does nothing more. Ten are pinned; the others are read to their ends, also the one only registered.
  await until('the transaction has timed out', async () => (await holding('timeout')) > 0);
  const pinned = PARTITIONS.map((partition) => ({
    ...{ partition, hw: ends(partition) },
    lso: PINNED.includes(partition) ? before(partition) : ends(partition),
  }));
  await untilHolds(async () => expect(await leaders()).toEqual(pinned));
  const registered = [...PINNED, ONLY_REGISTERED].map((partition) => `${TOPIC}-${partition}`);
  const { state, partitions } = await described();
  expect([state, [...partitions].sort()]).toEqual(['Ongoing', registered.sort()]);
  const readers = PARTITIONS.map((partition) => new Reader(client, at(partition), 'read_committed'));
  await Promise.all(readers.map((reader, partition) => reader.readTo(pinned[partition]!.lso)));
  expect(await Promise.all(readers.map((reader) => reader.lag()))).toEqual(PARTITIONS.map(() => 0));
  expect(readers.map(({ values }) => values)).toEqual(pinned.map(({ partition, lso }) => visible(partition, lso)));

  // The others flow on while those stand.
  await Promise.all(PARTITIONS.map((partition) => fill(plain, at(partition), ends(partition), ends(partition) + 1)));
  const flowed = pinned.map(({ partition, hw, lso }) => ({ partition, hw: hw + 1, lso: lso === hw ? hw + 1 : lso }));
  await untilHolds(async () => expect(await leaders()).toEqual(flowed));

  // It is aborted: each of the eleven gets a marker, and nothing is withheld any more.
  await highwater.ok('fault', 'rm', 'timeout', ...of);
  const freed = flowed.map(({ partition, hw }) => {
    const end = hw + (PINNED.includes(partition) || partition === ONLY_REGISTERED ? 1 : 0);
    return { partition, hw: end, lso: end };
  });
  await untilHolds(async () => expect(await leaders()).toEqual(freed));
  await Promise.all(readers.map((reader, partition) => reader.readTo(freed[partition]!.lso)));
  const all = PARTITIONS.map((partition) => visible(partition, ends(partition) + 1));
  expect(readers.map(({ values }) => values)).toEqual(all);

  // What was on its way to the log meets the marker that overtook it: it is refused, and nothing is pinned again.
  await highwater.ok('fault', 'rm', 'verified', ...of);
  expect(await unwritten).toMatchObject({ name: 'SendError', definite: true });
  await expect(stalled.commitTransaction()).rejects.toMatchObject({ name: 'TransactionError' });
  expect(await leaders()).toEqual(freed);
});

/** Values of a partition below an offset for a reader of what is committed; a record's value is its offset. */
function visible(partition: number, end: number): string[] {
  const aborted = PINNED.includes(partition) ? String(before(partition)) : '';
  return numbers(0, end).filter((value) => value !== aborted);
}
