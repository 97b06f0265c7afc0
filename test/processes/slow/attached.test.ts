// Scenarios on a cluster that `up` started and that people use: it is borrowed, each run has names of its own, and afterwards
// it is as it was, however the run ended.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { connectTo } from '../support/client.ts';
import { Highwater, type Ended } from '../support/highwater.ts';
import { until } from '../support/until.ts';

const ON = ['--cluster', 'lived-in'] as const;
const VALUES = ['a', 'b', 'c'];

let highwater: Highwater;
beforeAll(async () => {
  highwater = new Highwater();
  // What the shipped scenarios want: only the first test has nodes restarted.
  await highwater.up('lived-in', '--topic', 'orders:1:3', '--config', 'replica.lag.time.max.ms=30000');
  const client = await connectTo(highwater.state('lived-in'));
  const producer = client.producer({ acks: 'all' });
  for (const value of VALUES) await producer.send({ topic: 'orders', partition: 0, value });
  await client.close();
});
afterAll(async () => {
  await highwater.ok('down', ...ON);
  expect(await highwater.close()).toEqual([]);
});

interface Status {
  readonly data: { readonly nodes: readonly { readonly state: string; readonly membership: string }[] };
}

/** All nodes run, nothing is armed, cut or off, the only topics are those of before, and they hold what they held. */
async function expectAsItWas(...topics: readonly string[]): Promise<void> {
  const { nodes } = (await highwater.json<Status>('status', ...ON)).data;
  expect(nodes.map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running']);
  const faults = await highwater.json<{ data: unknown[]; safeguardsOff: string[] }>('fault', 'list', ...ON);
  expect([faults.data, faults.safeguardsOff]).toEqual([[], []]);
  const listed = (await highwater.ok('topics', 'list', ...ON)).trimEnd().split('\n');
  expect(listed.filter((name) => !name.startsWith('__')).sort()).toEqual([...topics, 'orders'].sort());
  const read = await highwater.ok('consume', 'orders', '--from-beginning', '--max-messages', '3', ...ON);
  expect(read.trimEnd().split('\n')).toEqual(VALUES);
}

function verdicts({ stdout }: Ended): readonly VerdictLine[] {
  const lines = stdout.trimEnd().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as VerdictLine);
}

test('a ghost read beside a topic of the same name, without the high watermark: it is found, and the topic is untouched', async () => {
  const text = readFileSync('scenarios/ghost-read.yaml', 'utf8').replace('max.ms: 30s', 'max.ms: 20s');
  const file = join(highwater.folder('scenario'), 'ghost-read.yaml');
  writeFileSync(file, text);
  const ended = await highwater.run(['run', file, '--variant', 'no-hw', '--json', ...ON]);
  expect(ended.stderr).toMatch(
    /restarting the 4 nodes of cluster lived-in with the settings of ghost-read: timers fast/,
  );
  const [verdict] = verdicts(ended) as [VerdictLine];
  expect([verdict.verdict, verdict.reasons, verdict.fired]).toEqual(['pass', [], { starve: 2, failover: 1 }]);
  const ghost = verdict.findings.find(({ anomaly }) => anomaly === 'ghost-read');
  expect(ghost).toMatchObject({ offset: 5, first: '5', later: '8', reader: 'r1' });
  expect(String(ghost?.['partition'])).toMatch(/^ghost-read-[0-9a-f]{8}\.orders-0$/);
  for (const node of ['controller', 'broker-1', 'broker-2', 'broker-3'])
    expect(existsSync(join(dirname(verdict.history), 'events', `${node}.ndjson`))).toBe(true);
  await expectAsItWas();
});

