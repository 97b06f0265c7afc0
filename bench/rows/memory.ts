// What a broker holds of memory when it has just been started, coordinates, and nothing happens.
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../src/client/index.ts';
import { figure } from '../figures.ts';
import { residentMib } from '../processes.ts';
import { startCluster, type Reach } from '../product/cluster.ts';
import type { Row } from './row.ts';

const IDLE_MS = 10_000;

export const memory: Row = {
  name: 'memory',
  about: 'resident memory of a fresh broker with internal topics, idle for 10 s',
  run: async (room) => {
    const cluster = await startCluster(room, 'kafka');
    await createInternalTopics(cluster.reach);
    await delay(IDLE_MS);
    const resident = figure(cluster.brokerPids().map(residentMib), 'MiB');
    return [
      {
        ...{ row: 'memory', what: 'resident memory of a broker, idle 10 s (three brokers)', figure: resident },
        ...{ judged: resident, bar: { kind: 'at most', value: 120 } },
      },
    ];
  },
};

/** Both coordinators' topics, 50 partitions each, which the first question after them creates. */
async function createInternalTopics(reach: Reach): Promise<void> {
  const client = await connect(reach);
  await client.producer({ 'transactional.id': 'bench' }).initTransactions();
  await client.admin().transactions.findCoordinator('group', 'bench');
  await client.close(0);
}
