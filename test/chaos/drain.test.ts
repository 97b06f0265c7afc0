// When programs of the user's own are told to end: nobody can ask them whether they have all there is.
import { expect, test } from 'vitest';
import { drain } from '../../src/chaos/drain.ts';
import { ForeignPrograms } from '../../src/chaos/foreign-programs.ts';
import { Patience } from '../../src/chaos/patience.ts';
import type { ClientPlan, RunPlan } from '../../src/chaos/plan.ts';

const COPY: ClientPlan = {
  spec: { kind: 'external', id: 'copy', command: './copy', folder: '', forever: true, config: {} },
  waits: new Map(),
};
const PLAN = { clients: [COPY], cluster: { timers: 'fast' } } as unknown as RunPlan;

/** A clock that goes on when told. */
class Clock {
  now = 0;
  #timers: { at: number; run: () => void }[] = [];
  readonly driver = {
    after: (delayMs: number, run: () => void) => {
      const timer = { at: this.now + delayMs, run };
      this.#timers.push(timer);
      return { cancel: () => void (this.#timers = this.#timers.filter((one) => one !== timer)) };
    },
  };

  goTo(time: number): void {
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.now = next.at;
      next.run();
    }
    this.now = time;
  }
}

/** When a program that is silent from 0 on is told to end, while something is expected until `heldAt`. */
function toldToEnd(heldAt: number): number {
  const clock = new Clock();
  const foreign = new ForeignPrograms([COPY], () => clock.now);
  foreign.freed('copy');
  let stoppedAt = -1;
  const clients = {
    ...{ foreign, isBehind: () => false },
    running: () => (stoppedAt < 0 ? ['copy'] : []),
    stop: () => void (stoppedAt = clock.now),
  };
  const patience = new Patience(clock.driver);
  const asked = { isOver: () => false, mayCome: () => clock.now < heldAt };
  const parts = {
    ...asked,
    clients,
    patience,
    driver: clock.driver,
    plan: PLAN,
    ends: new Map(),
    watch: { when: () => () => undefined },
  };
  drain('copy', parts, () => undefined);
  clock.goTo(60_000);
  return stoppedAt;
}

test('one that moves nothing has all there is', () => {
  expect(toldToEnd(0)).toBeGreaterThan(2000);
  expect(toldToEnd(0)).toBeLessThan(4000);
});

test('but for as long as something is expected: its group may wait for the session of a dead member', () => {
  expect(toldToEnd(9000)).toBeGreaterThanOrEqual(9000);
  expect(toldToEnd(9000)).toBeLessThan(10_000);
});

test('and not for ever', () => {
  expect(toldToEnd(Infinity)).toBeLessThan(40_000);
});
