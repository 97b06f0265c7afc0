// Who gets in, with what epoch, and what its predecessor loses (repl, I-23, T-16, T-39).
import { describe, expect, test } from 'vitest';
import {
  bringUp,
  createTopic,
  ELR_OFF,
  epochOf,
  heartbeat,
  inOrder,
  live,
  partitionOf,
  register,
  registration,
  state,
} from './fleet.ts';
import { Desk, type DeskOptions } from './lone-controller.ts';
import type { BrokerEpoch } from '../../src/base/units.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';

describe('repl R-86: who gets in', () => {
  test('another cluster is INCONSISTENT_CLUSTER_ID; a new data directory and the own cluster are welcome', () => {
    const desk = new Desk().start();
    expect(desk.call('BrokerRegistration', registration(1, 'a', 'other')).error).toBe('INCONSISTENT_CLUSTER_ID');
    expect(desk.call('BrokerRegistration', registration(1, 'a', 'cluster-1')).error).toBe('NONE');
    expect(desk.call('BrokerRegistration', registration(2, 'b', ''))).toMatchObject({
      ...{ error: 'NONE', clusterId: 'cluster-1', controllerEpoch: 1 },
    });
  });

  test.each([0, -1, 100])('broker id %i is INVALID_REQUEST', (id) => {
    expect(register(new Desk().start(), id).error).toBe('INVALID_REQUEST');
  });

  test('T-16: a fast restart waits for the end of its predecessor’s session', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    desk.run(8999);
    heartbeat(desk, 2);
    expect(register(desk, 1, 'next').error).toBe('DUPLICATE_BROKER_REGISTRATION');
    desk.run(2);
    expect(register(desk, 1, 'next').error).toBe('NONE');
  });

  test('T-39: fenced, or stopped cleanly, makes no difference', () => {
    for (const last of [{ wantFence: true }, { wantShutDown: true }]) {
      const desk = new Desk().start();
      bringUp(desk, 1);
      heartbeat(desk, 1, last);
      expect(desk.controller.image.brokers.get(1)?.fenced).toBe(true);
      desk.run(9000);
      expect(register(desk, 1, 'next').error).toBe('DUPLICATE_BROKER_REGISTRATION');
      desk.run(1);
      expect(register(desk, 1, 'next').error).toBe('NONE');
    }
  });

  test('the same process is idempotent: epoch, fenced and shutdown flags are kept, nothing is written', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'orders', { replicas: [[1, 2]] });
    heartbeat(desk, 1, { wantShutDown: true });
    const [before, end] = [desk.controller.image.brokers.get(1), desk.controller.image.endOffset];
    expect(register(desk, 1)).toMatchObject({ error: 'NONE', brokerEpoch: before!.brokerEpoch });
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('the same process at another address keeps its flags too', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'orders', { replicas: [[1, 2]] });
    heartbeat(desk, 1, { wantShutDown: true });
    const before = desk.controller.image.brokers.get(1)!;
    const endpoints = [{ name: 'REPLICATION', host: 'elsewhere', port: 1 }];
    desk.call('BrokerRegistration', { ...registration(1, 'p1'), endpoints });
    const { endpoints: now, brokerEpoch, fenced, inControlledShutdown } = desk.controller.image.brokers.get(1)!;
    expect(now).toEqual(endpoints);
    expect({ brokerEpoch, fenced, inControlledShutdown }).toEqual({
      ...{ brokerEpoch: before.brokerEpoch, fenced: false, inControlledShutdown: true },
    });
  });

  test('T-38: a late request of a dead process does not take the place of one that was just let in', () => {
    const desk = new Desk().start();
    expect(register(desk, 1, 'living').error).toBe('NONE');
    expect(register(desk, 1, 'dead').error).toBe('DUPLICATE_BROKER_REGISTRATION');
    expect(heartbeat(desk, 1).error).toBe('NONE');
  });

  test('KAFKA-19130: a new controller opens no session for a fenced broker, so its successor gets in at once', () => {
    let desk = new Desk().start();
    bringUp(desk, 1, 2);
    heartbeat(desk, 1, { wantFence: true });
    desk = desk.restart();
    expect(register(desk, 1, 'next').error).toBe('NONE');
    expect(register(desk, 2, 'next').error).toBe('DUPLICATE_BROKER_REGISTRATION');
  });
});

