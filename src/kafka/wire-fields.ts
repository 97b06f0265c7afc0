// What a request or response of the wire says that a fault can filter on. Bodies are read by shape, under the names that
// the specification gives their fields, so that a new API needs no code here. One set of fields for each partition, batch,
// record or name; at least one.
import { batchFields, CONTENT_FIELDS, type FieldSources } from '../fault/message-fields.ts';
import type { PointFields } from '../fault/reach.ts';
import { errorName } from './error-names.ts';

export { CONTENT_FIELDS };

/** Fields of bodies that faults know by the same name, or by another. -1 and '' say nothing. */
const SCALARS: Readonly<Record<string, string>> = {
  acks: 'acks',
  transactionalId: 'transactionalId',
  producerId: 'producerId',
  producerEpoch: 'producerEpoch',
  groupId: 'group',
  group: 'group',
  topic: 'topic',
  topicName: 'topic',
  partition: 'partition',
  partitionIndex: 'partition',
  index: 'partition',
  currentLeaderEpoch: 'leaderEpoch',
  leaderEpoch: 'leaderEpoch',
  committedLeaderEpoch: 'leaderEpoch',
  fetchOffset: 'offset',
  baseOffset: 'offset',
  offset: 'offset',
  committedOffset: 'offset',
  endOffset: 'offset',
  highWatermark: 'highWatermark',
};

/** Lists whose elements are called `name` where a topic is meant. */
const TOPIC_LISTS: ReadonlySet<string> = new Set([
  'topics',
  'topicData',
  'responses',
  'results',
  'topicResults',
  'resultsByTopicV3AndBelow',
]);

/** Lists of plain values, and the field that each of them is. */
const NAMED_LISTS: Readonly<Record<string, string>> = {
  partitions: 'partition',
  partitionIndexes: 'partition',
  topicNames: 'topic',
  groupsNames: 'group',
  transactionalIds: 'transactionalId',
};

type Body = Readonly<Record<string, unknown>>;

/** A message of an exchange: the request itself, or its response, which often does not repeat what was asked. */
export interface Exchanged {
  readonly request: object;
  readonly message: object;
}

/** The sets of fields of a message. What a response leaves out at its top (group, transactional id) is the request's. */
export function wireFields(exchanged: Exchanged, around: PointFields, sources: FieldSources): PointFields[] {
  const { request, message } = exchanged;
  const whole = { ...around, ...scalarsOf(request as Body, undefined, sources) };
  return walk(message as Body, undefined, { around: whole, sources });
}

interface Walk {
  readonly around: PointFields;
  readonly sources: FieldSources;
}

/** @param list The list that the body stands in. */
function walk(body: Body, list: string | undefined, { around, sources }: Walk): PointFields[] {
  const fields = { ...around, ...scalarsOf(body, list, sources) };
  const sets: PointFields[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (Buffer.isBuffer(value)) {
      if (name === 'records' && value.length > 0) sets.push(...batchFields(value, fields, sources.contents));
    } else if (Array.isArray(value)) sets.push(...elements(usual(name), value, { around: fields, sources }));
  }
  return sets.length > 0 ? sets : [fields];
}

function elements(name: string, list: readonly unknown[], { around, sources }: Walk): PointFields[] {
  return list.flatMap((element): PointFields[] => {
    if (typeof element === 'object' && element !== null) return walk(element as Body, name, { around, sources });
    const field = NAMED_LISTS[name] ?? (name === 'topics' ? 'topic' : undefined);
    const plain = typeof element === 'string' || typeof element === 'number';
    return field !== undefined && plain ? [{ ...around, [field]: element }] : [];
  });
}

function says(name: string, value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'number' && (value >= 0 || name === 'acks');
}

/** AddPartitionsToTxn calls its fields `v3AndBelow…` in the versions that clients use. */
function usual(name: string): string {
  const old = 'v3AndBelow';
  return name.startsWith(old) ? name.charAt(old.length).toLowerCase() + name.slice(old.length + 1) : name;
}

function scalarsOf(body: Body, list: string | undefined, { names }: FieldSources): PointFields {
  const fields: Record<string, string | number> = {};
  for (const [called, value] of Object.entries(body)) {
    const name = usual(called);
    const field = SCALARS[name];
    if (field !== undefined && says(name, value)) {
      fields[field] = value as string | number;
    } else if (
      name === 'name' &&
      list !== undefined &&
      TOPIC_LISTS.has(list) &&
      typeof value === 'string' &&
      value !== ''
    ) {
      fields['topic'] = value;
    } else if (name === 'topicId' && typeof value === 'string') {
      const topic = names(value);
      if (topic !== undefined) fields['topic'] = topic;
    } else if (name === 'committed' && typeof value === 'boolean') fields['committed'] = String(value);
    else if ((name === 'errorCode' || name === 'partitionErrorCode') && typeof value === 'number' && value !== 0) {
      fields['error'] = errorName(value);
    }
  }
  return fields;
}
