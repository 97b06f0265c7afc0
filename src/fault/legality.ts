// Which action may strike at which point. An illegal pair is a usage error, told in a sentence before anything is armed
// (design section 6). Also checks the rest of a fault, so that an armed fault is a valid one.
import { editDistance } from '../base/nearest.ts';
import { APIS, type Api } from '../protocol/apis.ts';
import { ERRORS } from '../protocol/errors.ts';
import type { FaultAction, FaultFilter, FaultSpec } from '../protocol/generated/index.ts';
import { refuseFilter } from './filters.ts';
import { WIRE_ONLY_APIS } from '../protocol/wire-points.ts';
import { POINTS, WIRE_FIELDS, type PointInfo } from './points.ts';

/** Actions on the flow or node at the point. */
export const OWN_ACTIONS = ['kill', 'pause', 'hold', 'delay', 'notify'] as const;
/** Actions on a message, carried out by its sender. */
export const MESSAGE_ACTIONS = ['drop', 'duplicate', 'reorder', 'disconnect', 'error', 'lose-response'] as const;
/** Actions on the disk of the node, and the point where each strikes. */
export const DISK_ACTIONS = {
  'disk:full': 'disk.write',
  'disk:slow': 'disk.write',
  'disk:write-error': 'disk.write',
  'disk:read-error': 'disk.read',
  'disk:flip-bit': 'disk.read',
} as const;
/** Actions on another target, carried out by the agent or the simulator's cluster. */
export const ELSEWHERE_ACTIONS = ['resume', 'start', 'stop', 'elect', 'cut', 'mend', 'switch'] as const;

export type ActionKind =
  | (typeof OWN_ACTIONS)[number]
  | (typeof MESSAGE_ACTIONS)[number]
  | keyof typeof DISK_ACTIONS
  | (typeof ELSEWHERE_ACTIONS)[number];

const DISK_KINDS: readonly string[] = Object.keys(DISK_ACTIONS);
const KINDS: readonly string[] = [...OWN_ACTIONS, ...MESSAGE_ACTIONS, ...DISK_KINDS, ...ELSEWHERE_ACTIONS];

/** Whether an action strikes the node that reached the point. */
export function strikesSelf(action: FaultAction, node: number): boolean {
  return action.target === '' || action.target === 'node' || action.target === String(node);
}

/** The actions that are legal at a point, for people. */
export function legalActions(point: string): readonly string[] {
  const wire = WIRE_ONLY_APIS.includes(point.split('.')[1] ?? '');
  return KINDS.filter((kind) => refuseAction(point, kind, wire) === undefined);
}

/** Actions that are legal at a point only for what clients of the Kafka wire ask (where via=kafka), for people. */
export function actionsOfClients(point: string): readonly string[] {
  if (POINTS[point]?.fields.includes('clientId') !== true) return [];
  const always = legalActions(point);
  return KINDS.filter((kind) => !always.includes(kind) && refuseAction(point, kind, true) === undefined);
}

/** Why a fault cannot be armed, as a sentence that says what to do instead; undefined if it can. */
export function refuseFault(fault: FaultSpec): string | undefined {
  const info = POINTS[fault.point];
  if (info === undefined) return `no point "${fault.point}". Nearest: ${nearest(fault.point, Object.keys(POINTS))}`;
  if (fault.id === '' || fault.id === '*') return 'a fault needs a name other than "*"';
  const action = fault.action;
  if (action === null) return `fault ${fault.id} has no action`;
  return (
    refuseAction(fault.point, action.kind, onlyWire(fault)) ??
    refuseDetails(action) ??
    refuseConditions(fault, info) ??
    refuseCounts(fault)
  );
}

/** Whether a fault strikes nothing but what clients of the Kafka wire ask. */
function onlyWire({ point, where }: FaultSpec): boolean {
  if (WIRE_ONLY_APIS.includes(point.split('.')[1] ?? '')) return true;
  return where.some(({ field, op, values }) => field === 'via' && op === '=' && values.every((one) => one === 'kafka'));
}

function refuseAction(point: string, kind: string, wire: boolean): string | undefined {
  if (!KINDS.includes(kind)) return `no action "${kind}". Nearest: ${nearest(kind, KINDS)}`;
  const info = POINTS[point];
  if (info === undefined) return `no point "${point}"`;
  if (info.kind === 'observation' && (kind === 'hold' || kind === 'delay')) {
    return `${point} tells what has already happened, so nothing can be held there; use a step or rpc point for ${kind}`;
  }
  if (DISK_KINDS.includes(kind)) return refuseOnDisk(point, kind as keyof typeof DISK_ACTIONS);
  if (!(MESSAGE_ACTIONS as readonly string[]).includes(kind)) return undefined;
  if (info.kind !== 'message')
    return `${kind} acts on a message, and ${point} is none; use a point rpc.<Api>.request or .response`;
  const [, api, direction] = point.split('.') as [string, string, 'request' | 'response'];
  const stream = APIS[api as Api]?.stream ?? false;
  if (kind === 'duplicate' && direction === 'response' && (wire || !stream)) {
    return `a call of ${api} takes one answer; use duplicate at rpc.${api}.request`;
  }
  return wire ? undefined : refuseBetweenNodes(kind, { api, direction, stream });
}

