// What a storm does to a running cluster: one strike at a time, drawn from a seed, each undone before the next. Everything
// goes through the agents, so a laptop and containers are struck alike.
import type { Prng } from '../../base/prng.ts';
import { CONTROLLER_ID, type NodeId } from '../../base/units.ts';
import { faultSpec } from '../../fault/spec.ts';
import type { AgentCalls } from '../../agent/many-agents.ts';
import { CallFailed } from '../../rpc/remote-service.ts';

/** One thing done to a node, and how it is undone. */
export interface Strike {
  readonly kind: StrikeKind;
  readonly node: NodeId;
  /** The other end of a cut link; the node itself if there is none. */
  readonly other: NodeId;
  /** How long it lasts. */
  readonly forMs: number;
}
export type StrikeKind = 'kill' | 'stop' | 'pause' | 'cut' | 'drop';

const KINDS: readonly StrikeKind[] = ['kill', 'stop', 'pause', 'cut', 'drop'];
/** The controller fetches nothing. */
const KINDS_OF_CONTROLLER: readonly StrikeKind[] = ['kill', 'stop', 'pause', 'cut'];
/** Most strikes are short… */
const SHORTEST_MS = 200;
const SHORT_MS = 1200;
/** …and some last longer than sessions do. */
const LONG_CHANCE = 0.2;
const LONG_MS = 2500;
const LONGEST_MS = 4500;
/** The controller is struck this often; a cluster without one changes nothing. */
const CONTROLLER_CHANCE = 0.15;
/** Of the fetch answers to a follower so many are lost. */
const DROP_CHANCE = 0.4;
const CALL_MS = 40_000;
const FAULT = 'storm';

/** The next strike. */
export function drawStrike(random: Prng, brokers: readonly NodeId[]): Strike {
  const forMs = random.chance(LONG_CHANCE)
    ? LONG_MS + random.below(LONGEST_MS - LONG_MS)
    : SHORTEST_MS + random.below(SHORT_MS - SHORTEST_MS);
  const isController = random.chance(CONTROLLER_CHANCE);
  const node = isController ? CONTROLLER_ID : oneOf(random, brokers);
  const kind = oneOf(random, isController ? KINDS_OF_CONTROLLER : KINDS);
  const others = brokers.filter((id) => id !== node);
  const other = others.length > 0 ? oneOf(random, others) : CONTROLLER_ID;
  return { kind, node, other: kind === 'cut' ? other : node, forMs };
}

function oneOf<T>(random: Prng, values: readonly T[]): T {
  return values[random.below(values.length)]!;
}

/** Carries it out. Answers why not, if it could not be. */
export function strike(agent: AgentCalls, { kind, node, other }: Strike): Promise<string> {
  const at = { id: node, cause: FAULT };
  switch (kind) {
    case 'kill':
      return refused(agent.call('KillNode', at, CALL_MS));
    case 'stop':
      return refused(agent.call('StopNode', at, CALL_MS));
    case 'pause':
      return refused(agent.call('PauseNode', at, CALL_MS));
    case 'cut':
      return bothWays(agent, node, other, true);
    case 'drop':
      return refused(agent.call('ArmOnAll', { fault: dropTo(node) }, CALL_MS));
  }
}

/** Undoes it; harmless if it is undone already. */
export async function undo(agent: AgentCalls, { kind, node, other }: Strike): Promise<string> {
  switch (kind) {
    case 'kill':
    case 'stop':
      return refused(agent.call('StartNode', { id: node, wipe: false, truncateTail: 0 }, CALL_MS));
    case 'pause':
      return refused(agent.call('ResumeNode', { id: node, cause: FAULT }, CALL_MS));
    case 'cut':
      return bothWays(agent, node, other, false);
    case 'drop':
      return refused(agent.call('DisarmOnAll', { id: FAULT }, CALL_MS));
  }
}

/** "cut 1 ↔ 3": for people. */
export function describeStrike({ kind, node, other }: Strike): string {
  const name = node === CONTROLLER_ID ? 'the controller' : `broker ${node}`;
  if (kind === 'cut') return `cut ${name} from ${other === CONTROLLER_ID ? 'the controller' : `broker ${other}`}`;
  return kind === 'drop' ? `lose fetch answers to ${name}` : `${kind} ${name}`;
}

function dropTo(node: NodeId) {
  return faultSpec({
    ...{ id: FAULT, point: 'rpc.Fetch.response', action: 'drop', owner: FAULT, probability: DROP_CHANCE },
    where: [{ field: 'to', op: '=', values: [String(node)] }],
  });
}

async function bothWays(agent: AgentCalls, from: NodeId, to: NodeId, cut: boolean): Promise<string> {
  const one = await refused(agent.call('SetLinkBetween', { from, to, cut }, CALL_MS));
  return one || refused(agent.call('SetLinkBetween', { from: to, to: from, cut }, CALL_MS));
}

/** An agent that does not answer has refused. */
async function refused(ack: Promise<{ readonly refused: string }>): Promise<string> {
  try {
    return (await ack).refused;
  } catch (error) {
    if (error instanceof CallFailed) return `the agent does not answer: ${error.message}`;
    throw error;
  }
}
