// What faults of random runs are made of: somebody to strike, a moment, and the shapes that draws share.
import type { Prng } from '../base/prng.ts';
import type { TopicPartition } from '../base/units.ts';
import { parseSelector } from '../fault/selectors.ts';
import { RACK_AWARE_SELECTOR } from '../protocol/config.ts';
import type { Moment } from './moments.ts';
import type { ElsewhereAction, FaultPlan, Target } from './plan.ts';

/** Draws one fault, which may take several parts. */
export type Draw<At extends DrawnAt = DrawnAt> = (random: Prng, id: string, at: At) => FaultPlan[];

/** Where and when a fault may strike. */
export interface DrawnAt {
  /** Partitions, as "topic-partition". */
  readonly partitions: readonly string[];
  readonly activeMs: number;
  /** Brokers 1 to this. */
  readonly brokers: number;
  /** Faults that strike at a time strike no earlier. */
  readonly fromMs?: number;
}

/**
 * The faults of a run, and their number. Each run takes a few kinds only, so that rare pairs meet (swarm testing); a run in
 * which nothing happened says nothing, so one fault of the kinds in `sure` always finds somebody to strike.
 */
export function drawMix<At extends DrawnAt>(
  random: Prng,
  draws: Readonly<Record<string, Draw<At>>>,
  sure: readonly string[],
  at: At,
): FaultPlan[] {
  const kinds = Object.keys(draws);
  const mix = Array.from({ length: 1 + random.below(3) }, () => one(random, kinds));
  const count = random.below(5);
  const drawn = Array.from({ length: count }, (_, each) => {
    const kind = one(random, mix);
    return draws[kind]!(random, `${kind}-${each}`, at);
  });
  const kind = one(random, sure);
  const struck = draws[kind]!(random, `${kind}-sure`, { ...at, activeMs: at.activeMs / 2 });
  return [...drawn.flat(), ...struck.map((fault) => ({ ...fault, optional: false }))];
}

/** A fault that strikes once at some time, at somebody chosen by role. */
export function timed(random: Prng, id: string, at: DrawnAt, action: ElsewhereAction, forMs?: number): FaultPlan {
  const trigger = { kind: 'after' as const, moment: moment((at.fromMs ?? 0) + random.below(at.activeMs)) };
  const length = forMs === undefined ? {} : { for: exactly(forMs) };
  return { id, trigger, action: { elsewhere: action }, times: 1, optional: true, ...length };
}

/** Strikes once, where one of the nodes comes by for the nth time. */
export function atPoint(
  random: Prng,
  id: string,
  points: readonly string[],
  within: readonly number[] = [3, 40],
): Omit<FaultPlan, 'action'> {
  const nth = 1 + random.below(one(random, within));
  const trigger = { kind: 'at' as const, point: one(random, points), where: [], nth, probability: 1 };
  return { id, trigger, times: 1, optional: true };
}

/** Moves the leadership of one of these partitions. */
export function election(random: Prng, partitions: readonly string[]): ElsewhereAction {
  const name = one(random, partitions);
  const of = placeOf(name);
  if (random.next() < 0.3) return { kind: 'elect', of, type: 'PREFERRED' };
  return { kind: 'elect', of, type: 'TO', leader: nodes(`followers(${name})`) };
}

function placeOf(name: string): TopicPartition {
  const dash = name.lastIndexOf('-');
  return { topic: name.slice(0, dash), partition: Number(name.slice(dash + 1)) };
}

/** Moves a partition to some of the brokers, or calls off what moves; where nothing does, that is refused. */
export function reassignment(random: Prng, { partitions, brokers }: DrawnAt): ElsewhereAction {
  const of = placeOf(one(random, partitions));
  if (random.next() < 0.2) return { kind: 'reassign', of, replicas: null };
  const all = Array.from({ length: brokers }, (_, at) => at + 1);
  return { kind: 'reassign', of, replicas: shuffled(random, all).slice(0, 1 + random.below(3)) };
}

/** Somebody with a part in the data, or anybody. */
export function someone(random: Prng, at: DrawnAt): Target {
  const partition = one(random, at.partitions);
  return nodes(one(random, [`leader(${partition})`, `leader(${partition})`, `followers(${partition})`, 'random']));
}

/** The nodes that a selector stands for. */
export function nodes(text: string): Target {
  const selector = parseSelector(text);
  if (typeof selector === 'string') throw new Error(selector);
  return { kind: 'nodes', selector, text };
}

/** With eligible leader replicas, as new clusters have them, or without (repl R-98). */
export function drawElr(random: Prng): { readonly 'eligible.leader.replicas.version': number } {
  return { 'eligible.leader.replicas.version': one(random, [1, 1, 0]) };
}

/** One of several. */
export function one<T>(random: Prng, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}

export function exactly(ms: number): { readonly min: number; readonly max: number } {
  return { min: ms, max: ms };
}

/** So long after the run has begun. */
export function moment(ms: number): Moment {
  return { text: `${ms}ms`, parts: [{ kind: 'time', span: exactly(ms) }] };
}

/** The same in another order. */
export function shuffled<T>(random: Prng, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

/** Racks of the brokers of a third of all runs, and a selector that points consumers there (repl R-35). */
export function drawRacks(random: Prng): {
  readonly racks?: readonly string[];
  readonly config: Record<string, string>;
} {
  if (random.below(3) > 0) return { config: {} };
  return { racks: RACKS, config: { 'replica.selector.class': RACK_AWARE_SELECTOR } };
}

/** Where a consumer stands; empty: it does not say. */
export function drawRack(random: Prng): string {
  return one(random, ['', ...RACKS]);
}

const RACKS = ['a', 'b', 'c'];
