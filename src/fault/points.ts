// The one table of points: where a fault can strike, what it can filter on, and what it means.
import { APIS } from '../protocol/apis.ts';
import { WIRE_ONLY_APIS } from '../protocol/wire-points.ts';

/**
 * step: in a core; the flow stops there. message: an RPC on its way, at its sender. observation: something happened;
 * it may trigger actions elsewhere but cannot be held.
 */
export type PointKind = 'step' | 'message' | 'observation';

export interface PointInfo {
  readonly kind: PointKind;
  /** Fields that `where` may name, besides node. */
  readonly fields: readonly string[];
  /** One line for people. */
  readonly meaning: string;
}

const PARTITION = ['topic', 'partition', 'leaderEpoch'] as const;
const step = (fields: readonly string[], meaning: string): PointInfo => ({ kind: 'step', fields, meaning });
const observation = (fields: readonly string[], meaning: string): PointInfo => ({
  kind: 'observation',
  fields,
  meaning,
});

const TRANSACTION = ['transactionalId', 'producerId', 'producerEpoch', 'partition', 'coordinatorEpoch'] as const;
const GROUP = ['group', 'partition', 'coordinatorEpoch'] as const;

/** Steps of a record of a coordinator's log: decided, in the local log, below the high watermark, in force. */
function recordSteps(name: string, fields: readonly string[], what: string): Record<string, PointInfo> {
  return {
    [`${name}.deciding`]: step(fields, `${what} was validated; nothing is appended yet`),
    [`${name}.appended`]: step(fields, `${what} is in the coordinator's own log; nobody was woken yet`),
    [`${name}.durable`]: step(fields, `${what} is below the high watermark; the coordinator has not acted on it yet`),
  };
}

const COORDINATOR_POINTS = {
  ...recordSteps('txn.init', TRANSACTION, 'a new identity of a transactional id'),
  ...recordSteps('txn.add-partitions', [...TRANSACTION, 'count'], 'a transaction with more partitions'),
  ...recordSteps('txn.add-offsets', [...TRANSACTION, 'group'], "a transaction with a group's offsets"),
  ...recordSteps('txn.prepare-commit', TRANSACTION, 'the decision to commit'),
  ...recordSteps('txn.prepare-abort', [...TRANSACTION, 'reason'], 'the decision to abort'),
  ...recordSteps('txn.complete', [...TRANSACTION, 'outcome'], 'the end of a transaction'),
  ...recordSteps('txn.expire', TRANSACTION, 'the tombstone of an idle transactional id'),
  'txn.init.responding': step(TRANSACTION, 'an identity is in force; it is not answered yet'),
  'txn.add-partitions.responding': step(TRANSACTION, 'partitions were added; it is not answered yet'),
  'txn.add-offsets.responding': step(TRANSACTION, "a group's offsets were added; it is not answered yet"),
  'txn.end.responding': step([...TRANSACTION, 'outcome'], 'a decision is in force; it is not answered yet'),
  'txn.marker.sending': step(
    [...TRANSACTION, 'outcome', 'topic', 'dataPartition', 'to'],
    'a coordinator is about to send the marker of one partition',
  ),
  'txn.marker.acked': step(
    [...TRANSACTION, 'outcome', 'topic', 'dataPartition'],
    'a coordinator was told that a marker is replicated; it has not noted it yet',
  ),
  'txn.marker.received': step(
    [...PARTITION, 'producerId', 'producerEpoch', 'coordinatorEpoch', 'outcome'],
    'a leader received a marker, before it acts on it',
  ),
  'txn.marker.appended': step(
    [...PARTITION, 'producerId', 'producerEpoch', 'coordinatorEpoch', 'outcome', 'offset'],
    "a marker is in its leader's log; nobody was woken yet",
  ),
  'txn.marker.durable': step(
    [...PARTITION, 'producerId', 'producerEpoch', 'coordinatorEpoch', 'outcome', 'offset'],
    'a marker is below the high watermark; it is not answered yet',
  ),
  'txn.verified': step(
    [...PARTITION, 'transactionalId', 'producerId', 'producerEpoch'],
    'a leader was told that a write belongs to its transaction; it is not appended yet',
  ),
  'txn.timeout': step(TRANSACTION, 'a transaction has timed out; it is not fenced yet'),
  'txn.producer.fenced': observation(TRANSACTION, 'a coordinator refused a producer that was fenced'),
  'txn.load.started': step(['partition', 'coordinatorEpoch'], 'a new coordinator is about to read its log'),
  'txn.load.finished': step(['partition', 'coordinatorEpoch', 'pending'], 'a log was read; no marker is sent yet'),
  'group.offset.appended': step(GROUP, "committed offsets are in the coordinator's own log; nobody was woken yet"),
  'group.txn-offset.deciding': step(
    [...GROUP, 'transactionalId', 'producerId'],
    'a transactional commit was validated',
  ),
  'group.txn-offset.appended': step(
    [...GROUP, 'transactionalId', 'producerId'],
    "a transactional commit is in the coordinator's own log; nobody was woken yet",
  ),
  'group.txn-offset.durable': step(
    [...GROUP, 'transactionalId', 'producerId'],
    'a transactional commit is below the high watermark; it is not answered yet',
  ),
  'group.offsets.deciding': step(
    ['partition', 'coordinatorEpoch', 'producerId', 'outcome'],
    "a marker is in a group coordinator's own log; the offsets of its transaction do not count yet, nor are they dropped",
  ),
  'group.offsets.visible': observation([...GROUP, 'producerId'], 'pending offsets of a transaction became visible'),
  'group.generation': observation([...GROUP, 'generation', 'members'], 'a group began a generation'),
  'group.load.finished': observation(['partition', 'coordinatorEpoch'], 'a group coordinator has read its log'),
  'group.unload.started': step(
    ['partition', 'coordinatorEpoch'],
    'a deposed group coordinator answers nobody any more; what waits in it has not ended yet',
  ),
} as const;

