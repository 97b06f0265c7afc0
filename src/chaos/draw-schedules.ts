// Draws schedules of a random run: a few faults that belong together, some milliseconds apart, as mishaps of replication take
// them. Faults that are drawn one by one hardly ever meet like that. Each run has a stream of its own for them, and many have
// none, so that nothing else of a plan depends on what is drawn here. As all faults of random runs, none breaks a promise.
import type { Prng } from '../base/prng.ts';
import type { NodeId } from '../base/units.ts';
import type { FaultFilter } from '../protocol/generated/index.ts';
import { election, exactly, moment, nodes, one, timed } from './draw-parts.ts';
import type { DrawnAt } from './draw-parts.ts';
import type { ElsewhereAction, FaultPlan, OwnAction, Target, TopicPlan } from './plan.ts';

/** A partition, and those who replicate it. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly replicas: readonly NodeId[];
}

/** Draws the faults of one schedule. */
export type Schedule<At> = (random: Prng, id: string, at: At) => FaultPlan[];

/** Where and when a schedule of replication is played. */
export interface Stage extends DrawnAt {
  readonly places: readonly Place[];
}

/** Every partition of these topics. */
export function placesOf(topics: readonly TopicPlan[]): Place[] {
  return topics.flatMap(({ name, assignments }) =>
    assignments.map((replicas, partition) => ({ topic: name, partition, replicas })),
  );
}

/** The schedules of a run: none, one or two of these kinds. */
export function drawSchedules<At>(
  random: Prng,
  kinds: Readonly<Record<string, Schedule<At>>>,
  at: At,
  names: readonly string[] = Object.keys(kinds),
): FaultPlan[] {
  const count = one(random, [0, 0, 1, 1, 2]);
  const chosen = Array.from({ length: count }, (_, number) => ({ kind: one(random, names), number }));
  return chosen.flatMap(({ kind, number }) => kinds[kind]!(random, `${kind}-${number}`, at));
}

/** So long after another fault of the schedule. */
export function following(id: string, after: string, ms: number, action: ElsewhereAction, forMs?: number): FaultPlan {
  const parts = [{ kind: 'fault' as const, fault: after }, ...moment(ms).parts];
  const trigger = { kind: 'after' as const, moment: { text: `${after} + ${ms}ms`, parts } };
  const length = forMs === undefined ? {} : { for: exactly(forMs) };
  return { id, trigger, action: { elsewhere: action }, times: 1, optional: true, ...length };
}

/** What comes by a point: one message of it, or, with `nth` 0, each until the fault ends, so long after its first. */
export interface Held {
  readonly point: string;
  readonly where: readonly FaultFilter[];
  readonly nth: number;
  readonly own: OwnAction;
  readonly forMs: number;
}

/** Holds, drops or pauses what comes by. */
export function held(id: string, { point, where, nth, own, forMs }: Held): FaultPlan {
  const trigger = { kind: 'at' as const, point, where, nth, probability: 1 };
  return { id, trigger, action: { own }, times: nth === 0 ? 0 : 1, optional: true, for: exactly(forMs) };
}

export function equal(field: string, ...values: readonly (string | number)[]): FaultFilter {
  return { field, op: '=', values: values.map(String) };
}

/** The schedules of replication, by name. */
export const SCHEDULES: Readonly<Record<string, Schedule<Stage>>> = {
  'two-elections': twoElections,
  'two-deaths': twoDeaths,
  'late-proposal': lateProposal,
};

/** Leadership goes away and on, or back, while somebody does not hear of it or gets no data (BUG-18, BUG-25 to BUG-27, BUG-78). */
function twoElections(random: Prng, id: string, at: Stage): FaultPlan[] {
  const place = one(random, at.places);
  const names = [nameOf(place)];
  const away = timed(random, `${id}-away`, at, election(random, names));
  const back = following(`${id}-back`, away.id, 20 + random.below(one(random, [100, 700])), election(random, names));
  const third = following(`${id}-third`, back.id, 20 + random.below(one(random, [100, 900])), election(random, names));
  const starved = Array.from({ length: 1 + random.below(2) }, (_, number) => {
    return starving(random, `${id}-starved-${number}`, place, away);
  });
  return [...starved, away, back, ...(random.chance(0.6) ? [third] : [])];
}

