// The other agents of a cluster in containers, as one of them meets them: what it missed while it was dead or frozen, and
// their hand for a fault that strikes one of their nodes.
import type { FaultAction } from '../protocol/generated/index.ts';
import type { Affliction } from './affliction.ts';
import { newest } from './affliction.ts';
import { agentClient, type AgentMethods } from './agent-client.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import { hostOf, type ClusterState } from './home.ts';
import { ManyAgents } from './many-agents.ts';
import type { Refused } from './node-link.ts';

/** How long the others get to answer; one that is dead or starts at the same time has nothing to tell. */
const ASK_MS = 1000;
/** How often it is asked what the others know, if changes go on coming. */
const ROUNDS = 10;
const ACT_MS = 15_000;

/** Actions on a node that an agent carries out. */
const METHODS: Readonly<Record<string, 'KillNode' | 'StopNode' | 'StartNode' | 'PauseNode' | 'ResumeNode'>> = {
  kill: 'KillNode',
  stop: 'StopNode',
  start: 'StartNode',
  pause: 'PauseNode',
  resume: 'ResumeNode',
};

export class Peers {
  readonly #state: ClusterState;
  readonly #own: readonly number[];

  /** @param own The nodes whose agent this is. */
  constructor(state: ClusterState, own: readonly number[]) {
    this.#state = state;
    this.#own = own;
  }

  /**
   * Takes over what the others know better. Answers what was refused. A change may come to all while this asks, so it asks
   * until nobody knows better and nothing has come.
   */
  async catchUp(faults: ClusterFaults): Promise<Refused> {
    const others = this.#state.nodes.filter(({ id }) => !this.#own.includes(id));
    let refused: Refused = '';
    for (let round = 0; round < ROUNDS; round++) {
      const mine = faults.affliction;
      const told = await Promise.all(others.map((node) => this.#afflictionOf(node)));
      const best = newest(mine, told);
      const came = faults.affliction.changes !== mine.changes;
      if (best === mine && !came) break;
      if (best !== mine && !came) refused = await faults.adopt(best, mine.changes);
    }
    return refused;
  }

  /** Has the agent of the target carry an action out. */
  async act(action: FaultAction): Promise<Refused> {
    const method = METHODS[action.kind];
    if (method === undefined)
      return `${action.kind} cannot be aimed from a point; use it by itself: highwater fault add --do ${action.kind}`;
    const agents = new ManyAgents(this.#state);
    try {
      const request = { id: Number(action.target), cause: 'a fault at another node', wipe: false, truncateTail: 0 };
      return (await agents.call(method, request, ACT_MS)).refused;
    } finally {
      agents.close();
    }
  }

  async #afflictionOf(node: ClusterState['nodes'][number]): Promise<Affliction | null> {
    const { secret, agent } = this.#state;
    const at = { host: hostOf(this.#state, node), agent: { ...agent, port: node.agentPort ?? agent.port }, secret };
    const remote = agentClient(at);
    try {
      const place: AgentMethods['DescribePlace']['response'] = await remote.call('DescribePlace', {}, ASK_MS);
      return place.affliction;
    } catch {
      return null;
    } finally {
      remote.close();
    }
  }
}
