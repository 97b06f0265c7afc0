// Records of the two internal topics as people read them: the text that Kafka's dump tool prints, and the same as values.
// A record that cannot be read says why.
import { DecodeError } from '../../base/field-reader.ts';
import { formatPartition } from '../../base/units.ts';
import {
  CONSUMER_PROTOCOL_TYPE,
  decodeAssignment,
  decodeSubscription,
} from '../../client/core/group/consumer-protocol.ts';
import {
  decodeGroupKey,
  decodeGroupValue,
  GROUP_KEY_VERSION,
  keyVersion,
  type GroupRecord,
  type MemberRecord,
} from '../../coordinator/group/group-record.ts';
import { decodeOffsetKey, decodeOffsetValue, type OffsetValue } from '../../coordinator/group/offsets/offset-record.ts';
import type { TransactionMetadata } from '../../coordinator/txn/metadata.ts';
import { decodeRecord } from '../../coordinator/txn/record-codec.ts';
import { OFFSETS_TOPIC, TRANSACTION_TOPIC } from '../../node/internal-topics.ts';

/** A record of an internal topic. */
export interface DecodedInternal {
  readonly kind: 'transaction' | 'offset' | 'group' | 'unknown';
  /** The line's key and payload. */
  readonly keyText: string;
  /** Undefined: there is none to show. */
  readonly payloadText: string | undefined;
  /** What they say; `value` null: a tombstone. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>> | null;
}

/** How Kafka shows a tombstone. */
const DELETED = '<DELETE>';

/** Undefined for records of other topics. */
export function decodeInternal(topic: string, key: Buffer | null, value: Buffer | null): DecodedInternal | undefined {
  if (topic !== TRANSACTION_TOPIC && topic !== OFFSETS_TOPIC) return undefined;
  if (key === null) return unknown('no key');
  try {
    return topic === TRANSACTION_TOPIC ? transaction(key, value) : ofGroups(key, value);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return unknown(error.message);
    throw error;
  }
}

function unknown(why: string): DecodedInternal {
  return { kind: 'unknown', keyText: `cannot be read (${why})`, payloadText: undefined, key: { why }, value: null };
}

function transaction(key: Buffer, value: Buffer | null): DecodedInternal {
  const decoded = decodeRecord(key, value);
  if (decoded.kind === 'unknown') return unknown(decoded.what);
  if (decoded.kind === 'corrupt') return unknown(decoded.why);
  const { transactionalId } = decoded.kind === 'tombstone' ? decoded : decoded.metadata;
  const about = {
    kind: 'transaction',
    key: { transactionalId },
    keyText: `transaction_metadata::transactionalId=${transactionalId}`,
  } as const;
  if (decoded.kind === 'tombstone') return { ...about, payloadText: DELETED, value: null };
  return { ...about, payloadText: transactionText(decoded.metadata), value: transactionValue(decoded.metadata) };
}

/** Kafka's fields in its order; ours come behind them. */
function transactionText(metadata: TransactionMetadata): string {
  const { producerId, producerEpoch, state, lastUpdateMs, timeoutMs, startTimeMs } = metadata;
  const partitions = metadata.partitions.map((of) => formatPartition(of.topic, of.partition)).join(',');
  return (
    `producerId:${producerId},producerEpoch:${producerEpoch},state=${state},partitions=[${partitions}],` +
    `txnLastUpdateTimestamp=${lastUpdateMs},txnTimeoutMs=${timeoutMs},txnStartTimestamp=${startTimeMs},` +
    `previousProducerId=${metadata.previousProducerId},nextProducerId=${metadata.nextProducerId},` +
    `lastProducerEpoch=${metadata.lastProducerEpoch},clientTransactionVersion=${metadata.clientTransactionVersion}`
  );
}

function transactionValue(metadata: TransactionMetadata): Readonly<Record<string, unknown>> {
  const { transactionalId: _, partitions, ...fields } = metadata;
  return { ...fields, partitions: partitions.map((of) => formatPartition(of.topic, of.partition)) };
}

/** Offsets have keys of versions 0 and 1, groups of version 2; others belong to protocols that are not spoken here. */
function ofGroups(key: Buffer, value: Buffer | null): DecodedInternal {
  const type = keyVersion(key);
  if (type === GROUP_KEY_VERSION) {
    const fields = value === null ? null : groupValue(decodeGroupValue(value));
    return typed('group', type, { group: decodeGroupKey(key) }, value, fields);
  }
  if (type !== 0 && type !== 1) return unknown(`key version ${type}`);
  const { groupId: group, topic, partition } = decodeOffsetKey(key);
  const fields = value === null ? null : offsetValue(decodeOffsetValue(value));
  return typed('offset', type, { group, topic, partition }, value, fields);
}

/** Kafka's JSON: versions are text. */
function typed(
  kind: 'group' | 'offset',
  type: number,
  key: Readonly<Record<string, unknown>>,
  stored: Buffer | null,
  value: Readonly<Record<string, unknown>> | null,
): DecodedInternal {
  const keyText = JSON.stringify({ type: String(type), data: key });
  const version = stored === null ? '' : String(stored.readInt16BE(0));
  const payloadText = value === null ? DELETED : JSON.stringify({ version, data: value });
  return { kind, keyText, payloadText, key, value };
}

function offsetValue(value: OffsetValue): Readonly<Record<string, unknown>> {
  const { offset, leaderEpoch, metadata, commitTimestamp, expireTimestamp, topicId } = value;
  return {
    ...{ offset, leaderEpoch, metadata, commitTimestamp },
    ...(expireTimestamp < 0 ? {} : { expireTimestamp }),
    ...(topicId === '' ? {} : { topicId }),
  };
}

function groupValue(group: GroupRecord): Readonly<Record<string, unknown>> {
  const { protocolType, generation, stateSince: currentStateTimestamp } = group;
  return {
    ...{ protocolType, generation, protocol: textOrNull(group.protocol), leader: textOrNull(group.leader) },
    ...{ currentStateTimestamp, members: group.members.map((member) => memberValue(member, protocolType)) },
  };
}

/** Members of consumers' groups are read, others' bytes are shown as they are. */
function memberValue(member: MemberRecord, protocolType: string): Readonly<Record<string, unknown>> {
  const consumer = protocolType === CONSUMER_PROTOCOL_TYPE;
  const { memberId, clientId, clientHost, rebalanceTimeoutMs, sessionTimeoutMs } = member;
  const subscription = consumer ? decodeSubscription(member.subscription) : undefined;
  const assignment = consumer ? decodeAssignment(member.assignment) : undefined;
  return {
    ...{ memberId, groupInstanceId: textOrNull(member.groupInstanceId), clientId, clientHost },
    ...{ rebalanceTimeout: rebalanceTimeoutMs, sessionTimeout: sessionTimeoutMs },
    subscription: subscription?.topics ?? member.subscription.toString('base64'),
    assignment:
      assignment?.partitions.map((of) => formatPartition(of.topic, of.partition)) ??
      member.assignment.toString('base64'),
  };
}

const textOrNull = (text: string): string | null => (text === '' ? null : text);
