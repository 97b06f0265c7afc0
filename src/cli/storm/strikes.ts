// What a storm does to a running cluster: one strike at a time, drawn from a seed, each undone before the next. Everything
// goes through the agents, so a laptop and containers are struck alike.
import type { Prng } from '../../base/prng.ts';
import { CONTROLLER_ID, type NodeId } from '../../base/units.ts';
import { faultSpec } from '../../fault/spec.ts';
import type { AgentCalls } from '../../agent/many-agents.ts';
import { CallFailed } from '../../rpc/remote-service.ts';
import { describeDisk, DISK_KINDS, diskFault, drawForce, type DiskKind } from './disk-strikes.ts';

/** One thing done to a node, and how it is undone. */
export interface Strike {
  readonly kind: StrikeKind;
  readonly node: NodeId;
  /** The other end of a cut link; the node itself if there is none. */
  readonly other: NodeId;
  /** How long it lasts. */
  readonly forMs: number;
  /** Of a disk: how hard (disk-strikes.ts). */
  readonly force?: number;
}
export type StrikeKind = 'kill' | 'stop' | 'pause' | 'cut' | 'drop' | DiskKind;

/** All there are. */
export const STRIKES: readonly StrikeKind[] = ['kill', 'stop', 'pause', 'cut', 'drop', ...DISK_KINDS];
/** The controller fetches nothing, and writes only when something changes. */
const STRIKES_AT_CONTROLLER: readonly StrikeKind[] = ['kill', 'stop', 'pause', 'cut'];
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

/** The next strike, of one of these kinds. */
export function drawStrike(random: Prng, brokers: readonly NodeId[], kinds: readonly StrikeKind[] = STRIKES): Strike {
  const forMs = random.chance(LONG_CHANCE)
    ? LONG_MS + random.below(LONGEST_MS - LONG_MS)
    : SHORTEST_MS + random.below(SHORT_MS - SHORTEST_MS);
  const atController = kinds.filter((kind) => STRIKES_AT_CONTROLLER.includes(kind));
  const isController = random.chance(CONTROLLER_CHANCE) && atController.length > 0;
  const node = isController ? CONTROLLER_ID : oneOf(random, brokers);
  const kind = oneOf(random, isController ? atController : kinds);
  const others = brokers.filter((id) => id !== node);
  const other = others.length > 0 ? oneOf(random, others) : CONTROLLER_ID;
  const strike = { kind, node, other: kind === 'cut' ? other : node, forMs };
  return isDisk(kind) ? { ...strike, force: drawForce(random, kind) } : strike;
}

const isDisk = (kind: StrikeKind): kind is DiskKind => (DISK_KINDS as readonly StrikeKind[]).includes(kind);

function oneOf<T>(random: Prng, values: readonly T[]): T {
  return values[random.below(values.length)]!;
}

/** Carries it out. Answers why not, if it could not be. */
export async function strike(agent: AgentCalls, { kind, node, other, force = 1 }: Strike): Promise<string> {
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
    default:
      return strikeDisk(agent, kind, node, force);
  }
}

/** A broker reads its disk when it starts: whether it gets through that is the strike's doing. */
async function strikeDisk(agent: AgentCalls, kind: DiskKind, node: NodeId, force: number): Promise<string> {
  const fault = diskFault(kind, node, { force, id: FAULT });
  const armed = await refused(agent.call('ArmOnAll', { fault }, CALL_MS));
  if (armed !== '' || kind !== 'read-error') return armed;
  const killed = await refused(agent.call('KillNode', { id: node, cause: FAULT }, CALL_MS));
  if (killed === '') await start(agent, node);
  return killed;
}

/** The disk is as it was. Whatever became of the broker, it starts from that. */
async function undoDisk(agent: AgentCalls, kind: DiskKind, node: NodeId): Promise<string> {
  const disarmed = await refused(agent.call('DisarmOnAll', { id: FAULT }, CALL_MS));
  if (disarmed !== '' || kind === 'disk-slow') return disarmed;
  // It may be about to end: one that is killed has ended.
  await refused(agent.call('KillNode', { id: node, cause: FAULT }, CALL_MS));
  return start(agent, node);
}

const start = (agent: AgentCalls, node: NodeId): Promise<string> =>
  refused(agent.call('StartNode', { id: node, wipe: false, truncateTail: 0 }, CALL_MS));

/** Undoes it; harmless if it is undone already. */
export async function undo(agent: AgentCalls, { kind, node, other }: Strike): Promise<string> {
  switch (kind) {
    case 'kill':
    case 'stop':
      return start(agent, node);
    case 'pause':
      return refused(agent.call('ResumeNode', { id: node, cause: FAULT }, CALL_MS));
    case 'cut':
      return bothWays(agent, node, other, false);
    case 'drop':
      return refused(agent.call('DisarmOnAll', { id: FAULT }, CALL_MS));
    default:
      return undoDisk(agent, kind, node);
  }
}

/** "cut 1 ↔ 3": for people. */
export function describeStrike({ kind, node, other, force = 1 }: Strike): string {
  const name = node === CONTROLLER_ID ? 'the controller' : `broker ${node}`;
  if (kind === 'cut') return `cut ${name} from ${other === CONTROLLER_ID ? 'the controller' : `broker ${other}`}`;
  if (isDisk(kind)) return describeDisk(kind, name, force);
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
