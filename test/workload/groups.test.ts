// Workload clients that belong to a group, in runs of the simulator: what they write down, and that checkers find nothing wrong
// with it, whoever dies, comes back or is refused.
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';
import type { AssignmentOp, HistoryEntry } from '../../src/history/operations.ts';

const NEVER = '{ never: [eos-violation, duplicate, lost-offset-commit, offset-regression, double-owner, stall] }';

/** Runs a scenario over `orders` and `payments`; its verdict must be "pass". */
function run(lines: {
  workload: readonly string[];
  faults?: readonly string[];
  partitions?: number;
}): readonly HistoryEntry[] {
  const { partitions = 1 } = lines;
  const list = (items: readonly string[]): string => items.map((item) => `  - ${item}`).join('\n');
  const text = [
    'highwater: 1\nname: groups\ncluster: { brokers: 3, timers: fast, config: { replica.lag.time.max.ms: 30s } }',
    `topics:\n${list([`{ name: orders, partitions: ${partitions}, rf: 3 }`, '{ name: payments, rf: 3 }'])}`,
    `workload:\n${list(lines.workload)}`,
    ...(lines.faults === undefined ? [] : [`faults:\n${list(lines.faults)}`]),
    `expect:\n${list([NEVER])}\n`,
  ].join('\n');
  const [plan] = readScenario(text, 'groups.yaml', { seed: '1' });
  const { outcome, history } = runInSimulator(plan!);
  const { verdict, reasons } = judge(plan!, outcome, history);
  expect([verdict, reasons]).toEqual(['pass', []]);
  return history;
}

const assignments = (history: readonly HistoryEntry[]): string[] =>
  history
    .filter((entry): entry is AssignmentOp => entry.f === 'assigned' || entry.f === 'revoked' || entry.f === 'lost')
    .map(({ process, f, generation, partitions }) => `${process} ${f} ${generation}: ${partitions.join(' ')}`.trim());
const ended = (history: readonly HistoryEntry[], process: string, ...fs: HistoryEntry['f'][]): string[] =>
  history
    .filter((entry) => entry.process === process && fs.includes(entry.f) && entry.type !== 'invoke')
    .map((entry) => `${entry.f} ${entry.type}${'error' in entry ? ` ${entry.error}` : ''}`);
const values = (history: readonly HistoryEntry[], ...processes: string[]): string[] =>
  history.flatMap((entry) =>
    entry.f === 'poll' && processes.includes(entry.process) ? (entry.records ?? []).map(({ value }) => value) : [],
  );

describe('members that read', () => {
  test('polls name the group; commits and looks at offsets are written down', () => {
    const history = run({
      workload: ['{ id: shop, produce: orders, steps: [send a b c] }', '{ id: g1, consume: orders, group: g }'],
    });
    expect(assignments(history)).toEqual(['g1 assigned 1: orders-0', 'g1 revoked 1: orders-0']);
    expect(values(history, 'g1')).toEqual(['a', 'b', 'c']);
    const polls = history.filter((entry) => entry.f === 'poll');
    expect(polls.every((entry) => entry.group === 'g')).toBe(true);
    const looks = history.filter((entry) => entry.f === 'fetch-offsets' && entry.type === 'ok');
    expect(looks).toMatchObject([{ group: 'g', offsets: { 'orders-0': -1 } }]);
    const commits = history.filter((entry) => entry.f === 'commit-offsets' && entry.type === 'ok');
    expect(commits.at(-1)).toMatchObject({ group: 'g', offsets: { 'orders-0': 3 } });
    expect(history.find((entry) => entry.f === 'committed')).toMatchObject({ offsets: { 'orders-0': 3 } });
  });

  test('wire G-23: a static one that is killed comes back as g2~2, in the same generation, to the same partition', () => {
    const reader = (id: string): string =>
      `{ id: ${id}, consume: orders, group: g, config: { group.instance.id: ${id} } }`;
    const history = run({
      partitions: 2,
      workload: ['{ id: shop, produce: orders, pace: 100ms, steps: [send 1..40] }', reader('g1'), reader('g2')],
      faults: [
        '{ id: kill, after: 1500ms, do: { kill: client(g2) } }',
        '{ id: back, after: kill + 500ms, do: { start: client(g2) } }',
      ],
    });
    const of = (process: string): string[] => assignments(history).filter((line) => line.startsWith(`${process} `));
    const before = of('g2').at(-1)!;
    expect(before).toMatch(/^g2 assigned \d: orders-\d$/);
    expect(of('g2~2')[0]).toBe(before.replace('g2', 'g2~2'));
    expect(of('g1').filter((line) => line.includes('revoked')).length).toBeLessThanOrEqual(2);
    expect(new Set(values(history, 'g1', 'g2', 'g2~2')).size).toBe(40);
  });
});

