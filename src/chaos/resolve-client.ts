// The `workload` of a scenario: producers with steps, consumers with pauses.
import { clientConfig } from '../client/core/config.ts';
import { ConfigError } from '../protocol/config.ts';
import type { ProduceStep } from '../workload/spec.ts';
import { durationMs, DURATION_FORMS } from './durations.ts';
import type { Moment } from './moments.ts';
import { checkName, momentAt, type Names } from './names.ts';
import type { ClientPlan } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawClient } from './schema.ts';

type RawStep = NonNullable<RawClient['steps']>[number];

/** Resolves one client. Throws Misfit. */
export function resolveClient(raw: RawClient, names: Names, path: Path): ClientPlan {
  const { id, produce, consume } = raw;
  if (produce !== undefined && consume !== undefined) {
    throw new Misfit('HW2412', path, `client "${id}" has produce: and consume:. A client does one; make two clients`);
  }
  const config = raw.config ?? {};
  try {
    clientConfig(config, 'fast');
  } catch (error) {
    if (error instanceof ConfigError) throw new Misfit('HW2410', [...path, 'config'], error.message);
    throw error;
  }
  const common = {
    ...(raw.start === undefined ? {} : { start: momentAt(raw.start.after, names, [...path, 'start', 'after']) }),
    ...(raw.pause === undefined ? {} : { pause: resolvePause(raw.pause, names, [...path, 'pause']) }),
  };
  if (consume !== undefined) {
    refuse(raw, ['acks', 'steps', 'inFlight'], 'consume', path);
    const topics = [consume].flat();
    for (const topic of topics) checkName('topic', topic, new Set(names.topics.keys()), [...path, 'consume']);
    const partitions = topics.flatMap((topic) =>
      names.topics.get(topic)!.assignments.map((_, partition) => ({ topic, partition })),
    );
    return {
      spec: { kind: 'consume', id, partitions, from: raw.from ?? 'earliest', config },
      waits: new Map(),
      ...common,
    };
  }
  if (produce === undefined) {
    throw new Misfit('HW2410', path, `client "${id}" does nothing. Write produce: TOPIC or consume: TOPIC`);
  }
  refuse(raw, ['from'], 'produce', path);
  checkName('topic', produce, new Set(names.topics.keys()), [...path, 'produce']);
  const { steps, waits } = resolveSteps(raw.steps ?? [], names, [...path, 'steps']);
  const partitions = names.topics.get(produce)!.assignments.map((_, partition) => partition);
  const acks = raw.acks === 'all' || raw.acks === undefined ? -1 : raw.acks;
  const { inFlight = 1 } = raw;
  const spec = { kind: 'produce' as const, id, topic: produce, partitions, acks, steps, inFlight, config };
  return { spec, waits, ...common };
}

function resolvePause(raw: { from: string; until: string }, names: Names, path: Path): { from: Moment; until: Moment } {
  return {
    from: momentAt(raw.from, names, [...path, 'from']),
    until: momentAt(raw.until, names, [...path, 'until']),
  };
}

function refuse(raw: RawClient, keys: readonly (keyof RawClient)[], what: string, path: Path): void {
  for (const key of keys) {
    if (raw[key] !== undefined) throw new Misfit('HW2411', [...path, key], `a client with ${what}: takes no ${key}:`);
  }
}

function resolveSteps(
  raw: readonly RawStep[],
  names: Names,
  path: Path,
): { steps: ProduceStep[]; waits: Map<number, Moment> } {
  const waits = new Map<number, Moment>();
  const steps = raw.map((step, at): ProduceStep => {
    const here = [...path, at];
    if (typeof step === 'string') return { kind: 'send', values: sentValues(step, here) };
    if ('sleep' in step) {
      const ms = durationMs(step.sleep);
      if (ms !== undefined) return { kind: 'sleep', ms };
      throw new Misfit('HW2410', [...here, 'sleep'], `not a duration: "${step.sleep}".  ${DURATION_FORMS}.`);
    }
    waits.set(at, momentAt(step.wait, names, [...here, 'wait']));
    return { kind: 'wait' };
  });
  return { steps, waits };
}

/** Most values of one send, so that a slip of the pen does not fill a disk. */
const VALUES_MAX = 100_000;

/** "send 0..4", "send m0..m3" or "send a b c": the values, each a record in a batch of its own. */
function sentValues(step: string, path: Path): string[] {
  const words = step.trim().split(/\s+/);
  if (words[0] !== 'send' || words.length < 2) {
    throw new Misfit(
      'HW2410',
      path,
      `not a step: "${step}". Write send 0..4, send a b c, {wait: MOMENT} or {sleep: 300ms}`,
    );
  }
  return words.slice(1).flatMap((word) => {
    const range = /^([A-Za-z_-]*)(\d+)\.\.([A-Za-z_-]*)(\d+)$/.exec(word);
    if (range === null) return [word];
    const [, prefix, from, again, to] = range as unknown as [string, string, string, string, string];
    const count = Number(to) - Number(from) + 1;
    if ((again !== '' && again !== prefix) || count < 1 || count > VALUES_MAX) {
      throw new Misfit('HW2410', path, `not a range: "${word}". Write 0..4 or m0..m4, at most ${VALUES_MAX} values`);
    }
    return Array.from({ length: count }, (_, at) => `${prefix}${Number(from) + at}`);
  });
}
