// A cluster and a client process for rows about transactions.
import type { Part } from '../part.ts';
import { startCluster } from '../product/cluster.ts';
import type { Room } from '../room.ts';

/** Between two transactions that are to have nothing to do with each other. */
export const PAUSE_MS = 20;

/** @param partitions Of the topic. */
export async function startTransactions(room: Room, partitions = 1): Promise<{ readonly client: Part }> {
  const cluster = await startCluster(room, 'kafka', partitions);
  const client = await room.part('our-transactions');
  await client.call('connect', cluster.reach);
  return { client };
}
