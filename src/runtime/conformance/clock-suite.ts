// What every Clock and Random must do. See runtime/ports.ts.
import { expect } from 'vitest';
import type { Clock, Random } from '../ports.ts';
import type { Case, Harness } from './harness.ts';

export interface ClockHarness extends Harness {
  readonly clock: Clock;
}

export interface RandomHarness extends Harness {
  /** A stream. If `seeded`, the same seed gives an equal one; else it comes from the operating system. */
  random(seed: number): Random;
  readonly seeded: boolean;
}

/** The suite of Clock. */
export const CLOCK_SUITE: readonly Case<ClockHarness>[] = [
  {
    name: 'clock: a timer never fires inside `after`, and not before its delay',
    async run(harness) {
      const { clock } = harness;
      let inside = true;
      let fired = 0;
      for (const delay of [0, 1, 7]) {
        const asked = clock.now();
        clock.after(delay, () => {
          expect(inside).toBe(false);
          expect(clock.now() - asked).toBeGreaterThanOrEqual(delay);
          fired++;
        });
      }
      inside = false;
      await harness.until(() => fired === 3, 'all timers fire');
    },
  },
  {
    name: 'clock: a timer fires once, and a later one not before an earlier one',
    async run(harness) {
      const { clock } = harness;
      const order: number[] = [];
      for (const delay of [40, 5, 20]) clock.after(delay, () => order.push(delay));
      await harness.until(() => order.includes(40), 'the last timer fires');
      expect(order).toEqual([5, 20, 40]);
    },
  },
  {
    name: 'clock: a cancelled timer does not fire, even if cancelled at the instant it was due',
    async run(harness) {
      const { clock } = harness;
      const fired: string[] = [];
      const early = clock.after(5, () => fired.push('early'));
      early.cancel();
      // Either may come first; whichever does cancels the other.
      const one = clock.after(10, () => {
        fired.push('one or other');
        other.cancel();
      });
      const other = clock.after(10, () => {
        fired.push('one or other');
        one.cancel();
      });
      let last = false;
      clock.after(20, () => (last = true));
      await harness.until(() => last, 'the last timer fires');
      early.cancel();
      one.cancel();
      expect(fired).toEqual(['one or other']);
    },
  },
  {
    name: 'clock: now never runs backwards, and wall time is whole milliseconds since 1970',
    async run(harness) {
      const { clock } = harness;
      const readings: number[] = [];
      const read = (): void => {
        readings.push(clock.now());
        expect(Number.isInteger(clock.wallTime())).toBe(true);
        expect(clock.wallTime()).toBeGreaterThan(1_500_000_000_000);
        if (readings.length < 20) clock.after(1, read);
      };
      read();
      await harness.until(() => readings.length === 20, 'twenty readings');
      expect([...readings].sort((a, b) => a - b)).toEqual(readings);
    },
  },
];

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

/** The suite of Random. */
export const RANDOM_SUITE: readonly Case<RandomHarness>[] = [
  {
    name: 'random: next is in [0, 1), below is a whole number in [0, bound)',
    async run(harness) {
      const random = (seed: number): Random => harness.random(seed);
      const stream = random(1);
      for (let i = 0; i < 2000; i++) {
        const next = stream.next();
        expect(next >= 0 && next < 1).toBe(true);
        const bound = 1 + (i % 97);
        const below = stream.below(bound);
        expect(Number.isInteger(below) && below >= 0 && below < bound).toBe(true);
      }
      expect(new Set(Array.from({ length: 400 }, () => stream.below(6))).size).toBe(6);
    },
  },
  {
    name: 'random: an id is 22 characters of base64url, does not begin with a dash, and does not come twice',
    async run(harness) {
      const random = (seed: number): Random => harness.random(seed);
      const stream = random(2);
      const ids = Array.from({ length: 2000 }, () => stream.id());
      for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  {
    name: 'random: a fork is determined by seed and name, not by what was drawn',
    needs: (harness) => harness.seeded,
    async run(harness) {
      const random = (seed: number): Random => harness.random(seed);
      const [untouched, drawn] = [random(3), random(3)];
      draw(drawn, 10);
      expect(draw(drawn.fork('x'), 8)).toEqual(draw(untouched.fork('x'), 8));
      expect(draw(untouched.fork('x').fork('y'), 8)).toEqual(draw(untouched.fork('x').fork('y'), 8));
    },
  },
  {
    name: 'random: taking and using a fork does not shift the stream it came from',
    needs: (harness) => harness.seeded,
    async run(harness) {
      const random = (seed: number): Random => harness.random(seed);
      const [plain, forked] = [random(4), random(4)];
      draw(forked.fork('x'), 5);
      expect(draw(forked, 8)).toEqual(draw(plain, 8));
    },
  },
  {
    name: 'random: streams of other names and other seeds differ',
    async run(harness) {
      const random = (seed: number): Random => harness.random(seed);
      const streams = [random(5), random(6), random(5).fork('x'), random(5).fork('y'), random(6).fork('x')];
      const first = streams.map((stream) => draw(stream, 4).join());
      expect(new Set(first).size).toBe(streams.length);
    },
  },
];
