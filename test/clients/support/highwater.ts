// Highwater's own processes for clients to meet: three brokers and a controller, started by an agent in the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterState } from '../../../src/agent/home.ts';
import { layOut } from '../../../src/agent/new-cluster.ts';
import { runAgent, type RunningAgent } from '../../../src/agent/run-agent.ts';
import { programPath } from '../../../src/cli/version.ts';
import { listedBrokers } from './listed-brokers.ts';
import { STATE_MS, until } from './until.ts';

const BROKERS = 3;
const GRACE_MS = 10_000;

export interface Highwater {
  /** "127.0.0.1:port" of every broker. */
  readonly bootstrap: string;
  readonly ports: readonly number[];
  readonly state: ClusterState;
  readonly running: RunningAgent;
  kill(id: number): Promise<void>;
  /** Starts a killed node again, with its data, and waits until all brokers are listed. */
  restart(id: number): Promise<void>;
  close(): Promise<void>;
}

export interface HighwaterOptions {
  readonly timers?: 'kafka' | 'fast';
  readonly config?: Readonly<Record<string, string>>;
}

/** Resolves when every broker lists all brokers. */
export async function startHighwater({ timers = 'fast', config = {} }: HighwaterOptions = {}): Promise<Highwater> {
  const home = mkdtempSync(join(tmpdir(), 'highwater-clients-'));
  const state = await layOut({
    ...{ name: 'clients', home, brokers: BROKERS, dir: undefined, timers, host: '127.0.0.1', portBase: 0 },
    config,
  });
  const running = await runAgent(state, { home, program: programPath('node') });
  const ports = state.nodes.filter(({ role }) => role === 'broker').map(({ kafkaPort }) => kafkaPort);
  const listed = () => Promise.all(ports.map((port) => listedBrokers(port)));
  const complete = () =>
    until('all brokers listed by all', listed, (counts) => counts.every((count) => count === BROKERS), STATE_MS);
  const close = async (): Promise<void> => {
    await running.close(GRACE_MS);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await complete();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ bootstrap: ports.map((port) => `127.0.0.1:${port}`).join(','), ports, state, running, close },
    kill: async (id) => {
      await running.agent.killNode(id, 'test');
    },
    restart: async (id) => {
      const refused = await running.agent.startNode(id, { wipe: false, truncateTail: 0 });
      if (refused !== '') throw new Error(refused);
      await complete();
    },
  };
}
