// Requests that a scenario sends itself: what they take, and that what brokers refuse has not happened.
import { expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';

const plans = (action: string) =>
  readScenario(
    `
highwater: 1
name: test
topics: [{name: orders, rf: 3}]
workload:
  - {id: p, produce: orders, steps: [send a b]}
  - {id: rc, consume: orders}
faults: [{id: tried, after: p.done, do: ${action}}]
expect: [{never: [lost-write, stall]}]
`,
    'test.yaml',
  );

function reasons(action: string): readonly string[] {
  const [plan] = plans(action);
  const { outcome, history } = runInSimulator(plan!);
  return judge(plan!, outcome, history).reasons;
}

test.each([
  ['{delete-records: {partition: orders-0}}', 'delete-records takes {partition: orders-0, before: 10}'],
  ['{delete-records: {partition: orders-0, before: -1}}', 'delete-records takes'],
  ['{delete-records: {partition: orders, before: 1}}', 'not a partition: "orders"'],
  ['{delete-records: {partition: orders-7, before: 1}}', 'topic orders has partitions 0 to 0'],
  ['{end-txn: checkout-1}', 'end-txn takes {id: checkout-1, commit: true, ahead: 1}'],
  ['{end-txn: {id: checkout-1, commit: true, epoch: 1}}', 'no key "epoch" here'],
])('%s is refused: %s', (action, says) => {
  expect(() => plans(action)).toThrow(says);
});

test('repl R-118: records up to the high watermark can be deleted, and no more', () => {
  expect(reasons('{delete-records: {partition: orders-0, before: 2}}')).toEqual([]);
  expect(reasons('{delete-records: {partition: orders-0, before: 9}}')).toEqual([
    'fault tried never fired: tried struck, but the leader of orders-0 answers OFFSET_OUT_OF_RANGE',
  ]);
});

test('nobody coordinates an id that nobody has used', () => {
  expect(reasons('{end-txn: {id: checkout-1, commit: true, ahead: 1}}')).toEqual([
    'fault tried never fired: tried struck, but nobody coordinates checkout-1 yet',
  ]);
});
