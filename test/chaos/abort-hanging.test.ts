// The action that ends what hangs in a partition: who may still end it himself is left alone, and what is torn is declared.
import { expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';

const HEAD = `
highwater: 1
name: test
cluster: {config: {transaction.version: 1}}
topics: [{name: orders, rf: 3, config: {min.insync.replicas: 2}}]
`;

function ran(text: string) {
  const [plan] = readScenario(HEAD + text, 'test.yaml');
  const { outcome, history } = runInSimulator(plan!);
  const { verdict, reasons } = judge(plan!, outcome, history);
  const aborted = history.filter((entry) => entry.f === 'budget' && entry.what === 'admin-abort');
  return { verdict, reasons: reasons.join('\n'), aborted };
}

test('txn T-180: a transaction that its coordinator knows does not hang, and is not aborted', () => {
  const { reasons } = ran(`
workload:
  - {id: app, transactional: t, steps: [begin, send orders/0 a, {wait: repaired}, commit]}
  - {id: rc, consume: orders, isolation: read_committed}
faults:
  - {id: tried, after: app.send(a).ok, do: {abort-hanging: orders-0}}
  - {id: repaired, after: app.send(a).ok + 500ms, do: {switch: {hw.bound: on}}}
expect: [{log: orders-0, marker: commit, closes: a}]
`);
  expect(reasons).toBe('fault tried never fired: tried struck, but no transaction hangs in orders-0');
});

test('txn T-179, T-180: what no coordinator knows of is aborted, in its partition alone', () => {
  const { verdict, reasons, aborted } = ran(`
safeguards: {txn.verify: off}
workload:
  - id: app
    transactional: t
    config: {request.timeout.ms: 500, delivery.timeout.ms: 505}
    steps: [begin, send orders/0 late, commit]
  - {id: rc, consume: orders, isolation: read_committed}
faults:
  - {id: stall, at: rpc.Produce.request, where: {transactionalId: t}, nth: 1, do: hold, until: app.abort.ok}
  - {id: repaired, after: 'app.done + lso(orders-0) = 1', do: {abort-hanging: orders-0}}
expect:
  - {log: orders-0, marker: abort, closes: late}
  - {eventually: lso(orders-0) = hw}
  - {never: [hanging-txn, aborted-read]}
`);
  expect(reasons).toBe('');
  expect(verdict).toBe('pass');
  expect(aborted).toMatchObject([{ partition: 'orders-0', process: 'faults' }]);
});
