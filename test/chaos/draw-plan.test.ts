// Random runs: what is drawn depends on the seed alone, and can be carried out.
import { describe, expect, test } from 'vitest';
import { drawPlan, planHash } from '../../src/chaos/draw-plan.ts';
import { specOf } from '../../src/chaos/node-fault.ts';
import { runSeed } from '../../src/chaos/sim-seed.ts';
import { refuseFault } from '../../src/fault/legality.ts';
import { faultSpec } from '../../src/fault/spec.ts';

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);

describe('a drawn plan', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(drawPlan(7)).toEqual(drawPlan('7'));
    expect(new Set(SEEDS.map((seed) => planHash(drawPlan(seed)))).size).toBe(SEEDS.length);
  });

  test('a safeguard that is off is no part of it', () => {
    const off = drawPlan(7, { safeguardsOff: ['hw.bound'] });
    expect(planHash(off)).toBe(planHash(drawPlan(7)));
    expect(off.safeguardsOff).toEqual(['hw.bound']);
  });

  test('every fault that strikes at a point is legal there', () => {
    for (const fault of SEEDS.flatMap((seed) => drawPlan(seed).faults)) {
      const spec = specOf(fault, () => 0);
      expect(spec === undefined ? undefined : refuseFault(faultSpec(spec))).toBeUndefined();
    }
  });

  test('names are unique, values too, and replicas exist', () => {
    for (const { faults, clients, topics, cluster } of SEEDS.map((seed) => drawPlan(seed))) {
      const ids = [...faults.map(({ id }) => id), ...clients.map(({ spec }) => spec.id)];
      expect(new Set(ids).size).toBe(ids.length);
      const steps = clients.flatMap(({ spec }) => (spec.kind === 'produce' ? spec.steps : []));
      const values = steps.flatMap((step) => (step.kind === 'send' ? step.values : []));
      expect(new Set(values).size).toBe(values.length);
      for (const replicas of topics.flatMap(({ assignments }) => assignments)) {
        expect(new Set(replicas).size).toBe(replicas.length);
        expect(replicas.every((id) => id >= 1 && id <= cluster.brokers)).toBe(true);
      }
    }
  });

  test('every kind of fault is drawn by some seed', () => {
    const kinds = new Set(
      SEEDS.flatMap((seed) => drawPlan(seed).faults.map(({ id }) => id.replace(/-(\d+|sure).*$/, ''))),
    );
    expect([...kinds].sort()).toEqual([
      ...[
        'cut-link',
        'disk',
        'elect',
        'hold-at-point',
        'kill-at-point',
        'kill-controller',
        'kill-node',
        'late-proposal',
      ],
      ...['lose-power', 'lose-power-everywhere', 'messages', 'pause-at-point', 'pause-controller', 'pause-node'],
      ...['reassign', 'stop-node', 'two-deaths', 'two-elections', 'wipe'],
    ]);
  });

  test('what follows another fault names one of its own plan, and comes soon after it', () => {
    const follows = SEEDS.flatMap((seed) => {
      const { faults } = drawPlan(seed);
      return faults.flatMap(({ id, trigger }) => {
        if (trigger.kind !== 'after' || trigger.moment.parts[0]?.kind !== 'fault') return [];
        const { fault } = trigger.moment.parts[0];
        return [{ id, known: faults.some((other) => other.id === fault) }];
      });
    });
    expect(follows.some(({ id }) => id.startsWith('two-elections'))).toBe(true);
    expect(follows.filter(({ known }) => !known)).toEqual([]);
  });
});

describe('a seed', () => {
  test('runs to a verdict, and gives the same trace again', () => {
    const first = runSeed(11);
    expect(first).toMatchObject({ verdict: 'pass', planHash: planHash(drawPlan(11)) });
    expect(first.acked).toBeGreaterThan(0);
    expect(first.faultsFired).toBeGreaterThan(0);
    expect(runSeed(11)).toEqual(first);
  });
});
