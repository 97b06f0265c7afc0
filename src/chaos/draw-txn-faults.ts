// Draws the faults of a random transactional run: coordinators, leaders and clients killed, paused and cut off, elections of
// both sorts of partitions, any step of a coordinator, any message of a transaction. What version 1 of the protocol is known
// not to survive (txn W-1, W-5) is drawn under version 2 only.
import { coordinatorPartition } from '../base/java-hash.ts';
import type { Prng } from '../base/prng.ts';
import { legalActions } from '../fault/legality.ts';
import { CLIENT_OPERATIONS, POINTS } from '../fault/points.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { DRAWS } from './draw-faults.ts';
import { atPoint, drawMix, election, exactly, moment, nodes, one, reassignment, someone, timed } from './draw-parts.ts';
import type { Draw, DrawnAt } from './draw-parts.ts';
import type { FaultPlan, OwnAction, Target } from './plan.ts';

/** Where a fault of a transactional run may strike. */
export interface DrawnTxn extends DrawnAt {
  readonly transactionalIds: readonly string[];
  readonly groups: readonly string[];
  /** Clients that run transactions. */
  readonly clients: readonly string[];
  /** Members of a group that reads without transactions. */
  readonly members: readonly string[];
  /** Partitions of __transaction_state and of __consumer_offsets. */
  readonly statePartitions: number;
  readonly offsetsPartitions: number;
  /** Somebody speaks version 1 of the protocol, in which a late request hits the next transaction. */
  readonly hasVersion1: boolean;
}

/** The faults of a run, and their number, from its own stream. */
export function drawTxnFaults(random: Prng, at: DrawnTxn): FaultPlan[] {
  return drawMix(random, TXN_DRAWS, SURE, { ...at, fromMs: COORDINATED_MS });
}

/** After so long there are coordinators. */
const COORDINATED_MS = 400;
const SURE = ['kill-coordinator', 'pause-coordinator', 'kill-node', 'pause-node', 'cut-link'];

