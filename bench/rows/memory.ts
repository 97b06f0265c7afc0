// What a broker holds of memory when it has just been started and nothing happens.
import { setTimeout as delay } from 'node:timers/promises';
import { figure } from '../figures.ts';
import { residentMib } from '../processes.ts';
import { startCluster } from '../product/cluster.ts';
import type { Row } from './row.ts';

const IDLE_MS = 10_000;

export const memory: Row = {
  name: 'memory',
  about: 'resident memory of a fresh broker, idle for 10 s',
  run: async (room) => {
    const cluster = await startCluster(room, 'kafka');
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
