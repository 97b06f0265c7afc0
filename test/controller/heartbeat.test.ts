// Heartbeats: the table of R-90 row by row, unfencing, fencing and controlled shutdown (repl ).
import { describe, expect, test } from 'vitest';
import { nextBrokerState, type BrokerControlState, type HeartbeatView } from '../../src/controller/heartbeat.ts';
import { bringUp, createTopic, epochOf, heartbeat, live, partitionOf, register, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

describe('repl R-90: the table', () => {
  const no = { wantFence: false, wantShutDown: false, isCaughtUp: false, leads: false, known: false };
  const rows: [HeartbeatView['state'], Partial<typeof no>, BrokerControlState][] = [
    ['FENCED', { wantShutDown: true, wantFence: true }, 'SHUTDOWN_NOW'],
    ['FENCED', { wantShutDown: true, isCaughtUp: true }, 'SHUTDOWN_NOW'],
    ['FENCED', { isCaughtUp: true }, 'UNFENCED'],
    ['FENCED', { isCaughtUp: false }, 'FENCED'],
    ['FENCED', { isCaughtUp: true, wantFence: true }, 'FENCED'],
    ['UNFENCED', {}, 'UNFENCED'],
    ['UNFENCED', { wantFence: true }, 'FENCED'],
    ['UNFENCED', { wantFence: true, wantShutDown: true, leads: true }, 'SHUTDOWN_NOW'],
    ['UNFENCED', { wantShutDown: true, leads: true }, 'CONTROLLED_SHUTDOWN'],
    ['UNFENCED', { wantShutDown: true }, 'SHUTDOWN_NOW'],
    ['CONTROLLED_SHUTDOWN', { leads: true, known: true }, 'CONTROLLED_SHUTDOWN'],
    ['CONTROLLED_SHUTDOWN', { known: false, wantShutDown: true }, 'CONTROLLED_SHUTDOWN'],
    ['CONTROLLED_SHUTDOWN', { known: true }, 'SHUTDOWN_NOW'],
    ['CONTROLLED_SHUTDOWN', { known: true, wantFence: true, wantShutDown: true }, 'SHUTDOWN_NOW'],
  ];
  test.each(rows)('%s %o -> %s', (from, wishes, next) => {
    const { leads, known, ...view } = { ...no, ...wishes };
    expect(nextBrokerState({ state: from, ...view, leadsAny: () => leads, isShutdownKnown: () => known })).toBe(next);
  });
});

describe('heartbeats', () => {
  test('repl R-90: no registration, or another epoch, is STALE_BROKER_EPOCH and changes nothing (T-38)', () => {
    const desk = new Desk().start();
    expect(heartbeat(desk, 1).error).toBe('STALE_BROKER_EPOCH');
    bringUp(desk, 1);
    const end = desk.controller.image.endOffset;
    for (const epoch of [epochOf(desk, 1) - 1, epochOf(desk, 1) + 1]) {
      expect(heartbeat(desk, 1, { epoch, wantFence: true }).error).toBe('STALE_BROKER_EPOCH');
    }
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('repl R-89: a broker is unfenced when it has applied its own registration, not before', () => {
    const desk = new Desk().start();
    register(desk, 1);
    const { registrationOffset } = desk.controller.image.brokers.get(1)!;
    expect(heartbeat(desk, 1, { applied: registrationOffset })).toMatchObject({ isCaughtUp: false, isFenced: true });
    const waiting = heartbeat(desk, 1, { applied: registrationOffset + 1, wantFence: true });
    expect(waiting).toMatchObject({ isCaughtUp: true, isFenced: true });
    expect(heartbeat(desk, 1, { applied: registrationOffset + 1 })).toMatchObject({
      isCaughtUp: true,
      isFenced: false,
    });
    expect(desk.traced('broker.unfenced')).toEqual([{ type: 'broker.unfenced', broker: 1 }]);
    expect(desk.observed).toContainEqual({ point: 'controller.broker.unfenced', fields: { broker: 1 } });
  });

  test('repl R-90: a heartbeat that changes nothing writes nothing', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    const end = desk.controller.image.endOffset;
    for (let i = 0; i < 3; i++) heartbeat(desk, 1);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('repl R-93: unfencing elects for what is leaderless, joins no ISR, keeps the broker epoch', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'both', { replicas: [[1, 2]] });
    createTopic(desk, 'alone', { replicas: [[1]] });
    const epoch = epochOf(desk, 1);
    heartbeat(desk, 1, { wantFence: true });
    expect([state(desk, 'both'), state(desk, 'alone')]).toEqual(['2/1/1 [2]', '-1/1/1 [] elr [1] last [1]']);
    heartbeat(desk, 1);
    expect([state(desk, 'both'), state(desk, 'alone')]).toEqual(['2/1/1 [2]', '1/2/2 [1]']);
    expect(epochOf(desk, 1)).toBe(epoch);
  });

  test('repl R-91: fencing writes the partitions first, the broker last', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'both', { replicas: [[1, 2]] });
    const from = desk.controller.image.endOffset;
    heartbeat(desk, 1, { wantFence: true });
    const kinds = desk
      .readLog(from)
      .records()
      .map((record) => Object.keys(record)[0]);
    expect(kinds).toEqual(['partitionChange', 'brokerRegistrationChange']);
  });
});