describe('copies', () => {
  const COPY = '{ id: w, copy: { from: orders, to: payments }, transactional: w, group: g, batch: 2 }';
  const SHOP = '{ id: shop, produce: orders, steps: [send a b c d] }';
  const RC = '{ id: rc, consume: payments, isolation: read_committed }';

  test('txn T-168: each round is begin, sends with where they come from, offsets, commit', () => {
    const history = run({ workload: [SHOP, COPY, RC] });
    const [first] = history.filter((entry) => entry.f === 'send' && entry.process === 'w');
    expect(first).toMatchObject({ type: 'invoke', value: 'a', txn: 1, from: ['orders-0@0'], partition: 'payments-0' });
    const sent = history.filter((entry) => entry.f === 'send-offsets' && entry.type === 'ok');
    expect(sent.at(-1)).toMatchObject({ group: 'g', offsets: { 'orders-0': 4 } });
    expect(values(history, 'rc')).toEqual(['a', 'b', 'c', 'd']);
    expect(history.find((entry) => entry.f === 'committed')).toMatchObject({ offsets: { 'orders-0': 4 } });
    expect(ended(history, 'w', 'commit-offsets')).toEqual([]);
  });

  test('txn T-170: what is refused is aborted, and read again from what is committed', () => {
    const history = run({
      workload: [SHOP, COPY, RC],
      faults: ['{ id: refuse, at: rpc.TxnOffsetCommit.response, nth: 1, times: 1, do: { error: ILLEGAL_GENERATION } }'],
    });
    const steps = ended(history, 'w', 'begin', 'send-offsets', 'commit', 'abort', 'fetch-offsets');
    expect(steps.slice(1, 6)).toEqual([
      'begin ok',
      'send-offsets fail ILLEGAL_GENERATION',
      'abort ok',
      'fetch-offsets ok',
      'begin ok',
    ]);
    expect(values(history, 'rc')).toEqual(['a', 'b', 'c', 'd']);
  });

  // A record that a leader refuses is abortable, and it is the abort that is fenced (txn T-167).
  test.each([
    [1, 'send-offsets fail INVALID_PRODUCER_EPOCH'], // as groups say PRODUCER_FENCED (wire G-43)
    [2, 'abort fail PRODUCER_FENCED'],
  ])('txn T-171: frozen at the first of %d records and replaced, it ends with %s', (batch, last) => {
    const worker = COPY.replace('batch: 2', `batch: ${batch}`);
    const successor = worker.replace('id: w', 'id: v').replace('batch', 'start: { after: freeze }, batch');
    const history = run({
      workload: [SHOP, worker, successor, RC],
      faults: [
        '{ id: freeze, at: client.w.send.end, nth: 1, do: { pause: node } }',
        '{ id: thaw, at: client.v.commit.end, do: { resume: client(w) } }',
      ],
    });
    const steps = ended(history, 'w', 'init', 'begin', 'send', 'send-offsets', 'commit', 'abort');
    expect(steps.at(-1)).toBe(last);
    expect(values(history, 'rc')).toEqual(['a', 'b', 'c', 'd']);
  });

  test('one that is killed in a transaction comes back as w~2, and goes on from what is committed', () => {
    const history = run({
      workload: [SHOP, COPY, RC],
      faults: [
        '{ id: kill, at: client.w.send-offsets.end, nth: 1, do: { kill: node } }',
        '{ id: back, after: kill + 200ms, do: { start: client(w) } }',
      ],
    });
    expect(ended(history, 'w', 'commit')).toEqual([]);
    expect(ended(history, 'w~2', 'init')).toEqual(['init ok']);
    expect(values(history, 'rc')).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('who dies as the run ends holds its partitions for a session; the run waits until the others have read them', () => {
  const copy = (id: string): string =>
    `{ id: ${id}, copy: { from: orders, to: payments }, transactional: ${id}, group: g, timeout: 1s }`;
  const history = run({
    partitions: 2,
    workload: [
      '{ id: shop, produce: orders, pace: 100ms, steps: [send 1..40] }',
      ...['w1', 'w2'].map(copy),
      '{ id: rc, consume: payments, isolation: read_committed }',
    ],
    faults: ['{ id: kill, after: shop.send(38).ok, do: { kill: client(w2) } }'],
  });
  expect(values(history, 'rc').sort()).toEqual(Array.from({ length: 40 }, (_, at) => String(at + 1)).sort());
});

test('whoever dies or freezes, nothing is copied twice, and nothing below what is committed is missing', () => {
  const strategy = 'partition.assignment.strategy: cooperative-sticky';
  const copy = (id: string): string =>
    `{ id: ${id}, copy: { from: orders, to: payments }, transactional: ${id}, group: g, batch: 3, timeout: 4s, ` +
    `config: { ${strategy} } }`;
  const reader = (id: string): string =>
    `{ id: ${id}, consume: orders, group: h, config: { group.instance.id: ${id}, ${strategy} } }`;
  const history = run({
    partitions: 4,
    workload: [
      '{ id: shop, produce: orders, pace: 100ms, steps: [send 1..60] }',
      ...['w1', 'w2', 'w3'].map(copy),
      ...['g1', 'g2'].map(reader),
      '{ id: rc, consume: payments, isolation: read_committed }',
    ],
    faults: [
      '{ id: kill-coordinator, after: 3s, do: { kill: group-coordinator(g) }, for: 1s }',
      '{ id: freeze-w1, after: 1s, do: { pause: client(w1) }, for: 4s }',
      '{ id: kill-w2, after: 2s, do: { kill: client(w2) } }',
      '{ id: back-w2, after: kill-w2 + 2s, do: { start: client(w2) } }',
      '{ id: kill-g2, after: 2s, do: { kill: client(g2) } }',
      '{ id: back-g2, after: kill-g2 + 1s, do: { start: client(g2) } }',
    ],
  });
  const all = Array.from({ length: 60 }, (_, at) => String(at + 1)).sort();
  expect(values(history, 'rc').sort()).toEqual(all);
  expect(new Set(values(history, 'g1', 'g2', 'g2~2'))).toEqual(new Set(all));
});
