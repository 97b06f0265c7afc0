// The `expect` of a scenario: one thing each that must be found, must not be, or must come to hold.
import { parsePartition } from '../base/units.ts';
import { ANOMALIES, type AnomalyName } from '../checker/findings.ts';
import { nearest } from '../fault/legality.ts';
import { ERRORS, type ErrorName } from '../protocol/errors.ts';
import { parseCondition, type Condition } from './moments.ts';
import { checkCondition, checkName, checkPartition, durationAt, momentAt, type Names } from './names.ts';
import type { Expectation } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawExpectation } from './schema.ts';

/** What an expectation is about, by the key that says so, and the keys that go with it. */
const KINDS = {
  never: ['with'],
  always: [],
  finds: ['with'],
  allows: [],
  eventually: ['within'],
  order: [],
  client: ['op', 'outcome', 'code', 'exits'],
  epoch: ['of', 'above'],
  log: ['marker', 'closes'],
} as const satisfies Partial<Record<keyof RawExpectation, readonly (keyof RawExpectation)[]>>;
type Kind = keyof typeof KINDS;
/** Keys of every expectation. */
const COMMON: readonly string[] = ['variant', 'when', 'because'];

/** Resolves one expectation. Throws Misfit. */
export function resolveExpectation(raw: RawExpectation, names: Names, path: Path): Expectation {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => raw[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const message = kind === undefined ? 'expects nothing' : `expects ${kinds.length} things: ${kinds.join(', ')}`;
    throw new Misfit('HW2412', path, `${message}. An expectation has one of ${Object.keys(KINDS).join(', ')}`);
  }
  for (const key of Object.keys(raw)) {
    if (key === kind || COMMON.includes(key) || (KINDS[kind] as readonly string[]).includes(key)) continue;
    throw new Misfit('HW2411', [...path, key], `an expectation with ${kind}: takes no ${key}:`);
  }
  return RESOLVE[kind](raw, names, path);
}

type Resolve = (raw: RawExpectation, names: Names, path: Path) => Expectation;

const RESOLVE: Readonly<Record<Kind, Resolve>> = {
  never: (raw, names, path) => {
    const listed = [raw.never!].flat();
    const unseen = listed.length === 1 ? visibleAt(listed[0]!, names, [...path, 'never']) : undefined;
    if (unseen !== undefined) return { kind: 'unseen', client: unseen.client, values: unseen.values };
    const anomalies = listed.map((name) => anomalyAt(name, [...path, 'never']));
    return { kind: 'never', anomalies, ...(raw.with === undefined ? {} : { with: raw.with }) };
  },
  always: (raw, _names, path) => {
    const atomic = /^atomic\((.*)\)$/.exec(raw.always!);
    if (atomic === null) {
      throw new Misfit(
        'HW2410',
        [...path, 'always'],
        `not a promise: "${raw.always!}". Write atomic(transactional id)`,
      );
    }
    return { kind: 'never', anomalies: [anomalyAt('torn-txn', path)], with: { transactionalId: atomic[1]! } };
  },
  finds: (raw, _names, path) => {
    return { kind: 'finds', anomaly: anomalyAt(raw.finds!, [...path, 'finds']), with: raw.with ?? {} };
  },
  allows: (raw) => ({ kind: 'allows', offsets: raw.allows! }),
  eventually: (raw, names, path) => {
    const text = raw.eventually!;
    const condition = conditionAt(text, names, [...path, 'eventually']);
    const withinMs = raw.within === undefined ? 10_000 : durationAt(raw.within, [...path, 'within']);
    return { kind: 'eventually', condition, text, withinMs };
  },
  order: (raw, names, path) => {
    const moments = raw.order!.map((text, at) => momentAt(text, names, [...path, 'order', at]));
    const text = moments.map((moment) => moment.text).join(', then ');
    return { kind: 'order', moment: { text, parts: moments.flatMap(({ parts }) => parts) } };
  },
  client: (raw, names, path) => {
    const { client, op, outcome, code, exits } = raw;
    checkName('client', client!, names.clients, [...path, 'client']);
    if (exits !== undefined) return { kind: 'exits', client: client!, code: exits };
    if (op === undefined || outcome === undefined) {
      throw new Misfit('HW2410', path, 'takes op: and outcome:, such as {client: p, op: commit, outcome: ok}');
    }
    if (code !== undefined && outcome === 'ok') {
      throw new Misfit('HW2411', [...path, 'code'], 'what went well has no code; write outcome: error');
    }
    const operations = op.split('|').map((each) => each.trim());
    const errors = (code === undefined ? [] : [code].flat()).map((name) => errorAt(name, [...path, 'code']));
    return { kind: 'operation', client: client!, operations, outcome, errors };
  },
  epoch: (raw, names, path) => {
    const { epoch, of, above } = raw;
    if (of === undefined || above === undefined) {
      throw new Misfit('HW2410', path, 'takes of: and above:, two clients: {epoch: checkout-1, of: new, above: old}');
    }
    checkName('client', of, names.clients, [...path, 'of']);
    checkName('client', above, names.clients, [...path, 'above']);
    return { kind: 'epoch', transactionalId: epoch!, of, above };
  },
  log: (raw, names, path) => {
    const { log, marker, closes } = raw;
    const of = parsePartition(log!);
    if (of === undefined) throw new Misfit('HW2410', [...path, 'log'], `not a partition: "${log!}". Write orders-0`);
    checkPartition(of, names, [...path, 'log']);
    if (marker === undefined || closes === undefined) {
      throw new Misfit('HW2410', path, 'takes marker: and closes:, such as {log: orders-0, marker: abort, closes: m1}');
    }
    return { kind: 'marker', partition: log!, marker, closes: String(closes) };
  },
};

function conditionAt(text: string, names: Names, path: Path): Condition {
  const condition = parseCondition(text);
  if (condition === undefined) {
    throw new Misfit('HW2410', path, `not a condition: "${text}". Write isr(orders-0) = [1, 2, 3]`);
  }
  checkCondition(condition, names, path);
  return condition;
}

function visibleAt(text: string, names: Names, path: Path): Extract<Condition, { kind: 'visible' }> | undefined {
  if (!text.startsWith('visible(')) return undefined;
  const condition = conditionAt(text, names, path);
  return condition.kind === 'visible' ? condition : undefined;
}

function anomalyAt(name: string, path: Path): AnomalyName {
  const known = ANOMALIES.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  throw new Misfit('HW2413', path, `no anomaly "${name}". Did you mean ${nearest(name, ANOMALIES)}?`);
}

function errorAt(name: string, path: Path): ErrorName {
  if (Object.hasOwn(ERRORS, name)) return name as ErrorName;
  throw new Misfit('HW2413', path, `no error "${name}". Did you mean ${nearest(name, Object.keys(ERRORS))}?`);
}
