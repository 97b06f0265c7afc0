// The first steps of the README, as a newcomer takes them: a cluster, records in and out, a dead leader, a fault by hand.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Highwater } from '../support/highwater.ts';
import { until } from '../support/until.ts';

interface Partition {
  readonly partition: number;
  readonly leader: number;
  readonly isr: readonly number[];
}

let highwater: Highwater;
beforeAll(async () => {
  highwater = new Highwater();
  await highwater.up('first', '--topic', 'orders:1:3');
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

const inCluster = (...args: readonly string[]): readonly string[] => [...args, '--cluster', 'first'];
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('');

async function produce(text: string): Promise<void> {
  const command = highwater.start(inCluster('produce', 'orders', '--acks', 'all'), {}, text);
  expect(await command.ended).toMatchObject({ code: 0 });
}

async function partition(): Promise<Partition> {
  const { data } = await highwater.json<{ readonly data: readonly Partition[] }>(
    ...inCluster('topics', 'describe', 'orders'),
  );
  return data[0]!;
}

test('what was acknowledged is read again, in order, also after its leader was killed and came back', async () => {
  await produce(lines(1, 100));
  const read = inCluster('consume', 'orders', '--from-beginning', '--max-messages', '100');
  expect(await highwater.ok(...read)).toBe(lines(1, 100));
  const before = await partition();
  await highwater.ok(...inCluster('node', 'kill', 'leader(orders-0)'));
  await until('another leader', async () => ![before.leader, -1].includes((await partition()).leader));
  await produce(lines(101, 150));
  await highwater.ok(...inCluster('node', 'start', String(before.leader)));
  await until('a full ISR', async () => (await partition()).isr.length === 3);
  const all = inCluster('consume', 'orders', '--from-beginning', '--max-messages', '150', '--partition', '0');
  expect(await highwater.ok(...all)).toBe(lines(1, 150));
  expect(await highwater.ok(...inCluster('consume', 'orders', '--offset', '148', '--max-messages', '2'))).toBe(
    lines(149, 150),
  );
});

test('clients: the bootstrap list, and a line to paste for our own client', async () => {
  const { bootstrap, data } = await highwater.json<{
    readonly bootstrap: string;
    readonly data: readonly { readonly client: string; readonly line: string }[];
  }>(...inCluster('clients', '--topic', 'pasted'));
  const { nodes } = highwater.state('first');
  const ports = nodes.filter(({ role }) => role === 'broker').map(({ kafkaPort }) => kafkaPort);
  expect(bootstrap).toBe(ports.map((port) => `127.0.0.1:${port}`).join(','));
  const { line } = data.find(({ client }) => client === 'highwater')!;
  expect(await highwater.paste(line)).toMatchObject({ code: 0, stdout: 'Created topic pasted.\nhello\n' });
});

test('an armed fault strikes, is counted, and heals', async () => {
  const { leader } = await partition();
  const follower = [1, 2, 3].find((id) => id !== leader)!;
  const where = ['--where', 'topic=orders', '--where', `to=${follower}`];
  await highwater.ok(
    ...inCluster('fault', 'add', '--id', 'starve', '--at', 'rpc.Fetch.response', ...where, '--do', 'hold'),
  );
  const one = highwater.start(inCluster('produce', 'orders', '--acks', '1'), {}, 'held\n');
  expect(await one.ended).toMatchObject({ code: 0 });
  await until('the answer to one follower is held', async () => {
    type Listed = { readonly data: readonly { readonly id: string; readonly holding: number }[] };
    const { data } = await highwater.json<Listed>(...inCluster('fault', 'list'));
    return (data.find(({ id }) => id === 'starve')?.holding ?? 0) > 0;
  });
  type Replicas = { readonly data: readonly { readonly node: number; readonly leo: number; readonly hw: number }[] };
  const replicas = async () => (await highwater.json<Replicas>(...inCluster('replicas', 'show', 'orders-0'))).data;
  expect((await replicas()).find(({ node }) => node === follower)).toMatchObject({ leo: 150 });
  expect((await replicas()).find(({ node }) => node === leader)).toMatchObject({ leo: 151, hw: 150 });
  await highwater.ok(...inCluster('fault', 'heal'));
  await until('every replica has it', async () => (await replicas()).every(({ leo, hw }) => leo === 151 && hw === 151));
});

test('down leaves nothing behind', async () => {
  await highwater.ok('down', '--cluster', 'first');
  await highwater.untilNothingRuns();
});
