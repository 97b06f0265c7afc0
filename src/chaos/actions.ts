// The `do` of a fault: what is done to the flow or node at a point, or to something else. Data in, data out.
import { parsePartition, type TopicPartition } from '../base/units.ts';
import { nearest } from '../fault/legality.ts';
import { parseSelector, SELECTOR_FORMS } from '../fault/selectors.ts';
import { isSafeguard, SAFEGUARDS } from '../fault/safeguards.ts';
import { ERRORS, type ErrorName } from '../protocol/errors.ts';
import { DURATION_FORMS, span } from './durations.ts';
import type { ElsewhereAction, FaultPlan, OwnAction, Target } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';

type Action = FaultPlan['action'];

const WORDS = [
  'kill',
  'pause',
  'hold',
  'notify',
  'drop',
  'duplicate',
  'reorder',
  'disconnect',
  'lose-response',
] as const;
const DISK_WORDS = ['full', 'write-error', 'read-error', 'flip-bit'] as const;
const MAPS = [
  'kill',
  'pause',
  'resume',
  'stop',
  'start',
  'delay',
  'disk',
  'error',
  'elect',
  'reassign',
  'cut',
  'mend',
  'release',
  'switch',
  'abort-hanging',
  'abort-open',
  'delete-records',
  'end-txn',
  'delete',
];

/** Reads an action. Throws Misfit. */
export function parseAction(raw: unknown, path: Path): Action {
  if (typeof raw === 'string') return { own: ownWord(raw, path) };
  const entries = Object.entries(raw as Record<string, unknown>);
  const [entry, second] = entries;
  if (entry === undefined) throw new Misfit('HW2410', path, 'an empty action. Write hold, or {kill: leader(orders-0)}');
  if (second !== undefined) {
    const message = `has two actions, ${entry[0]}: and ${second[0]}:. A fault does one thing; make two faults`;
    throw new Misfit('HW2412', path, message);
  }
  const [kind, value] = entry;
  const at = [...path, kind];
  switch (kind) {
    case 'kill':
    case 'pause':
    case 'resume':
    case 'stop':
      if (value === 'node' && (kind === 'kill' || kind === 'pause')) return { own: { kind } };
      return { elsewhere: { kind, target: parseTarget(value, at) } };
    case 'start':
      return { elsewhere: startAction(value, at) };
    case 'delay':
      return { own: { kind, span: spanAt(value, at) } };
    case 'disk':
      return { own: diskAction(value, at) };
    case 'error':
      return { own: { kind, error: errorAt(value, at) } };
    case 'elect':
      return { elsewhere: electAction(value, at) };
    case 'reassign':
      return { elsewhere: reassignAction(value, at) };
    case 'cut':
    case 'mend':
      return { elsewhere: linkAction(kind, value, at) };
    case 'release':
      return { elsewhere: { kind, fault: String(value) } };
    case 'switch':
      return { elsewhere: switchAction(value, at) };
    case 'abort-hanging':
    case 'abort-open':
      return { elsewhere: { kind, of: partitionAt(value, at) } };
    case 'delete-records':
      return { elsewhere: deleteRecordsAction(value, at) };
    case 'end-txn':
      return { elsewhere: endTransactionAction(value, at) };
    case 'delete':
      return { elsewhere: { kind, topic: String(value) } };
    default:
      throw new Misfit('HW2410', at, `no action "${kind}". Did you mean ${nearest(kind, [...MAPS, ...WORDS])}?`);
  }
}

function ownWord(word: string, path: Path): OwnAction {
  const known = WORDS.find((candidate) => candidate === word);
  if (known !== undefined) return { kind: known };
  if (MAPS.includes(word)) throw new Misfit('HW2410', path, `${word} needs more: write {${word}: …}`);
  throw new Misfit('HW2410', path, `no action "${word}". Did you mean ${nearest(word, [...WORDS, ...MAPS])}?`);
}

/** What befalls the disk of the node at the point. */
function diskAction(value: unknown, path: Path): OwnAction {
  if (isMap(value) && 'slow' in value && Object.keys(value).length === 1) {
    return { kind: 'disk:slow', span: spanAt(value['slow'], [...path, 'slow']) };
  }
  const known = DISK_WORDS.find((word) => word === value);
  if (known !== undefined) return { kind: `disk:${known}` };
  throw new Misfit('HW2410', path, `disk takes ${DISK_WORDS.join(', ')} or {slow: 200ms}`);
}

/** Reads whom an action strikes. Throws Misfit. */
export function parseTarget(value: unknown, path: Path): Target {
  const text = String(value);
  const client = /^client\(([\w-]+)\)$/.exec(text);
  if (client !== null) return { kind: 'client', client: client[1]! };
  const struck = /^([\w-]+)\.node$/.exec(text);
  if (struck !== null) return { kind: 'struck-by', fault: struck[1]! };
  const selector = parseSelector(text);
  if (typeof selector !== 'string') return { kind: 'nodes', selector, text };
  throw new Misfit('HW2410', path, `"${text}" names nobody. Write ${SELECTOR_FORMS}, client(name) or fault.node`);
}

function startAction(value: unknown, path: Path): ElsewhereAction {
  if (!isMap(value)) return { kind: 'start', target: parseTarget(value, path), wipe: false, truncateTail: 0 };
  const map = knownOnly(value, ['node', 'wipe', 'truncateTail'], path);
  const wipe = map['wipe'] ?? false;
  const truncateTail = map['truncateTail'] ?? 0;
  if (typeof wipe !== 'boolean') throw new Misfit('HW2410', [...path, 'wipe'], 'takes true or false');
  if (typeof truncateTail !== 'number' || !Number.isInteger(truncateTail) || truncateTail < -1) {
    throw new Misfit('HW2410', [...path, 'truncateTail'], 'takes how many unflushed batches to drop, -1 for all');
  }
  return { kind: 'start', target: parseTarget(map['node'], [...path, 'node']), wipe, truncateTail };
}

