// Group metadata records of __consumer_offsets (wire 8.1): the key of version 2, values of versions 0 to 4. All are read,
// version 3 is written (wire G-9). What a record does to a group is not known here.
import { DecodeError, Reader } from '../../base/field-reader.ts';
import { Writer } from '../../base/field-writer.ts';
import type { DurationMs, EpochMs } from '../../base/units.ts';

/** Key version of group metadata. 0 and 1 are offsets. */
export const GROUP_KEY_VERSION = 2;
const WRITTEN_VERSION = 3;
const FLEXIBLE_FROM = 4;
const LATEST_VERSION = 4;

/** A member as it is stored. */
export interface MemberRecord {
  readonly memberId: string;
  /** Empty: dynamic. */
  readonly groupInstanceId: string;
  readonly clientId: string;
  readonly clientHost: string;
  readonly rebalanceTimeoutMs: DurationMs;
  readonly sessionTimeoutMs: DurationMs;
  /** What it said under the group's protocol. */
  readonly subscription: Buffer;
  readonly assignment: Buffer;
}

/** A generation as it is stored. */
export interface GroupRecord {
  /** Empty: none. */
  readonly protocolType: string;
  readonly generation: number;
  /** Empty: none (null on disk). */
  readonly protocol: string;
  /** Empty: none (null on disk). */
  readonly leader: string;
  /** -1: unknown. */
  readonly stateSince: EpochMs;
  /** In join order. */
  readonly members: readonly MemberRecord[];
}

/** The version that a key of __consumer_offsets starts with; -1 if it is too short to have one. */
export function keyVersion(key: Buffer): number {
  return key.length < 2 ? -1 : key.readInt16BE(0);
}

/** The key of a group. */
export function encodeGroupKey(groupId: string): Buffer {
  return Buffer.concat(new Writer(false).int16(GROUP_KEY_VERSION).string(groupId).finish());
}

/** The group id of a key of version 2. Throws DecodeError. */
export function decodeGroupKey(key: Buffer): string {
  const reader = new Reader(key, false);
  reader.int16();
  return reader.string();
}

/** The value, as version 3. */
export function encodeGroupValue(group: GroupRecord): Buffer {
  const out = new Writer(false).int16(WRITTEN_VERSION).string(group.protocolType).int32(group.generation);
  out.nullableString(orNull(group.protocol)).nullableString(orNull(group.leader)).int64(group.stateSince);
  out.array(group.members, (member) => {
    out.string(member.memberId).nullableString(orNull(member.groupInstanceId));
    out.string(member.clientId).string(member.clientHost);
    out.int32(member.rebalanceTimeoutMs).int32(member.sessionTimeoutMs);
    out.bytes(member.subscription).bytes(member.assignment);
  });
  return Buffer.concat(out.finish());
}

/** Reads a value of any version. Its bytes are copies. Throws DecodeError: a version that is not known included. */
export function decodeGroupValue(value: Buffer): GroupRecord {
  const version = new Reader(value, false).int16();
  if (version < 0 || version > LATEST_VERSION) throw new DecodeError(`group metadata of version ${version}`);
  const reader = new Reader(value, version >= FLEXIBLE_FROM, 2);
  const head = {
    protocolType: reader.string(),
    generation: reader.int32(),
    protocol: reader.nullableString() ?? '',
    leader: reader.nullableString() ?? '',
    stateSince: version >= 2 ? reader.int64() : -1,
  };
  const members = reader.structs(() => decodeMember(reader, version));
  reader.tags();
  return { ...head, members };
}

function decodeMember(reader: Reader, version: number): MemberRecord {
  const memberId = reader.string();
  const groupInstanceId = version >= 3 ? (reader.nullableString() ?? '') : '';
  const [clientId, clientHost] = [reader.string(), reader.string()];
  const rebalanceTimeoutMs = version >= 1 ? reader.int32() : undefined;
  const sessionTimeoutMs = reader.int32();
  return {
    ...{ memberId, groupInstanceId, clientId, clientHost, sessionTimeoutMs },
    rebalanceTimeoutMs: rebalanceTimeoutMs ?? sessionTimeoutMs,
    subscription: Buffer.from(reader.nullableBytes() ?? []),
    assignment: Buffer.from(reader.nullableBytes() ?? []),
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
