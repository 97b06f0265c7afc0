// A cluster that runs already, for a run: everything is done through its agents, and everything that the run did to it is
// taken back at the end, however the run ends. What could not be is told.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentMethods } from '../../agent/agent-client.ts';
import { hostOf, type ClusterState } from '../../agent/home.ts';
import { makeFolder } from '../../agent/make-folder.ts';
import type { AgentCalls } from '../../agent/many-agents.ts';
import type { Refused } from '../../agent/node-link.ts';
import type { NodeId } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { FaultSpec, FaultStatus } from '../../protocol/generated/index.ts';
import type { ClusterSetup, NodeState } from '../driver.ts';
import { ClusterCalls } from '../processes/cluster-calls.ts';
import { stateListed, type Hands, type NodesTold } from '../processes/hands.ts';
import { AgentWatch } from './agent-watch.ts';

export interface AttachedClusterOptions {
  /** As it is reached from here. */
  readonly state: ClusterState;
  readonly agents: AgentCalls;
  /** Copies of what its nodes write go there. */
  readonly dir: string;
  /** A fault that nobody takes back, since this process was killed, ends by itself after so long. */
  readonly faultTtlMs: number;
  /** Whether topics stay behind the run. */
  readonly keep: boolean;
  /** Something could not be taken back: a sentence. */
  readonly onTrouble: (sentence: string) => void;
}

type Acts = 'KillNode' | 'PauseNode' | 'ResumeNode' | 'StopNode' | 'StartNode';
type Changes = 'ArmOnAll' | 'DisarmOnAll' | 'ReleaseOnAll' | 'SetLinkBetween' | 'SetSafeguardOnAll';
type Request<K extends keyof AgentMethods> = Omit<AgentMethods[K]['request'], 'lamport'>;

const CALL_MS = 10_000;
/** Of acts that wait for a process. */
const ACT_MS = 40_000;
const WHOLE_WITHIN_MS = 30_000;

export class AttachedCluster implements Hands {
  readonly #options: AttachedClusterOptions;
  #setup: ClusterSetup | undefined;
  #watches: readonly AgentWatch[] = [];
  readonly #armed = new Set<string>();
  readonly #cuts = new Map<string, readonly [NodeId, NodeId]>();
  readonly #off = new Set<Safeguard>();

  constructor(options: AttachedClusterOptions) {
    this.#options = options;
  }

