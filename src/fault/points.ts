// The one table of points: where a fault can strike, what it can filter on, and what it means.
import { APIS } from '../protocol/apis.ts';

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
  'log.truncated': observation([...PARTITION, 'offset', 'from'], 'a partition log was cut to an offset'),
  'replica.fetch.received': step(
    [...PARTITION, 'replica', 'offset'],
    "a leader received a follower's fetch of one partition, before it acts on it",
  ),
  'replica.fetch.sending': observation([...PARTITION, 'to', 'offset'], 'a follower is about to fetch from an offset'),
  'replica.hw.advanced': observation([...PARTITION, 'offset', 'role'], 'a high watermark rose to an offset'),
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

export type CorePoint = keyof typeof CORE_POINTS;
/** Message points: rpc.<Api>.request at the caller, rpc.<Api>.response at the callee. */
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
  'error',
  'acks',
] as const;

function messagePoints(): Record<string, PointInfo> {
  const points: Record<string, PointInfo> = {};
  for (const api of Object.keys(APIS)) {
    points[`rpc.${api}.request`] = {
      kind: 'message',
      fields: MESSAGE_FIELDS,
      meaning: `a ${api} request, at its sender`,
    };
    points[`rpc.${api}.response`] = {
      kind: 'message',
      fields: MESSAGE_FIELDS,
      meaning: `the answer to a ${api}, at its sender`,
    };
  }
  return points;
}

/** Every point by name. */
export const POINTS: Readonly<Record<string, PointInfo>> = { ...CORE_POINTS, ...messagePoints() };
