// What a run does, on a simulated cluster: triggers, ends of faults, waits, pauses, healing, and what it says of itself.
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator, type SimulatedRun } from '../../src/chaos/run-in-simulator.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import type { Stamped } from '../../src/trace/events.ts';

interface Ran extends SimulatedRun {
  readonly verdict: string;
  readonly reasons: readonly string[];
  readonly events: readonly Stamped[];
  /** Faults that fired, in order, as "id action node". */
  readonly firings: readonly string[];
}

const HEAD = 'highwater: 1\nname: test\ntopics: [{name: orders, config: {min.insync.replicas: 2}}]\n';

function ran(text: string): Ran {
  const [plan] = readScenario(HEAD + text, 'test.yaml');
  const events: Stamped[] = [];
  const run = runInSimulator(plan!, { onEvent: (stamped) => events.push(stamped) });
  expect(run.violations).toEqual([]);
  const { verdict, reasons } = judge(plan!, run.outcome, run.history);
  const firings = run.history.flatMap((entry) =>
    entry.f === 'fault' ? [`${entry.fault} ${entry.action} ${entry.detail}`.trim()] : [],
  );
  return { ...run, verdict, reasons, events, firings };
}

/** Index of the first entry that matches. */
function at(history: readonly HistoryEntry[], matches: (entry: HistoryEntry) => boolean): number {
  const index = history.findIndex(matches);
  expect(index).toBeGreaterThanOrEqual(0);
  return index;
}
const acked =
  (value: string) =>
  (entry: HistoryEntry): boolean =>
    entry.f === 'send' && entry.type === 'ok' && entry.value === value;
const invoked =
  (value: string) =>
  (entry: HistoryEntry): boolean =>
    entry.f === 'send' && entry.type === 'invoke' && entry.value === value;
const fault =
  (id: string) =>
  (entry: HistoryEntry): boolean =>
    entry.f === 'fault' && entry.fault === id;

const CLEAN = 'expect: [{never: [lost-write, ghost-read, inconsistent-offsets, poll-skip, log-divergence]}]\n';
const READER = '  - {id: c, consume: orders}\n';

describe('a run without faults', () => {
  test('everything sent is acknowledged, read to the end, and on all replicas in agreement', () => {
    const { verdict, history } = ran(`workload:\n  - {id: p, produce: orders, steps: [send 0..9]}\n${READER}${CLEAN}`);
    expect(verdict).toBe('pass');
    const read = history.flatMap((entry) => (entry.f === 'poll' ? (entry.records ?? []) : []));
    expect(read.map(({ value }) => value)).toEqual(Array.from({ length: 10 }, (_, value) => String(value)));
    expect(history.filter(({ f }) => f === 'replica')).toHaveLength(3);
    expect(history.at(-1)).toMatchObject({ f: 'quiesce', type: 'ok', missing: [] });
  });

  test('every send is written down before it can have any effect', () => {
    const { history } = ran('workload:\n  - {id: p, produce: orders, steps: [send 0..4]}\n');
    const invocations = history.filter((entry) => entry.f === 'send' && entry.type === 'invoke');
    expect(invocations).toHaveLength(5);
    for (const value of ['0', '4']) expect(at(history, invoked(value))).toBeLessThan(at(history, acked(value)));
  });

  test('a seed gives the same run; another one another', () => {
    const text = (seed: number): string =>
      `${HEAD}workload:\n  - {id: p, produce: orders, steps: [send 0..4]}\nseed: ${seed}\n`;
    const hash = (seed: number): string =>
      runInSimulator(readScenario(text(seed), 'x')[0]!, { hashed: true }).traceHash;
    expect(hash(7)).toBe(hash(7));
    expect(hash(7)).not.toBe(hash(8));
  });
});

describe('triggers', () => {
  test('after: a send, a time, a fault', () => {
    const { firings, history, verdict } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..4, {wait: second}, send 5]}
faults:
  - {id: first, after: p.send(4).ok + 200ms, do: {kill: leader(orders-0)}}
  - {id: second, after: first + 300ms, do: {start: first.node}}
${CLEAN}`);
    expect(verdict).toBe('pass');
    expect(firings).toEqual(['first kill node 1', 'second start node 1']);
    const times = [acked('4'), fault('first'), fault('second')].map((matches) => history[at(history, matches)]!.time);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(200);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(300);
    expect(at(history, invoked('5'))).toBeGreaterThan(at(history, fault('second')));
  });

  test('at: the node that reaches the point dies there, and the others live on', () => {
    const { firings, verdict, events } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..4]}
faults:
  - {id: f, at: log.append.follower, where: {offset: 2}, do: kill}
${CLEAN}`);
    expect(verdict).toBe('pass');
    expect(firings).toHaveLength(1);
    expect(firings[0]).toMatch(/^f kill node [23]$/);
    expect(events.filter(({ event }) => event.type === 'fault.fired')).toHaveLength(1);
  });

  test('at, on something else: the flow waits until the action is done', () => {
    const { firings, verdict, events } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..4]}
