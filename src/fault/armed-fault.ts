// One armed fault on one node: whether it strikes at a hit, what it has done, what it holds, and how nearly it missed.
// Does not act; the engine does.
import type { FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import type { FaultRandom } from './effects.ts';
import { compileFilter, shownValue, type Condition } from './filters.ts';
import type { PointFields } from './reach.ts';

/** Different misses remembered; a fault whose point is busy must not grow without bound. */
const MISSES_MAX = 32;

interface Miss {
  readonly failed: number;
  count: number;
}

/** A flow that a fault has stopped. */
export interface HeldFlow {
  /** Lets it go on. Called once, when the flow is released or the fault is gone. */
  go(): void;
}

export class ArmedFault {
  readonly spec: FaultSpec;
  readonly #conditions: readonly Condition[];
  readonly #random: FaultRandom;
  readonly #misses = new Map<string, Miss>();
  #held = new Set<HeldFlow>();
  #hits = 0;
  #matches = 0;
  #strikes = 0;
  #firings = 0;
  /** Cleared when the fault is disarmed: a strike decided before does nothing any more. */
  live = true;

  constructor(spec: FaultSpec, random: FaultRandom) {
    this.spec = spec;
    this.#conditions = spec.where.map(compileFilter);
    this.#random = random;
  }

  /** Counts a hit. Answers the fields that matched if it is one to strike: one of `sets` must meet all conditions. */
  hit(sets: readonly PointFields[]): PointFields | undefined {
    this.#hits += 1;
    const matched = sets.find((fields) => this.#conditions.every((condition) => condition.matches(fields)));
    if (matched === undefined) {
      this.#remember(sets);
      return undefined;
    }
    this.#matches += 1;
    const { nth } = this.spec;
    return nth > 0 && this.#matches !== nth ? undefined : matched;
  }

  /** A flow that it hit has come to it, past all others: whether it strikes. That counts as one of its times. */
  strikes(): boolean {
    const { times, probability } = this.spec;
    if (times > 0 && this.#strikes >= times) return false;
    if (probability < 1 && this.#random.next() >= probability) return false;
    this.#strikes += 1;
    return true;
  }

  countFiring(): void {
    this.#firings += 1;
  }

  hold(flow: HeldFlow): void {
    this.#held.add(flow);
  }

  /** Forgets a held flow that goes on by itself. False if it was let go already. */
  unhold(flow: HeldFlow): boolean {
    return this.#held.delete(flow);
  }

  /** Takes all held flows, in the order in which they came. */
  takeHeld(): HeldFlow[] {
    const held = [...this.#held];
    this.#held = new Set();
    return held;
  }

  status(): FaultStatus {
    return {
      fault: this.spec,
      hits: this.#hits,
      matches: this.#matches,
      firings: this.#firings,
      holding: this.#held.size,
      nearMisses: this.#nearMisses(),
    };
  }

  /** Remembers the set that came nearest: the one that fails the fewest conditions. */
  #remember(sets: readonly PointFields[]): void {
    let failed: readonly Condition[] = this.#conditions;
    let nearest: PointFields = {};
    for (const fields of sets) {
      const failing = this.#conditions.filter((condition) => !condition.matches(fields));
      if (failing.length <= failed.length) [failed, nearest] = [failing, fields];
    }
    const reasons = failed.map(({ field, text }) => `${field} was ${shownValue(nearest, field)} (asked: ${text})`);
    const sentence = reasons.join(' and ');
    const known = this.#misses.get(sentence);
    if (known !== undefined) known.count += 1;
    else if (this.#misses.size < MISSES_MAX) this.#misses.set(sentence, { failed: failed.length, count: 1 });
  }

  #nearMisses(): string[] {
    const { point, nth } = this.spec;
    if (this.#hits === 0) return [notReached(point)];
    if (this.#matches > 0) {
      const asked = nth > 0 ? `; asked for match ${nth}` : '';
      return this.#firings > 0 ? [] : [`${point} matched ${times(this.#matches)}${asked}`];
    }
    const nearestFirst = [...this.#misses].sort(([, a], [, b]) => a.failed - b.failed || b.count - a.count);
    return nearestFirst.slice(0, 3).map(([why, { count }]) => `${point} was reached ${times(count)}, but ${why}`);
  }
}

/** What a fault says whose point nobody came to. */
export function notReached(point: string): string {
  return `${point} was not reached`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