const TXN_DRAWS: Readonly<Record<string, Draw<DrawnTxn>>> = {
  'kill-node': DRAWS['kill-node']!,
  'pause-node': DRAWS['pause-node']!,
  'cut-link': DRAWS['cut-link']!,
  elect: DRAWS['elect']!,
  reassign: DRAWS['reassign']!,
  'stop-node': DRAWS['stop-node']!,
  'kill-controller': DRAWS['kill-controller']!,
  'kill-coordinator': (random, id, at) => {
    const action = { kind: 'kill' as const, target: coordinator(random, at) };
    return [timed(random, id, at, action, 200 + random.below(3000))];
  },
  'pause-coordinator': (random, id, at) => {
    const action = { kind: 'pause' as const, target: coordinator(random, at) };
    return [timed(random, id, at, action, 50 + random.below(4000))];
  },
  'kill-group-coordinator': (random, id, at) => {
    const action = { kind: 'kill' as const, target: groupCoordinator(random, at) };
    return [timed(random, id, at, action, 200 + random.below(3000))];
  },
  'pause-group-coordinator': (random, id, at) => {
    const action = { kind: 'pause' as const, target: groupCoordinator(random, at) };
    return [timed(random, id, at, action, 50 + random.below(4000))];
  },
  'cut-coordinator': (random, id, at) => {
    const to = random.chance(0.3) ? nodes('controller') : someone(random, at);
    const from = random.chance(0.7) ? coordinator(random, at) : groupCoordinator(random, at);
    const action = { kind: 'cut' as const, from, to, oneWay: random.chance(0.5) };
    return [timed(random, id, at, action, 100 + random.below(3000))];
  },
  'elect-coordinator': (random, id, at) => [timed(random, id, at, election(random, [coordinatorName(random, at)]))],
  'reassign-coordinator': (random, id, at) => {
    const partitions = [coordinatorName(random, at)];
    return [timed(random, id, at, reassignment(random, { ...at, partitions }))];
  },
  'kill-client': (random, id, at) => [timed(random, id, at, { kind: 'kill', target: client(random, at) })],
  'pause-client': (random, id, at) => {
    const action = { kind: 'pause' as const, target: client(random, at) };
    return [timed(random, id, at, action, 50 + random.below(one(random, [1000, 8000])))];
  },
  'kill-client-at-point': (random, id) => {
    return [{ ...atPoint(random, id, CLIENT_POINTS, [6, 30]), action: { own: { kind: 'kill' } } }];
  },
  'pause-client-at-point': (random, id) => {
    const length = exactly(50 + random.below(one(random, [1000, 8000])));
    return [{ ...atPoint(random, id, CLIENT_POINTS, [6, 30]), action: { own: { kind: 'pause' } }, for: length }];
  },
  'kill-at-step': (random, id) => {
    const length = exactly(200 + random.below(2000));
    return [{ ...atPoint(random, id, STEPS, [3, 20]), action: { own: { kind: 'kill' } }, for: length }];
  },
  'pause-at-step': (random, id) => {
    const length = exactly(50 + random.below(3000));
    return [{ ...atPoint(random, id, STEPS, [3, 20]), action: { own: { kind: 'pause' } }, for: length }];
  },
  'hold-at-step': (random, id, at) => {
    const points = at.hasVersion1 ? HELD.filter((point) => !LATE_STEPS.includes(point)) : HELD;
    const until = moment(at.activeMs + random.below(1000));
    const length = exactly(random.below(3000));
    return [{ ...atPoint(random, id, points, [3, 20]), action: { own: { kind: 'hold' } }, until, for: length }];
  },
  'zombie-coordinator': zombieCoordinator,
  'client-messages': (random, id, at) => messages(random, id, at, TO_COORDINATORS),
  'broker-messages': (random, id, at) => messages(random, id, at, AMONG_BROKERS),
  'late-produce': (random, id, at) => {
    const own = { kind: 'delay' as const, span: { min: 800, max: 4000 } };
    const trigger = { kind: 'at' as const, point: 'rpc.Produce.request', where: [], nth: 0, probability: 0.3 };
    return [{ id, trigger, action: { own }, times: 0, optional: true, until: moment(random.below(at.activeMs)) }];
  },
  'data-messages': (random, id, at) => messages(random, id, at, OF_DATA),
};

/** A coordinator stands still with a marker in its hands, and another one takes its place meanwhile (txn CP-53, T-117). */
function zombieCoordinator(random: Prng, id: string, at: DrawnTxn): FaultPlan[] {
  const stands = { ...atPoint(random, id, ['txn.marker.sending'], [4, 12]), for: exactly(300 + random.below(3000)) };
  const own = { kind: one(random, ['hold', 'pause'] as const) };
  const parts = [{ kind: 'fault' as const, fault: id }, ...moment(random.below(100)).parts];
  const elect = election(random, [coordinatorName(random, at)]);
  const trigger = { kind: 'after' as const, moment: { text: `${id} + a while`, parts } };
  return [
    { ...stands, action: { own } },
    { id: `${id}-elect`, trigger, action: { elsewhere: elect }, times: 1, optional: true },
  ];
}

function coordinator(random: Prng, at: DrawnTxn): Target {
  return nodes(`coordinator(${one(random, at.transactionalIds)})`);
}

function groupCoordinator(random: Prng, at: DrawnTxn): Target {
  return nodes(`group-coordinator(${one(random, at.groups)})`);
}

/** The partition that an id or a group belongs to. */
export function coordinatorName(random: Prng, at: DrawnTxn): string {
  return one(random, [
    ...at.transactionalIds.map((id) => `__transaction_state-${coordinatorPartition(id, at.statePartitions)}`),
    ...at.groups.map((group) => `__consumer_offsets-${coordinatorPartition(group, at.offsetsPartitions)}`),
  ]);
}

