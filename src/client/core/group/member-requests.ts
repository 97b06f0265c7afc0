// The requests of a member to its coordinator, as wire sections 10 and 11 have them. Decides nothing.
import type { DurationMs } from '../../../base/units.ts';
import type { RequestOf } from '../../../protocol/apis.ts';
import type { MemberAssignment } from '../../../protocol/generated/index.ts';
import type { ClientConfig } from '../config.ts';
import { CONSUMER_PROTOCOL_TYPE } from './consumer-protocol.ts';
import type { Generation, MembershipParts } from './membership.ts';

/** A coordinator answers a JoinGroup when the rebalance is over; this much later it does not any more. */
const LAPSE_MS = 5000;

/** How long an answer is awaited that comes at the end of a rebalance. */
export function rebalanceRequestMs(config: ClientConfig): DurationMs {
  return Math.max(config['request.timeout.ms'], config['max.poll.interval.ms'] + LAPSE_MS);
}

export function joinRequest(of: MembershipParts, generation: Generation): RequestOf<'JoinGroup'> {
  const { config, clientId, protocols } = of;
  return {
    groupId: config['group.id'],
    ...{ sessionTimeoutMs: config['session.timeout.ms'], rebalanceTimeoutMs: config['max.poll.interval.ms'] },
    ...{ memberId: generation.memberId, groupInstanceId: config['group.instance.id'] },
    ...{ protocolType: CONSUMER_PROTOCOL_TYPE, protocols: [...protocols(generation)] },
    ...{ clientId, clientHost: '', version: 0 },
  };
}

/** `assignments`: from the leader; others send none. */
export function syncRequest(
  config: ClientConfig,
  { generationId, memberId, protocol }: Generation,
  assignments: readonly MemberAssignment[],
): RequestOf<'SyncGroup'> {
  return {
    ...{ groupId: config['group.id'], generationId, memberId, groupInstanceId: config['group.instance.id'] },
    ...{ protocolType: CONSUMER_PROTOCOL_TYPE, protocolName: protocol, assignments: [...assignments] },
  };
}

export function heartbeatRequest(config: ClientConfig, { generationId, memberId }: Generation): RequestOf<'Heartbeat'> {
  return {
    ...{ groupId: config['group.id'], generationId, memberId },
    groupInstanceId: config['group.instance.id'],
  };
}

/** Of a dynamic member: static ones do not leave. */
export function leaveRequest(config: ClientConfig, { memberId }: Generation): RequestOf<'LeaveGroup'> {
  return { groupId: config['group.id'], members: [{ memberId, groupInstanceId: '' }] };
}
