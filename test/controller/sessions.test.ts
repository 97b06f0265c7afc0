// Sessions: when silence is death, and when it is the controller's own (repl, design section 1).
import { describe, expect, test } from 'vitest';
import { bringUp, createTopic, heartbeat, live, partitionOf, register, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const fenced = (desk: Desk): number[] => desk.traced('broker.fenced').map((event) => event.broker);

describe('repl R-91: sessions', () => {
  test('a silent broker is fenced at the first look after its session, 9 to 10.125 s after its last heartbeat', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    desk.run(500);
    heartbeat(desk, 1);
    desk.run(9000);
    expect(fenced(desk)).toEqual([]);
    desk.run(1125);
    expect(desk.traced('broker.fenced')).toEqual([
      { type: 'broker.fenced', broker: 1, why: 'no heartbeat for 9000 ms' },
    ]);
    expect(desk.observed.at(-1)).toEqual({ point: 'controller.broker.fenced', fields: { broker: 1 } });
  });

  test('the session is over after the timeout, not at it', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    desk.run(9000);
    expect(fenced(desk)).toEqual([]);
    desk.run(1125);
    expect(fenced(desk)).toEqual([1]);
  });

  test('a heartbeat that arrives before the look keeps the broker in', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    desk.run(9001);
    heartbeat(desk, 1);
    desk.run(2000);
    expect(fenced(desk)).toEqual([]);
  });

  test('simultaneous deaths are taken one at a time, the longest silent first, each on what the last one left', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
    heartbeat(desk, 2);
    desk.run(1);
    for (const id of [3, 1]) heartbeat(desk, id);
    desk.run(10_500);
    expect(fenced(desk)).toEqual([2, 1, 3]);
    const leaders = desk.traced('elected').map(({ leader, isr }) => [leader, isr]);
    expect(leaders).toEqual([
      [1, [1, 2, 3]],
      [3, [3]],
      [-1, []],
    ]);
    expect(state(desk, 'orders')).toBe('-1/2/3 [] elr [3] last [3]');
  });

  test('a fenced broker that is silent is not fenced again', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    heartbeat(desk, 1, { wantFence: true });
    const end = desk.controller.image.endOffset;
    desk.run(30_000);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('a process that registers and never heartbeats holds its successor up for one session (docs/divergence.md)', () => {
    const desk = new Desk().start();
    register(desk, 1, 'first');
    desk.run(9000);
    expect(register(desk, 1, 'second').error).toBe('DUPLICATE_BROKER_REGISTRATION');
    desk.run(1);
    expect(register(desk, 1, 'second').error).toBe('NONE');
  });

  test('after a controller restart the sessions of unfenced brokers start afresh', () => {
    let desk = new Desk().start();
    bringUp(desk, 1, 2);
    desk.run(8000);
    desk = desk.restart();
    live(desk, 8, 2);
    expect(fenced(desk)).toEqual([]);
    live(desk, 3, 2);
    expect(fenced(desk)).toEqual([1]);
  });

  test('the fast profile is judged by its own timeout', () => {
    const desk = new Desk({
      config: { 'broker.session.timeout.ms': 1000, 'broker.heartbeat.interval.ms': 100 },
    }).start();
    bringUp(desk, 1);
    desk.run(1000);
    expect(fenced(desk)).toEqual([]);
    desk.run(125);
    expect(fenced(desk)).toEqual([1]);
  });
});

describe('a controller that was away (design section 1)', () => {
  test('a pause of three sessions fences nobody, whatever comes first after it', () => {
    for (const first of ['the look', 'a heartbeat', 'a registration'] as const) {
      const desk = new Desk().start();
      bringUp(desk, 1, 2, 3);
      createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
      live(desk, 2, 1, 2, 3);
      desk.pause(27_000);
      if (first === 'a heartbeat') heartbeat(desk, 2);
      if (first === 'a registration') expect(register(desk, 1, 'again').error).toBe('DUPLICATE_BROKER_REGISTRATION');
      desk.run(1000);
      live(desk, 20, 1, 2, 3);
      expect(fenced(desk)).toEqual([]);
      expect(state(desk, 'orders')).toBe('1/0/0 [1,2,3]');
      const told = desk.traced('log.line').map(({ message }) => message);
      expect(told).toEqual([expect.stringMatching(/^the controller was away for 27\d{3} ms/)]);
    }
  });

  test('who was dead all along is fenced one session later', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'orders', { replicas: [[1, 2]] });
    desk.pause(27_000);
    live(desk, 9, 2);
    expect(fenced(desk)).toEqual([]);
    live(desk, 3, 2);
    expect(fenced(desk)).toEqual([1]);
    expect(partitionOf(desk, 'orders').leader).toBe(2);
  });

  test('looks that are a little late are no jump', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    for (let i = 0; i < 4; i++) {
      desk.pause(3000);
      desk.run(0);
    }
    expect(fenced(desk)).toEqual([1]);
  });
});
