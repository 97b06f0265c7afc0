// A cluster of the run's own as real processes on this machine: an agent in this process, nodes in theirs. One loop looks at
// event files and process states; a node's events are told before its death is. Nothing of it outlives the run but its files.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { clusterFolder, type ClusterState } from '../../agent/home.ts';
import { NODE_FILES } from '../../agent/layout.ts';
import { layOut } from '../../agent/new-cluster.ts';
import type { Refused } from '../../agent/node-link.ts';
import { runAgent, type RunningAgent } from '../../agent/run-agent.ts';
import type { NodeId } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { FaultSpec, FaultStatus } from '../../protocol/generated/index.ts';
import type { ClusterSetup, NodeState } from '../driver.ts';
import { EventReader } from './event-reader.ts';
import { stateListed, type Hands, type NodesTold } from './hands.ts';

export interface OwnClusterOptions {
  /** Name of the cluster, for `highwater down` should this process die. */
  readonly name: string;
  readonly home: string;
  /** Its data goes there; it must be new or empty. */
  readonly dir: string;
  /** dist/node/main.js. */
  readonly program: string;
}

interface Watched {
  readonly id: NodeId;
  readonly reader: EventReader;
  state: NodeState;
}

const LOOK_MS = 5;

export class OwnCluster implements Hands {
  readonly #options: OwnClusterOptions;
  #running: RunningAgent | undefined;
  #told: NodesTold | undefined;
  #watched: readonly Watched[] = [];
  #looking: NodeJS.Timeout | undefined;

  constructor(options: OwnClusterOptions) {
    this.#options = options;
  }

  async open({ cluster, safeguardsOff }: ClusterSetup, told: NodesTold): Promise<ClusterState> {
    const { name, home, dir, program } = this.#options;
    const { brokers, timers, racks = [] } = cluster;
    const config = Object.fromEntries(Object.entries(cluster.config).map(([key, value]) => [key, String(value)]));
    const laidOut = await layOut({ name, home, brokers, dir, timers, host: '127.0.0.1', portBase: 0, config, racks });
    this.#running = await runAgent(laidOut, { home, program, safeguardsOff });
    const { state } = this.#running.agent;
    this.#told = told;
    this.#watched = state.nodes.map(({ id, dataDir }) => {
      return { id, reader: new EventReader(join(dataDir, NODE_FILES.events)), state: 'down' };
    });
    this.#look();
    return state;
  }

  async close(): Promise<void> {
    const nodes = this.#running?.agent.list() ?? [];
    await Promise.all(nodes.map(({ id }) => this.#running?.agent.killNode(id, 'the run is over')));
    clearTimeout(this.#looking);
    if (this.#running !== undefined) this.#lookOnce();
    this.#told = undefined;
    await this.#running?.close(0);
    rmSync(clusterFolder(this.#options.name, this.#options.home), { recursive: true, force: true });
  }

  arm(fault: FaultSpec): Promise<Refused> {
    return this.#agent.faults.arm(fault);
  }
  disarm(id: string): Promise<Refused> {
    return this.#agent.faults.disarm(id);
  }
  release(id: string): Promise<Refused> {
    return this.#agent.faults.release(id);
  }
  async faults(): Promise<readonly FaultStatus[]> {
    return (await this.#agent.faults.list()).faults;
  }
  setLink(from: NodeId, to: NodeId, cut: boolean): Promise<Refused> {
    return this.#agent.faults.setLink(from, to, cut);
  }
  setSafeguard(name: Safeguard, on: boolean): Promise<Refused> {
    return this.#agent.faults.setSafeguard(name, on);
  }

  /** One that is gone already is as good as killed. */
  async kill(node: NodeId, cause: string): Promise<Refused> {
    await this.#agent.killNode(node, cause);
    return '';
  }
  pause(node: NodeId, cause: string): Promise<Refused> {
    return Promise.resolve(this.#agent.pauseNode(node, cause));
  }
  resume(node: NodeId): Promise<Refused> {
    return this.#agent.resumeNode(node);
  }
  stop(node: NodeId, cause: string): Promise<Refused> {
    return this.#agent.stopNode(node, cause);
  }
  start(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }): Promise<Refused> {
    return this.#agent.startNode(node, how);
  }
  stateOf(node: NodeId): NodeState | undefined {
    return this.#watched.find(({ id }) => id === node)?.state;
  }

  get #agent(): Agent {
    if (this.#running === undefined) throw new Error('the cluster of this run was not started');
    return this.#running.agent;
  }

  /** Again and again, until `close`. */
  #look(): void {
    this.#lookOnce();
    this.#looking = setTimeout(() => this.#look(), LOOK_MS);
  }

  #lookOnce(): void {
    const statuses = new Map(this.#agent.list().map((status) => [status.id, status]));
    for (const node of this.#watched) {
      const status = statuses.get(node.id);
      const state = status === undefined ? 'down' : stateListed(status);
      for (const stamped of node.reader.read()) this.#told?.event(stamped);
      if (state === node.state) continue;
      node.state = state;
      if (state === 'down') {
        node.reader.forgetTornLine();
        this.#told?.exited(node.id, status?.exitSignal ?? '');
      }
      this.#told?.state(node.id, state);
    }
  }
}
