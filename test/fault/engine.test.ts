// When a fault strikes a step, and what it does there (design section 6).
import { describe, expect, test } from 'vitest';
import { equals, faultSpec, type FaultDraft } from '../../src/fault/spec.ts';
import { aFaultyNode, Ticks, Wire, type FaultyNode } from './bench.ts';

const STEP = 'log.append.leader';

function aNode(draws: number[] = []): FaultyNode & { ticks: Ticks; reach(offset: number): { passed: boolean } } {
  const ticks = new Ticks();
  const node = aFaultyNode(1, ticks, new Wire(ticks), draws);
  const reach = (offset: number): { passed: boolean } => {
    const flow = { passed: false };
    const fields = { topic: 'orders', partition: 0, baseOffset: offset, lastOffset: offset, offset };
    node.engine.reach(STEP, fields, () => {
      expect(flow.passed, 'proceed runs at most once').toBe(false);
      flow.passed = true;
    });
    return flow;
  };
  return { ...node, ticks, reach };
}

const arm = (node: FaultyNode, draft: Partial<FaultDraft>): void =>
  expect(node.engine.arm(faultSpec({ id: 'f', point: STEP, action: 'hold', ...draft }))).toBe('');

describe('a step', () => {
  test('goes on at once when nothing is armed there', () => {
    const node = aNode();
    expect(node.reach(0).passed).toBe(true);
    arm(node, { point: 'log.append.follower' });
    expect(node.reach(1).passed).toBe(true);
  });

  test('is held until released; the fault stays armed', () => {
    const node = aNode();
    arm(node, {});
    const [first, second] = [node.reach(0), node.reach(1)];
    expect([first.passed, second.passed]).toEqual([false, false]);
    expect(node.engine.list()[0]).toMatchObject({ hits: 2, matches: 2, firings: 2, holding: 2 });
    node.engine.release('f');
    expect([first.passed, second.passed]).toEqual([true, true]);
    expect(node.reach(2).passed).toBe(false);
  });

  test('is let go when the fault is removed or expires', () => {
    const node = aNode();
    arm(node, {});
    const first = node.reach(0);
    node.engine.disarm('*');
    expect(first.passed).toBe(true);
    arm(node, { ttlMs: 10 });
    const second = node.reach(1);
    node.ticks.run(9);
    expect(second.passed).toBe(false);
    node.ticks.run(1);
    expect(second.passed).toBe(true);
    expect(node.engine.list()).toEqual([]);
    expect(node.traced.at(-2)).toMatchObject({ type: 'fault.disarmed', why: 'expired' });
  });

  test('the life of a replaced fault does not end its successor', () => {
    const node = aNode();
    arm(node, { ttlMs: 10 });
    arm(node, {});
    node.ticks.run(20);
    expect(node.engine.list()).toHaveLength(1);
  });

  test('delay fires when it is over, not when it begins', () => {
    const node = aNode();
    arm(node, { action: { kind: 'delay', durationMs: 5 } });
    const flow = node.reach(0);
    expect([flow.passed, node.fired()]).toEqual([false, []]);
    node.ticks.run(5);
    expect([flow.passed, node.fired()]).toEqual([true, ['f']]);
  });

  test('kill ends the flow; the host records the firing', () => {
    const node = aNode();
    arm(node, { action: 'kill' });
    const flow = node.reach(7);
    expect(flow.passed).toBe(false);
    expect(node.killed).toEqual([
      {
        fault: 'f',
        point: STEP,
        action: 'kill',
        node: 1,
        fields: { node: 1, topic: 'orders', partition: 0, baseOffset: 7, lastOffset: 7, offset: 7 },
      },
    ]);
    expect(node.fired()).toEqual([]);
  });

  test('pause stops the flow until the node goes on', () => {
    const node = aNode();
    arm(node, { action: 'pause' });
    const flow = node.reach(0);
    expect(flow.passed).toBe(false);
    node.paused[0]!.resumed();
    expect(flow.passed).toBe(true);
  });

  test('an action on another node holds the flow until it is done, and fires only then', () => {
    const node = aNode();
    arm(node, { action: { kind: 'kill', target: 'leader(orders-0)' } });
    const flow = node.reach(0);
    expect([flow.passed, node.fired(), node.killed]).toEqual([false, [], []]);
    node.elsewhere[0]!.done();
    expect([flow.passed, node.fired()]).toEqual([true, ['f']]);
  });

  test('an action that was refused lets the flow go and has not fired', () => {
    const node = aNode();
    arm(node, { action: { kind: 'elect', target: 'orders-0' } });
    const flow = node.reach(0);
    node.elsewhere[0]!.done('ELECTION_NOT_NEEDED');
    expect([flow.passed, node.fired()]).toEqual([true, []]);
    expect(node.traced.at(-1)).toMatchObject({ type: 'log.line', level: 'warn' });
  });

  test('later acts later and does not hold', () => {
    const node = aNode();
    arm(node, { action: { kind: 'kill', laterMs: 30 } });
    expect(node.reach(0).passed).toBe(true);
    node.ticks.run(29);
    expect(node.killed).toEqual([]);
    node.ticks.run(1);
    expect(node.killed).toHaveLength(1);
  });

  test('later does nothing once the fault is removed', () => {
    const node = aNode();
    arm(node, { action: { kind: 'kill', laterMs: 30 } });
    node.reach(0);
    node.engine.disarm('f');
    node.ticks.run(30);
    expect(node.killed).toEqual([]);
  });

  test('several faults act one after the other', () => {
    const node = aNode();
    arm(node, { id: 'first' });
    arm(node, { id: 'second' });
    const flow = node.reach(0);
    node.engine.release('first');
    expect(flow.passed).toBe(false);
    node.engine.release('second');
    expect(flow.passed).toBe(true);
  });

  test('a fault spends none of its times on what another one has stopped before it', () => {
    const node = aNode();
    arm(node, { id: 'first', times: 1 });
    arm(node, { id: 'second', times: 1 });
    const [one, two] = [node.reach(0), node.reach(1)];
    expect(node.engine.list().map(({ holding }) => holding)).toEqual([1, 1]);
    node.engine.release('first');
    expect([one.passed, two.passed]).toEqual([true, false]);
    expect(node.engine.list().map(({ firings }) => firings)).toEqual([1, 1]);
  });

  test('but it has seen it: nth counts whoever comes to the point', () => {
    const node = aNode();
    arm(node, { id: 'first', times: 1 });
    arm(node, { id: 'second', nth: 2 });
    const [one, two, three] = [node.reach(0), node.reach(1), node.reach(2)];
    node.engine.release('first');
    expect([one.passed, two.passed, three.passed]).toEqual([true, false, true]);
  });

  test('a removed fault does not strike what another one still holds', () => {
    const node = aNode();
    arm(node, { id: 'first' });
    arm(node, { id: 'second', action: 'kill' });
    const flow = node.reach(0);
    node.engine.disarm('second');
    node.engine.release('first');
    expect([flow.passed, node.killed]).toEqual([true, []]);
  });

  test('an observation tells, and never waits', () => {
    const node = aNode();
    arm(node, { point: 'log.truncated', action: 'notify', where: [equals('partition', 0)] });
    node.engine.observe('log.truncated', { topic: 'orders', partition: 1, offset: 3 });
    node.engine.observe('log.truncated', { topic: 'orders', partition: 0, offset: 3 });
    expect(node.engine.list()[0]).toMatchObject({ hits: 2, matches: 1, firings: 1 });
  });
});

