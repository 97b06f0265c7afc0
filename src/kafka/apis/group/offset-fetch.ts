// OffsetFetch (key 9), versions 1-9: what groups have committed (wire G-35, txn T-70).
//
// Behaviour: decided by the coordinator, group by group. Version 0 is advertised but not implemented (wire W-33). Null topics
// are all that a group has committed, none is none. Member id and epoch (v9) belong to a protocol that is not spoken here.
// Versions: 1 an error stands in every partition; 2 null topics, one error for all; 3 throttleTimeMs; 5 leader epochs;
// 6 compact forms; 7 requireStable; 8 many groups, each with its own error.
//
// Request: groupId:str @1-7; topics[]?2+{name:str; partitionIndexes[] i32} @1-7; groups[]{groupId:str;
// memberId:str?=null @9+; memberEpoch:i32=-1 @9+; topics[]?{name:str; partitionIndexes[] i32}} @8+; requireStable:bool
// @7+
//
// Response: throttleTimeMs:i32 @3+; topics[]{name:str; partitions[]{partitionIndex:i32; committedOffset:i64;
// committedLeaderEpoch:i32=-1 @5+; metadata:str?; errorCode:i16}} @1-7; errorCode:i16 @2-7; groups[]{groupId:str;
// topics[]{name:str; partitions[]{partitionIndex:i32; committedOffset:i64; committedLeaderEpoch:i32=-1; metadata:str?;
// errorCode:i16}}; errorCode:i16} @8+
import type { Reader } from '../../../base/field-reader.ts';
import type { Writer } from '../../../base/field-writer.ts';
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import type { CommittedOffset } from '../../../protocol/generated/index.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';

export interface OffsetFetchRequest {
  /** Up to v7. */
  readonly groupId: string;
  /** Up to v7. */
  readonly topics: readonly AskedTopic[] | null;
  /** From v8 on. */
  readonly groups: readonly AskedGroup[];
  readonly requireStable: boolean;
}
export interface AskedGroup {
  readonly groupId: string;
  /** Null: all that it has. */
  readonly topics: readonly AskedTopic[] | null;
}
export interface AskedTopic {
  readonly name: string;
  readonly partitionIndexes: readonly number[];
}

/** Up to v7 its own topics are the answer, from v8 on the groups. */
export interface OffsetFetchResponse {
  readonly topics: readonly FetchedTopic[];
  readonly errorCode: number;
  readonly groups: readonly FetchedGroup[];
}
export interface FetchedGroup {
  readonly groupId: string;
  readonly topics: readonly FetchedTopic[];
  readonly errorCode: number;
}
export interface FetchedTopic {
  readonly name: string;
  readonly partitions: readonly FetchedOffset[];
}
export interface FetchedOffset {
  readonly partitionIndex: number;
  readonly committedOffset: number;
  readonly committedLeaderEpoch: number;
  readonly metadata: string | null;
  readonly errorCode: number;
}

const GROUPS_FROM = 8;

export const offsetFetch: WireApi<OffsetFetchRequest, OffsetFetchResponse> = {
  key: 9,
  name: 'OffsetFetch',
  advertised: { min: 0, max: 9 },
  implemented: { min: 1, max: 9 },
  flexibleFrom: 6,

  decode(reader, version) {
    const many = version >= GROUPS_FROM;
    const request = {
      groupId: many ? '' : reader.string(),
      topics: many ? [] : readTopics(reader, version >= 2),
      groups: many ? reader.structs(() => readGroup(reader, version)) : [],
      requireStable: version >= 7 && reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const groups = groupsOf(request, call.version);
    const responses: ResponseOf<'OffsetFetch'>[] = [];
    let open = groups.length;
    const done = () =>
      answer(() => respond(answered(groups.map((group, at) => fromBroker(group, responses[at]!, call.version)))));
    if (open === 0) done();
    for (const [at, group] of groups.entries()) {
      call.broker.coordinate('OffsetFetch', toBroker(group, request.requireStable), (response) => {
        responses[at] = response;
        open -= 1;
        if (open === 0) done();
      });
    }
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 3) writer.int32(0);
    if (version >= GROUPS_FROM) {
      writer.structs(response.groups, (group) => {
        writer.string(group.groupId);
        writeTopics(writer, group.topics, version);
        writer.int16(group.errorCode);
      });
    } else {
      writeTopics(writer, response.topics, version);
      if (version >= 2) writer.int16(response.errorCode);
    }
    writer.tags();
  },

  refuse(request, code, { version }) {
    return answered(groupsOf(request, version).map((group) => refused(group, code, version)));
  },
};