function client(random: Prng, at: DrawnTxn): Target {
  return { kind: 'client', client: one(random, at.clients) };
}

const CLIENT_POINTS = CLIENT_OPERATIONS.flatMap((operation) => [
  `client.${operation}.start`,
  `client.${operation}.end`,
]);
const STEPS = Object.keys(POINTS).filter((point) => /^(txn|group)\./.test(point));
const HELD = STEPS.filter((point) => legalActions(point).includes('hold'));
/** Where a request that is held is a late one: whoever sent it asks again meanwhile. */
const LATE_STEPS = ['txn.marker.received', 'group.txn-offset.deciding'];

const TO_COORDINATORS = ['InitProducerId', 'EndTxn', 'AddPartitionsToTxn', 'AddOffsetsToTxn', 'TxnOffsetCommit'];
const AMONG_BROKERS = ['WriteTxnMarkers', 'VerifyTransactions', 'FindCoordinator', 'AllocateProducerIds'];
const OF_DATA = ['Produce', 'Produce', 'Produce', 'ConsumerFetch', 'Fetch', 'ListOffsets'];

const MESSAGE_ACTIONS = ['drop', 'delay', 'duplicate', 'reorder', 'disconnect', 'lose-response', 'error'] as const;

/** Requests that mean whatever transaction is open when they arrive, under version 1 (txn T-74, W-1, W-5). */
const AMBIGUOUS = ['rpc.EndTxn.request', 'rpc.WriteTxnMarkers.request', 'rpc.TxnOffsetCommit.request'];
/** Who asks twice for an identity is two instances, and the one that heard of the first is fenced (txn W-17). */
const ASKED_ONCE = 'rpc.InitProducerId.request';
/** What makes a request arrive late or twice. */
const BELATES: readonly string[] = ['delay', 'duplicate', 'reorder'];

/** What may be said at any time, and leaves open whether anything was done (txn T-21, T-24, T-86). */
const HONEST_ERRORS: Readonly<Record<string, readonly ErrorName[]>> = {
  'rpc.InitProducerId.response': ['COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR'],
  'rpc.EndTxn.response': ['COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR'],
  'rpc.AddOffsetsToTxn.response': ['COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR'],
  'rpc.TxnOffsetCommit.response': ['COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR'],
  'rpc.Produce.response': ['NOT_LEADER_OR_FOLLOWER', 'KAFKA_STORAGE_ERROR'],
  'rpc.ConsumerFetch.response': ['NOT_LEADER_OR_FOLLOWER', 'KAFKA_STORAGE_ERROR'],
};

/** Some of the messages of one sort, until some time. */
function messages(random: Prng, id: string, at: DrawnTxn, apis: readonly string[]): FaultPlan[] {
  const point = `rpc.${one(random, apis)}.${one(random, ['request', 'response'])}`;
  const own = messageAction(random, point, at.hasVersion1);
  const probability = 0.02 + random.next() * 0.4;
  const trigger = { kind: 'at' as const, point, where: [], nth: 0, probability };
  return [{ id, trigger, action: { own }, times: 0, optional: true, until: moment(random.below(at.activeMs)) }];
}

function messageAction(random: Prng, point: string, hasVersion1: boolean): OwnAction {
  const legal = legalActions(point);
  const errors = HONEST_ERRORS[point] ?? [];
  const kinds = MESSAGE_ACTIONS.filter((kind) => {
    if (!legal.includes(kind) || (kind === 'error' && errors.length === 0)) return false;
    const mustBeInTime = point === ASKED_ONCE || (hasVersion1 && AMBIGUOUS.includes(point));
    return !(mustBeInTime && BELATES.includes(kind));
  });
  const kind = one(random, kinds);
  if (kind === 'delay') return { kind, span: { min: 1, max: 1 + random.below(one(random, [50, 800, 3000])) } };
  return kind === 'error' ? { kind, error: one(random, errors) } : { kind };
}
