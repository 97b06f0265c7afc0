// Reads a partition's batches as they are stored, over the wire protocol itself: what no client library shows.
import { batchHeaders, type BatchHeader } from '../../src/protocol/batch-header.ts';
import { FETCH, fetchBody, fetchPartition, METADATA, metadataBody } from '../kafka/bodies.ts';
import type { Struct } from '../kafka/generic-codec.ts';
import { RawClient } from '../kafka/raw-client.ts';

const portOf = (bootstrap: string) => Number(bootstrap.slice(bootstrap.lastIndexOf(':') + 1));

/**
 * A connection to the leader of partition 0, once it knows that it leads: others hear of an election before it does. The
 * test's own time limit ends what never comes about.
 */
export async function leaderOf(bootstrap: string, topic: string): Promise<RawClient> {
  const any = new RawClient(portOf(bootstrap));
  const { body } = await any.ask(METADATA, 4, metadataBody([topic]));
  any.close();
  const partitions = (body['topics'] as Struct[])[0]!['partitions'] as Struct[];
  const leaderId = partitions.find(({ partitionIndex }) => partitionIndex === 0)!['leaderId'];
  const leader = (body['brokers'] as Struct[]).find(({ nodeId }) => nodeId === leaderId)!;
  const client = new RawClient(leader['port'] as number);
  while ((await fetched(client, topic))['errorCode'] !== 0);
  return client;
}

async function fetched(client: RawClient, topic: string): Promise<Struct> {
  const { body } = await client.ask(FETCH, 4, fetchBody({ topics: [{ topic, partitions: [fetchPartition()] }] }));
  return ((body['responses'] as Struct[])[0]!['partitions'] as Struct[])[0]!;
}

/** Headers of the batches of partition 0 below the high watermark. */
export async function storedBatches(bootstrap: string, topic: string): Promise<BatchHeader[]> {
  const client = await leaderOf(bootstrap, topic);
  const { records } = await fetched(client, topic);
  client.close();
  return [...batchHeaders(records as Buffer)];
}
