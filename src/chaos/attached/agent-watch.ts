// What one agent of a cluster that runs already can tell of its nodes, looked at again and again: events as they are written,
// and states, each behind the events that came before it. An agent that is gone took its nodes with it.
import { setTimeout as sleep } from 'node:timers/promises';
import { agentClient, type AgentClient } from '../../agent/agent-client.ts';
import type { NodeId } from '../../base/units.ts';
import type { NodeStatus } from '../../protocol/generated/index.ts';
import { CallFailed } from '../../rpc/remote-service.ts';
import type { Stamped } from '../../trace/events.ts';
import type { NodeState } from '../driver.ts';
import { stateListed, type NodesTold } from '../processes/hands.ts';
import { NodeTrace } from './node-trace.ts';

export interface AgentWatchOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** Nodes that it supervises. */
  readonly nodes: readonly { readonly id: NodeId; readonly role: 'broker' | 'controller' }[];
  readonly told: NodesTold;
  /** Hears each event as the node wrote it. */
  readonly onLine: (node: NodeId, json: string) => void;
}

interface Watched {
  readonly id: NodeId;
  readonly trace: NodeTrace;
  state: NodeState | undefined;
  starts: number;
}

const LOOK_MS = 30;
const ANSWER_MS = 3000;
/** A trace is followed within this, or the agent cannot be used. */
const BEGUN_WITHIN_MS = 15_000;
/** Who leads, and who is a member, follows from these from the first on. */
const METADATA = ['metadata.committed'];

export class AgentWatch {
  readonly #options: AgentWatchOptions;
  readonly #client: AgentClient;
  readonly #watched: readonly Watched[];
  #closed = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: AgentWatchOptions) {
    const { host, port, secret, nodes, told, onLine } = options;
    this.#options = options;
    this.#client = agentClient({ host, agent: { pid: 0, startTime: '', port }, secret });
    this.#watched = nodes.map(({ id, role }) => {
      const onEvent = (stamped: Stamped, json: string): void => {
        onLine(id, json);
        told.event(stamped);
      };
      const old = role === 'controller' ? METADATA : [];
      return {
        ...{ id, state: undefined, starts: 0 },
        trace: new NodeTrace({ node: id, agent: { host, port, secret }, old, onEvent }),
      };
    });
  }

  /** Resolves when everything from now on will be told. Rejects if the agent does not serve its events. */
  async begin(): Promise<void> {
    for (const { trace } of this.#watched) void trace.follow();
    const begun = Promise.all(this.#watched.map(({ trace }) => trace.begun));
    const late = AbortSignal.timeout(BEGUN_WITHIN_MS);
    await Promise.race([begun, new Promise((resolve) => late.addEventListener('abort', resolve))]);
    if (late.aborted) {
      const { host, port } = this.#options;
      throw new Error(`the agent at ${host}:${port} does not tell the events of its nodes`);
    }
    await this.#look();
    this.#looking = this.#lookOn();
  }

  stateOf(node: NodeId): NodeState | undefined {
    return this.#watched.find(({ id }) => id === node)?.state;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { trace } of this.#watched) trace.close();
    await this.#looking;
    this.#client.close();
  }

  async #lookOn(): Promise<void> {
    while (!this.#closed) {
      await sleep(LOOK_MS);
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const statuses = await this.#statuses();
    for (const node of this.#watched) {
      const status = statuses?.find(({ id }) => id === node.id);
      if (status !== undefined) await this.#seen(node, status);
    }
  }

  /** Undefined if it does not say: it may be frozen. */
  async #statuses(): Promise<readonly NodeStatus[] | undefined> {
    try {
      return (await this.#client.call('ListNodes', {}, ANSWER_MS)).nodes;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.code !== 'UNAVAILABLE') return undefined;
      for (const node of this.#watched) await this.#becomes(node, 'down', 'SIGKILL');
      return undefined;
    }
  }

  async #seen(node: Watched, status: NodeStatus): Promise<void> {
    const state = stateListed(status);
    // It died and was started again between two looks.
    if (node.starts !== 0 && status.starts > node.starts && state !== 'down') await this.#becomes(node, 'down', '');
    node.starts = status.starts;
    await this.#becomes(node, state, status.exitSignal);
  }

  async #becomes(node: Watched, state: NodeState, signal: string): Promise<void> {
    if (state === node.state) return;
    if (state === 'down') await node.trace.catchUp();
    if (this.#closed) return;
    node.state = state;
    if (state === 'down') this.#options.told.exited(node.id, signal);
    this.#options.told.state(node.id, state);
  }
}