  async open(setup: ClusterSetup, told: NodesTold): Promise<ClusterState> {
    const { state, dir } = this.#options;
    this.#setup = setup;
    const events = join(dir, 'events');
    makeFolder(events);
    const names = new Map(state.nodes.map(({ id, role }) => [id, role === 'controller' ? role : `broker-${id}`]));
    const onLine = (node: NodeId, json: string): void =>
      appendFileSync(join(events, `${names.get(node)}.ndjson`), `${json}\n`, { mode: 0o600 });
    this.#watches = agentsOf(state).map((agent) => new AgentWatch({ ...agent, told, onLine }));
    await Promise.all(this.#watches.map((watch) => watch.begin()));
    for (const safeguard of setup.safeguardsOff) {
      const refused = await this.setSafeguard(safeguard, false);
      if (refused !== '') throw new Error(`safeguard ${safeguard} cannot be switched off: ${refused}`);
    }
    return state;
  }

  async close(): Promise<void> {
    await this.#disarmAll().catch((error: Error) => this.#options.onTrouble(error.message));
    for (const [from, to] of [...this.#cuts.values()])
      await this.#tellIf(`what ${from} sends to ${to} is cut`, this.setLink(from, to, false));
    for (const name of [...this.#off]) await this.#tellIf(`safeguard ${name} is off`, this.setSafeguard(name, true));
    await this.#reviveAll().catch((error: Error) => this.#options.onTrouble(error.message));
    if (this.#setup !== undefined) await this.#leave(this.#setup);
    await Promise.all(this.#watches.map((watch) => watch.close()));
  }

  async arm(fault: FaultSpec): Promise<Refused> {
    const ttlMs = fault.ttlMs > 0 ? fault.ttlMs : this.#options.faultTtlMs;
    this.#armed.add(fault.id);
    return this.#change('ArmOnAll', { fault: { ...fault, ttlMs } });
  }
  /** "*" is what the run has armed: others may have armed something meanwhile. */
  async disarm(id: string): Promise<Refused> {
    const refusals: Refused[] = [];
    for (const each of id === '*' ? this.#armed : [id]) refusals.push(await this.#change('DisarmOnAll', { id: each }));
    return refusals.find((refused) => refused !== '') ?? '';
  }
  release(id: string): Promise<Refused> {
    return this.#change('ReleaseOnAll', { id });
  }
  async faults(): Promise<readonly FaultStatus[]> {
    return (await this.#options.agents.call('ListAllFaults', {}, CALL_MS)).faults;
  }
  async setLink(from: NodeId, to: NodeId, cut: boolean): Promise<Refused> {
    if (cut) this.#cuts.set(`${from} ${to}`, [from, to]);
    const refused = await this.#change('SetLinkBetween', { from, to, cut });
    if (!cut && refused === '') this.#cuts.delete(`${from} ${to}`);
    return refused;
  }
  async setSafeguard(name: Safeguard, on: boolean): Promise<Refused> {
    if (!on) this.#off.add(name);
    const refused = await this.#change('SetSafeguardOnAll', { name, on });
    if (on && refused === '') this.#off.delete(name);
    return refused;
  }

  kill(id: NodeId, cause: string): Promise<Refused> {
    return this.#act('KillNode', { id, cause });
  }
  pause(id: NodeId, cause: string): Promise<Refused> {
    return this.#act('PauseNode', { id, cause });
  }
  resume(id: NodeId): Promise<Refused> {
    return this.#act('ResumeNode', { id, cause: 'the run' });
  }
  stop(id: NodeId, cause: string): Promise<Refused> {
    return this.#act('StopNode', { id, cause });
  }
  start(id: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }): Promise<Refused> {
    return this.#act('StartNode', { id, ...how });
  }
  stateOf(node: NodeId): NodeState | undefined {
    for (const watch of this.#watches) {
      const state = watch.stateOf(node);
      if (state !== undefined) return state;
    }
    return undefined;
  }

  async #change<K extends Changes>(method: K, request: Request<K>): Promise<Refused> {
    return (await this.#options.agents.call(method, request, CALL_MS)).refused;
  }

  async #act<K extends Acts>(method: K, request: Request<K>): Promise<Refused> {
    return (await this.#options.agents.call(method, request, ACT_MS)).refused;
  }

  // ---- the end

  async #disarmAll(): Promise<void> {
    await this.disarm('*');
    const left = (await this.faults()).flatMap(({ fault }) => (this.#armed.has(fault?.id ?? '') ? [fault!.id] : []));
    for (const id of left) this.#options.onTrouble(`fault ${id} is armed still. Use: highwater fault rm ${id}`);
  }

  /** Resumes what is paused and starts what is down, whoever did it. */
  async #reviveAll(): Promise<void> {
    const { nodes } = await this.#options.agents.call('ListNodes', {}, CALL_MS);
    const controllerFirst = [...nodes].sort(
      (a, b) => Number(b.role === 'controller') - Number(a.role === 'controller'),
    );
    for (const node of controllerFirst) {
      const is = stateListed(node);
      if (is === 'paused') await this.#tellIf(`node ${node.id} is frozen`, this.resume(node.id));
      if (is === 'down') {
        await this.#tellIf(`node ${node.id} is down`, this.start(node.id, { wipe: false, truncateTail: 0 }));
      }
    }
  }

  /** Waits until all brokers are members again, and deletes the topics of the run. A call that fails is made again. */
  async #leave({ cluster, topics }: ClusterSetup): Promise<void> {
    const { state, keep, onTrouble } = this.#options;
    const calls = new ClusterCalls(state);
    const end = performance.now() + WHOLE_WITHIN_MS;
    const untilDone = async (what: string, attempt: () => Promise<string | undefined>): Promise<void> => {
      for (;;) {
        const why = await attempt().catch((error: Error) => `the controller did not answer: ${error.message}`);
        if (why === undefined) return;
        if (performance.now() > end) return onTrouble(`${what}: ${why}`);
        await sleep(50);
      }
    };
    try {
      await untilDone('not all brokers are members again', async () =>
        (await calls.ready(cluster.brokers, [])) ? undefined : 'see highwater status',
      );
      if (keep) return;
      for (const { name } of topics) {
        await untilDone(`topic ${name} was not deleted`, async () =>
          (await calls.topicNames()).includes(name)
            ? new Promise<string | undefined>((resolve) => calls.deleteTopic(name, resolve))
            : undefined,
        );
      }
    } finally {
      calls.close();
    }
  }

  async #tellIf(still: string, act: Promise<Refused>): Promise<void> {
    const refused = await act.catch((error: Error) => error.message);
    if (refused !== '') this.#options.onTrouble(`${still} still: ${refused}`);
  }
}

/** The agents of a cluster, each with its nodes. */
function agentsOf(state: ClusterState) {
  const { secret } = state;
  const agents = new Map<string, { host: string; port: number; secret: string; nodes: ClusterState['nodes'] }>();
  for (const node of state.nodes) {
    const [host, port] = [hostOf(state, node), node.agentPort ?? state.agent.port];
    const known = agents.get(`${host}:${port}`);
    if (known === undefined) agents.set(`${host}:${port}`, { host, port, secret, nodes: [node] });
    else known.nodes.push(node);
  }
  return [...agents.values()];
}
