// Runs on a cluster that has a life of its own: whether a plan fits, what it is lent, and the names that it gets there.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fitted, isSame, settingsFor, whyUnfit, type MadeCluster } from '../../src/chaos/attached/fitting.ts';
import { renamed } from '../../src/chaos/attached/renamed.ts';
import { judge } from '../../src/chaos/judge.ts';
import type { RunPlan } from '../../src/chaos/plan.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';

const MADE: MadeCluster = {
  ...{ name: 'box', brokers: [1, 2, 3], timers: 'kafka', config: {} },
  topics: ['orders', '__transaction_state'],
};

function plans(name: string): readonly RunPlan[] {
  return readScenario(readFileSync(`scenarios/${name}.yaml`, 'utf8'), name, { seed: '1' });
}

/** A plan of the smallest scenario with these lines more. */
function plan(...more: readonly string[]): RunPlan {
  const lines = [
    ...['highwater: 1', 'name: small', 'topics: [{ name: orders, replicas: [1] }]'],
    ...['workload: [{ id: p, produce: orders, steps: [send a] }]', ...more],
  ];
  return readScenario(lines.join('\n'), 'small.yaml')[0]!;
}

/** The smallest scenario with a program of the user's own. */
function foreign(): RunPlan {
  const lines = ['highwater: 1', 'name: small', 'topics: [{ name: orders, replicas: [1] }]'];
  return readScenario([...lines, "workload: [{ id: app, external: 'true' }]"].join('\n'), 'small.yaml')[0]!;
}

describe('racks', () => {
  const wanted = plan('cluster: { racks: [a, b, c] }');
  const racks = (...names: readonly string[]) => ({ racks: new Map(names.map((rack, at) => [at + 1, rack])) });

  test('those of a scenario must be those of the cluster', () => {
    expect(whyUnfit(wanted, { ...MADE, ...racks('a', 'b', 'c') })).toBeUndefined();
    expect(whyUnfit(wanted, { ...MADE, ...racks('a', 'c', 'c') })).toBe(
      'small (variant default) needs broker 2 in rack b; in cluster box it has rack c. Stop it and start it with: highwater up ' +
        '--racks a,b,c. Without --cluster it runs on a cluster of its own',
    );
    expect(whyUnfit(wanted, MADE)).toMatch(/needs broker 1 in rack a; in cluster box it has no rack\. Stop it/);
  });

  test('a scenario that says nothing of racks runs in any', () => {
    expect(whyUnfit(plan(), { ...MADE, ...racks('x', 'y', 'z') })).toBeUndefined();
  });
});

describe('names', () => {
  const SCENARIOS = ['ghost-read', 'coordinator-failover', 'consume-transform-produce', 'hanging-transaction'];

  test.each([...SCENARIOS, 'weaknesses/w15-admin-abort'])('%s under other names is what it declares', (name) => {
    for (const original of plans(name).slice(0, 2)) {
      const plan = renamed(original, 'x-1.');
      const { outcome, history } = runInSimulator(plan);
      const { verdict, reasons } = judge(plan, outcome, history);
      expect([plan.variant, plan.cell, verdict, reasons]).toEqual([plan.variant, plan.cell, 'pass', []]);
      expect(Object.values(outcome.fired).every((count) => count > 0)).toBe(true);
      const named = history.flatMap((entry) => ('partition' in entry ? [entry.partition] : []));
      expect(named.filter((partition) => partition !== '*' && !partition.startsWith('x-1.'))).toEqual([]);
    }
  });

  test('no name of the plan is left, and everything else stays', () => {
    const text = readFileSync('scenarios/consume-transform-produce.yaml', 'utf8');
    const [original] = readScenario(text, 'ctp.yaml');
    const other = JSON.stringify(renamed(original!, 'x-1.'), (_key, value: unknown) => {
      return value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
    });
    const names = [...original!.topics.map(({ name }) => name)];
    for (const name of names) expect(other).not.toMatch(new RegExp(`"(topic|from|to|name)":"${name}"`));
    expect(other.replaceAll('x-1.', '')).toEqual(
      JSON.stringify(original, (_key, value: unknown) => {
        return value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
      }),
    );
  });

  test('topics of the cluster itself keep their names', () => {
    const fault =
      'faults: [{ id: f, at: log.append.leader, where: { topic: [orders, __transaction_state] }, do: hold }]';
    expect(renamed(plan(fault), 'x-1.').faults[0]).toMatchObject({
      trigger: { where: [{ field: 'topic', values: ['x-1.orders', '__transaction_state'] }] },
    });
  });
});