function readGroup(reader: Reader, version: number): AskedGroup {
  const groupId = reader.string();
  if (version >= 9) {
    reader.nullableString(); // memberId
    reader.int32(); // memberEpoch
  }
  return { groupId, topics: readTopics(reader, true) };
}

function readTopics(reader: Reader, nullable: boolean): AskedTopic[] | null {
  const topic = () => ({ name: reader.string(), partitionIndexes: reader.array(() => reader.int32()) });
  return nullable ? reader.nullableStructs(topic) : reader.structs(topic);
}

function groupsOf({ groupId, topics, groups }: OffsetFetchRequest, version: number): readonly AskedGroup[] {
  return version < GROUPS_FROM ? [{ groupId, topics }] : groups;
}

function toBroker({ groupId, topics }: AskedGroup, requireStable: boolean): RequestOf<'OffsetFetch'> {
  const partitions = (topics ?? []).flatMap(({ name, partitionIndexes }) =>
    partitionIndexes.map((partition) => ({ topic: name, partition })),
  );
  return { groupId, allPartitions: topics === null, partitions, requireStable };
}

function fromBroker(group: AskedGroup, response: ResponseOf<'OffsetFetch'>, version: number): FetchedGroup {
  const { error, partitions } = response;
  if (error !== 'NONE') return refused(group, errorCode(error), version);
  const { groupId, topics } = group;
  if (topics === null) return { groupId, topics: byTopic(partitions), errorCode: errorCode('NONE') };
  const next = inTurn(partitions);
  const fetched = topics.map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partition) => offsetOf(next(partition))),
  }));
  return { groupId, topics: fetched, errorCode: errorCode('NONE') };
}

/** Offsets that come ordered by topic. */
function byTopic(offsets: readonly CommittedOffset[]): FetchedTopic[] {
  const topics = new Map<string, FetchedOffset[]>();
  for (const offset of offsets) {
    const partitions = topics.get(offset.topic) ?? [];
    topics.set(offset.topic, partitions);
    partitions.push(offsetOf(offset));
  }
  return [...topics].map(([name, partitions]) => ({ name, partitions }));
}

function offsetOf({ partition, offset, leaderEpoch, metadata, error }: CommittedOffset): FetchedOffset {
  const committed = { committedOffset: offset, committedLeaderEpoch: leaderEpoch, metadata };
  return { partitionIndex: partition, ...committed, errorCode: errorCode(error) };
}

/** An error of a whole group; up to v1 there is no other place for it than the partitions. */
function refused({ groupId, topics }: AskedGroup, code: number, version: number): FetchedGroup {
  const nothing = { committedOffset: -1, committedLeaderEpoch: -1, metadata: '', errorCode: code };
  const each = (topics ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partitionIndex) => ({ partitionIndex, ...nothing })),
  }));
  return { groupId, topics: version < 2 ? each : [], errorCode: code };
}

function answered(groups: readonly FetchedGroup[]): OffsetFetchResponse {
  const { topics = [], errorCode: code = errorCode('NONE') } = groups[0] ?? {};
  return { topics, errorCode: code, groups };
}

function writeTopics(writer: Writer, topics: readonly FetchedTopic[], version: number): void {
  writer.structs(topics, ({ name, partitions }) => {
    writer.string(name).structs(partitions, (partition) => {
      writer.int32(partition.partitionIndex).int64(partition.committedOffset);
      if (version >= 5) writer.int32(partition.committedLeaderEpoch);
      writer.nullableString(partition.metadata).int16(partition.errorCode);
    });
  });
}
