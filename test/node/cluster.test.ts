// Several real brokers and a real controller: what replication promises, with faults, and what each safeguard prevents.
import { describe, expect, test } from 'vitest';
import type { FaultSpec } from '../../src/protocol/generated/index.ts';
import { Fleet } from './support/fleet.ts';
import { swarm } from './support/swarm.ts';

const hold = (id: string, point: string, where: FaultSpec['where'] = []): FaultSpec => ({
  ...{ id, point, where, nth: 0, times: 0, probability: 1, ttlMs: 0, owner: 'test' },
  action: { kind: 'hold', target: 'node', durationMs: 0, error: 'NONE', laterMs: 0 },
});

test('repl R-106: a record acknowledged by all survives the kill of its leader, which follows when it is back', () => {
  const fleet = new Fleet();
  const { cluster } = fleet;
  const first = fleet.leader;
  const sent = fleet.send('a');
  fleet.until(() => sent.result !== undefined);
  cluster.kill(first);
  fleet.until(() => fleet.leader !== first && fleet.leader > 0);
  const next = fleet.send('b');
  fleet.until(() => next.result?.kind === 'ok');
  cluster.start(first);
  fleet.until(() => fleet.converged && fleet.isr.length === 3);
  for (const id of [1, 2, 3]) expect(fleet.log(id)).toEqual(fleet.log(fleet.leader));
  expect(fleet.log(first)).toEqual(['a/0', 'b/1']);
});

test('repl R-106: the timeline of a leader that is killed and started again at once, by the times of Kafka', () => {
  const fleet = new Fleet({ timers: 'kafka', config: { 'auto.leader.rebalance.enable': 'false' } });
  const { cluster, events } = fleet;
  const sent = fleet.send('a');
  fleet.until(() => sent.result !== undefined && fleet.converged);
  const [killed, before] = [cluster.world.now, events.length];
  cluster.kill(1);
  cluster.start(1);
  fleet.until(() => fleet.leader !== 1 && fleet.leader > 0);
  // Its last heartbeat is up to 2 s old; sessions last 9 s and are looked at every 1.125 s.
  expect(cluster.world.now - killed).toBeGreaterThan(7000);
  expect(cluster.world.now - killed).toBeLessThan(10_200);
  const next = fleet.send('b');
  fleet.until(() => next.result !== undefined && fleet.isr.length === 3 && fleet.converged);
  const told = events.slice(before).flatMap(({ event }) => {
    if (event.type === 'broker.fenced' || event.type === 'broker.unfenced') return [`${event.type} ${event.broker}`];
    return event.type === 'elected' ? [`${event.leader} leads [${event.isr}] in epoch ${event.leaderEpoch}`] : [];
  });
  // Until its session is over it is a duplicate of itself; then it is registered, and follows.
  expect(told).toEqual(['2 leads [2,3] in epoch 1', 'broker.fenced 1', 'broker.unfenced 1']);
  expect([1, 2, 3].map((id) => fleet.log(id))).toEqual([1, 2, 3].map(() => ['a/0', 'b/1']));
});

test('repl R-94: a clean stop moves the leader before it goes; nothing acknowledged fails', () => {
  const fleet = new Fleet();
  const first = fleet.leader;
  let stopped = false;
  fleet.cluster.stop(first, () => (stopped = true));
  const sent = Array.from({ length: 20 }, (_, i) => fleet.send(`v${i}`));
  fleet.until(() => stopped && sent.every(({ result }) => result !== undefined));
  expect(sent.every(({ result }) => result!.kind === 'ok')).toBe(true);
  expect(fleet.events.some(({ event }) => event.type === 'broker.fenced' && event.why.includes('session'))).toBe(false);
});