const CLIENT = ['client', 'value', 'topic', 'partition', 'transactionalId', 'group', 'outcome', 'error'] as const;
/** What workload clients do, step by step. In a scenario: client.NAME.send.end. */
export const CLIENT_OPERATIONS = ['init', 'begin', 'send', 'send-offsets', 'commit', 'abort'] as const;
export type ClientOperation = (typeof CLIENT_OPERATIONS)[number];

function clientPoints(): Record<string, PointInfo> {
  const points: Record<string, PointInfo> = {};
  for (const operation of CLIENT_OPERATIONS) {
    points[`client.${operation}.start`] = step(CLIENT, `a workload client is about to ${operation}`);
    points[`client.${operation}.end`] = step(
      CLIENT,
      `the ${operation} of a workload client has ended; it does nothing yet`,
    );
  }
  return points;
}

const CORE_POINTS = {
  'log.append.leader': step(
    [...PARTITION, 'baseOffset', 'lastOffset', 'offset', 'acks'],
    'a leader appended a batch; nobody was woken yet',
  ),
  'log.append.follower': step(
    [...PARTITION, 'baseOffset', 'lastOffset', 'offset'],
    'a follower appended batches it fetched',
  ),
  'log.flushed': observation([...PARTITION, 'offset'], 'a partition log was flushed up to an offset'),
  'log.truncating': step([...PARTITION, 'offset', 'from'], 'a follower is about to cut its log to an offset'),
  'log.truncated': observation([...PARTITION, 'offset', 'from'], 'a partition log was cut to an offset'),
  'disk.write': step(['sizeBytes'], 'a node is about to write to its data directory; its next writes wait behind'),
  'disk.read': observation(
    ['what', 'how', 'sizeBytes'],
    'a node has read an entry of its data directory; what: batch or other; how: get (while it serves) or scan (as it starts)',
  ),
  'replica.fetch.received': step(
    [...PARTITION, 'replica', 'offset'],
    "a leader received a follower's fetch of one partition, before it acts on it",
  ),
  'replica.fetch.sending': observation([...PARTITION, 'to', 'offset'], 'a follower is about to fetch from an offset'),
  'replica.hw.advanced': observation([...PARTITION, 'offset', 'role'], 'a high watermark rose to an offset'),
  'replica.lso.advanced': observation([...PARTITION, 'offset', 'role'], 'a last stable offset rose to an offset'),
  'replica.isr.shrink': step([...PARTITION, 'isr'], 'a leader is about to propose a smaller ISR'),
  'replica.isr.expand': step([...PARTITION, 'isr'], 'a leader is about to propose a larger ISR'),
  'replica.leader.started': observation(
    [...PARTITION, 'offset'],
    'a broker became leader; offset is where its epoch starts',
  ),
  'replica.epoch.fenced': observation([...PARTITION, 'from'], 'a request with an older leader epoch was refused'),
  'controller.elected': observation(
    [...PARTITION, 'leader', 'reason'],
    'the controller gave a partition a leader (-1: none)',
  ),
  'controller.isr.committed': observation([...PARTITION, 'isr'], 'the controller committed an ISR change'),
  'controller.broker.fenced': observation(['broker'], 'the controller fenced a broker'),
  'controller.broker.unfenced': observation(['broker'], 'the controller unfenced a broker'),
  'controller.leader.unclean': observation(
    [...PARTITION, 'leader'],
    'the controller elected a leader that may lack committed records',
  ),
} as const satisfies Record<string, PointInfo>;