faults:
  - {id: f, at: log.append.leader, where: {offset: 3}, do: {elect: {partition: orders-0, leader: 2}}}
${CLEAN}`);
    expect(verdict).toBe('pass');
    expect(firings).toEqual(['f elect node 2']);
    const of = (type: string): number => events.findIndex(({ event }) => event.type === type);
    expect(of('fault.held')).toBeGreaterThan(0);
    expect(of('fault.released')).toBeGreaterThan(of('fault.held'));
    const elected = events.findIndex(({ event }) => event.type === 'elected' && event.leader === 2);
    expect(elected).toBeGreaterThan(of('fault.held'));
    expect(elected).toBeLessThan(of('fault.released'));
  });

  test('every: again and again until the run heals, or as often as it says', () => {
    const { firings } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0, {sleep: 2s}]}
faults:
  - {id: f, every: 300ms, times: 3, do: {elect: {partition: orders-0, leader: followers(orders-0)}}}
`);
    expect(firings).toHaveLength(3);
  });
});

describe('a fault ends', () => {
  const HOLD = 'at: rpc.Produce.response, where: {offset: 2}, do: hold';

  test('until a moment: what it held goes on', () => {
    const { history, verdict } = ran(`workload:
  - {id: p, produce: orders, config: {request.timeout.ms: 10s, delivery.timeout.ms: 20s}, steps: [send 0..3]}
faults:
  - {id: f, ${HOLD}, until: f + 700ms}
${CLEAN}`);
    expect(verdict).toBe('pass');
    expect(history[at(history, acked('2'))]!.time - history[at(history, fault('f'))]!.time).toBeGreaterThanOrEqual(700);
  });

  test('for: a hold is let go, a pause resumed, a kill started, a cut mended', () => {
    const { verdict, firings, events } = ran(`workload:
  - {id: p, produce: orders, config: {request.timeout.ms: 10s, delivery.timeout.ms: 20s}, steps: [send 0..3, {wait: d + 4s}]}
faults:
  - {id: a, ${HOLD}, for: 300ms}
  - {id: b, after: a + 1s, do: {pause: 3}, for: 500ms}
  - {id: c, after: b + 1s, do: {kill: 2}, for: 500ms}
  - {id: d, after: c + 1s, do: {cut: {from: 1, to: 3}}, for: 500ms}
expect: [{eventually: "isr(orders-0) = [1, 2, 3]", within: 0ms}]
`);
    expect(firings.map((firing) => firing.split(' ')[0])).toEqual(['a', 'b', 'c', 'd']);
    expect(verdict).toBe('pass'); // in sync again before the run healed anything
    const opened = events.filter(({ node, event }) => node === 2 && event.type === 'log.opened');
    expect(opened.length).toBeGreaterThanOrEqual(2);
  });

  test('for: a client that was paused goes on, before the run heals anything', () => {
    const { verdict, history } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..1, {wait: f + 2s}, send 2]}
  - {id: q, produce: orders, pace: 100ms, steps: [send q0..q9]}
faults:
  - {id: f, after: q.send(q3).ok, do: {pause: client(q)}, for: 1s}
expect: [{order: [q.send(q3).ok, q.send(q9).ok, p.send(2).ok]}]
`);
    expect(verdict).toBe('pass');
    const timeOf = (value: string): number => history[at(history, acked(value))]!.time;
    expect(timeOf('q3') - timeOf('q2')).toBeGreaterThanOrEqual(100); // the pace of its sends
    expect(timeOf('q4') - timeOf('q3')).toBeGreaterThanOrEqual(1000);
  });

  test('at the end of the run at the latest: dead nodes start, paused ones resume, links are mended', () => {
    const { history, verdict } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..3]}
${READER}faults:
  - {id: a, after: p.send(1).ok, do: {kill: 3}}
  - {id: b, after: p.send(2).ok, do: {pause: 2}}
  - {id: c, after: p.send(2).ok, do: {cut: {from: 100, to: 1}}}
timeout: 3s
${CLEAN}`);
    expect(verdict).toBe('pass');
    expect(history.filter(({ f }) => f === 'replica')).toHaveLength(3);
    expect(history.filter((entry) => acked('3')(entry))).toHaveLength(1);
  });
});