describe('a new incarnation', () => {
  /** Broker 1's session is over, but nobody has looked yet: it is still unfenced and leads. */
  function unnoticedDeath(replicas: number[], options: DeskOptions = {}): Desk {
    const desk = new Desk(options).start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'orders', { replicas: [replicas] });
    for (const ms of [8900, 101]) {
      for (const id of [2, 3]) heartbeat(desk, id);
      desk.run(ms);
    }
    expect(desk.controller.image.brokers.get(1)?.fenced).toBe(false);
    return desk;
  }

  test('repl R-87: its epoch is where its batch begins; it is fenced', () => {
    const desk = unnoticedDeath([1, 2, 3]);
    const baseOffset = desk.controller.image.endOffset;
    expect(register(desk, 1, 'next')).toMatchObject({ error: 'NONE', brokerEpoch: baseOffset });
    expect(desk.controller.image.brokers.get(1)).toMatchObject({
      ...{ brokerEpoch: baseOffset, registrationOffset: baseOffset + 1, fenced: true, inControlledShutdown: false },
    });
    expect(desk.traced('broker.fenced')).toMatchObject([{ broker: 1, why: 'another process of its id registered' }]);
  });

  test('repl R-88, T-16: it leaves every ISR and leadership, before its registration, in one batch', () => {
    const desk = unnoticedDeath([1, 2, 3]);
    const from = desk.controller.image.endOffset;
    desk.slowDisk = true;
    const box = desk.send('BrokerRegistration', registration(1, 'next'));
    expect([desk.writes.length, box.answer]).toEqual([1, undefined]);
    desk.completeWrite();
    const kinds = desk
      .readLog(from)
      .records()
      .map((record) => Object.keys(record)[0]);
    expect(kinds).toEqual(['partitionChange', 'registerBroker']);
    expect(state(desk, 'orders')).toBe('2/1/1 [2,3]');
  });

  test('repl R-88: a follower leaves without an epoch bump', () => {
    const desk = unnoticedDeath([2, 1, 3]);
    register(desk, 1, 'next');
    expect(state(desk, 'orders')).toBe('2/0/1 [2,3]');
  });

  test('repl R-88, R-92: with the ELR off the sole ISR member stays in the ISR with leader -1, and leads again once unfenced', () => {
    const desk = unnoticedDeath([1], ELR_OFF);
    register(desk, 1, 'next');
    expect(state(desk, 'orders')).toBe('-1/1/1 [1]');
    heartbeat(desk, 1);
    expect(state(desk, 'orders')).toBe('1/2/2 [1]');
  });

  test('repl R-98: of a kill it leaves the ISR and is not eligible; as last-known leader it is elected, uncleanly', () => {
    const desk = unnoticedDeath([1]);
    register(desk, 1, 'next');
    expect(state(desk, 'orders')).toBe('-1/1/1 [] last [1]');
    heartbeat(desk, 1);
    expect(state(desk, 'orders')).toBe('1/2/2 [1] RECOVERING');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 1, reason: 'last-known', unclean: true });
  });

  test('repl R-98, R-109: a clean stop is told by the epoch that it left behind: it stays eligible', () => {
    const desk = unnoticedDeath([1]);
    const stopped = { ...registration(1, 'next'), previousBrokerEpoch: epochOf(desk, 1) };
    desk.call('BrokerRegistration', stopped);
    expect(state(desk, 'orders')).toBe('-1/1/1 [] elr [1] last [1]');
    heartbeat(desk, 1);
    expect(state(desk, 'orders')).toBe('1/2/2 [1]');
  });

  test('repl R-98: an epoch of a life before the last one tells of no clean stop', () => {
    const desk = unnoticedDeath([1]);
    const before = epochOf(desk, 1);
    register(desk, 1, 'next');
    for (let second = 0; second < 10; second++) desk.run(1000);
    desk.call('BrokerRegistration', { ...registration(1, 'after next'), previousBrokerEpoch: before });
    expect(partitionOf(desk, 'orders').elr).toEqual([]);
  });

  test('repl I-23: epochs of an id rise, and the old one is refused for good', () => {
    const desk = unnoticedDeath([1, 2, 3]);
    const old = epochOf(desk, 1);
    register(desk, 1, 'next');
    expect(epochOf(desk, 1)).toBeGreaterThan(old);
    expect(heartbeat(desk, 1, { epoch: old }).error).toBe('STALE_BROKER_EPOCH');
    const zombie = { brokerId: 1, brokerEpoch: old, ...inOrder(desk), partitions: [] };
    expect(desk.call('AlterPartition', zombie).error).toBe('STALE_BROKER_EPOCH');
  });

  test('heartbeats of the superseded process do not prolong the new one’s session', () => {
    const desk = unnoticedDeath([1, 2, 3]);
    const old = epochOf(desk, 1);
    register(desk, 1, 'next');
    heartbeat(desk, 1);
    for (let second = 0; second < 11; second++) {
      desk.run(1000);
      heartbeat(desk, 1, { epoch: old });
      for (const id of [2, 3]) heartbeat(desk, id);
    }
    expect(desk.controller.image.brokers.get(1)?.fenced).toBe(true);
    live(desk, 1, 2, 3);
    expect(state(desk, 'orders')).toBe('2/1/1 [2,3]');
  });
});

describe('ctl.epochFence (BUG-29): requests of a process that was replaced', () => {
  /** The process of broker 1 was on its way out and is gone; another one leads what only broker 1 has. */
  function replaced(off: readonly Safeguard[] = []): { desk: Desk; old: BrokerEpoch } {
    const desk = new Desk({ off }).start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'orders', { replicas: [[1]] });
    const old = epochOf(desk, 1);
    desk.run(9001);
    register(desk, 1, 'next');
    heartbeat(desk, 1);
    expect(partitionOf(desk, 'orders').leader).toBe(1);
    return { desk, old };
  }

  test('its late wish to shut down is not taken for its successor’s', () => {
    const { desk, old } = replaced();
    expect(heartbeat(desk, 1, { epoch: old, wantShutDown: true }).error).toBe('STALE_BROKER_EPOCH');
    expect(partitionOf(desk, 'orders').leader).toBe(1);
  });

  test('without it the successor is shut down, and never leads again', () => {
    const { desk, old } = replaced(['ctl.epochFence']);
    expect(heartbeat(desk, 1, { epoch: old, wantShutDown: true }).error).toBe('NONE');
    live(desk, 30, 1, 2);
    expect(partitionOf(desk, 'orders').leader).toBe(-1);
  });

  test('nor is its late proposal', () => {
    for (const [off, error] of [
      [[], 'STALE_BROKER_EPOCH'],
      [['ctl.epochFence'], 'NONE'],
    ] as const) {
      const { desk, old } = replaced(off);
      const request = { brokerId: 1, brokerEpoch: old, ...inOrder(desk), partitions: [] };
      expect(desk.call('AlterPartition', request).error).toBe(error);
    }
  });
});
