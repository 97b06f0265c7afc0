// The bytes that consumers of a group tell each other, in Kafka's formats (wire G-40): what a member subscribes to and holds,
// and what its leader gives it. Coordinators pass them on unread, so that clients of any kind can share a group.
import { DecodeError, Reader } from '../../../base/field-reader.ts';
import { Writer } from '../../../base/field-writer.ts';
import type { TopicPartition } from '../../../base/units.ts';

/** The protocol type of groups of consumers. */
export const CONSUMER_PROTOCOL_TYPE = 'consumer';
/** Newest version of both formats that is written. Newer ones are read as this one: fields are only ever added. */
const NEWEST = 3;
/** Version 1 brought what is held, 2 of which generation, 3 a rack. */
const [WITH_OWNED, WITH_GENERATION, WITH_RACK] = [1, 2, 3];

/** What a member says when it joins. */
export interface Subscription {
  readonly topics: readonly string[];
  /** Whatever its assignor wants to say; null: nothing. */
  readonly userData: Buffer | null;
  /** Partitions that it holds on to while it joins. */
  readonly owned: readonly TopicPartition[];
  /** Generation in which it was given them; -1 unknown. */
  readonly generationId: number;
}

/** What a member is given. */
export interface Assignment {
  readonly partitions: readonly TopicPartition[];
  readonly userData: Buffer | null;
}

export function encodeSubscription(subscription: Subscription): Buffer {
  const writer = new Writer(false).int16(NEWEST);
  writer.array([...subscription.topics].sort(), (topic) => writer.string(topic));
  writeNullableBytes(writer, subscription.userData);
  writePartitions(writer, subscription.owned);
  writer.int32(subscription.generationId).nullableString(null);
  return Buffer.concat(writer.finish());
}

/** Undefined if the bytes are not a subscription. */
export function decodeSubscription(bytes: Buffer): Subscription | undefined {
  return decoded(bytes, (reader, version) => {
    const topics = reader.array(() => reader.string());
    const userData = reader.nullableBytes();
    const owned = version < WITH_OWNED ? [] : readPartitions(reader);
    const generationId = version < WITH_GENERATION ? -1 : reader.int32();
    if (version >= WITH_RACK) reader.nullableString();
    return { topics, userData, owned, generationId };
  });
}

export function encodeAssignment({ partitions, userData }: Assignment): Buffer {
  const writer = new Writer(false).int16(NEWEST);
  writePartitions(writer, partitions);
  writeNullableBytes(writer, userData);
  return Buffer.concat(writer.finish());
}

/** Empty bytes are an empty assignment: the leader did not know the member. Undefined if they are none. */
export function decodeAssignment(bytes: Buffer): Assignment | undefined {
  if (bytes.length === 0) return { partitions: [], userData: null };
  return decoded(bytes, (reader) => {
    const partitions = readPartitions(reader);
    return { partitions, userData: reader.nullableBytes() };
  });
}

function decoded<Value>(bytes: Buffer, read: (reader: Reader, version: number) => Value): Value | undefined {
  try {
    const reader = new Reader(bytes, false);
    const version = reader.int16();
    return version < 0 ? undefined : read(reader, Math.min(version, NEWEST));
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function writeNullableBytes(writer: Writer, bytes: Buffer | null): void {
  if (bytes === null) writer.int32(-1);
  else writer.bytes(bytes);
}

function writePartitions(writer: Writer, partitions: readonly TopicPartition[]): void {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
  writer.array([...topics], ([topic, indexes]) => {
    writer.string(topic);
    writer.array(indexes, (index) => writer.int32(index));
  });
}

function readPartitions(reader: Reader): TopicPartition[] {
  const topics = reader.array(() => ({ topic: reader.string(), indexes: reader.array(() => reader.int32()) }));
  return topics.flatMap(({ topic, indexes }) => indexes.map((partition) => ({ topic, partition })));
}
