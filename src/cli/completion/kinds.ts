// What kind of word a place takes, by the name that the argument or flag has in its command; and the words of those kinds
// that are the same everywhere.
import { POINTS } from '../../fault/points.ts';
import { ELSEWHERE_ACTIONS, legalActions, MESSAGE_ACTIONS, OWN_ACTIONS } from '../../fault/legality.ts';
import { SAFEGUARDS } from '../../fault/safeguards.ts';
import { ROWS } from '../../chaos/crash-points/rows.ts';
import { ANOMALIES } from '../../checker/findings.ts';
import { TRANSACTION_STATES } from '../../coordinator/txn/metadata.ts';
import { CONFIG_KEYS, TOPIC_CONFIG_KEYS } from '../../protocol/config.ts';
import { KAFKA_RELEASES } from '../../protocol/kafka-releases.ts';
import { wordsByKind } from '../explain/explain.ts';
import { SHELLS } from './scripts.ts';

/** Words that only a cluster knows. */
export type LiveKind = 'topic' | 'partition' | 'transactional-id' | 'group' | 'node' | 'broker' | 'fault';

/** Words that lie on the disk. */
export type FileKind = 'scenario' | 'history' | 'file';

export type Kind =
  | { readonly live: LiveKind }
  | { readonly files: FileKind }
  | { readonly cluster: true }
  | { readonly words: readonly string[] };

const live = (kind: LiveKind): Kind => ({ live: kind });
const files = (kind: FileKind): Kind => ({ files: kind });
const oneOf = (...words: readonly string[]): Kind => ({ words });

/** By verb and name; else by name alone. */
const KINDS: Readonly<Record<string, () => Kind>> = {
  'topics create name': () => oneOf(),
  'topics describe name': () => live('topic'),
  'topics alter name': () => live('topic'),
  'topics delete name': () => live('topic'),
  'topics reassign --to': () => live('broker'),
  'topic-partition': () => live('partition'),
  topic: () => live('topic'),
  'transactional-id': () => live('transactional-id'),
  group: () => live('group'),
  node: () => live('node'),
  'node unregister id': () => live('broker'),
  'fault rm id': () => live('fault'),
  'fault release id': () => live('fault'),
  'fault points area': () => oneOf(...new Set(Object.keys(POINTS).map((point) => point.split('.')[0]!))),
  'run file': () => files('scenario'),
  'safeguards run names': () => oneOf(...Object.keys(SAFEGUARDS)),
  'safeguards catch names': () => oneOf(...Object.keys(SAFEGUARDS)),
  'crash-points show row': rows,
  'crash-points run rows': rows,
  'explain word': () => oneOf(...new Set(Object.values(wordsByKind()).flat())),
  history: () => files('history'),
  file: () => files('file'),
  shell: () => oneOf(...SHELLS),
  'up --topic': () => oneOf(),
  '--topic': () => live('topic'),
  '--broker': () => live('broker'),
  '--target': () => live('node'),
  'fault add --from': () => live('node'),
  'fault add --to': () => live('node'),
  'topics elect-leader --to': () => live('node'),
  '--cluster': () => ({ cluster: true }),
  '--at': () => oneOf(...Object.keys(POINTS)),
  '--disable': () => oneOf(...Object.keys(SAFEGUARDS)),
  '--checker': () => oneOf(...ANOMALIES),
  'up --config': () => settings(CONFIG_KEYS),
  'topics create --config': () => settings(TOPIC_CONFIG_KEYS),
  'topics alter --config': () => settings(TOPIC_CONFIG_KEYS),
  '--delete-config': () => oneOf(...Object.keys(TOPIC_CONFIG_KEYS)),
  '--acks': () => oneOf('all', '1', '0'),
  '--isolation-level': () => oneOf('read_uncommitted', 'read_committed'),
  '--timers': () => oneOf('kafka', 'fast'),
  '--as-version': () => oneOf(...KAFKA_RELEASES),
  '--transaction-version': () => oneOf('0', '1', '2'),
  '--outcome': () => oneOf('commit', 'abort'),
  '--victim': () => oneOf('restarts', 'stays-dead'),
  'txn list --state': () => oneOf(...TRANSACTION_STATES),
  '--write': () => files('file'),
  '--dir': () => files('file'),
  '--data-dir': () => files('file'),
  '--events': () => files('file'),
  '--secret-file': () => files('file'),
  '--trace': () => files('file'),
};

function rows(): Kind {
  return oneOf(...ROWS.map(({ id }) => id));
}

function settings(keys: Readonly<Record<string, unknown>>): Kind {
  return oneOf(...Object.keys(keys).map((name) => `${name}=`));
}

/** The kind of a place; undefined: nobody can know. `given`: the flags that stand there already. */
export function kindOf(verb: string, of: string, given: ReadonlyMap<string, string>): Kind | undefined {
  if (verb === 'fault add' && of === '--do') return oneOf(...actions(given.get('--at')));
  if (verb === 'fault add' && of === '--where') return oneOf(...fields(given.get('--at')));
  return (KINDS[`${verb} ${of}`] ?? KINDS[of])?.();
}

/** What is a command of its own, wherever it strikes. */
const WITHOUT_POINT = ['elect', 'cut', 'mend', 'switch'];

/** What may strike: at this point, or without one. */
function actions(point: string | undefined): string[] {
  if (point !== undefined && Object.hasOwn(POINTS, point)) {
    return legalActions(point).filter((kind) => !WITHOUT_POINT.includes(kind));
  }
  const all = [...OWN_ACTIONS, ...MESSAGE_ACTIONS, ...ELSEWHERE_ACTIONS];
  const switches = Object.keys(SAFEGUARDS).map((name) => `switch:${name}=off`);
  return [...all.filter((kind) => kind !== 'switch' && kind !== 'elect'), ...switches];
}

/** What conditions may name: at this point, or at any. */
function fields(point: string | undefined): string[] {
  const known = point !== undefined && Object.hasOwn(POINTS, point) ? [POINTS[point]!] : Object.values(POINTS);
  return [...new Set(['node', ...known.flatMap((info) => info.fields)])].map((field) => `${field}=`);
}
