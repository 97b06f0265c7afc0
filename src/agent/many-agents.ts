// The agents of a cluster whose nodes have one each or share one (containers, hosts), called as if they were one. What concerns a node goes
// to its agent, what concerns the cluster to all. An agent that does not answer is dead with its node: it refuses nothing and
// asks the others for what it missed when it comes back; but nobody can start its node from here.
import { addStatus, emptyStatus } from '../fault/sum-status.ts';
import { CONTROLLER_ID } from '../base/units.ts';
import type * as pb from '../protocol/generated/index.ts';
import { CallFailed } from '../rpc/remote-service.ts';
import { agentClient, type AgentClient, type AgentMethods } from './agent-client.ts';
import { hostOf, type ClusterState, type NodeState } from './home.ts';

type Method = keyof AgentMethods;
type Request<K extends Method> = Omit<AgentMethods[K]['request'], 'lamport'>;
type Response<K extends Method> = AgentMethods[K]['response'];

/** What commands and other agents need of one agent or of many. */
export type AgentCalls = Pick<AgentClient, 'call' | 'close'>;

interface Member {
  /** The nodes that it supervises. */
  readonly nodes: NodeState[];
  readonly agent: AgentClient;
}
interface Answer<K extends Method> {
  readonly nodes: readonly NodeState[];
  /** Undefined: it does not answer. */
  readonly response: Response<K> | undefined;
}

const NOT_ANSWERING: ReadonlySet<string> = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED']);

/** What a list says of a node whose agent does not answer. */
const SILENT = 'its container does not answer';

/** How long a list waits for an agent that may be gone. */
const LIST_MS = 4000;

export class ManyAgents implements AgentCalls {
  readonly #members: readonly Member[];

  /** @param state A cluster of which each node has an agent. */
  constructor(state: ClusterState) {
    const { secret } = state;
    const members = new Map<string, Member>();
    for (const node of state.nodes) {
      const [host, port] = [hostOf(state, node), node.agentPort ?? state.agent.port];
      const known = members.get(`${host}:${port}`);
      if (known !== undefined) known.nodes.push(node);
      else {
        const agent = agentClient({ host, agent: { ...state.agent, port }, secret });
        members.set(`${host}:${port}`, { nodes: [node], agent });
      }
    }
    this.#members = [...members.values()];
  }

  call<K extends Method>(name: K, request: Request<K>, timeoutMs: number): Promise<Response<K>> {
    const answer = (): Promise<unknown> => {
      switch (name) {
        case 'ListNodes':
          return this.#listNodes(Math.min(timeoutMs, LIST_MS));
        case 'ListAllFaults':
          return this.#listFaults(Math.min(timeoutMs, LIST_MS));
        case 'ArmOnAll':
          return this.#arm(request as Request<'ArmOnAll'>, timeoutMs);
        case 'Shutdown':
          return this.#shutDown(request as Request<'Shutdown'>, timeoutMs);
        case 'DescribePlace':
          return this.#firstOf(name, request, timeoutMs);
        case 'DisarmOnAll':
        case 'ReleaseOnAll':
        case 'SetLinkBetween':
        case 'SetSafeguardOnAll':
        case 'LendSettings':
        case 'Heal':
        case 'Advertise':
          return this.#onAll(name, request, timeoutMs);
        default:
          return this.#onOne(name, request, timeoutMs);
      }
    };
    return answer() as Promise<Response<K>>;
  }

  close(): void {
    for (const { agent } of this.#members) agent.close();
  }

  async #onOne<K extends Method>(name: K, request: Request<K>, timeoutMs: number): Promise<pb.NodeAck> {
    const { id } = request as unknown as { readonly id: number };
    const member = this.#members.find(({ nodes }) => nodes.some((node) => node.id === id));
    if (member === undefined) {
      const known = this.#members.flatMap(({ nodes }) => nodes.map((node) => node.id)).join(', ');
      return { lamport: 0, refused: `no node ${id}. Nodes: ${known}`, node: null };
    }
    const { response } = await ask(member, name, request, timeoutMs);
    const container = id === CONTROLLER_ID ? 'controller' : `broker-${id}`;
    const refused = `node ${id}: ${SILENT}. If it does not run, start it, e.g.: docker compose start ${container}`;
    return (response as pb.NodeAck | undefined) ?? { lamport: 0, refused, node: null };
  }

