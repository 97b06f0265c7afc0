// Eligible leader replicas in the middle of trouble: whole clusters that stop and start, rolling restarts, and settings that
// change under a leader which has not heard of its end, watched by every invariant.
import { describe, expect, test } from 'vitest';
import { CONTROLLER_ID, type NodeId } from '../../../src/base/units.ts';
import { Stage } from './stage.ts';

const THREE = { replicas: [1, 2, 3], minIsr: 2, config: { 'replica.lag.time.max.ms': 500 } };

/** Reasons of the elections of orders-0 since `from`, unclean ones marked. */
function elections(stage: Stage, from: number): string[] {
  return stage.events
    .slice(from)
    .flatMap(({ event }) =>
      event.type === 'elected' && event.topic === 'orders'
        ? [`${event.leader} ${event.reason}${event.unclean ? ' (unclean)' : ''}`]
        : [],
    );
}

const isUnclean = (stage: Stage): boolean => stage.told((event) => event.type === 'elected' && event.unclean === true);

function stopAll(stage: Stage, ids: readonly NodeId[]): void {
  let stopped = 0;
  for (const id of ids) stage.cluster.stop(id, () => stopped++);
  stage.until('all have stopped', () => stopped === ids.length);
}

/** Starts everything, and waits until orders can be written to. */
function startAll(stage: Stage): void {
  stage.cluster.startAll();
  const runs = (id: NodeId): boolean => stage.cluster.broker(id)?.broker.state === 'RUNNING';
  stage.until('all run', () => stage.cluster.brokerIds.every(runs));
  stage.until('orders is led', () => stage.cluster.isLed('orders'));
  stage.until('min.insync.replicas are in sync', () => stage.isr.length >= 2);
}

function cut(stage: Stage, a: NodeId, b: NodeId): void {
  stage.cluster.setLink(a, b, true);
  stage.cluster.setLink(b, a, true);
}

function setMinIsr(stage: Stage, value: string): void {
  const change = { name: 'min.insync.replicas', operation: 'SET', value, hasValue: true };
  const resource = { type: 'topic', name: 'orders', replace: false, changes: [change] };
  const request = { resources: [resource], validateOnly: false };
  expect(stage.ask(CONTROLLER_ID, 'AlterConfigs', request).resources[0]?.error).toBe('NONE');
}

describe('a whole cluster', () => {
  test.each([1, 2, 3, 4])('repl R-98, R-109: stopped cleanly and started again is led cleanly, seed %i', (seed) => {
    const stage = new Stage({ ...THREE, seed });
    stage.commit('a', 'b');
    stopAll(stage, [1, 2, 3]);
    stage.cluster.stop(CONTROLLER_ID);
    stage.run(500);
    startAll(stage);
    stage.commit('c');
    expect(isUnclean(stage)).toBe(false);
    stage.endWell();
    for (const id of [1, 2, 3]) expect(stage.valuesAt(id)).toEqual(['a', 'b', 'c']);
  });

  test.each([1, 2, 3, 4])(
    'repl R-111: killed as one and started again keeps what was acknowledged, seed %i',
    (seed) => {
      const stage = new Stage({ ...THREE, seed });
      stage.commit('a', 'b');
      for (const id of [1, 2, 3, CONTROLLER_ID]) stage.cluster.kill(id);
      stage.run(200);
      startAll(stage);
      stage.commit('c');
      stage.endWell();
      for (const id of [1, 2, 3]) expect(stage.valuesAt(id)).toEqual(['a', 'b', 'c']);
    },
  );

  test('repl R-109: brokers that find no controller when they stop are led cleanly all the same', () => {
    const stage = new Stage(THREE);
    stage.commit('a', 'b');
    stage.cluster.kill(CONTROLLER_ID);
    stopAll(stage, [1, 2, 3]);
    startAll(stage);
    stage.commit('c');
    expect(isUnclean(stage)).toBe(false);
    stage.endWell();
  });

  test.each([1, 8, 64])('repl R-107: killed as one %d ms after a partition began to move, it goes on moving', (ms) => {
    const stage = new Stage({ ...THREE, brokers: 5 });
    stage.commit('a', 'b');
    const partitions = [{ topic: 'orders', partition: 0, replicas: { ids: [4, 5, 1] } }];
    const request = { partitions, allowReplicationFactorChange: true };
    stage.ask(CONTROLLER_ID, 'AlterPartitionReassignments', request);
    stage.run(ms);
    for (const id of [1, 2, 3, 4, 5, CONTROLLER_ID]) stage.cluster.kill(id);
    startAll(stage);
    stage.until('it is there', () => stage.orders.replicas.join() === '4,5,1' && stage.isr.length === 3);
    stage.commit('c');
    stage.endWell();
    for (const id of [1, 4, 5]) expect(stage.valuesAt(id)).toEqual(['a', 'b', 'c']);
  });

  test('repl R-94: one broker after the other, restarted: led all the time, cleanly, and nothing is refused for long', () => {
    const stage = new Stage(THREE);
    stage.commit('a');
    const from = stage.events.length;
    for (const id of [1, 2, 3]) {
      stopAll(stage, [id]);
      expect(stage.orders.leader).not.toBe(-1);
      stage.commit(`without ${id}`);
      stage.cluster.start(id);
      stage.until('all are in sync', () => stage.isr.length === 3);
    }
    expect(isUnclean(stage)).toBe(false);
    expect(elections(stage, from).every((each) => !each.startsWith('-1'))).toBe(true);
    stage.endWell();
  });
});

test('repl R-45, R-101: who is deposed already does not commit by a smaller min.insync.replicas of later', () => {
  const stage = new Stage({ replicas: [1, 2], minIsr: 2, config: THREE.config });
  stage.commit('a');
  cut(stage, 1, 2);
  const sent = stage.send('b', { timeoutMs: 20_000 });
  stage.until('2 is out', () => stage.isr.join() === '1');
  cut(stage, 1, CONTROLLER_ID);
  stage.until('2 leads', () => stage.orders.leader === 2);
  setMinIsr(stage, '1');
  stage.commit('c');
  stage.endWell();
  for (const id of [1, 2]) expect(stage.valuesAt(id)).toEqual(['a', 'c']);
  expect(sent.error).toBe('NOT_LEADER_OR_FOLLOWER');
});

test('repl R-98, R-119: who has not heard of a larger min.insync.replicas commits nothing that those eligible lack', () => {
  const stage = new Stage({ replicas: [1, 2], minIsr: 1, config: THREE.config });
  stage.commit('a');
  const held = stage.strike({ at: 'rpc.MetadataLog.response', on: CONTROLLER_ID, action: 'hold', to: 1, forMs: 3000 });
  setMinIsr(stage, '2');
  cut(stage, 1, 2);
  const sent = stage.send('b', { timeoutMs: 20_000 });
  stage.until('2 is out', () => stage.isr.join() === '1', 3000);
  expect([stage.orders.elr, stage.hasFired(held)]).toEqual([[2], true]);
  stage.run(500);
  stage.cluster.kill(1);
  stage.until('2 leads', () => stage.orders.leader === 2);
  expect(isUnclean(stage)).toBe(false);
  stage.endWell();
  expect(sent.error).toBe('unanswered');
  for (const id of [1, 2]) expect(stage.valuesAt(id)).toEqual(['a']);
});