describe('how often', () => {
  const held = (node: ReturnType<typeof aNode>, count: number): boolean[] =>
    Array.from({ length: count }, (_, offset) => !node.reach(offset).passed);

  test('nth strikes at one match only', () => {
    const node = aNode();
    arm(node, { nth: 3, where: [{ field: 'offset', op: '>=', values: ['1'] }] });
    expect(held(node, 5)).toEqual([false, false, false, true, false]);
  });

  test('times strikes at the first matches', () => {
    const node = aNode();
    arm(node, { times: 2 });
    expect(held(node, 4)).toEqual([true, true, false, false]);
  });

  test('probability 0 strikes never, 1 always, between as drawn', () => {
    const none = aNode();
    arm(none, { probability: 0 });
    expect(held(none, 3)).toEqual([false, false, false]);
    const some = aNode([0.05, 0.5, 0.09]);
    arm(some, { probability: 0.1 });
    expect(held(some, 3)).toEqual([true, false, true]);
    const all = aNode([0.99]);
    arm(all, {});
    expect(held(all, 2)).toEqual([true, true]);
  });
});

describe('near misses', () => {
  test('a point that was never reached says so', () => {
    const node = aNode();
    arm(node, {});
    expect(node.engine.list()[0]!.nearMisses).toEqual(['log.append.leader was not reached']);
  });

  test('the miss that failed the fewest conditions comes first, with its count', () => {
    const node = aNode();
    arm(node, { where: [equals('topic', 'orders'), equals('offset', 9)] });
    node.engine.reach(STEP, { topic: 'payments', offset: 2 }, () => undefined);
    for (let i = 0; i < 2; i++) node.engine.reach(STEP, { topic: 'orders', offset: 8 }, () => undefined);
    expect(node.engine.list()[0]!.nearMisses).toEqual([
      'log.append.leader was reached 2 times, but offset was 8 (asked: offset = 9)',
      'log.append.leader was reached once, but topic was payments (asked: topic = orders) and offset was 2 (asked: offset = 9)',
    ]);
  });

  test('a match that was not the one asked for is named', () => {
    const node = aNode();
    arm(node, { nth: 3 });
    node.reach(0);
    expect(node.engine.list()[0]!.nearMisses).toEqual(['log.append.leader matched once; asked for match 3']);
  });
});