function electAction(value: unknown, path: Path): ElsewhereAction {
  const map = knownOnly(isMap(value) ? value : { partition: value }, ['partition', 'leader', 'type'], path);
  const of = parsePartition(String(map['partition']));
  if (of === undefined) throw new Misfit('HW2410', path, 'elect needs a partition: {partition: orders-0, leader: 2}');
  if (map['leader'] !== undefined) {
    return { kind: 'elect', of, type: 'TO', leader: parseTarget(map['leader'], [...path, 'leader']) };
  }
  const type = String(map['type'] ?? 'preferred').toUpperCase();
  if (type !== 'PREFERRED' && type !== 'UNCLEAN') {
    throw new Misfit('HW2410', [...path, 'type'], 'takes preferred or unclean; to choose the leader, write leader: 2');
  }
  return { kind: 'elect', of, type };
}

function reassignAction(value: unknown, path: Path): ElsewhereAction {
  const map = knownOnly(isMap(value) ? value : {}, ['partition', 'to', 'cancel'], path);
  const of = partitionAt(map['partition'], [...path, 'partition']);
  if (map['cancel'] === true && map['to'] === undefined) return { kind: 'reassign', of, replicas: null };
  const to = map['to'];
  if (Array.isArray(to) && to.length > 0 && map['cancel'] === undefined) {
    const ids = to.map(Number);
    if (ids.every((id) => Number.isInteger(id) && id >= 1)) return { kind: 'reassign', of, replicas: ids };
  }
  const message = 'reassign takes {partition: orders-0, to: [1, 2, 4]}, or {partition: orders-0, cancel: true}';
  throw new Misfit('HW2410', path, message);
}

function partitionAt(value: unknown, path: Path): TopicPartition {
  const of = parsePartition(String(value));
  if (of === undefined) throw new Misfit('HW2410', path, `not a partition: "${String(value)}". Write orders-0`);
  return of;
}

function deleteRecordsAction(value: unknown, path: Path): ElsewhereAction {
  const map = knownOnly(isMap(value) ? value : {}, ['partition', 'before'], path);
  const before = map['before'];
  if (typeof before !== 'number' || !Number.isInteger(before) || before < 0) {
    throw new Misfit('HW2410', path, 'delete-records takes {partition: orders-0, before: 10}');
  }
  return { kind: 'delete-records', of: partitionAt(map['partition'], path), before };
}

function endTransactionAction(value: unknown, path: Path): ElsewhereAction {
  const map = knownOnly(isMap(value) ? value : {}, ['id', 'commit', 'ahead'], path);
  const { id, commit, ahead } = map;
  if (typeof id !== 'string' || typeof commit !== 'boolean' || typeof ahead !== 'number' || !Number.isInteger(ahead)) {
    throw new Misfit('HW2410', path, 'end-txn takes {id: checkout-1, commit: true, ahead: 1}');
  }
  return { kind: 'end-txn', transactionalId: id, committed: commit, ahead };
}

function linkAction(kind: 'cut' | 'mend', value: unknown, path: Path): ElsewhereAction {
  if (!isMap(value)) throw new Misfit('HW2410', path, `${kind} takes {from: 1, to: 2}, and oneWay: true for one way`);
  const map = knownOnly(value, ['from', 'to', 'oneWay'], path);
  const [from, to] = [parseTarget(map['from'], [...path, 'from']), parseTarget(map['to'], [...path, 'to'])];
  return { kind, from, to, oneWay: map['oneWay'] === true };
}

function switchAction(value: unknown, path: Path): ElsewhereAction {
  const [entry, ...more] = isMap(value) ? Object.entries(value) : [];
  if (entry === undefined || more.length > 0) throw new Misfit('HW2410', path, 'switch takes one: {hw.bound: off}');
  const [name, state] = entry;
  if (!isSafeguard(name)) {
    throw new Misfit('HW2413', path, `no safeguard "${name}". Safeguards: ${Object.keys(SAFEGUARDS).join(', ')}`);
  }
  if (state !== 'on' && state !== 'off') throw new Misfit('HW2410', [...path, name], 'takes on or off');
  return { kind: 'switch', safeguard: name, on: state === 'on' };
}

function errorAt(value: unknown, path: Path): ErrorName {
  const name = String(isMap(value) ? value['code'] : value);
  if (Object.hasOwn(ERRORS, name) && name !== 'NONE') return name as ErrorName;
  throw new Misfit('HW2410', path, `no error "${name}". Did you mean ${nearest(name, Object.keys(ERRORS))}?`);
}

function spanAt(value: unknown, path: Path): NonNullable<ReturnType<typeof span>> {
  const found = span(String(value));
  if (found === undefined) throw new Misfit('HW2410', path, `not a duration: "${String(value)}".  ${DURATION_FORMS}.`);
  return found;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function knownOnly(map: Record<string, unknown>, keys: readonly string[], path: Path): Record<string, unknown> {
  for (const key of Object.keys(map)) {
    if (!keys.includes(key))
      throw new Misfit('HW2411', [...path, key], `no key "${key}" here; there is ${keys.join(', ')}`);
  }
  return map;
}
