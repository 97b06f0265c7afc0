// Twenty rounds of kill -9 and start, of brokers and of the controller, under acks=all load on processes. Who is killed is
// drawn from a seed, which a failure prints; when, is up to the operating system. After each round the cluster converges;
// at the end nothing acknowledged is missing and the logs are the same, record by record. Then a storm on the same cluster, as
// the command line has it: every kind of strike, judged by its history.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentClient, type AgentClient } from '../../../src/agent/agent-client.ts';
import { readAll, type HighwaterClient } from '../../../src/client/index.ts';
import { createRandom } from '../../../src/runtime/real/random.ts';
import { connectTo, logOf, untilConverged } from '../support/client.ts';
import { Highwater } from '../support/highwater.ts';
import { Load } from '../support/load.ts';
import { until } from '../support/until.ts';

const ROUNDS = 20;
const STRIKES = 8;
const BOUND_MS = 30_000;
const CONTROLLER = 100;
const SEED = Number(process.env['HIGHWATER_SEED'] ?? Math.floor(Math.random() * 1_000_000) + 1);
const of = ['--cluster', 'rounds'] as const;

let highwater: Highwater;
let client: HighwaterClient;
let agent: AgentClient;

beforeAll(async () => {
  highwater = new Highwater();
  await highwater.up('rounds', '--config', 'min.insync.replicas=2', '--topic', 'orders:1:3');
  client = await connectTo(highwater.state('rounds'), { config: { 'linger.ms': '0' } });
  agent = agentClient(highwater.state('rounds'));
});
afterAll(async () => {
  await client?.close(100);
  agent?.close();
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

/** Their agent is asked, as `node kill` and `node start` ask it: a program a strike would cost more than the strike. */
async function kill(id: number): Promise<void> {
  expect((await agent.call('KillNode', { id, cause: '' }, BOUND_MS)).refused).toBe('');
}
async function start(id: number): Promise<void> {
  expect((await agent.call('StartNode', { id, wipe: false, truncateTail: 0 }, BOUND_MS)).refused).toBe('');
}

/** One or two nodes, most often a broker; never two brokers, which min.insync.replicas would have to refuse. */
function victims(random: ReturnType<typeof createRandom>): readonly number[] {
  const broker = 1 + random.below(3);
  const kind = random.below(10);
  if (kind < 6) return [broker];
  return kind < 8 ? [CONTROLLER] : [broker, CONTROLLER];
}

test(`${ROUNDS} rounds of kill -9 under acks=all load (HIGHWATER_SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  const load = new Load(client, 'orders');
  for (let round = 0; round < ROUNDS; round++) {
    const killed = victims(random);
    const before = load.acknowledged.length;
    await until('some records are acknowledged before the kill', () => load.acknowledged.length > before + 5);
    await Promise.all(killed.map(kill));
    // Half of the rounds: the survivors go on first. The others: at once.
    if (random.below(2) === 0 && !killed.includes(CONTROLLER)) {
      const during = load.acknowledged.length;
      await until('acks=all succeeds without the killed', () => load.acknowledged.length > during + 5);
    }
    for (const node of [...killed].reverse()) await start(node);
    const after = load.acknowledged.length;
    await until('acks=all succeeds again', () => load.acknowledged.length > after);
    await load.stop();
    await untilConverged(client, 'orders');
    load.start();
  }
  await load.stop();

  const replicas = await untilConverged(client, 'orders');
  expect(replicas[0]!.logEndOffset).toBeGreaterThanOrEqual(load.acknowledged.length);
  const logs = await Promise.all([1, 2, 3].map((node) => logOf(client, node, 'orders')));
  expect([logs[1]!.equals(logs[0]!), logs[2]!.equals(logs[0]!)]).toEqual([true, true]);
  const records = await readAll(client, 'orders');
  const found = load.acknowledged.filter(({ offset, value }) => String(records[offset]?.value) === value);
  expect(found).toEqual(load.acknowledged);
}, 280_000);

test(`a storm of ${STRIKES} strikes is judged by its history, and leaves the cluster whole`, async () => {
  const how = ['--rounds', String(STRIKES), '--calm', '0ms', '--seed', String(SEED)];
  const ended = await highwater.run(['fault', 'storm', ...of, ...how, '--json', '-q']);
  const { data } = JSON.parse(ended.stdout) as { data: { verdict: string; acknowledged: number; file: string } };
  expect(data).toMatchObject({ verdict: 'pass', strikes: STRIKES, findings: [], unclear: [] });
  expect([ended.code, data.acknowledged > STRIKES]).toEqual([0, true]);
  const history = readFileSync(data.file, 'utf8').split('\n');
  expect(history.filter((line) => line.includes('"f":"fault"'))).toHaveLength(STRIKES);
  expect((await highwater.run(['check', data.file])).code).toBe(0);
  const after = await highwater.json<{ data: { state: string }[] }>('node', 'list', ...of);
  expect(after.data.map(({ state }) => state)).toEqual(Array(4).fill('running'));
});