  async #onAll<K extends Method>(name: K, request: Request<K>, timeoutMs: number): Promise<pb.FaultAck> {
    const answers = await this.#askAll(name, request, timeoutMs);
    const refusals = answers.map((response) => (response as { readonly refused: string }).refused);
    // One that came back a moment ago may not know of what the others know.
    const done = name === 'DisarmOnAll' && refusals.includes('');
    return { lamport: 0, refused: done ? '' : [...new Set(refusals)].filter((each) => each !== '').join('; ') };
  }

  /** Refused as a whole if one refuses. */
  async #arm(request: Request<'ArmOnAll'>, timeoutMs: number): Promise<pb.FaultAck> {
    const ack = await this.#onAll('ArmOnAll', request, timeoutMs);
    if (ack.refused !== '') await this.#onAll('DisarmOnAll', { id: request.fault?.id ?? '' }, timeoutMs);
    return ack;
  }

  async #listNodes(timeoutMs: number): Promise<pb.ListNodesResponse> {
    const answers = await Promise.all(this.#members.map((member) => ask(member, 'ListNodes', {}, timeoutMs)));
    const nodes = answers.flatMap(({ nodes: own, response }) => own.map((node) => statusOf(node, response)));
    if (answers.every(({ response }) => response === undefined)) throw nobody();
    return { lamport: 0, nodes: nodes.sort((a, b) => a.id - b.id) };
  }

  async #listFaults(timeoutMs: number): Promise<pb.ListFaultsResponse> {
    const answers = await this.#askAll('ListAllFaults', {}, timeoutMs);
    const sums = new Map<string, pb.FaultStatus>();
    for (const status of answers.flatMap(({ faults }) => faults)) {
      if (status.fault === null) continue;
      const sum = sums.get(status.fault.id) ?? emptyStatus(status.fault as pb.FaultSpec);
      addStatus(sum, status);
      sums.set(status.fault.id, sum);
    }
    const safeguardsOff = [...new Set(answers.flatMap((answer) => answer.safeguardsOff))];
    const cuts = new Map(answers.flatMap((each) => each.cuts).map((cut) => [`${cut.from}>${cut.to}`, cut]));
    return { lamport: 0, faults: [...sums.values()], cutTo: [], safeguardsOff, cuts: [...cuts.values()] };
  }

  /** Brokers first: they hand their partitions over while the controller lives. */
  async #shutDown(request: Request<'Shutdown'>, timeoutMs: number): Promise<pb.NodeAck> {
    const controls = ({ nodes }: Member): boolean => nodes.some(({ role }) => role === 'controller');
    for (const members of [this.#members.filter((each) => !controls(each)), this.#members.filter(controls)])
      await Promise.all(members.map((member) => ask(member, 'Shutdown', request, timeoutMs)));
    return { lamport: 0, refused: '', node: null };
  }

  async #firstOf<K extends Method>(name: K, request: Request<K>, timeoutMs: number): Promise<Response<K>> {
    const [first] = await this.#askAll(name, request, timeoutMs);
    return first!;
  }

  /** Asks all; at least one must answer. */
  async #askAll<K extends Method>(name: K, request: Request<K>, timeoutMs: number): Promise<Response<K>[]> {
    const answers = await Promise.all(this.#members.map((member) => ask(member, name, request, timeoutMs)));
    const responses = answers.flatMap(({ response }) => (response === undefined ? [] : [response]));
    if (responses.length === 0) throw nobody();
    return responses;
  }
}

/** A node as its agent tells it, at the ports where it is found from here. */
function statusOf({ id, role, grpcPort, kafkaPort }: NodeState, response?: pb.ListNodesResponse): pb.NodeStatus {
  const told = response?.nodes.find((status) => status.id === id);
  const ports = { grpcPort, kafkaPort };
  if (told !== undefined) return { ...told, ...ports };
  const exit = { exitCode: -1, exitSignal: '', cause: SILENT };
  return { id, role, pid: 0, state: 'dead', ...exit, ...ports, dataDir: '', starts: 0, outdated: false };
}

function nobody(): CallFailed {
  return new CallFailed('UNAVAILABLE', 'no agent of the cluster answers');
}

async function ask<K extends Method>(
  { nodes, agent }: Member,
  name: K,
  request: Request<K>,
  timeoutMs: number,
): Promise<Answer<K>> {
  try {
    return { nodes, response: await agent.call(name, request, timeoutMs) };
  } catch (error) {
    if (!(error instanceof CallFailed) || !NOT_ANSWERING.has(error.code)) throw error;
    return { nodes, response: undefined };
  }
}
