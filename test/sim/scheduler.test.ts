// The scheduler: time order, ties, cancelling.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Prng } from '../../src/base/prng.ts';
import { Scheduler } from '../../src/sim/scheduler.ts';

const FOREVER = Number.MAX_SAFE_INTEGER;

function runAll(scheduler: Scheduler): void {
  while (scheduler.step(FOREVER));
}

describe('scheduler', () => {
  test('events run in the order of their time, those cancelled not at all', () => {
    const event = fc.record({ at: fc.nat(50), cancel: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 600 }), fc.integer(), (events, seed) => {
        const scheduler = new Scheduler({ ties: new Prng(seed) });
        const ran: number[] = [];
        const timers = events.map(({ at }, i) => scheduler.at(at, () => ran.push(i)));
        events.forEach(({ cancel }, i) => cancel && timers[i]?.cancel());
        runAll(scheduler);
        const kept = events.flatMap(({ cancel }, i) => (cancel ? [] : [i]));
        expect([...ran].sort((a, b) => a - b)).toEqual(kept);
        const times = ran.map((i) => events[i]!.at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('ties run as they were scheduled, or in an order that the seed decides', () => {
    const order = (ties: Prng | 'insertion'): string => {
      const scheduler = new Scheduler({ ties });
      const ran: number[] = [];
      for (let i = 0; i < 12; i++) scheduler.at(5, () => ran.push(i));
      runAll(scheduler);
      return ran.join();
    };
    expect(order('insertion')).toBe('0,1,2,3,4,5,6,7,8,9,10,11');
    expect(order(new Prng(1))).toBe(order(new Prng(1)));
    expect(new Set([1, 2, 3, 4].map((seed) => order(new Prng(seed)))).size).toBe(4);
  });

  test('an event may cancel another of the same instant, and schedule more of the same instant', () => {
    const scheduler = new Scheduler({ ties: 'insertion' });
    const ran: string[] = [];
    scheduler.at(1, () => {
      ran.push('first');
      doomed.cancel();
      scheduler.at(1, () => ran.push('third'));
    });
    const doomed = scheduler.at(1, () => ran.push('doomed'));
    runAll(scheduler);
    expect(ran).toEqual(['first', 'third']);
    expect(scheduler.now).toBe(1);
  });

  test('thousands of cancelled timers do not stay in the queue or disturb the rest', () => {
    const scheduler = new Scheduler({ ties: new Prng(9) });
    const ran: number[] = [];
    for (let i = 0; i < 3000; i++) scheduler.at(1000 + i, () => ran.push(i));
    for (let i = 0; i < 20_000; i++) scheduler.at(5000, () => ran.push(-1)).cancel();
    runAll(scheduler);
    expect(ran).toEqual(Array.from({ length: 3000 }, (_, i) => i));
    expect(scheduler.executed).toBe(3000);
  });

  test('the past is refused', () => {
    const scheduler = new Scheduler({ ties: 'insertion' });
    scheduler.at(10, () => undefined);
    runAll(scheduler);
    expect(() => scheduler.at(9, () => undefined)).toThrow('forwards');
  });
});
