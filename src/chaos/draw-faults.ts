// Draws the faults of a random run. Each run takes a few kinds only, so that rare pairs meet (swarm testing). None of them
// breaks a promise of Kafka's: what is lost with power is declared, and errors that are made up leave the outcome open.
import type { Prng } from '../base/prng.ts';
import { legalActions } from '../fault/legality.ts';
import { POINTS } from '../fault/points.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { drawDisks } from './draw-disks.ts';
import { atPoint, drawMix, election, exactly, moment, nodes, one, reassignment, someone, timed } from './draw-parts.ts';
import type { Draw, DrawnAt } from './draw-parts.ts';
import type { ElsewhereAction, FaultPlan, OwnAction, Target, TopicPlan } from './plan.ts';

/** The faults of a run, and their number, from its own stream. */
export function drawFaults(
  random: Prng,
  topics: readonly TopicPlan[],
  { activeMs, brokers }: { readonly activeMs: number; readonly brokers: number },
): FaultPlan[] {
  const at = { partitions: partitionNames(topics), activeMs, brokers };
  return [...drawMix(random, DRAWS, SURE, at), ...drawDisks(random.fork('disks'), at)];
}

/** Partitions as selectors name them. */
export function partitionNames(topics: readonly TopicPlan[]): string[] {
  return topics.flatMap(({ name, assignments }) => assignments.map((_, at) => `${name}-${at}`));
}

const SURE = ['kill-node', 'pause-node', 'cut-link', 'kill-controller'] as const;

/** Every kind of fault of nodes, links and messages, by name. */
export const DRAWS: Readonly<Record<string, Draw>> = {
  'kill-node': (random, id, at) => {
    const action = { kind: 'kill' as const, target: someone(random, at) };
    return [timed(random, id, at, action, 200 + random.below(3000))];
  },
  'stop-node': (random, id, at) => {
    const action = { kind: 'stop' as const, target: someone(random, at) };
    return [timed(random, id, at, action, 200 + random.below(3000))];
  },
  'pause-node': (random, id, at) => {
    const action = { kind: 'pause' as const, target: someone(random, at) };
    return [timed(random, id, at, action, 50 + random.below(4000))];
  },
  'kill-controller': (random, id, at) => {
    const action = { kind: 'kill' as const, target: nodes('controller') };
    return [timed(random, id, at, action, 100 + random.below(2000))];
  },
  'pause-controller': (random, id, at) => {
    const action = { kind: 'pause' as const, target: nodes('controller') };
    return [timed(random, id, at, action, 100 + random.below(3000))];
  },
  'cut-link': (random, id, at) => {
    const to = random.next() < 0.3 ? nodes('controller') : someone(random, at);
    const action = { kind: 'cut' as const, from: someone(random, at), to, oneWay: random.next() < 0.5 };
    return [timed(random, id, at, action, 100 + random.below(3000))];
  },
  elect: (random, id, at) => [timed(random, id, at, election(random, at.partitions))],
  reassign: (random, id, at) => [timed(random, id, at, reassignment(random, at))],
  'lose-power': (random, id, at) =>
    killedUntil(random, id, at, { target: someone(random, at), wipe: false, truncateTail: 1 + random.below(3) }),
  'lose-power-everywhere': (random, id, at) => {
    const target = nodes(`replicas(${one(random, at.partitions)})`);
    return killedUntil(random, id, at, { target, wipe: false, truncateTail: one(random, [1, 3, -1]) });
  },
  wipe: (random, id, at) => killedUntil(random, id, at, { target: someone(random, at), wipe: true, truncateTail: 0 }),
  'kill-at-point': (random, id) => {
    const length = exactly(200 + random.below(2000));
    return [{ ...atPoint(random, id, REACHED), action: { own: { kind: 'kill' } }, for: length }];
  },
  'pause-at-point': (random, id) => {
    const length = exactly(50 + random.below(3000));
    return [{ ...atPoint(random, id, REACHED), action: { own: { kind: 'pause' } }, for: length }];
  },
  'hold-at-point': (random, id, at) => {
    const until = moment(at.activeMs + random.below(1000));
    const length = exactly(random.below(3000));
    return [{ ...atPoint(random, id, HELD), action: { own: { kind: 'hold' } }, until, for: length }];
  },
  messages: (random, id, at) => {
    const point = one(random, MESSAGES);
    const own = messageAction(random, point);
    const probability = 0.02 + random.next() * 0.3;
    const trigger = { kind: 'at' as const, point, where: [], nth: 0, probability };
    return [{ id, trigger, action: { own }, times: 0, optional: true, until: moment(random.below(at.activeMs)) }];
  },
};

