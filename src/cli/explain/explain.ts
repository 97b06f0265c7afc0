// Finds what a word means: an anomaly, a safeguard, a point, an error of Kafka or of ours, a term. Offline, from the tables
// that the product itself works with.
import { CORPUS } from '../../chaos/corpus.ts';
import type { AnomalyName } from '../../checker/findings.ts';
import { SHOWN_IN } from '../../chaos/safeguards/shown-in.ts';
import { nearest } from '../../base/nearest.ts';
import { legalActions } from '../../fault/legality.ts';
import { POINTS, type PointInfo } from '../../fault/points.ts';
import { isSafeguard, SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { CONFIG_KEYS, TOPIC_CONFIG_KEYS } from '../../protocol/config.ts';
import type { ConfigKey } from '../../protocol/config-value.ts';
import { ERRORS, type ErrorInfo, type ErrorName } from '../../protocol/errors.ts';
import type { ProblemCode } from '../problem.ts';
import { ANOMALY_WORDS } from './anomalies.ts';
import { PROBLEM_WORDS } from './problems.ts';
import { TERMS } from './terms.ts';

export type ExplainedKind =
  'anomaly' | 'safeguard' | 'point' | 'kafka error' | 'error code' | 'term' | 'setting' | 'failure';

/** What a word means. */
export interface Explanation {
  readonly word: string;
  readonly kind: ExplainedKind;
  /** Whole sentences, a paragraph each. */
  readonly says: readonly string[];
  /** What to type next. */
  readonly next: readonly string[];
}

/** All meanings of a word, in upper or lower case; none if it is unknown. A word may be a term and an anomaly. */
export function explain(asked: string): Explanation[] {
  const word = asked.trim();
  const lower = word.toLowerCase().replaceAll('_', ' ');
  const found: (Explanation | undefined)[] = [
    problem(word.toUpperCase()),
    kafkaError(word),
    anomaly(lower.replaceAll(' ', '-')),
    safeguard(word),
    point(word),
    setting(word.toLowerCase()),
    failure(lower.replaceAll(' ', '-')),
    term(lower) ?? term(lower.replaceAll('-', ' ')) ?? term(lower.replace(/s$/, '')),
  ];
  return found.filter((each) => each !== undefined);
}

/** The known word that was probably meant. */
export function nearestWord(asked: string): string | undefined {
  return nearest(
    asked.trim().toLowerCase(),
    allWords().map((word) => word.toLowerCase()),
  );
}

/** Every word that can be asked for, by kind. */
export function wordsByKind(): Readonly<Record<ExplainedKind, readonly string[]>> {
  return {
    term: Object.keys(TERMS),
    anomaly: Object.keys(ANOMALY_WORDS),
    safeguard: Object.keys(SAFEGUARDS),
    'kafka error': Object.keys(ERRORS),
    'error code': Object.keys(PROBLEM_WORDS),
    setting: Object.keys(SETTINGS),
    failure: Object.keys(CORPUS).map((number) => failureName(Number(number))),
    point: Object.keys(POINTS),
  };
}

function allWords(): string[] {
  return Object.values(wordsByKind()).flat();
}

function problem(word: string): Explanation | undefined {
  if (!Object.hasOwn(PROBLEM_WORDS, word)) return undefined;
  return { word, kind: 'error code', says: [PROBLEM_WORDS[word as ProblemCode]], next: [] };
}

/** Of nodes and of topics, by Kafka's names. */
const SETTINGS: Readonly<Record<string, ConfigKey>> = { ...TOPIC_CONFIG_KEYS, ...CONFIG_KEYS };

function setting(word: string): Explanation | undefined {
  if (!Object.hasOwn(SETTINGS, word)) return undefined;
  const { meaning, type, default: value, min, max, oneOf, topicName } = SETTINGS[word]!;
  const range = [min === undefined ? '' : `at least ${min}`, max === undefined ? '' : `at most ${max}`];
  const values = oneOf?.join(', ') ?? [type, ...range].filter((part) => part !== '').join(', ');
  const place = topicName === undefined ? 'Of nodes' : word === topicName ? 'Of topics' : `Of topics: ${topicName}`;
  const shown = value === '' ? 'nothing' : String(value);
  const says = [`${begun(meaning)}.`, `${place}. Values: ${values}. Default: ${shown}.`];
  const verb = topicName === undefined ? 'up --config' : 'topics alter TOPIC --config';
  return { word, kind: 'setting', says, next: [`highwater ${verb} ${topicName ?? word}=…`] };
}

const begun = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const failureName = (number: number): string => `BUG-${String(number).padStart(2, '0')}`;

/** A failure of the corpus, by its number: bug-7, BUG-07. */
function failure(word: string): Explanation | undefined {
  const number = Number(/^bug-?0*(\d+)$/.exec(word)?.[1]);
  const row = CORPUS[number];
  if (row === undefined) return undefined;
  const named = { word: failureName(number), kind: 'failure' } as const;
  const title = `${row.title}.`;
  if ('file' in row) {
    const shown = 'A scenario shows it without what protects from it, and that it cannot happen with it.';
    return { ...named, says: [title, shown], next: [`highwater run scenarios/corpus/${row.file}.yaml --sim`] };
  }
  const why =
    'notApplicable' in row
      ? `It cannot happen here: ${row.notApplicable}.`
      : 'test' in row
        ? `A test of its core shows it: ${row.why}.`
        : `Nobody has built it yet: ${row.open}.`;
  return { ...named, says: [title, why], next: [] };
}

/** By name, or by Kafka's number. */
function kafkaError(word: string): Explanation | undefined {
  const upper = word.toUpperCase().replaceAll('-', '_');
  const entry = Object.entries(ERRORS).find(([name, { code }]) => name === upper || String(code) === word);
  if (entry === undefined) return undefined;
  const [name, info] = entry as [ErrorName, ErrorInfo];
  return { word: name, kind: 'kafka error', says: errorSentences(info), next: [] };
}

function errorSentences({ code, message, retriable, refreshMetadata, definite }: ErrorInfo): string[] {
  if (code === 0) return ['Kafka error 0: no error.'];
  const again = retriable ? 'A client may send the same again' : 'Sending the same again does not help';
  const fresh = refreshMetadata ? ', after it has asked for metadata anew' : '';
  const effect = definite
    ? 'What it answers was not done and will not be: a write that got it is not there.'
    : 'It does not say whether what it answers was done: a write that got it may be there.';
  return [`Kafka error ${code}: ${message}.`, `${again}${fresh}. ${effect}`];
}

function anomaly(word: string): Explanation | undefined {
  if (!Object.hasOwn(ANOMALY_WORDS, word)) return undefined;
  const { is, isNot } = ANOMALY_WORDS[word as AnomalyName];
  const shown = safeguardsAgainst(word);
  const guards =
    shown.length === 0 ? [] : [`It appears without: ${shown.map(({ safeguard }) => safeguard).join(', ')}.`];
  const file = shown[0]?.file;
  return {
    ...{ word, kind: 'anomaly', says: [is, `Not it: ${isNot}`, ...guards] },
    next: file === undefined ? [] : [`highwater run ${file} --sim`, `highwater safeguards run ${shown[0]!.safeguard}`],
  };
}

/** The safeguards whose absence is shown by an anomaly, and where. */
function safeguardsAgainst(word: string): { readonly safeguard: Safeguard; readonly file: string }[] {
  return (Object.keys(SHOWN_IN) as Safeguard[]).flatMap((safeguard) => {
    const shown = SHOWN_IN[safeguard];
    return 'finds' in shown && shown.finds === word ? [{ safeguard, file: shown.file }] : [];
  });
}

function safeguard(word: string): Explanation | undefined {
  const name = Object.keys(SAFEGUARDS).find((each) => each.toLowerCase() === word.toLowerCase());
  if (name === undefined || !isSafeguard(name)) return undefined;
  const shown = SHOWN_IN[name];
  const finds = 'finds' in shown ? [`Without it, ${shown.file} finds: ${shown.finds}.`] : [];
  const next = 'file' in shown ? [`highwater run ${shown.file} --sim`] : [];
  return {
    ...{ word: name, kind: 'safeguard', says: [SAFEGUARDS[name], ...finds] },
    next: [`highwater safeguards run ${name}`, ...next, `highwater sim --disable ${name} --seeds 1..100`],
  };
}

const KINDS: Readonly<Record<PointInfo['kind'], string>> = {
  step: 'A step in a node: the flow stops there while a fault holds it.',
  message: 'A message on its way, at its sender.',
  observation: 'An observation: something has happened; it can trigger actions elsewhere and cannot be held.',
};

function point(word: string): Explanation | undefined {
  if (!Object.hasOwn(POINTS, word)) return undefined;
  const { kind, fields, meaning } = POINTS[word]!;
  const where = `Conditions may name: node, ${fields.join(', ')}.`;
  return {
    ...{
      word,
      kind: 'point',
      says: [`${begun(meaning)}.`, KINDS[kind], where, `Legal actions: ${legalActions(word).join(', ')}.`],
    },
    next: [`highwater fault add --at ${word} --do ${kind === 'observation' ? 'notify' : 'hold'} --nth 1`],
  };
}

function term(lower: string): Explanation | undefined {
  for (const [word, { name, also = [], lines }] of Object.entries(TERMS)) {
    if (![word, name.toLowerCase(), ...also].includes(lower)) continue;
    return { word: name, kind: 'term', says: [lines.join(' ')], next: [] };
  }
  return undefined;
}