function refuseOnDisk(point: string, kind: keyof typeof DISK_ACTIONS): string | undefined {
  const where = DISK_ACTIONS[kind];
  return point === where
    ? undefined
    : `${kind} strikes where a node ${where === 'disk.write' ? 'writes' : 'reads'}: use it at ${where}`;
}

interface MessageAt {
  readonly api: string;
  readonly direction: 'request' | 'response';
  readonly stream: boolean;
}

/** What the listener of the Kafka wire can do, and a sender of gRPC cannot. */
function refuseBetweenNodes(kind: string, { api, direction, stream }: MessageAt): string | undefined {
  if (kind === 'error' && direction === 'request') {
    return `a request carries no error code; answer with one at rpc.${api}.response, or of Kafka clients alone: via=kafka`;
  }
  if (kind === 'disconnect' && direction === 'response') {
    return `the answering side has no connection to break; use disconnect at rpc.${api}.request, or drop the response`;
  }
  if (kind === 'lose-response' && direction === 'request' && stream) {
    return `${api} is a stream, where answers are messages of their own; use drop at rpc.${api}.response`;
  }
  return undefined;
}

function refuseDetails(action: FaultAction): string | undefined {
  if (['delay', 'disk:slow'].includes(action.kind) && action.durationMs <= 0) {
    return `${action.kind} needs a length of time, such as ${action.kind}:200ms`;
  }
  if (action.kind === 'error' && !(action.error !== 'NONE' && Object.hasOwn(ERRORS, action.error))) {
    return `error needs Kafka's name of an error other than NONE, such as NOT_LEADER_OR_FOLLOWER`;
  }
  if (action.laterMs > 0 && ['hold', 'delay', ...MESSAGE_ACTIONS, ...DISK_KINDS].includes(action.kind)) {
    return `later lets the flow go on at once, so nothing is left to ${action.kind}; use delay, or leave later out`;
  }
  if (action.durationMs < 0 || action.laterMs < 0) return 'a length of time cannot be negative';
  return undefined;
}

function refuseConditions(fault: FaultSpec, info: PointInfo): string | undefined {
  for (const filter of fault.where) {
    if (filter.field !== 'node' && !info.fields.includes(filter.field)) {
      const known = `${fault.point} has no field "${filter.field}"; it has node, ${info.fields.join(', ')}`;
      return info.kind === 'message' && fromClients(filter) ? `${known}. ${elsewhere(fault.point)}` : known;
    }
    if (filter.field === 'via' && !info.fields.includes('clientId') && fromClients(filter)) {
      return `no Kafka client is heard at ${fault.point}. ${elsewhere(fault.point)}`;
    }
    const refused = refuseFilter(filter) ?? refuseValues(filter);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Whether a condition is met by what Kafka clients send, and by nothing else. */
function fromClients({ field, op, values }: FaultFilter): boolean {
  if (field === 'via') return op === '=' && values.every((value) => value === 'kafka');
  return (WIRE_FIELDS as readonly string[]).includes(field);
}

/** Where those are heard who are not heard at a point. */
function elsewhere(point: string): string {
  const [, api, direction] = point.split('.');
  if (api === 'Fetch') return `Followers fetch there; what consumers fetch is at rpc.ConsumerFetch.${direction}`;
  return 'Nodes alone talk there, not Kafka clients';
}

/** Fields of which all values are known: any other would never match. */
const VALUES: Readonly<Record<string, readonly string[]>> = { via: ['kafka', 'grpc'], listener: ['inside', 'outside'] };

function refuseValues({ field, op, values }: FaultFilter): string | undefined {
  const known = Object.hasOwn(VALUES, field) && op !== 'glob' ? VALUES[field]! : undefined;
  const unknown = values.find((value) => known !== undefined && !known.includes(value));
  return unknown === undefined ? undefined : `${field} is ${known!.join(' or ')}, not "${unknown}"`;
}

function refuseCounts(fault: FaultSpec): string | undefined {
  const whole = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
  if (!whole(fault.nth) || !whole(fault.times)) return 'nth and times are whole numbers from 1 (0: no limit)';
  if (!(fault.probability >= 0 && fault.probability <= 1)) return 'probability lies between 0 and 1';
  if (!whole(fault.ttlMs)) return 'a time to live is a whole number of ms (0: for ever)';
  return undefined;
}

/** The known word that needs the fewest edits; one that begins with the word asked for needs hardly any. */
export function nearest(word: string, known: readonly string[]): string {
  let best = known[0] ?? '';
  let least = Infinity;
  for (const candidate of known) {
    const distance = editDistance(word, candidate) / (word !== '' && candidate.startsWith(word) ? 10 : 1);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
