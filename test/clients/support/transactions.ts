// What coordinators say of transactions and of offsets that are not decided, over the wire protocol itself.
import type { Struct } from '../../kafka/generic-codec.ts';
import { RawClient } from '../../kafka/raw-client.ts';
import { coordinatorOf } from './groups.ts';

const METADATA = 3;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;
const DESCRIBE_TRANSACTIONS = 65;

interface Located {
  readonly nodeId: number;
  readonly port: number;
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

/** The coordinator of a transactional id, as any of these brokers says; undefined while there is none. */
export async function transactionCoordinator(ports: readonly number[], id: string): Promise<Located | undefined> {
  for (const port of ports) {
    const found = await ask(port, FIND_COORDINATOR, 1, { key: id, keyType: 1 });
    if (found?.['errorCode'] === 0) return { nodeId: found['nodeId'] as number, port: found['port'] as number };
  }
  return undefined;
}

/** The state of an id; undefined while nobody can tell. */
export async function transactionState(ports: readonly number[], id: string): Promise<string | undefined> {
  const coordinator = await transactionCoordinator(ports, id);
  if (coordinator === undefined) return undefined;
  const answer = await ask(coordinator.port, DESCRIBE_TRANSACTIONS, 0, { transactionalIds: [id] });
  const described = (answer?.['transactionStates'] as Struct[] | undefined)?.[0];
  return described?.['errorCode'] === 0 ? String(described['transactionState']) : undefined;
}

/** Partition 0 of a topic, as the first of these brokers says. */
export async function partitionOf(
  ports: readonly number[],
  topic: string,
): Promise<{ readonly leaderId: number; readonly isrNodes: readonly number[] }> {
  const body = { topics: [{ name: topic }], allowAutoTopicCreation: false };
  const answer = await ask(ports[0]!, METADATA, 4, body);
  const partitions = (answer?.['topics'] as Struct[])[0]!['partitions'] as Struct[];
  const found = partitions.find(({ partitionIndex }) => partitionIndex === 0)!;
  return { leaderId: found['leaderId'] as number, isrNodes: found['isrNodes'] as number[] };
}

/** The leader of partition 0 of a topic, as the first of these brokers says. */
export async function leaderId(ports: readonly number[], topic: string): Promise<number> {
  return (await partitionOf(ports, topic)).leaderId;
}

/** Offset and error of a partition as a consumer is told that insists on decided offsets, or as one that does not. */
export async function offsetOf(
  ports: readonly number[],
  group: string,
  {
    topic,
    partition,
    requireStable,
  }: { readonly topic: string; readonly partition: number; readonly requireStable: boolean },
): Promise<{ readonly offset: number; readonly errorCode: number } | undefined> {
  const coordinator = await coordinatorOf(ports, group);
  if (coordinator === undefined) return undefined;
  const topics = [{ name: topic, partitionIndexes: [partition] }];
  const answer = await ask(coordinator.port, OFFSET_FETCH, 7, { groupId: group, topics, requireStable });
  const partitions = (answer?.['topics'] as Struct[] | undefined)?.[0]?.['partitions'] as Struct[] | undefined;
  const found = partitions?.[0];
  return found && { offset: Number(found['committedOffset']), errorCode: Number(found['errorCode']) };
}