/** Phases of a record of a coordinator's log. */
export type RecordPhase = 'deciding' | 'appended' | 'durable';
export type TransactionRecordPoint =
  | 'txn.init'
  | 'txn.add-partitions'
  | 'txn.add-offsets'
  | 'txn.prepare-commit'
  | 'txn.prepare-abort'
  | 'txn.complete'
  | 'txn.expire';
export type CorePoint =
  | keyof typeof CORE_POINTS
  | `${TransactionRecordPoint}.${RecordPhase}`
  | 'txn.init.responding'
  | 'txn.add-partitions.responding'
  | 'txn.add-offsets.responding'
  | 'txn.end.responding'
  | 'txn.marker.sending'
  | 'txn.marker.acked'
  | 'txn.marker.received'
  | 'txn.marker.appended'
  | 'txn.marker.durable'
  | 'txn.verified'
  | 'txn.timeout'
  | 'txn.producer.fenced'
  | 'txn.load.started'
  | 'txn.load.finished'
  | 'group.offset.appended'
  | 'group.txn-offset.deciding'
  | 'group.txn-offset.appended'
  | 'group.txn-offset.durable'
  | 'group.offsets.deciding'
  | 'group.offsets.visible'
  | 'group.generation'
  | 'group.load.finished'
  | 'group.unload.started'
  | `client.${ClientOperation}.${'start' | 'end'}`;
/**
 * Message points: rpc.<Api>.request at the caller, rpc.<Api>.response at the callee. Clients of the Kafka wire are not ours:
 * both points of what they ask lie at the broker, where a request comes in and its answer leaves.
 */
export type MessagePoint = `rpc.${string}.request` | `rpc.${string}.response`;
export type PointName = CorePoint | MessagePoint;

/** Fields of messages that carry partitions: a filter matches if one partition of the message matches all of them. */
const MESSAGE_FIELDS = [
  'from',
  'to',
  'topic',
  'partition',
  'offset',
  'baseOffset',
  'lastOffset',
  'leaderEpoch',
  'highWatermark',
  'isr',
  'error',
  'acks',
  'transactionalId',
  'producerId',
  'producerEpoch',
  'committed',
  'group',
  'sequence',
  'key',
  'value',
  'via',
] as const;

/** Besides, of what a client of the Kafka wire asks; `from` is absent then. */
export const WIRE_FIELDS = ['clientId', 'listener', 'apiVersion'] as const;

function messagePoints(): Record<string, PointInfo> {
  const points: Record<string, PointInfo> = {};
  const add = (api: string, sender: string, fields: readonly string[]): void => {
    const message = { kind: 'message', fields } as const;
    points[`rpc.${api}.request`] = { ...message, meaning: `${article(api)} ${api} request, ${sender}` };
    points[`rpc.${api}.response`] = { ...message, meaning: `the answer to ${article(api)} ${api}, at its sender` };
  };
  const article = (api: string): string => (/^[AEIO]/.test(api) ? 'an' : 'a');
  const all = [...MESSAGE_FIELDS, ...WIRE_FIELDS];
  for (const [api, { service }] of Object.entries(APIS)) {
    const offered = service === 'BrokerClient' || service === 'ControllerAdmin';
    if (offered) add(api, 'at its sender, or at the broker that a Kafka client asked', all);
    else add(api, 'at its sender; between nodes alone', MESSAGE_FIELDS);
  }
  for (const api of WIRE_ONLY_APIS) add(api, 'at the broker that a Kafka client asked', all);
  return points;
}

/** Every point by name. */
export const POINTS: Readonly<Record<string, PointInfo>> = {
  ...CORE_POINTS,
  ...COORDINATOR_POINTS,
  ...clientPoints(),
  ...messagePoints(),
};
