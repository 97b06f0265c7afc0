// The cluster that clients of npm meet. In `npm test` real cores serve them in this process, over real sockets, so that what is
// seen costs no processes; with HIGHWATER_SERVED_BY=processes (npm run test:clients) the same files meet a cluster of processes.
import type { FaultSpec } from '../../../src/protocol/generated/index.ts';
import { RealCluster } from '../../kafka/real-broker.ts';
import { startHighwater } from './highwater.ts';

const BROKERS = 3;

export interface Served {
  /** "127.0.0.1:port" of every broker. */
  readonly bootstrap: string;
  /** Of the brokers 1, 2, 3. */
  readonly ports: readonly number[];
  kill(id: number): Promise<void>;
  /** Starts a killed broker again, with its data. */
  restart(id: number): Promise<void>;
  /** Empty if armed, else why not. */
  arm(fault: FaultSpec): Promise<string>;
  disarmAll(): Promise<void>;
  close(): Promise<void>;
}

/** Three brokers with "fast" timers. Resolves when all serve. */
export function serve(config: Readonly<Record<string, string>>): Promise<Served> {
  return process.env['HIGHWATER_SERVED_BY'] === 'processes' ? byProcesses(config) : byCores(config);
}

async function byProcesses(config: Readonly<Record<string, string>>): Promise<Served> {
  const { bootstrap, ports, running, kill, restart, close } = await startHighwater({ config });
  const { faults } = running.agent;
  return {
    ...{ bootstrap, ports, kill, restart, close },
    arm: (fault) => faults.arm(fault),
    disarmAll: async () => void (await faults.disarm('*')),
  };
}

async function byCores(config: Readonly<Record<string, string>>): Promise<Served> {
  const cluster = await RealCluster.start({ brokers: BROKERS, config });
  const { sim, bootstrap } = cluster;
  return {
    ...{ bootstrap, ports: sim.brokerIds.map((id) => cluster.port(id)) },
    kill: (id) => Promise.resolve(cluster.kill(id)),
    restart: (id) => cluster.restart(id),
    arm: (fault) => Promise.resolve(sim.arm(fault)),
    disarmAll: () => Promise.resolve(sim.disarm('*')),
    close: () => cluster.close(),
  };
}
