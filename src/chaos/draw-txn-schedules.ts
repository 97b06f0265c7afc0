// Draws schedules of a random transactional run (see draw-schedules.ts): requests of one transaction that come late into the
// next, coordinators that are alone with what they have just written, members of groups that stand still with a commit in
// their hands. What version 1 of the protocol is known not to survive (txn W-1, W-5) is drawn under version 2 only.
import type { Prng } from '../base/prng.ts';
import { POINTS } from '../fault/points.ts';
import { election, exactly, nodes, one } from './draw-parts.ts';
import { drawSchedules, equal, following, held, type Held, type Schedule } from './draw-schedules.ts';
import { coordinatorName, type DrawnTxn } from './draw-txn-faults.ts';
import type { FaultPlan } from './plan.ts';

/** The schedules of a run, from its own stream. */
export function drawTxnSchedules(random: Prng, at: DrawnTxn): FaultPlan[] {
  const names = Object.keys(TXN_SCHEDULES).filter((name) => {
    return !(LATE.includes(name) && at.hasVersion1) && !(name === 'member-pauses' && at.members.length === 0);
  });
  // Few runs have members at all.
  if (at.members.length > 0) names.push('member-pauses', 'member-pauses');
  return drawSchedules(random, TXN_SCHEDULES, at, names);
}

const TXN_SCHEDULES: Readonly<Record<string, Schedule<DrawnTxn>>> = {
  'late-end': lateEnd,
  'late-marker': lateMarker,
  'late-write': lateWrite,
  'alone-at-step': aloneAtStep,
  'member-pauses': memberPauses,
};

/** A request that means whatever transaction is open when it arrives. */
const LATE = ['late-end', 'late-marker'];

/** The end of a transaction arrives when its producer, told to ask again, has begun the next (txn W-1, BUG-12). */
function lateEnd(random: Prng, id: string): FaultPlan[] {
  const forMs = 300 + random.below(one(random, [700, 4000]));
  const nth = 1 + random.below(12);
  const late = held(`${id}-late`, { point: 'rpc.EndTxn.request', where: [], nth, own: { kind: 'hold' }, forMs });
  // Whoever was not told asks again: two requests of one transaction are under way.
  const lost: Held = { ...{ point: 'rpc.EndTxn.response', where: [], nth }, own: { kind: 'lose-response' }, forMs: 1 };
  return random.chance(0.5) ? [late] : [late, held(`${id}-lost`, lost)];
}

/** A marker arrives when its transaction is over, perhaps from a coordinator that is none any more (txn W-5, BUG-22). */
function lateMarker(random: Prng, id: string, at: DrawnTxn): FaultPlan[] {
  const forMs = 300 + random.below(one(random, [700, 4000]));
  const nth = 1 + random.below(one(random, [6, 25]));
  const point = one(random, ['rpc.WriteTxnMarkers.request', 'txn.marker.received', 'txn.marker.acked']);
  const late = held(`${id}-late`, { point, where: [], nth, own: { kind: 'hold' }, forMs });
  const partition = coordinatorName(random, at);
  const moved = following(`${id}-moved`, late.id, random.below(300), election(random, [partition]));
  return random.chance(0.7) ? [late, moved] : [late];
}

/** A record of a transaction is appended long after it was sent, or after it was found to belong there (txn W-2, W-4). */
function lateWrite(random: Prng, id: string): FaultPlan[] {
  const point = one(random, ['rpc.Produce.request', 'txn.verified', 'txn.verified']);
  return Array.from({ length: 1 + random.below(3) }, (_, number) => {
    const forMs = 500 + random.below(one(random, [1500, 5000]));
    // Not the first ones of a node: a run in which nothing is acknowledged says nothing.
    const nth = 4 + random.below(one(random, [8, 40]));
    return held(`${id}-${number}`, { point, where: [], nth, own: { kind: 'hold' }, forMs });
  });
}

/** A coordinator has something in its log, cannot replicate it, and is replaced (BUG-13, BUG-15, BUG-21). */
function aloneAtStep(random: Prng, id: string, at: DrawnTxn): FaultPlan[] {
  const partition = coordinatorName(random, at);
  const isOfGroups = partition.startsWith('__consumer_offsets');
  const point = one(random, isOfGroups ? APPENDED_BY_GROUPS : APPENDED);
  const ends = { from: nodes(`leader(${partition})`), to: nodes(`followers(${partition})`) };
  const alone: FaultPlan = {
    id: `${id}-alone`,
    trigger: { kind: 'at', point, where: [], nth: 1 + random.below(one(random, [4, 15])), probability: 1 },
    action: { elsewhere: { kind: 'cut', ...ends, oneWay: random.chance(0.3) } },
    ...{ times: 1, optional: true, for: exactly(300 + random.below(2000)) },
  };
  const moved = following(`${id}-moved`, alone.id, 30 + random.below(300), election(random, [partition]));
  return [alone, moved];
}

/** A member stands still about to commit what it has read, and the others go on without it (BUG-15, BUG-23, BUG-72). */
function memberPauses(random: Prng, id: string, at: DrawnTxn): FaultPlan[] {
  const forMs = 200 + random.below(one(random, [2000, 6000]));
  const where = [equal('group', MEMBERS_GROUP), { field: 'from', op: '>', values: ['1000'] }];
  const nth = 1 + random.below(one(random, [4, 20]));
  const point = one(random, ['rpc.OffsetCommit.request', 'rpc.OffsetCommit.request', 'rpc.SyncGroup.request']);
  const pause = held(`${id}-pause`, { point, where, nth, own: { kind: 'pause' }, forMs });
  const partition = coordinatorName(random, { ...at, transactionalIds: [], groups: [MEMBERS_GROUP] });
  const moved = following(`${id}-moved`, pause.id, random.below(forMs + 500), election(random, [partition]));
  return random.chance(0.5) ? [pause, moved] : [pause];
}

/** The group of those who read without transactions. */
export const MEMBERS_GROUP = 'readers';

const APPENDED = Object.keys(POINTS).filter((point) => /^txn\.[a-z-]+\.appended$/.test(point) && !/marker/.test(point));
const APPENDED_BY_GROUPS = Object.keys(POINTS).filter((point) => /^group\.[a-z-]+\.appended$/.test(point));
