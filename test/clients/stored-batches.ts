// Reads a partition's batches as they are stored, over the wire protocol itself: what no client library shows.
import { batchHeaders, type BatchHeader } from '../../src/protocol/batch-header.ts';
import { FETCH, fetchBody, fetchPartition, METADATA, metadataBody } from '../kafka/bodies.ts';
import type { Struct } from '../kafka/generic-codec.ts';
import { RawClient } from '../kafka/raw-client.ts';

const portOf = (bootstrap: string) => Number(bootstrap.slice(bootstrap.lastIndexOf(':') + 1));

/** A connection to the leader of partition 0. */
export async function leaderOf(bootstrap: string, topic: string): Promise<RawClient> {
  const any = new RawClient(portOf(bootstrap));
  const { body } = await any.ask(METADATA, 4, metadataBody([topic]));
  any.close();
  const partitions = (body['topics'] as Struct[])[0]!['partitions'] as Struct[];
  const leaderId = partitions.find(({ partitionIndex }) => partitionIndex === 0)!['leaderId'];
  const leader = (body['brokers'] as Struct[]).find(({ nodeId }) => nodeId === leaderId)!;
  return new RawClient(leader['port'] as number);
}

/** Headers of the batches of partition 0 below the high watermark. */
export async function storedBatches(bootstrap: string, topic: string): Promise<BatchHeader[]> {
  const client = await leaderOf(bootstrap, topic);
  const { body } = await client.ask(FETCH, 4, fetchBody({ topics: [{ topic, partitions: [fetchPartition()] }] }));
  client.close();
  const [response] = (body['responses'] as Struct[])[0]!['partitions'] as Struct[];
  return [...batchHeaders(response!['records'] as Buffer)];
}
