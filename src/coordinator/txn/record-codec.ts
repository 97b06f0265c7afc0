// Records of __transaction_state as Kafka writes them (txn T-9 to T-11): a key is a transactional id, a value its
// metadata, null a tombstone. Bytes in, values out; when they are written is not decided here.
import { assert } from '../../base/assert.ts';
import { DecodeError, Reader } from '../../base/field-reader.ts';
import { Writer } from '../../base/field-writer.ts';
import type { Tag } from '../../base/field-writer.ts';
import type { TopicPartition } from '../../base/units.ts';
import { NONE, TRANSACTION_STATES, stateId } from './metadata.ts';
import type { TransactionMetadata } from './metadata.ts';
import { byTopic, partitionSet } from './partitions.ts';

const KEY_VERSION = 0;
/** Of the value: fixed arrays, no tags. */
const PLAIN = 0;
/** Of the value: compact arrays, tagged fields. */
const TAGGED = 1;

const PREVIOUS_PRODUCER_ID = 0;
const NEXT_PRODUCER_ID = 1;
const CLIENT_TRANSACTION_VERSION = 2;
/** Our own (txn T-11 [D]), far from the tags that Kafka may give out next. Kafka skips it. */
const LAST_PRODUCER_EPOCH = 100;

/** The identities before the current one, which a release of Kafka or another does not write down (txn T-11, W-7). */
export type IdentityField = 'previousProducerId' | 'nextProducerId' | 'lastProducerEpoch';
export const IDENTITY_FIELDS: readonly IdentityField[] = ['previousProducerId', 'nextProducerId', 'lastProducerEpoch'];

/** How records are written, and read back. */
export interface RecordForm {
  /** Finalized level of transaction.version: 0 writes value version 0, which keeps no identity but the current one. */
  readonly level: number;
  /** Fields that are neither written nor read: all of IDENTITY_FIELDS with the safeguard epoch.retryIdentity off. */
  readonly without?: readonly IdentityField[];
}

/** What stands in a record. */
export type DecodedRecord =
  | { readonly kind: 'metadata'; readonly metadata: TransactionMetadata }
  | { readonly kind: 'tombstone'; readonly transactionalId: string }
  /** Of a version that is not known: to be told and passed over (txn T-9). */
  | { readonly kind: 'unknown'; readonly what: string }
  /** Not what its version says: the log cannot be loaded (txn T-28). */
  | { readonly kind: 'corrupt'; readonly why: string };

/** The key of an id. */
export function encodeKey(transactionalId: string): Buffer {
  return Buffer.concat(new Writer(false).int16(KEY_VERSION).string(transactionalId).finish());
}

/** The value of a record. Dead and PrepareEpochFence are never written (txn T-13). */
export function encodeValue(metadata: TransactionMetadata, form: RecordForm): Buffer {
  const { state } = metadata;
  assert(state !== 'Dead' && state !== 'PrepareEpochFence', `txn T-13: ${state} is never written`);
  const version = form.level === 0 ? PLAIN : TAGGED;
  const out = new Writer(version === TAGGED);
  out.int16(version).int64(metadata.producerId).int16(metadata.producerEpoch).int32(metadata.timeoutMs);
  out.int8(stateId(state));
  const topics = state === 'Empty' ? null : byTopic(metadata.partitions);
  out.nullableStructs(topics, ({ topic, partitions }) => {
    out.string(topic).array(partitions, (partition) => out.int32(partition));
  });
  out.int64(metadata.lastUpdateMs).int64(metadata.startTimeMs).tags(tagsOf(metadata, form));
  return Buffer.concat(out.finish());
}

/** Tagged fields that are not at their default, by ascending number. */
function tagsOf(metadata: TransactionMetadata, { without = [] }: RecordForm): readonly Tag[] {
  const tags: Tag[] = [];
  const { previousProducerId, nextProducerId, lastProducerEpoch, clientTransactionVersion } = metadata;
  if (previousProducerId !== NONE && !without.includes('previousProducerId')) {
    tags.push({ number: PREVIOUS_PRODUCER_ID, write: (out) => out.int64(previousProducerId) });
  }
  if (nextProducerId !== NONE && !without.includes('nextProducerId')) {
    tags.push({ number: NEXT_PRODUCER_ID, write: (out) => out.int64(nextProducerId) });
  }
  if (clientTransactionVersion !== 0) {
    tags.push({ number: CLIENT_TRANSACTION_VERSION, write: (out) => out.int16(clientTransactionVersion) });
  }
  if (lastProducerEpoch !== NONE && !without.includes('lastProducerEpoch')) {
    tags.push({ number: LAST_PRODUCER_EPOCH, write: (out) => out.int16(lastProducerEpoch) });
  }
  return tags;
}

/** Reads a record of the log. A record without a key is corrupt. */
export function decodeRecord(
  key: Buffer | null,
  value: Buffer | null,
  form: Pick<RecordForm, 'without'> = {},
): DecodedRecord {
  if (key === null) return { kind: 'corrupt', why: 'a record without a key' };
  try {
    const keyReader = new Reader(key, false);
    const keyVersion = keyReader.int16();
    if (keyVersion !== KEY_VERSION) return { kind: 'unknown', what: `key version ${keyVersion}` };
    const transactionalId = keyReader.string();
    if (value === null) return { kind: 'tombstone', transactionalId };
    const version = new Reader(value, false).int16();
    if (version !== PLAIN && version !== TAGGED) return { kind: 'unknown', what: `value version ${version}` };
    return { kind: 'metadata', metadata: decodeValue(transactionalId, new Reader(value, version === TAGGED), form) };
  } catch (error) {
    if (error instanceof DecodeError) return { kind: 'corrupt', why: error.message };
    throw error;
  }
}

function decodeValue(
  transactionalId: string,
  reader: Reader,
  { without = [] }: Pick<RecordForm, 'without'>,
): TransactionMetadata {
  reader.int16();
  const fixed = {
    transactionalId,
    producerId: reader.int64(),
    producerEpoch: reader.int16(),
    timeoutMs: reader.int32(),
    state: decodeState(reader.int8()),
    partitions: decodePartitions(reader),
    lastUpdateMs: reader.int64(),
    startTimeMs: reader.int64(),
  };
  const tagged = {
    previousProducerId: NONE,
    nextProducerId: NONE,
    clientTransactionVersion: 0,
    lastProducerEpoch: NONE,
  };
  reader.tags({
    [PREVIOUS_PRODUCER_ID]: (field) => (tagged.previousProducerId = field.int64()),
    [NEXT_PRODUCER_ID]: (field) => (tagged.nextProducerId = field.int64()),
    [CLIENT_TRANSACTION_VERSION]: (field) => (tagged.clientTransactionVersion = field.int16()),
    [LAST_PRODUCER_EPOCH]: (field) => (tagged.lastProducerEpoch = field.int16()),
  });
  for (const field of without) tagged[field] = NONE;
  return { ...fixed, ...tagged };
}

function decodeState(id: number): TransactionMetadata['state'] {
  const state = TRANSACTION_STATES[id];
  if (state === undefined) throw new DecodeError(`transaction status ${id}`);
  assert(state !== 'Dead' && state !== 'PrepareEpochFence', `txn T-13: a record in state ${state}`);
  return state;
}

function decodePartitions(reader: Reader): readonly TopicPartition[] {
  const topics = reader.nullableStructs(() => ({
    topic: reader.string(),
    partitions: reader.array(() => reader.int32()),
  }));
  return partitionSet(
    (topics ?? []).flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition }))),
  );
}