describe('whether a plan fits', () => {
  test('more brokers than there are', () => {
    expect(whyUnfit(plan('cluster: { brokers: 5 }'), MADE)).toBe(
      'small (variant default) needs 5 brokers; cluster box has 3. Without --cluster it runs on a cluster of its own',
    );
  });

  test('fewer are fine: all of them take part', () => {
    const two = plan('cluster: { brokers: 2 }');
    expect(whyUnfit(two, MADE)).toBeUndefined();
    expect(fitted(two, MADE).cluster.brokers).toBe(3);
  });

  test('brokers with other numbers', () => {
    expect(whyUnfit(plan(), { ...MADE, brokers: [1, 3, 7] })).toMatch(
      /brokers 1, 2, …; cluster box has brokers 1, 3, 7/,
    );
  });

  test.each([
    ['cluster: { config: { transaction.version: 1 } }', {}, 'transaction.version 1; cluster box was made with 2'],
    ['', { 'transaction.version': '1' }, 'transaction.version 2; cluster box was made with 1'],
    [
      'cluster: { config: { offsets.topic.num.partitions: 1 } }',
      {},
      'offsets.topic.num.partitions 1; cluster box was made',
    ],
  ])('what is fixed for life: %s', (line, config, why) => {
    expect(whyUnfit(plan(line), { ...MADE, config })).toContain(why);
  });

  describe('programs of your own', () => {
    const own = foreign();
    const apart = { ...MADE, topics: ['others'] };

    test.each([
      [{}, 'does not record'],
      [{ 'kafka.record': '' }, 'does not record'],
      [{ 'kafka.record': 'hashed' }, 'records hashes of values'],
    ])('are not seen where brokers do not record plainly: %j', (config, what) => {
      expect(whyUnfit(own, { ...apart, config })).toBe(
        'small (variant default) has programs of your own, judged by what brokers record of the wire, and cluster box ' +
          `${what}. Start it with: highwater up --record plain. Without --cluster it runs on a cluster of its own`,
      );
      expect(whyUnfit(plan(), { ...MADE, config })).toBeUndefined();
    });

    test('run where they do, and it stays so', () => {
      const recording = { ...apart, config: { 'kafka.record': 'plain' } };
      expect(whyUnfit(own, recording)).toBeUndefined();
      expect(settingsFor(own, recording).config).toEqual({ 'kafka.record': 'plain' });
    });

    test('name topics themselves: these must not be there', () => {
      const recording = { ...MADE, config: { 'kafka.record': 'plain' } };
      expect(whyUnfit(own, recording)).toMatch(/name topic orders, and cluster box has one already\. Delete it first/);
    });
  });

  test.each(['wipe: true', 'truncateTail: -1'])('a lost disk (%s) would take topics of others with it', (how) => {
    const lossy = plan(`faults: [{ id: f, after: p.done, do: { start: { node: 1, ${how} } } }]`);
    expect(whyUnfit(lossy, MADE)).toMatch(
      /^fault f of small \(variant default\) takes what a disk holds.*\(orders\)\. Delete them first/,
    );
    expect(whyUnfit(lossy, { ...MADE, topics: ['__transaction_state'] })).toBeUndefined();
  });
});

describe('settings', () => {
  test("are the plan's, but those that are fixed are the cluster's", () => {
    const made = { ...MADE, config: { 'offsets.topic.num.partitions': '7', 'message.max.bytes': '100' } };
    const settings = settingsFor(plan('cluster: { config: { replica.lag.time.max.ms: 30s } }'), made);
    expect(settings).toEqual({
      timers: 'fast',
      config: { 'replica.lag.time.max.ms': '30s', 'offsets.topic.num.partitions': '7' },
    });
  });

  test('that say the same in other words need no restart', () => {
    const [one, other] = [{ 'replica.lag.time.max.ms': '30000' }, {}];
    expect(isSame({ timers: 'kafka', config: one }, { timers: 'kafka', config: other })).toBe(true);
    expect(isSame({ timers: 'kafka', config: one }, { timers: 'fast', config: one })).toBe(false);
  });
});
