// What a message says that a fault can filter on. One set of fields for each batch it carries, else for each partition,
// else one for the whole: a filter matches a message if it matches one of its sets (ux.md 3.2).
import { batchHeaders } from '../protocol/batch-header.ts';
import type { PointFields } from './reach.ts';

/** Every field that some message gives a partition or itself. Messages are read by shape, so that a new API needs no code here. */
interface PartitionShape {
  readonly topic?: string;
  readonly topicId?: string;
  readonly name?: string;
  readonly partition?: number;
  readonly error?: string;
  readonly records?: unknown;
  readonly fetchOffset?: number;
  readonly offset?: number;
  readonly baseOffset?: number;
  readonly endOffset?: number;
  readonly currentLeaderEpoch?: number;
  readonly leaderEpoch?: number;
  readonly highWatermark?: number;
  /** Of a proposed ISR. */
  readonly newIsr?: readonly { readonly brokerId: number }[];
}

interface MessageShape {
  readonly partitions?: readonly PartitionShape[];
  readonly results?: readonly PartitionShape[];
  readonly topics?: readonly (PartitionShape | string)[];
  readonly topic?: string;
  readonly partition?: number;
  readonly acks?: number;
  readonly error?: string;
  readonly transactionalId?: string;
  readonly producerId?: number;
  readonly producerEpoch?: number;
  readonly committed?: boolean;
  readonly groupId?: string;
  readonly offsets?: readonly PartitionShape[];
  /** Several transactions, markers, or groups in one message: each has its own fields. */
  readonly transactions?: readonly MessageShape[];
  readonly markers?: readonly MessageShape[];
}

/** Partitions of a topic, as transactional messages list them. */
interface TopicShape extends PartitionShape {
  readonly partitions?: readonly number[];
}

/** Names a topic by id, where a message carries only the id. Undefined if this node does not know it. */
export type TopicNames = (topicId: string) => string | undefined;

/** Keys and values of the records of the batch that begins at `at`, as text; undefined if they are compressed. */
export type BatchContents = (
  batches: Buffer,
  at: number,
) => readonly { readonly key: string | undefined; readonly value: string | undefined }[] | undefined;

/** What fields are found with. */
export interface FieldSources {
  readonly names: TopicNames;
  /** Given if somebody asks for keys or values: then there is a set for each record. */
  readonly contents?: BatchContents | undefined;
}

/** Fields that need a look at records. */
export const CONTENT_FIELDS: readonly string[] = ['key', 'value'];

/** The sets of fields of a message from one node to another. At least one. */
export function messageFields(message: object, around: PointFields, sources: FieldSources): PointFields[] {
  return shapeFields(message as MessageShape, around, sources);
}

function shapeFields(shape: MessageShape, around: PointFields, names: FieldSources): PointFields[] {
  const several = shape.transactions ?? shape.markers;
  if (several !== undefined && several.length > 0) {
    return several.flatMap((each) => shapeFields(each, around, names));
  }
  const whole: PointFields = defined({
    ...around,
    ...transactionFields(shape),
    acks: shape.acks,
    error: shape.error === 'NONE' ? undefined : shape.error,
    topic: typeof shape.topic === 'string' && shape.topic !== '' ? shape.topic : undefined,
    partition: typeof shape.topic === 'string' && shape.topic !== '' ? shape.partition : undefined,
  });
  const parts = shape.partitions ?? shape.offsets ?? shape.results ?? shape.topics ?? [];
  const sets = parts.flatMap((part) =>
    typeof part === 'string' ? [{ ...whole, topic: part }] : topicFields(part, whole, names),
  );
  return sets.length > 0 ? sets : [whole];
}

function transactionFields({
  transactionalId,
  producerId,
  producerEpoch,
  committed,
  groupId,
}: MessageShape): PointFields {
  return {
    transactionalId: transactionalId === '' ? undefined : transactionalId,
    producerId: producerId === -1 ? undefined : producerId,
    producerEpoch: producerEpoch === -1 ? undefined : producerEpoch,
    committed: committed === undefined ? undefined : String(committed),
    group: groupId,
  };
}

/** A topic with partition numbers is one set for each of them. */
function topicFields(part: TopicShape, whole: PointFields, names: FieldSources): PointFields[] {
  const { partitions } = part;
  if (!Array.isArray(partitions) || typeof partitions[0] !== 'number') return partitionFields(part, whole, names);
  return (partitions as readonly number[]).map((partition) => defined({ ...whole, topic: part.topic, partition }));
}

function partitionFields(part: PartitionShape, whole: PointFields, sources: FieldSources): PointFields[] {
  const fields: PointFields = {
    ...whole,
    ...defined({
      topic: topicOf(part, sources.names),
      partition: part.partition,
      error: part.error === 'NONE' ? undefined : part.error,
      leaderEpoch: part.currentLeaderEpoch ?? part.leaderEpoch,
      offset: offsetOf(part),
      highWatermark: part.highWatermark === -1 ? undefined : part.highWatermark,
      isr: part.newIsr === undefined ? undefined : isrOf(part.newIsr),
    }),
  };
  if (!(part.records instanceof Uint8Array) || part.records.length === 0) return [fields];
  const bytes = Buffer.from(part.records.buffer, part.records.byteOffset, part.records.length);
  return batchFields(bytes, fields, sources.contents);
}

/** A set for each batch; for each record if there are `contents`. */
export function batchFields(batches: Buffer, around: PointFields, contents: BatchContents | undefined): PointFields[] {
  const sets = [...batchHeaders(batches)].flatMap((header): PointFields[] => {
    const { at, baseOffset, lastOffset, leaderEpoch, producerId, producerEpoch, baseSequence } = header;
    const producer = producerId < 0 ? {} : { producerId, producerEpoch, sequence: baseSequence };
    const batch = { ...around, offset: baseOffset, baseOffset, lastOffset, leaderEpoch, ...producer };
    return contents?.(batches, at)?.map((record) => ({ ...batch, ...defined(record) })) ?? [batch];
  });
  return sets.length > 0 ? sets : [around];
}

/** Members as people write them: ascending, "1,2". */
function isrOf(members: readonly { readonly brokerId: number }[]): string {
  const ids = members.map(({ brokerId }) => brokerId);
  return ids.sort((a, b) => a - b).join();
}

function topicOf(part: PartitionShape, names: TopicNames): string | undefined {
  const name = part.topic ?? part.name;
  if (name !== undefined && name !== '') return name;
  return part.topicId === undefined || part.topicId === '' ? undefined : names(part.topicId);
}

/** The one offset a partition of a message is about; -1 says none. */
function offsetOf(part: PartitionShape): number | undefined {
  const offset = part.fetchOffset ?? part.offset ?? part.baseOffset ?? part.endOffset;
  return offset === undefined || offset < 0 ? undefined : offset;
}

function defined(fields: PointFields): PointFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