describe('repl R-94: controlled shutdown', () => {
  function shuttingDown(): Desk {
    const desk = new Desk().start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
    createTopic(desk, 'follower', { replicas: [[2, 1, 3]] });
    createTopic(desk, 'alone', { replicas: [[1]] });
    expect(heartbeat(desk, 1, { wantShutDown: true })).toMatchObject({ shouldShutDown: false, isFenced: false });
    return desk;
  }

  test('it leaves every ISR and leadership at once, and is not fenced yet', () => {
    const desk = shuttingDown();
    const states = ['orders', 'follower', 'alone'].map((topic) => state(desk, topic));
    expect(states).toEqual(['2/1/1 [2,3]', '2/0/1 [2,3]', '-1/1/1 [] elr [1] last [1]']);
    expect(desk.controller.image.brokers.get(1)).toMatchObject({ fenced: false, inControlledShutdown: true });
    expect(desk.traced('elected').at(-2)).toMatchObject({ topic: 'orders', leader: 2, reason: 'controlled-shutdown' });
  });

  test('repl R-90: it may go when every active broker has applied the records that moved its leaders', () => {
    const desk = shuttingDown();
    const moved = desk.controller.image.endOffset;
    heartbeat(desk, 2, { applied: moved });
    heartbeat(desk, 3, { applied: moved - 1 });
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(false);
    heartbeat(desk, 3, { applied: moved });
    expect(heartbeat(desk, 1, { wantShutDown: true })).toMatchObject({ shouldShutDown: true, isFenced: true });
    expect(desk.controller.image.brokers.get(1)?.fenced).toBe(true);
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(true);
  });

  test('a broker that is fenced meanwhile is not waited for', () => {
    const desk = shuttingDown();
    heartbeat(desk, 2);
    heartbeat(desk, 3, { applied: 0, wantFence: true });
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(true);
  });

  test('later records do not move the goal', () => {
    const desk = shuttingDown();
    const moved = desk.controller.image.endOffset;
    createTopic(desk, 'later', { replicas: [[2]] });
    for (const id of [2, 3]) heartbeat(desk, id, { applied: moved });
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(true);
  });

  test('a restarted controller knows that the broker is going, and waits for everything decided so far', () => {
    const desk = shuttingDown().restart();
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(false);
    const end = desk.controller.image.endOffset;
    heartbeat(desk, 2, { applied: end });
    heartbeat(desk, 3, { applied: end });
    expect(heartbeat(desk, 1, { wantShutDown: true }).shouldShutDown).toBe(true);
  });

  test('a broker that leads nothing goes at once, and leaves the ISRs', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'orders', { replicas: [[2, 1]] });
    expect(heartbeat(desk, 1, { wantShutDown: true })).toMatchObject({ shouldShutDown: true, isFenced: true });
    expect(state(desk, 'orders')).toBe('2/0/1 [2]');
  });

  test('repl R-95: nobody in controlled shutdown is elected', () => {
    const desk = shuttingDown();
    live(desk, 12, 1);
    expect(state(desk, 'orders')).toBe('-1/3/3 [] elr [3] last [3]');
    expect(partitionOf(desk, 'orders').isr).not.toContain(1);
  });
});