describe('what a run says of itself', () => {
  test('a fault whose point was reached by others is inconclusive, with its near misses', () => {
    const { verdict, reasons } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..3]}
faults:
  - {id: f, at: log.append.leader, where: {topic: payments}, do: kill}
${CLEAN}`);
    expect(verdict).toBe('inconclusive');
    expect(reasons).toEqual([
      'fault f never fired: log.append.leader was reached 4 times, but topic was orders (asked: topic = payments)',
    ]);
  });

  test('a fault whose moment did not come names it', () => {
    const { reasons } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0]}
faults:
  - {id: f, after: p.send(7).ok, do: {kill: 1}}
`);
    expect(reasons).toEqual(['fault f never fired: its moment did not come: p.send(7).ok']);
  });

  test('faults that wait for one another each have their time, however long that takes together', () => {
    const { verdict, firings } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0]}
faults:
  - {id: f, after: p.done + 8s, do: {kill: 1}}
  - {id: g, after: f + 8s, do: {start: 1}}
  - {id: h, after: g + 8s, do: {kill: 2}}
${CLEAN}`);
    expect([verdict, firings]).toEqual(['pass', ['f kill node 1', 'g start node 1', 'h kill node 2']]);
  });

  test('an action that could not be carried out has not fired', () => {
    const { verdict, reasons } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0]}
faults:
  - {id: f, after: p.done, do: {start: 1}}
`);
    expect(verdict).toBe('inconclusive');
    expect(reasons).toEqual(['fault f never fired: f struck, but node 1 is running']);
  });

  test('an optional fault may stay away', () => {
    const { verdict } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0]}
faults:
  - {id: f, at: log.truncated, do: kill, optional: true}
${CLEAN}`);
    expect(verdict).toBe('pass');
  });

  test('a topic is deleted: the run ends without it, and nothing is promised of what it held', () => {
    const { verdict, history, firings } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..3]}
faults:
  - {id: f, after: p.done, do: {delete: orders}}
${CLEAN}`);
    expect(firings).toEqual(['f delete']);
    expect([verdict, history.some(({ f }) => f === 'replica')]).toEqual(['pass', false]);
    const declared = at(history, (entry) => entry.f === 'budget');
    expect(history[declared]).toMatchObject({ what: 'topic-deletion', partition: 'orders-0' });
  });

  test('a loss of data is declared before it can happen, an unclean election when it was asked for', () => {
    const { history } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..3]}
faults:
  - {id: f, after: p.send(1).ok, do: {kill: 3}}
  - {id: g, after: f + 100ms, do: {start: {node: 3, wipe: true}}}
${CLEAN}`);
    const declared = at(history, (entry) => entry.f === 'budget');
    expect(history[declared]).toMatchObject({ what: 'wipe', node: 3, partition: 'orders-0' });
    expect(declared).toBeLessThan(at(history, fault('g')));
  });
});

describe('clients', () => {
  test('a consumer is paused and resumed at moments, where it was', () => {
    const { history, verdict } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..2, {wait: idle(c)}, {wait: f}, {sleep: 500ms}, send 3..5]}
  - {id: c, consume: orders, pause: {from: f, until: p.done}}
faults:
  - {id: f, after: p.send(2).ok + c.polled-empty, do: {elect: {partition: orders-0, leader: 2}}}
${CLEAN}`);
    expect(verdict).toBe('pass');
    const polls = history.filter((entry) => entry.f === 'poll' && entry.type === 'ok');
    const resumed = polls.filter((entry) => entry.index > at(history, acked('5')));
    expect(resumed[0]).toMatchObject({ from: 3 });
    expect(polls.filter((entry) => entry.index > at(history, fault('f'))).length).toBe(resumed.length);
  });

  test('a client starts at its moment, from where it says', () => {
    const { history } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..5]}
  - {id: late, consume: orders, from: 4, start: {after: p.done}}
`);
    const polls = history.filter((entry) => entry.f === 'poll');
    expect(polls[0]).toMatchObject({ process: 'late', from: 4 });
    expect(polls[0]!.index).toBeGreaterThan(at(history, acked('5')));
  });

  test('a producer that is killed is over, and its send stays open', () => {
    const { history } = ran(`workload:
  - {id: p, produce: orders, steps: [send 0..5]}
faults:
  - {id: f, at: rpc.Produce.request, nth: 3, do: kill}
`);
    expect(history.filter((entry) => entry.f === 'send' && entry.type === 'invoke')).toHaveLength(3);
    expect(history.filter((entry) => entry.f === 'send' && entry.type === 'ok')).toHaveLength(2);
    expect(history.at(-1)).toMatchObject({ f: 'quiesce', type: 'ok' });
  });
});
