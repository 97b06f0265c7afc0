// Scenario files: what they become, and how their mistakes are told (ux.md 2.5 and 3).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { ScenarioError } from '../../src/chaos/scenario-error.ts';

const MINIMAL = `highwater: 1
name: minimal
topics: [{name: orders}]
workload:
  - {id: p, produce: orders, steps: [send 0..2]}
faults:
  - {id: starve, at: rpc.Fetch.response, do: hold}
`;

/** The error of a file: its place and message. */
function errorOf(text: string): string {
  try {
    readScenario(text, 'ghost.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
  return 'none';
}

/** The error after a piece of the minimal file is replaced. */
function errorWith(piece: string, by: string): string {
  expect(MINIMAL).toContain(piece);
  return errorOf(MINIMAL.replace(piece, by));
}

describe('a scenario file', () => {
  test('what it leaves out has defaults', () => {
    const [plan, ...others] = readScenario(MINIMAL, 'minimal.yaml');
    expect(others).toEqual([]);
    expect(plan).toMatchObject({
      variant: 'default',
      seed: '1',
      cluster: { brokers: 3, timers: 'fast' },
      topics: [{ name: 'orders', assignments: [[1, 2, 3]] }],
      clients: [
        { spec: { kind: 'produce', acks: -1, partitions: [0], steps: [{ kind: 'send', values: ['0', '1', '2'] }] } },
      ],
      faults: [{ id: 'starve', times: 0, optional: false }],
    });
  });

  test('each partition prefers the next leader of the list', () => {
    const [plan] = readScenario(MINIMAL.replace('name: orders', 'name: orders, partitions: 3, replicas: [3, 1]'), 'x');
    expect(plan!.topics[0]!.assignments).toEqual([
      [3, 1],
      [1, 3],
      [3, 1],
    ]);
  });

  test('every variant and every cell of the matrix is a run', () => {
    const more =
      'variants: {a: {}, b: {safeguards: {hw.bound: off}}}\nmatrix: {n: [1, 2], at: [Fetch.response, Fetch.request]}\n';
    const text =
      MINIMAL.replace('at: rpc.Fetch.response', 'on: "${at}"').replace('do: hold', 'do: hold, nth: "${n}"') + more;
    const plans = readScenario(text, 'x');
    expect(plans.map(({ variant, cell }) => [variant, cell['n'], cell['at']])).toEqual(
      ['a', 'b'].flatMap((variant) =>
        [1, 2].flatMap((n) => ['Fetch.response', 'Fetch.request'].map((at) => [variant, n, at])),
      ),
    );
    expect(plans.at(-1)).toMatchObject({
      safeguardsOff: ['hw.bound'],
      faults: [{ trigger: { point: 'rpc.Fetch.request', nth: 2 } }],
    });
  });

  test('an expectation concerns its variants and cells only', () => {
    const more = `variants: {a: {}, b: {}}
matrix: {n: [1, 2]}
expect:
  - {never: lost-write}
  - {variant: b, finds: ghost-read}
  - {when: {n: 2}, allows: [3]}
`;
    const kinds = readScenario(MINIMAL + more, 'x').map((plan) => plan.expectations.map(({ kind }) => kind).join(' '));
    expect(kinds).toEqual(['never', 'never allows', 'never finds', 'never finds allows']);
  });

  test('records with keys, and tombstones', () => {
    const [plan] = readScenario(MINIMAL.replace('send 0..2', 'send k1=m0..m2 k2=a k1= b'), 'x');
    expect(plan!.clients[0]!.spec).toMatchObject({
      steps: [{ kind: 'send', values: ['k1=m0', 'k1=m1', 'k1=m2', 'k2=a', 'k1=', 'b'] }],
    });
  });

  test('conditions: lists, globs and comparisons', () => {
    const where = 'where: {topic: "ord*", to: [2, 3], lastOffset: ">=5", partition: "!=1"}, do: hold';
    const [plan] = readScenario(MINIMAL.replace('do: hold', where), 'x');
    expect(plan!.faults[0]!.trigger).toMatchObject({
      where: [
        { field: 'topic', op: 'glob', values: ['ord*'] },
        { field: 'to', op: '=', values: ['2', '3'] },
        { field: 'lastOffset', op: '>=', values: ['5'] },
        { field: 'partition', op: '!=', values: ['1'] },
      ],
    });
  });

  test.each(['ghost-read', 'kip-101-loss', 'kip-101-divergence'])('the shipped %s is one', (name) => {
    const plans = readScenario(readFileSync(`scenarios/${name}.yaml`, 'utf8'), `${name}.yaml`);
    expect(plans[0]).toMatchObject({ name, variant: 'kafka', safeguardsOff: [] });
    for (const plan of plans) expect(plan.expectations.length).toBeGreaterThan(0);
  });
});

describe('a mistake is told with its place and what to write', () => {
  test('a duration', () => {
    const error = errorWith('do: hold}', 'do: hold, for: 5 sec}');
    expect(error).toBe('ghost.yaml:7:57 not a duration: "5 sec".  Write 5s, 500ms, 2m, or a range 1s..5s.');
    expect(errorWith('at: rpc.Fetch.response, do: hold', 'after: 5 sec, do: {kill: 1}')).toContain(
      'ghost.yaml:7:25 not a duration: "5 sec"',
    );
  });

  test('the excerpt is the line, with a caret under the place', () => {
    try {
      readScenario('highwater: 1\nname: UP\n', 'ghost.yaml');
      expect.unreachable();
    } catch (error) {
      expect((error as ScenarioError).excerpt).toBe('name: UP\n      ^');
    }
  });

  test('two triggers', () => {
    expect(errorWith('do: hold', 'every: 1s, do: hold')).toBe(
      'ghost.yaml:7:49 fault "starve" has two triggers, at: and every:. A fault has one; make two faults with the same do:',
    );
  });

  test.each([
    ['do: hold', 'doo: hold', 'ghost.yaml:7:42 no key "doo" here. Did you mean do?'],
    ['topics:', 'topic:', 'ghost.yaml:3:1 no key "topic" here. Did you mean topics?'],
    ['highwater: 1', 'highwater: 2', 'ghost.yaml:1:12 highwater takes 1, the version of this format, not 2'],
    ['name: minimal', 'name: Minimal', 'ghost.yaml:2:7 name is no name'],
    ['[{name: orders}]', '[]', 'ghost.yaml:3:1 topics needs at least one topic'],
    ['name: orders}', 'name: orders, partitions: none}', 'partitions takes a number, not "none"'],
    ['name: orders}', 'name: orders, replicas: [1, 7]}', 'needs brokers that are not there; the cluster has 1 to 3'],
    ['name: orders}', 'name: orders, rf: 2, replicas: [1]}', 'has replicas: and rf:'],
    ['name: orders}', 'name: orders, config: {min.isr: 1}}', 'unknown topic setting "min.isr"'],
    ['produce: orders', 'produce: order', 'ghost.yaml:5:22 no topic "order". Did you mean orders?'],
    ['produce: orders', 'produce: orders, consume: orders', 'client "p" has produce: and consume:'],
    [
      'produce: orders, steps: [send 0..2]',
      'consume: orders, steps: [send 1]',
      'a client with consume: takes no steps:',
    ],
    [
      'produce: orders, steps: [send 0..2]',
      'consume: orders, isolation: read_committed, ends: 1s',
      'ends are asked by a reader of what is not committed as well',
    ],
    [
      'produce: orders, steps: [send 0..2]',
      'consume: orders, group: g, ends: 1s',
      'a member of a group asks for no ends',
    ],
    ['send 0..2', 'sent 0..2', 'not a step: "sent 0..2"'],
    ['send 0..2', 'send 4..2', 'not a range: "4..2"'],
    ['send 0..2', 'send k=4..2', 'not a range: "4..2"'],
    ['send 0..2', 'send =a', 'no key in "=a". Write k1=a, or k1= for a tombstone'],
    ['send 0..2', '{offsets: {orders-0: 1}}', 'group is missing: it takes the group whose offsets these are'],
    ['send 0..2', '{offsets: {orders-0: x}, group: g}', 'orders-0 takes a number, not "x"'],
    ['send 0..2', '{offset: {orders-0: 1}, group: g}', 'steps is no step. Write send 0..4'],
    ['send 0..2', '{wait: starve, sleep: 1s}', 'steps is no step. Write send 0..4'],
    ['send 0..2', '{wait: 3}', 'wait takes a text, not 3'],
    ['send 0..2', 'send 1, {wait: starfe}', 'ghost.yaml:5:53 no fault "starfe". Did you mean starve?'],
    ['send 0..2', 'send 1, {wait: "hw(orders-1, 1) >= 2"}', 'topic orders has partitions 0 to 0'],
    ['send 0..2', 'send 1, {wait: "hw(orders-0) 2"}', 'not a moment: "hw(orders-0) 2"'],
    [
      'rpc.Fetch.response',
      'rpc.Fech.response',
      'ghost.yaml:7:22 no point "rpc.Fech.response". Nearest: rpc.Fetch.response',
    ],
    ['at: rpc.Fetch.response', 'on: Fetch.respones', 'no point "Fetch.respones". Nearest: Fetch.response'],
    ['at: rpc.Fetch.response, ', '', 'fault "starve" has no trigger'],
    ['do: hold', 'where: {offzet: 1}, do: hold', 'has no field "offzet"'],
    ['do: hold', 'do: {kill: nobody}', '"nobody" names nobody'],
    ['do: hold', 'do: hald', 'no action "hald". Did you mean hold?'],
    ['do: hold', 'do: {kill: 1, pause: 2}', 'has two actions, kill: and pause:'],
    ['do: hold', 'do: {delay: soon}', 'not a duration: "soon"'],
    ['do: hold', 'do: {disk: fool}', 'disk takes full, write-error, read-error, flip-bit or {slow: 200ms}'],
    ['do: hold', 'do: {disk: {slow: soon}}', 'not a duration: "soon"'],
    ['do: hold', 'do: {disk: full}', 'disk:full strikes where a node writes: use it at disk.write'],
    ['do: hold', 'do: {error: NOT_LEADER}', 'no error "NOT_LEADER". Did you mean NOT_LEADER_OR_FOLLOWER?'],
    ['do: hold', 'do: disconnect', 'the answering side has no connection to break'],
    ['do: hold', 'do: {start: {node: 1, vipe: true}}', 'no key "vipe" here; there is node, wipe, truncateTail'],
    ['at: rpc.Fetch.response', 'after: 1s', 'hold strikes what is at a point, and fault "starve" has none'],
    ['id: starve, at: rpc.Fetch.response, do: hold', 'id: f, after: 1s, nth: 2, do: {kill: 1}', 'nth: needs a point'],
    [
      'faults:',
      'variants: {a: {safeguards: {hw.bond: off}}}\nfaults:',
      'no safeguard "hw.bond". Did you mean hw.bound?',
    ],
    ['faults:', 'expect: [{finds: ghost}]\nfaults:', 'no anomaly "ghost". Did you mean ghost-read?'],
    ['faults:', 'expect: [{never: ghost-read, finds: lost-write}]\nfaults:', 'expects 2 things: never, finds'],
    ['faults:', 'expect: [{variant: x, never: ghost-read}]\nfaults:', 'no variant "x". Variants: none'],
    [
      'faults:',
      'cluster: {config: {replica.lag.time.max.ms: soon}}\nfaults:',
      'replica.lag.time.max.ms is a whole number',
    ],
    ['id: starve', 'id: p', 'none'],
    [
      '  - {id: starve',
      '  - {id: starve, at: log.append.leader, do: kill}\n  - {id: starve',
      'the name "starve" is taken',
    ],
    ['name: minimal', 'name: [minimal', 'not YAML'],
  ])('%s -> %s', (piece, by, message) => {
    expect(errorWith(piece, by)).toContain(message);
  });
});
