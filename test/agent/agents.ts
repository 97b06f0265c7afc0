// Agents of a cluster in which each node has one, without the nodes: real agents with real services on loopback, in folders
// of the test's own. Each can be killed, as far as others can tell, and comes back with what it remembers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAffliction, writeAffliction } from '../../src/agent/affliction.ts';
import type { ClusterState } from '../../src/agent/home.ts';
import { ManyAgents } from '../../src/agent/many-agents.ts';
import { Peers } from '../../src/agent/peers.ts';
import { freePorts } from '../../src/agent/ports.ts';
import { makeFolder } from '../../src/agent/make-folder.ts';
import { runAgent, type RunningAgent } from '../../src/agent/run-agent.ts';

const SECRET = 'a secret of 16 characters';
export const NODES = [1, 2, 3] as const;

export class Agents {
  readonly state: ClusterState;
  readonly all: ManyAgents;
  readonly #folder: string;
  readonly #running = new Map<number, RunningAgent>();

  private constructor(state: ClusterState, folder: string) {
    this.state = state;
    this.#folder = folder;
    this.all = new ManyAgents(state);
  }

  /** All of them run. */
  static async start(): Promise<Agents> {
    const folder = mkdtempSync(join(tmpdir(), 'highwater-agents-'));
    const ports = await freePorts({ host: '127.0.0.1', count: 3, consecutive: false, taken: new Set() });
    const nodes = NODES.map((id, index) => ({
      ...{ id, role: 'broker' as const, pid: 0, startTime: '', dataDir: join(folder, `node-${id}`) },
      ...{ grpcPort: 1, kafkaPort: 2, host: '127.0.0.1', agentPort: ports[index]! },
    }));
    const agent = { pid: 0, startTime: '', port: 0 };
    const agents = new Agents(
      {
        ...{ version: 1, name: 'agents', dir: folder, secret: SECRET, timers: 'fast', host: '127.0.0.1', config: {} },
        ...{ agent, nodes },
      },
      folder,
    );
    for (const id of NODES) await agents.revive(id);
    return agents;
  }

  /** Starts one as a container does: with what it remembers, and what the others know better. */
  async revive(id: number): Promise<RunningAgent> {
    const port = this.state.nodes.find((node) => node.id === id)!.agentPort!;
    const dir = join(this.#folder, `agent-${id}`);
    makeFolder(dir);
    const memory = join(dir, 'affliction.json');
    const mine = { ...this.state, dir, agent: { ...this.state.agent, port } };
    const running = await runAgent(mine, {
      ...{ home: dir, program: '/none', own: [] },
      onAffliction: (now) => writeAffliction(memory, now),
      beforeStart: async (agent) => {
        await agent.faults.adopt(readAffliction(memory));
        await new Peers(this.state, [id]).catchUp(agent.faults);
      },
    });
    this.#running.set(id, running);
    return running;
  }

  /** It answers nobody any more. */
  async kill(id: number): Promise<void> {
    await this.#running.get(id)?.close(0);
    this.#running.delete(id);
  }

  /** What one of them says the cluster suffers. */
  knows(id: number) {
    return this.#running.get(id)!.agent.faults.affliction;
  }

  async end(): Promise<void> {
    this.all.close();
    for (const id of [...this.#running.keys()]) await this.kill(id);
    rmSync(this.#folder, { recursive: true });
  }
}
