// Administration in the middle of trouble, watched by every invariant: records deleted while leaders and followers die, settings
// changed and partitions added under writes.
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import { Stage } from './stage.ts';

const values = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
/** Looked at often; nothing is too old. */
const RETENTION = { 'log.retention.check.interval.ms': 200, 'log.retention.ms': -1 };
const OPTIONS = {
  replicas: [1, 2, 3],
  minIsr: 2,
  config: { 'replica.lag.time.max.ms': 500, 'log.segment.bytes': 200, ...RETENTION },
} as const;

function logStart(stage: Stage, id: number): number {
  let start = -1;
  const request = { topic: 'orders', partition: 0, fromOffset: -1, maxBatches: 0 };
  stage.cluster
    .broker(id)
    ?.api.describeReplicas(request, ({ replicas }) => (start = replicas[0]?.logStartOffset ?? -1));
  return start;
}

function untilAnotherLeads(stage: Stage, than: number): void {
  stage.until('another leads', () => ![-1, than].includes(stage.orders.leader) && stage.cluster.isLed('orders'));
}

/** All three brokers are in the ISR, and what they hold agrees. */
function untilWhole(stage: Stage): void {
  stage.until('all are in sync', () => stage.isr.length === 3);
  stage.run(2000);
  expect(stage.violations).toEqual([]);
}

test.each([0, 1, 2, 5, 10, 20, 50, 100])(
  'repl R-118, I-1: the leader is killed %d ms after it was told to delete; no replica serves what another said is gone',
  (ms) => {
    const stage = new Stage(OPTIONS);
    stage.commit(...values('a', 8));
    const { leader } = stage.orders;
    let answered: string | undefined;
    const request = { partitions: [{ topic: 'orders', partition: 0, offset: 6 }], timeoutMs: 5000 };
    stage.client.network.request(leader, 'DeleteRecords', request, 6000, (outcome) => {
      answered = outcome.kind === 'ok' ? outcome.response.partitions[0]!.error : outcome.kind;
    });
    stage.run(ms);
    stage.cluster.kill(leader);
    untilAnotherLeads(stage, leader);
    const wasDeleted = answered === 'NONE';
    stage.commit(...values('b', 3));
    // Whoever was alive has followed before it was answered.
    if (wasDeleted) expect(logStart(stage, stage.orders.leader)).toBe(6);
    stage.cluster.start(leader);
    untilWhole(stage);
    const starts = [1, 2, 3].map((id) => logStart(stage, id));
    if (wasDeleted) expect(starts).toEqual([6, 6, 6]);
  },
);

test('repl R-118, R-74: a follower that was dead finds itself below the log start, and begins again there', () => {
  const stage = new Stage(OPTIONS);
  stage.commit(...values('a', 4));
  const { leader } = stage.orders;
  const dead = [1, 2, 3].find((id) => id !== leader)!;
  stage.cluster.kill(dead);
  stage.until('it is out', () => stage.isr.length === 2 && stage.isFenced(dead));
  stage.commit(...values('b', 6));
  const partitions = [{ topic: 'orders', partition: 0, offset: -1 }];
  expect(stage.ask(leader, 'DeleteRecords', { partitions, timeoutMs: 5000 }).partitions).toMatchObject([
    { error: 'NONE', lowWatermark: 10 },
  ]);
  stage.commit('c');
  stage.cluster.start(dead);
  untilWhole(stage);
  expect(logStart(stage, dead)).toBe(10);
});

test('repl R-19: retention on leaders and followers while brokers come and go', () => {
  const stage = new Stage(OPTIONS);
  const changes = [{ name: 'retention.bytes', operation: 'SET', value: '400', hasValue: true }];
  const resources = [{ type: 'topic', name: 'orders', replace: false, changes }];
  stage.ask(CONTROLLER_ID, 'AlterConfigs', { resources, validateOnly: false });
  for (let round = 0; round < 4; round++) {
    stage.commit(...values(`r${round}-`, 6));
    const { leader } = stage.orders;
    stage.cluster.kill(leader);
    untilAnotherLeads(stage, leader);
    stage.commit(...values(`s${round}-`, 3));
    stage.cluster.start(leader);
    untilWhole(stage);
  }
  for (const id of [1, 2, 3]) expect(logStart(stage, id)).toBeGreaterThan(20);
});

test('wire W-88, W-102: settings and partitions change while records are written', () => {
  const stage = new Stage(OPTIONS);
  const sent = values('a', 20).map((value) => stage.send(value));
  const set = (name: string, value: string) => {
    const changes = [{ name, operation: 'SET', value, hasValue: true }];
    const resources = [{ type: 'topic', name: 'orders', replace: false, changes }];
    expect(stage.ask(CONTROLLER_ID, 'AlterConfigs', { resources, validateOnly: false }).resources).toMatchObject([
      { error: 'NONE' },
    ]);
  };
  set('min.insync.replicas', '3');
  set('segment.bytes', '150');
  const topics = [{ name: 'orders', count: 4, hasAssignments: false, assignments: [] }];
  expect(stage.ask(CONTROLLER_ID, 'CreatePartitions', { topics, validateOnly: false }).topics).toMatchObject([
    { error: 'NONE' },
  ]);
  stage.until('all are answered', () => sent.every(({ error }) => error !== 'unanswered'));
  stage.until('all are led', () => stage.cluster.isLed('orders'));
  set('min.insync.replicas', '1');
  stage.commit(...values('b', 5));
  untilWhole(stage);
});
