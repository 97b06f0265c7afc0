// Forgetting a broker (repl R-119): its place in partitions, its id, and a process of it that still runs.
import { expect, test } from 'vitest';
import { bringUp, createTopic, epochOf, heartbeat, partitionOf, register, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

function orders(): Desk {
  const desk = new Desk().start();
  bringUp(desk, 1, 2, 3);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
  return desk;
}

test('it leaves every ISR and leadership, then the cluster; its replicas stay on paper', () => {
  const desk = orders();
  expect(desk.call('UnregisterBroker', { brokerId: 1 })).toEqual({ error: 'NONE', errorMessage: '' });
  expect(state(desk, 'orders')).toBe('2/1/1 [2,3]');
  expect(partitionOf(desk, 'orders').replicas).toEqual([1, 2, 3]);
  const { brokers, topics } = desk.call('DescribeCluster', {});
  expect(brokers.map(({ id }) => id)).toEqual([2, 3]);
  expect(topics[0]?.partitions[0]?.offlineReplicas).toEqual([1]);
});

test('repl T-38: its process is refused as stale; a new one gets in at once, in a newer epoch', () => {
  const desk = orders();
  const brokerEpoch = epochOf(desk, 1);
  desk.call('UnregisterBroker', { brokerId: 1 });
  expect(heartbeat(desk, 1, { epoch: brokerEpoch }).error).toBe('STALE_BROKER_EPOCH');
  expect(register(desk, 1, 'another')).toMatchObject({ error: 'NONE' });
  expect(epochOf(desk, 1)).toBeGreaterThan(brokerEpoch);
});

test('repl R-119: all are forgotten: nobody leads, and nobody is eligible', () => {
  const desk = orders();
  for (const brokerId of [1, 2, 3]) desk.call('UnregisterBroker', { brokerId });
  expect(partitionOf(desk, 'orders')).toMatchObject({ leader: -1, isr: [], elr: [] });
});

test('BROKER_ID_NOT_REGISTERED: who is unknown, or was forgotten before; a restarted controller knows', () => {
  const desk = orders();
  desk.call('UnregisterBroker', { brokerId: 3 });
  const again = desk.restart();
  for (const brokerId of [3, 9]) {
    expect(again.call('UnregisterBroker', { brokerId })).toMatchObject({ error: 'BROKER_ID_NOT_REGISTERED' });
  }
});