/** What else can be done about power and disks: a kill, and a start that has lost something. */
function killedUntil(
  random: Prng,
  id: string,
  at: DrawnAt,
  loss: { readonly target: Target; readonly wipe: boolean; readonly truncateTail: number },
): FaultPlan[] {
  const { target, wipe, truncateTail } = loss;
  const kill = timed(random, id, at, { kind: 'kill', target });
  const start: ElsewhereAction = { kind: 'start', target: { kind: 'struck-by', fault: id }, wipe, truncateTail };
  const parts = [{ kind: 'fault' as const, fault: id }, ...moment(200 + random.below(2000)).parts];
  const trigger = { kind: 'after' as const, moment: { text: `${id} + a while`, parts } };
  return [kill, { id: `${id}-start`, trigger, action: { elsewhere: start }, times: 1, optional: true }];
}

const CLIENT_APIS = ['Produce', 'ConsumerFetch', 'ListOffsets', 'OffsetsForLeaderEpoch', 'Metadata'];
const NODE_APIS = [
  'Fetch',
  'FollowerListOffsets',
  'AlterPartition',
  'MetadataLog',
  'BrokerHeartbeat',
  'BrokerRegistration',
];

/** Points that brokers and the controller come to: a client that dies shows nothing. */
const REACHED = Object.keys(POINTS).filter((point) => {
  const [, api = '', direction] = point.split('.');
  if (point.startsWith('disk.')) return false; // They have draws of their own.
  if (!point.startsWith('rpc.')) return true;
  return NODE_APIS.includes(api) || (direction === 'response' && CLIENT_APIS.includes(api));
});
const HELD = REACHED.filter((point) => legalActions(point).includes('hold'));

const MESSAGES = [
  ...['rpc.Fetch.request', 'rpc.Fetch.response', 'rpc.AlterPartition.request', 'rpc.AlterPartition.response'],
  ...['rpc.BrokerHeartbeat.request', 'rpc.BrokerHeartbeat.response', 'rpc.MetadataLog.response'],
  ...['rpc.Produce.request', 'rpc.Produce.response', 'rpc.ConsumerFetch.request', 'rpc.ConsumerFetch.response'],
  ...['rpc.OffsetsForLeaderEpoch.response', 'rpc.ListOffsets.request', 'rpc.FollowerListOffsets.response'],
] as const;

const MESSAGE_ACTIONS = ['drop', 'delay', 'duplicate', 'reorder', 'disconnect', 'lose-response', 'error'] as const;

/** What a broker may say at any time, and what leaves open whether it has acted (repl R-17). */
const HONEST_ERRORS: readonly ErrorName[] = ['NOT_LEADER_OR_FOLLOWER', 'KAFKA_STORAGE_ERROR'];
const ANSWERS_WITH_ERRORS = ['rpc.Produce.response', 'rpc.ConsumerFetch.response', 'rpc.ListOffsets.response'];

function messageAction(random: Prng, point: string): OwnAction {
  const legal = legalActions(point);
  const kinds = MESSAGE_ACTIONS.filter((kind) => legal.includes(kind));
  const kind = one(
    random,
    kinds.filter((candidate) => candidate !== 'error' || ANSWERS_WITH_ERRORS.includes(point)),
  );
  if (kind === 'delay') return { kind, span: { min: 1, max: 1 + random.below(one(random, [50, 800, 3000])) } };
  return kind === 'error' ? { kind, error: one(random, HONEST_ERRORS) } : { kind };
}
