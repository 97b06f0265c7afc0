// One agent a node, called as if they were one: faults reach all, a dead one refuses nothing and knows everything when it is
// back. Kill -9 of a container is then just another kill -9 (design section 1).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManyAgents } from '../../src/agent/many-agents.ts';
import { faultSpec } from '../../src/fault/spec.ts';
import { Agents, NODES } from './agents.ts';

const DROP = faultSpec({ id: 'f1', point: 'rpc.Fetch.response', action: 'drop', owner: 'test' });
const CALL_MS = 5000;
let agents: Agents;

beforeEach(async () => {
  agents = await Agents.start();
});
afterEach(() => agents.end());

const arm = (fault = DROP) => agents.all.call('ArmOnAll', { fault }, CALL_MS);

test('a fault is armed with every agent, listed once, and removed everywhere', async () => {
  expect((await arm()).refused).toBe('');
  for (const id of NODES) expect(agents.knows(id).faults).toEqual([DROP]);
  const { faults } = await agents.all.call('ListAllFaults', {}, CALL_MS);
  expect(faults.map(({ fault }) => fault?.id)).toEqual(['f1']);
  expect((await agents.all.call('DisarmOnAll', { id: 'f1' }, CALL_MS)).refused).toBe('');
  for (const id of NODES) expect(agents.knows(id).faults).toEqual([]);
  expect((await agents.all.call('DisarmOnAll', { id: 'f1' }, CALL_MS)).refused).toMatch(/no fault "f1" is armed/);
});

test('cut links are listed once, those of a node whose agent is dead too', async () => {
  for (const [from, to] of [
    [1, 2],
    [2, 1],
  ] as const)
    await agents.all.call('SetLinkBetween', { from, to, cut: true }, CALL_MS);
  await agents.kill(2);
  const { cuts } = await agents.all.call('ListAllFaults', {}, CALL_MS);
  expect(cuts).toEqual([
    { from: 1, to: 2 },
    { from: 2, to: 1 },
  ]);
  await agents.all.call('Heal', { owner: '' }, CALL_MS);
  expect((await agents.all.call('ListAllFaults', {}, CALL_MS)).cuts).toEqual([]);
});

test('one that dies misses changes, and knows all of them when it is back', async () => {
  await arm();
  await agents.all.call('SetSafeguardOnAll', { name: 'hw.bound', on: false }, CALL_MS);
  await agents.kill(2);
  expect((await agents.all.call('DisarmOnAll', { id: 'f1' }, CALL_MS)).refused).toBe('');
  expect((await arm(faultSpec({ ...DROP, id: 'f2', action: 'hold' }))).refused).toBe('');
  expect((await agents.all.call('SetLinkBetween', { from: 2, to: 1, cut: true }, CALL_MS)).refused).toBe('');
  await agents.revive(2);
  expect(agents.knows(2)).toEqual(agents.knows(1));
  expect(agents.knows(2)).toMatchObject({ safeguardsOff: [], cuts: [{ from: 2, to: 1 }] });
  expect(agents.knows(2).faults.map(({ id }) => id)).toEqual(['f2']);
});

test('what all knew survives the death of all', async () => {
  await arm();
  await agents.all.call('SetLinkBetween', { from: 1, to: 3, cut: true }, CALL_MS);
  for (const id of NODES) await agents.kill(id);
  for (const id of NODES) await agents.revive(id);
  for (const id of NODES) expect(agents.knows(id)).toMatchObject({ faults: [DROP], cuts: [{ from: 1, to: 3 }] });
});

test('one that comes back behind the others does not teach them what is over', async () => {
  await arm();
  await agents.kill(3);
  await agents.all.call('Heal', { owner: '' }, CALL_MS);
  await agents.kill(1);
  await agents.revive(3);
  await agents.revive(1);
  for (const id of NODES) expect(agents.knows(id).faults).toEqual([]);
});

test('settings are lent to one at a time, known to who comes back, and given back by a heal', async () => {
  const lend = (borrower: string) =>
    agents.all.call('LendSettings', { settings: { borrower, timers: 'kafka', config: [] } }, CALL_MS);
  await agents.kill(2);
  expect((await lend('a run')).refused).toBe('');
  await agents.revive(2);
  expect(agents.knows(2).lent).toEqual({ borrower: 'a run', timers: 'kafka', config: [] });
  expect((await lend('another')).refused).toMatch(/lent to a run\. If that has ended: highwater fault heal/);
  await agents.all.call('Heal', { owner: '' }, CALL_MS);
  for (const id of NODES) expect(agents.knows(id).lent).toBeNull();
  expect((await lend('another')).refused).toBe('');
});

test('what another told before a change came is not taken over after it', async () => {
  await agents.kill(2);
  const { agent } = await agents.revive(2);
  const before = agent.faults.affliction;
  const told = { ...before, changes: before.changes + 1, cuts: [{ from: 2, to: 3 }] };
  await agents.all.call('Heal', { owner: '' }, CALL_MS);
  await agent.faults.adopt(told, before.changes);
  expect(agents.knows(2)).toEqual(agents.knows(1));
  await agent.faults.adopt({ ...told, changes: 9 });
  expect(agents.knows(2)).toMatchObject({ changes: 9, cuts: [{ from: 2, to: 3 }] });
});

test('a node whose agent does not answer is listed as dead, and a command on it says what to do', async () => {
  await agents.kill(1);
  const { nodes } = await agents.all.call('ListNodes', {}, CALL_MS);
  expect(nodes.find(({ id }) => id === 1)).toMatchObject({ state: 'dead', cause: 'its container does not answer' });
  const { refused } = await agents.all.call('StartNode', { id: 1, wipe: false, truncateTail: 0 }, CALL_MS);
  expect(refused).toMatch(/docker compose start broker-1/);
  expect((await agents.all.call('KillNode', { id: 9, cause: '' }, CALL_MS)).refused).toBe('no node 9. Nodes: 1, 2, 3');
});

test('nodes that share an agent are listed each, and what concerns the cluster is asked of it once', async () => {
  const [first, ...others] = agents.state.nodes;
  const shared = new ManyAgents({
    ...agents.state,
    nodes: [first!, ...others.map((node) => ({ ...node, agentPort: first!.agentPort! }))],
  });
  try {
    expect((await shared.call('ArmOnAll', { fault: DROP }, CALL_MS)).refused).toBe('');
    expect((await shared.call('ListNodes', {}, CALL_MS)).nodes.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(agents.knows(1).changes).toBe(1);
  } finally {
    shared.close();
  }
});

test('every agent is told where clients outside find all nodes', async () => {
  const at = (port: number) => ({ host: 'host.example', agentPort: port, grpcPort: port, kafkaPort: port });
  const nodes = NODES.map((id) => ({ id, outside: at(40_000 + id) }));
  expect((await agents.all.call('Advertise', { nodes: nodes.slice(1) }, CALL_MS)).refused).toMatch(/where is node 1/);
  expect((await agents.all.call('Advertise', { nodes }, CALL_MS)).refused).toBe('');
  const place = await agents.all.call('DescribePlace', {}, CALL_MS);
  expect(place.nodes.map(({ outside }) => outside?.kafkaPort)).toEqual([40_001, 40_002, 40_003]);
});

test('with nobody there, calls fail instead of doing nothing', async () => {
  for (const id of NODES) await agents.kill(id);
  await expect(arm()).rejects.toThrow('no agent of the cluster answers');
  await expect(agents.all.call('ListNodes', {}, CALL_MS)).rejects.toThrow('no agent of the cluster answers');
});
