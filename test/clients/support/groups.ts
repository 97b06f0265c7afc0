// What a coordinator says of a group, over the wire protocol itself: the judge of what a client library made of it.
import type { Struct } from '../../kafka/generic-codec.ts';
import { RawClient } from '../../kafka/raw-client.ts';

const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;
const DESCRIBE_GROUPS = 15;
const NOT_COORDINATOR_CODES: readonly unknown[] = [14, 15, 16];

export interface DescribedMember {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly clientHost: string;
  readonly memberAssignment: Buffer;
}
export interface DescribedGroup {
  readonly errorCode: number;
  readonly groupState: string;
  readonly members: readonly DescribedMember[];
}

/** Asks one broker; undefined if nobody answers there. */
async function ask(port: number, key: number, version: number, body: Struct): Promise<Struct | undefined> {
  const client = new RawClient(port);
  try {
    return (await client.ask(key, version, body)).body;
  } catch {
    return undefined;
  } finally {
    client.close();
  }
}

/** Node id and port of the coordinator of a group, as any of these brokers says; undefined while there is none. */
export async function coordinatorOf(
  ports: readonly number[],
  group: string,
): Promise<{ readonly nodeId: number; readonly port: number } | undefined> {
  for (const port of ports) {
    const found = await ask(port, FIND_COORDINATOR, 1, { key: group, keyType: 0 });
    if (found?.['errorCode'] === 0) return { nodeId: found['nodeId'] as number, port: found['port'] as number };
  }
  return undefined;
}

async function askCoordinator(ports: readonly number[], group: string, request: [number, number, Struct]) {
  const coordinator = await coordinatorOf(ports, group);
  return coordinator === undefined ? undefined : ask(coordinator.port, ...request);
}

/** The group as its coordinator has it now; undefined while there is none. */
export async function describeGroup(ports: readonly number[], group: string): Promise<DescribedGroup | undefined> {
  const body = { groups: [group], includeAuthorizedOperations: false };
  const answer = await askCoordinator(ports, group, [DESCRIBE_GROUPS, 5, body]);
  const described = (answer?.['groups'] as Struct[] | undefined)?.[0] as unknown as DescribedGroup | undefined;
  return NOT_COORDINATOR_CODES.includes(described?.errorCode) ? undefined : described;
}

/** The committed offset of a partition; -1: none; undefined while there is no coordinator. */
export async function committedOffset(
  ports: readonly number[],
  group: string,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): Promise<number | undefined> {
  const body = { groupId: group, topics: [{ name: topic, partitionIndexes: [partition] }], requireStable: false };
  const answer = await askCoordinator(ports, group, [OFFSET_FETCH, 7, body]);
  if (answer === undefined || answer['errorCode'] !== 0) return undefined;
  const partitions = (answer['topics'] as Struct[])[0]!['partitions'] as Struct[];
  return Number(partitions[0]!['committedOffset']);
}

/** Which error a commit by this member in this generation meets; undefined while there is no coordinator. */
export async function commitError(
  ports: readonly number[],
  group: string,
  by: { readonly memberId: string; readonly generation: number; readonly topic: string },
): Promise<number | undefined> {
  const { memberId, generation, topic } = by;
  const offset = { partitionIndex: 0, committedOffset: 0, committedLeaderEpoch: -1, committedMetadata: '' };
  const answer = await askCoordinator(ports, group, [
    OFFSET_COMMIT,
    7,
    {
      ...{ groupId: group, generationIdOrMemberEpoch: generation, memberId, groupInstanceId: null },
      topics: [{ name: topic, partitions: [offset] }],
    },
  ]);
  const topics = answer?.['topics'] as Struct[] | undefined;
  return (topics?.[0]?.['partitions'] as Struct[] | undefined)?.[0]?.['errorCode'] as number | undefined;
}