test('a coordinator dies at its decision; with --keep the topics of the run stay', async () => {
  const words = ['run', 'scenarios/coordinator-failover.yaml', '--keep', '--json', '-q', ...ON];
  const ended = await highwater.run(words);
  const found = verdicts(ended).map(({ verdict, reasons, fired }) => [verdict, reasons, fired]);
  expect(found).toEqual(Array(2).fill(['pass', [], { 'kill-coordinator': 1, 'bring-back': 1 }]));
  expect(ended.code).toBe(0);
  const listed = (await highwater.ok('topics', 'list', ...ON)).trimEnd().split('\n');
  const kept = listed.filter((name) => name.startsWith('coordinator-failover-'));
  expect(kept.length).toBe(4);
  await expectAsItWas(...kept);
  for (const name of kept) await highwater.ok('topics', 'delete', name, ...ON);
});

test('an interrupted run gives everything back; while it lasts, no other run gets the cluster', async () => {
  const command = highwater.start(['run', 'scenarios/ghost-read.yaml', ...ON]);
  await until('the run has begun', () => command.stderr.includes('begin with ghost-read-'));
  const folder = /topics, .* begin with (ghost-read-\w+\.)/.exec(command.stderr)![1]!;
  await until('its topic is there', async () => (await highwater.ok('topics', 'list', ...ON)).includes(folder));
  const other = await highwater.run(['run', 'scenarios/retry-twice.yaml', ...ON]);
  expect([other.code, other.stderr]).toEqual([5, expect.stringMatching(/HW5004.* is in use by another run/)]);
  command.child.kill('SIGINT');
  expect((await command.ended).code).toBe(130);
  await expectAsItWas();
});

test('a run that is killed leaves the cluster lent, and `fault heal` takes it back', async () => {
  const command = highwater.start(['run', 'scenarios/ghost-read.yaml', '--variant', 'kafka', ...ON]);
  await until('a fault is armed', async () => (await highwater.ok('fault', 'list', ...ON)).includes('starve'));
  command.child.kill('SIGKILL');
  await command.ended;
  const refused = await highwater.run(['run', 'scenarios/ghost-read.yaml', ...ON]);
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringMatching(/If that one was killed: highwater fault heal/),
  ]);
  await highwater.ok('fault', 'heal', ...ON);
  const { data } = await highwater.json<{ data: { id: number; pid: number }[] }>('node', 'list', ...ON);
  for (const { id, pid } of data) if (pid === 0) await highwater.ok('node', 'start', String(id), ...ON);
  const topics = (await highwater.ok('topics', 'list', ...ON)).trimEnd().split('\n');
  for (const name of topics.filter((each) => each.startsWith('ghost-read-')))
    await highwater.ok('topics', 'delete', name, ...ON);
  await expectAsItWas();
});

test.each([
  ['zombie-fenced', /HW2402.*needs transaction\.version 1; cluster lived-in was made with 2, for life/],
  [
    'clients/kafkajs-ghost-read',
    /HW2402.*cluster lived-in does not record\. Start it with: highwater up --record plain/,
  ],
  ['kip-101-divergence', /HW2402.*takes what a disk holds, and cluster lived-in has topics of others \(orders\)/],
])('%s does not fit this cluster: refused in a sentence, before anything is touched', async (scenario, why) => {
  const ended = await highwater.run(['run', `scenarios/${scenario}.yaml`, ...ON]);
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringMatching(why)]);
});

test('a cluster that suffers already, or is not whole, is no cluster for a run', async () => {
  const run = ['run', 'scenarios/ghost-read.yaml', ...ON];
  await highwater.ok('fault', 'add', '--do', 'switch:hw.bound=off', ...ON);
  expect((await highwater.run(run)).stderr).toMatch(/HW5004.*safeguard hw\.bound is off.*highwater fault heal/);
  await highwater.ok('fault', 'heal', ...ON);
  await highwater.ok('node', 'kill', '2', ...ON);
  expect((await highwater.run(run)).stderr).toMatch(/HW4001.*node 2 is killed\. Use: highwater node start 2/);
  await highwater.ok('node', 'start', '2', ...ON);
  const mixture = await highwater.run([...run, '--sim']);
  expect([mixture.code, mixture.stderr]).toEqual([2, expect.stringMatching(/give --sim or --cluster, not both/)]);
  await expectAsItWas();
});