/** Somebody lacks data, or news, around the elections. */
function starving(random: Prng, id: string, place: Place, away: FaultPlan): FaultPlan {
  const { topic, partition } = place;
  const who = one(random, place.replicas);
  const which = [equal('topic', topic), equal('partition', partition)];
  const forMs = 50 + random.below(one(random, [300, 1500]));
  const own = { kind: one(random, ['hold', 'hold', 'drop'] as const) };
  switch (random.below(4)) {
    case 0: {
      // Leader epochs begin at 0: these are of the elections to come.
      const where = [equal('node', who), ...which, equal('leaderEpoch', random.below(4))];
      return held(id, { point: 'rpc.Fetch.request', where, nth: 0, own, forMs });
    }
    case 1: {
      const nth = 1 + random.below(one(random, [10, 60]));
      return held(id, { point: 'rpc.Fetch.response', where: [equal('to', who), ...which], nth, own, forMs });
    }
    case 2: {
      const cut: ElsewhereAction = { kind: 'cut', from: nodes('controller'), to: nodes(String(who)), oneWay: true };
      return { ...away, id, action: { elsewhere: cut }, for: exactly(forMs) };
    }
    default: {
      const to = nodes(`leader(${nameOf(place)})`);
      const cut: ElsewhereAction = { kind: 'cut', from: nodes(String(who)), to, oneWay: random.chance(0.5) };
      return { ...away, id, action: { elsewhere: cut }, for: exactly(forMs) };
    }
  }
}

/** A leader dies, and then the next one, while a third is behind or back only just (BUG-19, BUG-32). */
function twoDeaths(random: Prng, id: string, at: Stage): FaultPlan[] {
  const place = one(random, at.places);
  const { topic, partition } = place;
  const leader = (): Target => nodes(`leader(${nameOf(place)})`);
  const behind = held(`${id}-behind`, {
    point: one(random, ['rpc.Fetch.response', 'rpc.Fetch.request']),
    where: [equal('topic', topic), equal('partition', partition)],
    nth: 1 + random.below(80),
    own: { kind: one(random, ['hold', 'drop'] as const) },
    forMs: 200 + random.below(2000),
  });
  const kind = one(random, ['kill', 'kill', 'stop'] as const);
  const first = timed(random, `${id}-first`, at, { kind, target: leader() }, 300 + random.below(2500));
  // Long enough that the first is noticed, at times.
  const laterMs = 100 + random.below(one(random, [600, 3000]));
  const forMs = 300 + random.below(2500);
  return [behind, first, following(`${id}-second`, first.id, laterMs, { kind: 'kill', target: leader() }, forMs)];
}

/** A change of the ISR is under way for long, and what it was concluded from has changed (BUG-05, BUG-17, BUG-88). */
function lateProposal(random: Prng, id: string, at: Stage): FaultPlan[] {
  const place = one(random, at.places);
  const lagging = nodes(`followers(${nameOf(place)})`);
  const leader = nodes(`leader(${nameOf(place)})`);
  const cut: ElsewhereAction = { kind: 'cut', from: lagging, to: leader, oneWay: true };
  const slow = timed(random, `${id}-slow`, at, cut, 300 + random.below(2500));
  const late = held(`${id}-late`, {
    point: one(random, ['rpc.AlterPartition.request', 'rpc.AlterPartition.request', 'rpc.AlterPartition.response']),
    where: [equal('topic', place.topic), equal('partition', place.partition)],
    nth: 1 + random.below(3),
    own: { kind: 'hold' },
    forMs: 200 + random.below(2500),
  });
  const afterMs = random.below(600);
  const meanwhile: ElsewhereAction = one(random, [
    { kind: 'kill', target: lagging },
    { kind: 'stop', target: lagging },
    { kind: 'kill', target: leader },
    { kind: 'cut', from: lagging, to: nodes('controller'), oneWay: false },
    { kind: 'cut', from: nodes('controller'), to: leader, oneWay: true },
  ]);
  return [slow, late, following(`${id}-then`, late.id, afterMs, meanwhile, 200 + random.below(2500))];
}

function nameOf({ topic, partition }: Place): string {
  return `${topic}-${partition}`;
}
