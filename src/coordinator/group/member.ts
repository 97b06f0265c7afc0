// A member of a group, as its coordinator knows it (wire G-13). Plain state: who changes it is group.ts and the handlers.
import { keepBytes } from '../../base/keep-bytes.ts';
import type { DurationMs } from '../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { Timer } from '../../runtime/ports.ts';

/** A protocol that a member supports, and what it says under it. */
export interface Protocol {
  readonly name: string;
  readonly metadata: Buffer;
}

/** A JoinGroup that waits for its generation. */
export interface ParkedJoin {
  /** As in the request: what an error answer repeats (wire G-24). */
  readonly memberId: string;
  readonly answer: (response: ResponseOf<'JoinGroup'>) => void;
}

export interface Member {
  readonly memberId: string;
  /** Empty: dynamic. */
  readonly groupInstanceId: string;
  readonly clientId: string;
  /** As Kafka writes it: "/ip". */
  readonly clientHost: string;
  sessionTimeoutMs: DurationMs;
  rebalanceTimeoutMs: DurationMs;
  /** In order of preference. */
  protocols: readonly Protocol[];
  assignment: Buffer;
  parkedJoin: ParkedJoin | undefined;
  parkedSync: ((response: ResponseOf<'SyncGroup'>) => void) | undefined;
  /** Its first JoinGroup is not answered yet (wire G-22). */
  isNew: boolean;
  session: Timer | undefined;
}

/** Everything of a member but what the coordinator adds. */
export type MemberIdentity = Pick<
  Member,
  'memberId' | 'groupInstanceId' | 'clientId' | 'clientHost' | 'sessionTimeoutMs' | 'rebalanceTimeoutMs' | 'protocols'
>;

/** What a JoinGroup says of its sender, under the id that it gets. */
export function identityOf(request: RequestOf<'JoinGroup'>, memberId: string): MemberIdentity {
  const { groupInstanceId, clientId, clientHost, sessionTimeoutMs, rebalanceTimeoutMs } = request;
  return {
    ...{ memberId, groupInstanceId, clientId, clientHost, sessionTimeoutMs, rebalanceTimeoutMs },
    protocols: request.protocols.map(({ name, metadata }) => ({ name, metadata: keepBytes(metadata) })),
  };
}

/** A member without any state. */
export function newMember(identity: MemberIdentity): Member {
  return {
    ...identity,
    assignment: Buffer.alloc(0),
    parkedJoin: undefined,
    parkedSync: undefined,
    isNew: false,
    session: undefined,
  };
}

/** True if it says the same under the same names in the same order (wire G-19). */
export function saysTheSame(a: readonly Protocol[], b: readonly Protocol[]): boolean {
  return (
    a.length === b.length &&
    a.every((protocol, i) => protocol.name === b[i]!.name && protocol.metadata.equals(b[i]!.metadata))
  );
}

/** What it says under a protocol; nothing if it does not support it. */
export function metadataOf(member: Member, protocolName: string): Buffer {
  return member.protocols.find(({ name }) => name === protocolName)?.metadata ?? Buffer.alloc(0);
}
