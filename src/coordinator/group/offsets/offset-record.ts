// Offset records of __consumer_offsets (wire 8.1): keys of versions 0 and 1, values of versions 0 to 4. All are read, value
// version 4 is written, or 1 where a commit has an end of its own (wire G-9). What a record does is not known here.
import { DecodeError, NO_ID, Reader } from '../../../base/field-reader.ts';
import { Writer } from '../../../base/field-writer.ts';
import type { EpochMs, LeaderEpoch, Offset, TopicId } from '../../../base/units.ts';

/** Key version that is written. */
const KEY_VERSION = 1;
/** Value of a commit that says when it expires. */
const EXPIRING_VERSION = 1;
/** Values from here on have the leader epoch. */
const LEADER_EPOCH_FROM = 3;
/** Values from here on have compact fields and tags. */
const FLEXIBLE_FROM = 4;
const LATEST_VERSION = 4;
const TOPIC_ID_TAG = 0;

/** What a commit is about. */
export interface OffsetKey {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
}

/** A commit. */
export interface OffsetValue {
  /** Next offset to be read. */
  readonly offset: Offset;
  /** Of the last record that was read; -1 unknown. */
  readonly leaderEpoch: LeaderEpoch;
  /** Free text. */
  readonly metadata: string;
  /** Broker's wall clock. */
  readonly commitTimestamp: EpochMs;
  /** When it expires, whatever the settings say; -1: by the settings (wire G-41). */
  readonly expireTimestamp: EpochMs;
  /** The topic that had the name then; empty: unknown. */
  readonly topicId: TopicId;
}

/** The key of a commit. */
export function encodeOffsetKey({ groupId, topic, partition }: OffsetKey): Buffer {
  return Buffer.concat(new Writer(false).int16(KEY_VERSION).string(groupId).string(topic).int32(partition).finish());
}

/** Reads a key of version 0 or 1. Throws DecodeError. */
export function decodeOffsetKey(key: Buffer): OffsetKey {
  const reader = new Reader(key, false);
  const version = reader.int16();
  if (version < 0 || version > KEY_VERSION) throw new DecodeError(`the key of an offset of version ${version}`);
  return { groupId: reader.string(), topic: reader.string(), partition: reader.int32() };
}

/** The value of a commit. One that expires by itself keeps neither leader epoch nor topic id. */
export function encodeOffsetValue(value: OffsetValue): Buffer {
  const { offset, leaderEpoch, metadata, commitTimestamp, expireTimestamp, topicId } = value;
  if (expireTimestamp >= 0) {
    const out = new Writer(false).int16(EXPIRING_VERSION).int64(offset).string(metadata);
    return Buffer.concat(out.int64(commitTimestamp).int64(expireTimestamp).finish());
  }
  const out = new Writer(true).int16(LATEST_VERSION).int64(offset).int32(leaderEpoch).string(metadata);
  out.int64(commitTimestamp);
  out.tags(topicId === '' ? [] : [{ number: TOPIC_ID_TAG, write: (field) => field.uuid(topicId) }]);
  return Buffer.concat(out.finish());
}

/** Reads a value of any version. Throws DecodeError: a version that is not known included. */
export function decodeOffsetValue(value: Buffer): OffsetValue {
  const version = new Reader(value, false).int16();
  if (version < 0 || version > LATEST_VERSION) throw new DecodeError(`an offset of version ${version}`);
  const reader = new Reader(value, version >= FLEXIBLE_FROM, 2);
  const fixed = {
    offset: reader.int64(),
    leaderEpoch: version >= LEADER_EPOCH_FROM ? reader.int32() : -1,
    metadata: reader.string(),
    commitTimestamp: reader.int64(),
    expireTimestamp: version === EXPIRING_VERSION ? reader.int64() : -1,
  };
  let topicId = '';
  reader.tags({
    [TOPIC_ID_TAG]: (field) => {
      const id = field.uuid();
      if (id !== NO_ID) topicId = id;
    },
  });
  return { ...fixed, topicId };
}

/** Whether two texts name one topic id. The last character of 22 has bits that an id does not. */
export function isSameTopicId(a: TopicId, b: TopicId): boolean {
  return a === b || Buffer.from(a, 'base64url').equals(Buffer.from(b, 'base64url'));
}
