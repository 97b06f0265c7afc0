// The join phase (wire section 9, G-20, G-21): how a group begins to rebalance, waits for its members, and begins the next
// generation. Every function runs within a step of the shard.
import type { DurationMs } from '../../base/units.ts';
import { joined, syncError } from './answers.ts';
import type { GroupState, ShardAppendEvents } from './contract.ts';
import type { Group } from './group.ts';
import { removeMember, startSession } from './sessions.ts';
import type { Shard } from './shard.ts';
import type { ErrorName } from '../../protocol/errors.ts';

/** Nobody waits for the record. */
const UNWATCHED: ShardAppendEvents = { committed: () => undefined, failed: () => undefined };

/** Enters a state, and tells. */
export function enterState(shard: Shard, group: Group, state: GroupState): void {
  group.transitionTo(state, shard.host.runtime.clock.wallTime());
  tellState(shard, group);
}

/** Tells of the state that a group has entered, or was found in. */
export function tellState({ host, partition, coordinatorEpoch }: Shard, group: Group): void {
  host.runtime.trace({
    ...{ type: 'group.state', partition, coordinatorEpoch, group: group.groupId, state: group.state },
    ...{ generation: group.generation, members: [...group.members.keys()] },
  });
}

/**
 * Begins a rebalance, from any state but Preparing. True if it left the group without members: then a record is being
 * appended, and `on` hears of it.
 */
export function rebalance(shard: Shard, group: Group, on: ShardAppendEvents = UNWATCHED): boolean {
  if (group.state === 'CompletingRebalance') dropAssignments(shard, group, 'REBALANCE_IN_PROGRESS');
  group.syncTimer?.cancel();
  group.syncTimer = undefined;
  const initial = group.state === 'Empty';
  enterState(shard, group, 'PreparingRebalance');
  if (initial) {
    const delayMs = shard.host.config['group.initial.rebalance.delay.ms'];
    waitForMore(shard, group, delayMs, Math.max(group.rebalanceTimeoutMs - delayMs, 0));
    return false;
  }
  if (group.allJoined) return completeJoin(shard, group, on);
  startJoinTimer(shard, group, group.rebalanceTimeoutMs, () => completeJoin(shard, group));
  return false;
}

/** Somebody came, changed or left: begins a rebalance, or ends the join phase if nobody is missing any more. As `rebalance`. */
export function rebalanceOrComplete(shard: Shard, group: Group, on?: ShardAppendEvents): boolean {
  if (group.state !== 'PreparingRebalance') return rebalance(shard, group, on);
  // The initial wait is for members that nobody knows of yet (wire G-20).
  return !group.initial && group.allJoined && completeJoin(shard, group, on);
}

/** Ends the join phase (wire G-21). True if no member is left: as `rebalance`. */
export function completeJoin(shard: Shard, group: Group, on: ShardAppendEvents = UNWATCHED): boolean {
  group.joinTimer?.cancel();
  group.joinTimer = undefined;
  for (const member of [...group.members.values()]) {
    if (member.parkedJoin === undefined && member.groupInstanceId === '') removeMember(group, member.memberId);
  }
  if (!group.electJoinedLeader() && group.members.size > 0) {
    startJoinTimer(shard, group, group.rebalanceTimeoutMs, () => completeJoin(shard, group));
    return false;
  }
  group.generation++;
  group.pendingSync.clear();
  if (group.members.size === 0) {
    group.protocolName = '';
    beginGeneration(shard, group, 'Empty');
    shard.append({ records: [shard.groups.record(group.groupId, group.record(noAssignment))] }, on);
    return true;
  }
  group.protocolName = group.selectProtocol();
  beginGeneration(shard, group, 'CompletingRebalance');
  for (const member of group.members.values()) {
    group.pendingSync.add(member.memberId);
    member.isNew = false;
    startSession(shard, group, member);
    const { parkedJoin } = member;
    member.parkedJoin = undefined;
    parkedJoin?.answer(joined(group, member.memberId));
  }
  startSyncTimer(shard, group);
  return false;
}

/** Takes all assignments back; who waits for one is answered `error`. */
export function dropAssignments(shard: Shard, group: Group, error: ErrorName): void {
  group.assigning = false;
  for (const member of group.members.values()) {
    member.assignment = Buffer.alloc(0);
    const { parkedSync } = member;
    if (parkedSync === undefined) continue;
    member.parkedSync = undefined;
    startSession(shard, group, member);
    parkedSync(syncError(error));
  }
}

/** Nobody is assigned anything. */
export const noAssignment = (): Buffer => Buffer.alloc(0);

function beginGeneration(shard: Shard, group: Group, state: GroupState): void {
  enterState(shard, group, state);
  const { partition, coordinatorEpoch } = shard;
  shard.host.runtime.faults.observe('group.generation', {
    ...{ group: group.groupId, partition, coordinatorEpoch },
    ...{ generation: group.generation, members: group.members.size },
  });
}

/** The initial delay, prolonged while members come (wire G-20). */
function waitForMore(shard: Shard, group: Group, delayMs: DurationMs, remainingMs: DurationMs): void {
  startJoinTimer(shard, group, delayMs, () => {
    if (!group.joinedMeanwhile || remainingMs === 0) {
      completeJoin(shard, group);
      return;
    }
    group.joinedMeanwhile = false;
    const nextMs = Math.min(shard.host.config['group.initial.rebalance.delay.ms'], remainingMs);
    waitForMore(shard, group, nextMs, Math.max(remainingMs - delayMs, 0));
  });
}

function startJoinTimer(shard: Shard, group: Group, delayMs: DurationMs, run: () => void): void {
  group.joinTimer?.cancel();
  const timer = shard.host.runtime.clock.after(delayMs, () => {
    shard.enter(() => {
      if (group.joinTimer === timer) run();
    });
  });
  group.joinTimer = timer;
}

/** Members that do not ask for their assignment within a rebalance's time are dropped (wire section 9). */
function startSyncTimer(shard: Shard, group: Group): void {
  const timer = shard.host.runtime.clock.after(group.rebalanceTimeoutMs, () => {
    shard.enter(() => {
      if (group.syncTimer !== timer || group.pendingSync.size === 0) return;
      for (const memberId of [...group.pendingSync]) removeMember(group, memberId);
      rebalance(shard, group);
    });
  });
  group.syncTimer = timer;
}
