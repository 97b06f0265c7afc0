// Transactions on real processes: the shipped scenarios, each variant and cell as it declares, and what the command line
// says of transactional ids.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { connectTo } from '../support/client.ts';
import { Highwater } from '../support/highwater.ts';
import { until } from '../support/until.ts';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test.each([
  ['coordinator-failover', 2],
  ['zombie-fenced', 2],
  ['consume-transform-produce', 6],
  ['delayed-endtxn', 3],
  ['hanging-transaction', 8],
  ['long-transaction', 4],
  ['weaknesses/w05-late-marker', 3],
  ['weaknesses/w07-lost-identity', 2],
  ['weaknesses/w15-admin-abort', 1],
  ['weaknesses/w24-fence-adopted', 1],
  ['corpus/bug-22-zombie-coordinator', 2],
])('%s: as it declares, on real processes', async (scenario, runs) => {
  const ended = await highwater.run(['run', `scenarios/${scenario}.yaml`, '--json', '-q']);
  const lines = ended.stdout.trimEnd().split('\n');
  const verdicts = lines.slice(0, -1).map((line) => JSON.parse(line) as VerdictLine);
  expect(verdicts.map(({ verdict, reasons }) => [verdict, reasons])).toEqual(Array(runs).fill(['pass', []]));
  expect(verdicts.every(({ fired }) => Object.values(fired).every((count) => count > 0))).toBe(true);
  expect(ended.code).toBe(0);
  await highwater.untilNothingRuns();
});

test('txn T-1, T-2: `txn map` knows the partition of an id without a cluster', async () => {
  const partitionOf = async (id: string): Promise<number> =>
    (await highwater.json<{ data: { partition: number } }>('txn', 'map', id)).data.partition;
  const ids = ['', 'billing-1', 'orders-projector-0', 'polygenelubricants', 'pay-😀'];
  const found: number[] = [];
  for (const id of ids) found.push(await partitionOf(id));
  expect(found).toEqual([0, 45, 43, 0, 42]);
});

test('txn T-176, T-177: ids are listed and described as their coordinator has them', async () => {
  await highwater.up('txns', '--topic', 'orders:1:3');
  const inCluster = ['--cluster', 'txns'];
  const client = await connectTo(highwater.state('txns'));
  const producer = client.producer({ 'transactional.id': 'checkout-1' });
  await producer.initTransactions();
  producer.beginTransaction();
  await producer.send({ topic: 'orders', partition: 0, value: Buffer.from('v') });
  const row = async () =>
    (await highwater.json<{ data: Record<string, unknown>[] }>('txn', 'describe', 'checkout-1', ...inCluster)).data[0];
  expect(await row()).toMatchObject({
    transactionalId: 'checkout-1',
    state: 'Ongoing',
    partitions: ['orders-0'],
    epoch: 0,
  });
  await producer.commitTransaction();
  await until('the transaction to be complete', async () => (await row())?.['state'] === 'CompleteCommit');
  const listed = await highwater.json<{ data: Record<string, unknown>[] }>('txn', 'list', ...inCluster);
  expect(listed.data).toMatchObject([
    { transactionalId: 'checkout-1', state: 'CompleteCommit', epoch: 1, partitions: [] },
  ]);
  // Ids whose hash has no absolute value, or whose characters are two units each, are what they are on the wire too (T-1, T-2).
  for (const [id, txnPartition] of [
    ['polygenelubricants', 0],
    ['pay-😀', 42],
  ] as const) {
    const other = client.producer({ 'transactional.id': id });
    await other.initTransactions();
    other.beginTransaction();
    await other.send({ topic: 'orders', partition: 0, value: 'v' });
    await other.commitTransaction();
    const { data } = await highwater.json<{ data: object[] }>('txn', 'describe', id, ...inCluster);
    expect(data).toMatchObject([{ transactionalId: id, txnPartition, epoch: 1 }]);
  }
  await client.close();
  await highwater.ok('down', ...inCluster);
});