describe('BUG-01: an acknowledged record and a follower that cuts to its own stale high watermark', () => {
  function play(safeguardsOff: string[]): Fleet {
    const fleet = new Fleet({ safeguardsOff, config: { 'auto.leader.rebalance.enable': 'false' } });
    const { cluster } = fleet;
    const m0 = fleet.send('m0');
    fleet.until(() => m0.result !== undefined && [1, 2, 3].every((id) => fleet.replica(id)!.highWatermark === 1));
    const m1 = fleet.send('m1');
    fleet.until(() => [2, 3].every((id) => fleet.replica(id)!.logEndOffset === 2));
    expect(cluster.arm(hold('answers', 'rpc.Fetch.response'))).toBe('');
    fleet.until(() => m1.result?.kind === 'ok');
    expect([2, 3].map((id) => fleet.replica(id)!.highWatermark)).toEqual([1, 1]);
    expect(cluster.arm(hold('refetch', 'rpc.Fetch.request', [{ field: 'from', op: '=', values: ['3'] }]))).toBe('');
    fleet.elect(2);
    fleet.until(() => fleet.replica(3)!.leaderEpoch === 1);
    fleet.elect(3);
    fleet.until(() => [1, 3].every((id) => fleet.replica(id)!.leaderEpoch === 2));
    cluster.kill(2);
    cluster.heal(true);
    fleet.until(() => fleet.converged && fleet.isr.length === 3);
    return fleet;
  }
  test('by leader epoch nothing is cut', () => {
    const fleet = play([]);
    for (const id of [1, 2, 3]) expect(fleet.log(id)).toEqual(['m0/0', 'm1/0']);
  });
  test('trunc.leaderEpoch off: the record is in no log any more', () => {
    const fleet = play(['trunc.leaderEpoch']);
    for (const id of [1, 2, 3]) expect(fleet.log(id)).toEqual(['m0/0']);
  });
});

describe('BUG-02: two replicas lose power, and one loses its tail', () => {
  function play(safeguardsOff: string[]): Fleet {
    const fleet = new Fleet({ replicas: [1, 2], minIsr: 1, safeguardsOff });
    const { cluster } = fleet;
    for (const value of ['m0', 'm1']) {
      const sent = fleet.send(value);
      fleet.until(() => sent.result?.kind === 'ok');
    }
    fleet.until(() => fleet.converged);
    fleet.runFor(1500); // Both high watermarks are written down.
    cluster.kill(1);
    fleet.until(() => fleet.isr.length === 1);
    cluster.kill(2);
    fleet.runFor(1500);
    cluster.start(2, { truncateTail: 1 });
    fleet.until(() => fleet.leader === 2);
    const m2 = fleet.send('m2');
    fleet.until(() => m2.result?.kind === 'ok');
    cluster.start(1);
    fleet.until(() => cluster.broker(1)?.broker.state === 'RUNNING');
    const m3 = fleet.send('m3');
    fleet.until(() => m3.result?.kind === 'ok');
    fleet.until(() => fleet.converged && fleet.isr.length === 2);
    return fleet;
  }
  test('by leader epoch the logs agree: the loss is that of the power', () => {
    const fleet = play([]);
    const [first, second] = [fleet.log(1), fleet.log(2)];
    expect(first).toEqual(second);
    expect(first.map((entry) => entry.split('/')[0])).toEqual(['m0', 'm2', 'm3']);
  });
  test('trunc.leaderEpoch off: one offset holds two records for ever', () => {
    const fleet = play(['trunc.leaderEpoch']);
    expect(fleet.log(1).map((entry) => entry.split('/')[0])).toEqual(['m0', 'm1', 'm3']);
    expect(fleet.log(2).map((entry) => entry.split('/')[0])).toEqual(['m0', 'm2', 'm3']);
  });
});

describe('repl I-14, I-28: after any kills, pauses, cuts and elections', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'seed %i: what was acknowledged is there, and all logs are equal',
    (seed) => {
      const { acknowledged, logs } = swarm(seed);
      expect(acknowledged.length).toBeGreaterThan(10);
      for (const log of logs) expect(log).toEqual(logs[0]);
      const present = new Set(logs[0]!.map((entry) => entry.split('/')[0]));
      expect(acknowledged.filter((value) => !present.has(value))).toEqual([]);
    },
  );
});
