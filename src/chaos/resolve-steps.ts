// The `steps` of a client: what a producer sends, and what a transactional one does, in turn. Waits are moments, by step.
import { parsePartition } from '../base/units.ts';
import { keyOf } from '../history/record-text.ts';
import type { ProduceStep, TransactionStep } from '../workload/spec.ts';
import type { Moment } from './moments.ts';
import { checkPartition, durationAt, momentAt, type Names } from './names.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawClient } from './schema.ts';

type RawStep = NonNullable<RawClient['steps']>[number];

interface Steps<T> {
  readonly steps: readonly T[];
  readonly waits: ReadonlyMap<number, Moment>;
}

/** Steps of a producer; with `paceMs` it stands still for so long behind each value. Throws Misfit. */
export function produceSteps(
  raw: readonly RawStep[],
  names: Names,
  { path, paceMs }: { readonly path: Path; readonly paceMs: number | undefined },
): Steps<ProduceStep> {
  const waits = new Map<number, Moment>();
  const steps: ProduceStep[] = [];
  for (const [at, step] of raw.entries()) {
    const here = [...path, at];
    if (typeof step !== 'string') {
      if ('offsets' in step) throw new Misfit('HW2410', here, 'offsets are committed by a client with transactional:');
      steps.push(standing(step, names, here, (moment) => waits.set(steps.length, moment)));
      continue;
    }
    const [verb, ...words] = step.trim().split(/\s+/);
    if (verb !== 'send' || words.length === 0) {
      const forms = 'Write send 0..4, send a b c, send k1=a k1= (a tombstone), {wait: MOMENT} or {sleep: 300ms}';
      throw new Misfit('HW2410', here, `not a step: "${step}". ${forms}`);
    }
    const sent = values(words, here);
    if (paceMs === undefined) steps.push({ kind: 'send', values: sent });
    else for (const value of sent) steps.push({ kind: 'send', values: [value] }, { kind: 'sleep', ms: paceMs });
  }
  return { steps, waits };
}

const VERBS = ['init', 'begin', 'commit', 'abort', 'confirm'] as const;

/** Steps of a transactional client; `init` comes first, written or not. Throws Misfit. */
export function transactionSteps(raw: readonly RawStep[], names: Names, path: Path): Steps<TransactionStep> {
  const waits = new Map<number, Moment>();
  const before: TransactionStep[] = raw[0] === 'init' ? [] : [{ kind: 'init' }];
  const steps = raw.map((step, index): TransactionStep => {
    const here = [...path, index];
    if (typeof step === 'string') return transactionVerb(step, names, here);
    if (!('offsets' in step)) return standing(step, names, here, (moment) => waits.set(index + before.length, moment));
    const offsets = Object.entries(step.offsets).map(([name, offset]) => ({
      ...partitionAt(name, names, here),
      offset,
    }));
    return { kind: 'send-offsets', group: step.group, offsets };
  });
  return { steps: [...before, ...steps], waits };
}

function transactionVerb(step: string, names: Names, path: Path): TransactionStep {
  const [verb, where = '', ...words] = step.trim().split(/\s+/);
  const known = VERBS.find((candidate) => candidate === verb);
  if (known !== undefined && where === '') return { kind: known };
  if (verb === 'send' && words.length > 0) {
    const of = partitionAt(where.replace(/\/(\d+)$/, '-$1'), names, path);
    return { kind: 'send', ...of, values: values(words, path) };
  }
  const forms = `Write ${VERBS.join(', ')}, send orders/0 a b, {offsets: {orders-0: 5}, group: g}, {wait: MOMENT} or {sleep: 1s}`;
  throw new Misfit('HW2410', path, `not a step: "${step}". ${forms}`);
}

function partitionAt(text: string, names: Names, path: Path): { readonly topic: string; readonly partition: number } {
  const of = parsePartition(text);
  if (of === undefined) throw new Misfit('HW2410', path, `not a partition: "${text}". Write orders/0`);
  checkPartition(of, names, path);
  return of;
}

function standing(
  step: { readonly wait: string } | { readonly sleep: string },
  names: Names,
  path: Path,
  waitsFor: (moment: Moment) => void,
): { readonly kind: 'wait' } | { readonly kind: 'sleep'; readonly ms: number } {
  if ('sleep' in step) return { kind: 'sleep', ms: durationAt(step.sleep, [...path, 'sleep']) };
  waitsFor(momentAt(step.wait, names, [...path, 'wait']));
  return { kind: 'wait' };
}

/** Most values of one send, so that a slip of the pen does not fill a disk. */
const VALUES_MAX = 100_000;

/** 0..4, m0..m3 or words: the values, each a record in a batch of its own. Keys stand before them: k=m0..m3, k=a; k= deletes. */
function values(words: readonly string[], path: Path): string[] {
  return words.flatMap((word) => {
    const key = keyOf(word);
    if (key === undefined) return valuesOf(word, path);
    if (key !== '') return valuesOf(word.slice(key.length + 1), path).map((value) => `${key}=${value}`);
    throw new Misfit('HW2410', path, `no key in "${word}". Write k1=a, or k1= for a tombstone`);
  });
}

function valuesOf(word: string, path: Path): string[] {
  const range = /^([A-Za-z_-]*)(\d+)\.\.([A-Za-z_-]*)(\d+)$/.exec(word);
  if (range === null) return [word];
  const [, prefix, from, again, to] = range as unknown as [string, string, string, string, string];
  const count = Number(to) - Number(from) + 1;
  if ((again !== '' && again !== prefix) || count < 1 || count > VALUES_MAX) {
    throw new Misfit('HW2410', path, `not a range: "${word}". Write 0..4 or m0..m4, at most ${VALUES_MAX} values`);
  }
  return Array.from({ length: count }, (_, at) => `${prefix}${Number(from) + at}`);
}
