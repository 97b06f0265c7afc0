// The `workload` of a scenario: what each client does, and when it starts and pauses.
import { clientConfig } from '../client/core/config.ts';
import { ConfigError } from '../protocol/config.ts';
import type { ClientSpec } from '../workload/spec.ts';
import type { Moment } from './moments.ts';
import { checkName, durationAt, momentAt, type Names } from './names.ts';
import type { ClientPlan, Scalar } from './plan.ts';
import { produceSteps, transactionSteps } from './resolve-steps.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawClient } from './schema.ts';

/** What a client does, by the keys that say so, and the keys that go with it besides those of all. */
const KINDS = {
  produce: ['acks', 'steps', 'inFlight', 'pace'],
  consume: ['from', 'group', 'isolation', 'ends', 'rack'],
  copy: ['transactional', 'group', 'batch', 'timeout', 'version'],
  transactional: ['steps', 'timeout', 'version', 'inFlight'],
  external: ['forever', 'copies'],
} as const satisfies Partial<Record<keyof RawClient, readonly (keyof RawClient)[]>>;
type Kind = keyof typeof KINDS;
const COMMON: readonly string[] = ['id', 'pause', 'start', 'config'];

/** Resolves one client. Throws Misfit. */
export function resolveClient(raw: RawClient, names: Names, path: Path): ClientPlan {
  const kind = kindOf(raw, path);
  const config = configOf(raw, path);
  const moments = {
    ...(raw.start === undefined ? {} : { start: momentAt(raw.start.after, names, [...path, 'start', 'after']) }),
    ...(raw.pause === undefined ? {} : { pause: resolvePause(raw.pause, names, [...path, 'pause']) }),
  };
  return { ...RESOLVE[kind](raw, config, { names, path }), ...moments };
}

/** A copy is transactional as well: what it copies says what it does. */
function kindOf(raw: RawClient, path: Path): Kind {
  const given = (Object.keys(KINDS) as Kind[]).filter((kind) => raw[kind] !== undefined);
  const kinds = given.includes('copy') ? given.filter((kind) => kind !== 'transactional') : given;
  const [kind, second] = kinds;
  if (kind === undefined) {
    const forms =
      'Write produce: TOPIC, consume: TOPIC, transactional: ID, copy: {from: TOPIC, to: TOPIC} or external: COMMAND';
    throw new Misfit('HW2410', path, `client "${raw.id}" does nothing. ${forms}`);
  }
  if (second !== undefined) {
    const message = `client "${raw.id}" has ${kind}: and ${second}:. A client does one; make two clients`;
    throw new Misfit('HW2412', path, message);
  }
  for (const key of Object.keys(raw)) {
    if (key === kind || COMMON.includes(key) || (KINDS[kind] as readonly string[]).includes(key)) continue;
    throw new Misfit('HW2411', [...path, key], `a client with ${kind}: takes no ${key}:`);
  }
  return kind;
}

function configOf(raw: RawClient, path: Path): Record<string, Scalar> {
  const { timeout, isolation, version, rack } = raw;
  const config: Record<string, Scalar> = {
    ...(timeout === undefined ? {} : { 'transaction.timeout.ms': durationAt(timeout, [...path, 'timeout']) }),
    ...(isolation === undefined ? {} : { 'isolation.level': isolation }),
    ...(rack === undefined ? {} : { 'client.rack': rack }),
    ...(version === undefined ? {} : { 'transaction.version': version }),
    ...raw.config,
  };
  try {
    clientConfig(config, 'fast');
  } catch (error) {
    if (error instanceof ConfigError) throw new Misfit('HW2410', [...path, 'config'], error.message);
    throw error;
  }
  return config;
}

/** Where read_committed readers are told that a partition ends may fall: it is the last stable offset (txn T-137). */
const COMMITTED_ENDS = 'ends are asked by a reader of what is not committed as well; leave isolation: out';

interface At {
  readonly names: Names;
  readonly path: Path;
}
type Resolved = Pick<ClientPlan, 'spec' | 'waits'>;
type Resolve = (raw: RawClient, config: Record<string, Scalar>, at: At) => Resolved;

const RESOLVE: Readonly<Record<Kind, Resolve>> = {
  produce: (raw, config, { names, path }) => {
    const { id, produce, acks, inFlight = 1 } = raw;
    const topic = topicAt(produce!, { names, path: [...path, 'produce'] });
    const paceMs = raw.pace === undefined ? undefined : durationAt(raw.pace, [...path, 'pace']);
    const { steps, waits } = produceSteps(raw.steps ?? [], names, { path: [...path, 'steps'], paceMs });
    const partitions = names.topics.get(topic)!.assignments.map((_, partition) => partition);
    const spec = { kind: 'produce', id, topic, partitions, steps, inFlight, config } as const;
    return { spec: { ...spec, acks: acks === 'all' || acks === undefined ? -1 : acks }, waits };
  },
  consume: (raw, config, { names, path }) => {
    const { id, consume, group, from } = raw;
    const topics = [consume!].flat().map((topic) => topicAt(topic, { names, path: [...path, 'consume'] }));
    if (group !== undefined) {
      if (raw.ends !== undefined) throw new Misfit('HW2410', [...path, 'ends'], 'a member of a group asks for no ends');
      if (typeof from === 'number') {
        throw new Misfit(
          'HW2410',
          [...path, 'from'],
          'a member of a group begins where its group is; write earliest or latest',
        );
      }
      const reset = from === undefined ? {} : { 'auto.offset.reset': from };
      return resolved({ kind: 'group', id, group, topics, config: { ...reset, ...config } });
    }
    const partitions = topics.flatMap((topic) =>
      names.topics.get(topic)!.assignments.map((_, partition) => ({ topic, partition })),
    );
    const spec = { kind: 'consume', id, partitions, from: from ?? 'earliest', config } as const;
    if (raw.ends === undefined) return resolved(spec);
    if (config['isolation.level'] === 'read_committed') throw new Misfit('HW2410', [...path, 'ends'], COMMITTED_ENDS);
    return resolved({ ...spec, endsEveryMs: durationAt(raw.ends, [...path, 'ends']) });
  },
  copy: (raw, config, { names, path }) => {
    const { id, copy, transactional, group, batch = 10 } = raw;
    if (transactional === undefined || group === undefined) {
      throw new Misfit('HW2410', path, `client "${id}" copies, which takes transactional: ID and group: GROUP`);
    }
    const topics = topicsAt(copy!, { names, path: [...path, 'copy'] });
    return resolved({ kind: 'copy', id, transactionalId: transactional, group, ...topics, batch, config });
  },
  transactional: (raw, config, { names, path }) => {
    const { id, transactional, inFlight = 1 } = raw;
    const { steps, waits } = transactionSteps(raw.steps ?? [], names, [...path, 'steps']);
    return { spec: { kind: 'transactional', id, transactionalId: transactional!, steps, inFlight, config }, waits };
  },
  external: ({ id, external, forever = false, copies }, config, { names, path }) => {
    if (Object.keys(config).length > 0) {
      throw new Misfit('HW2410', [...path, 'config'], 'a program of your own has settings of its own; put them there');
    }
    const made = copies === undefined ? {} : { copies: topicsAt(copies, { names, path: [...path, 'copies'] }) };
    return resolved({ kind: 'external', id, command: external!, folder: '', forever, ...made, config: {} });
  },
};

function resolved(spec: ClientSpec): Resolved {
  return { spec, waits: new Map() };
}

function topicsAt({ from, to }: { from: string; to: string }, { names, path }: At): { from: string; to: string } {
  return {
    from: topicAt(from, { names, path: [...path, 'from'] }),
    to: topicAt(to, { names, path: [...path, 'to'] }),
  };
}

function topicAt(topic: string, { names, path }: At): string {
  checkName('topic', topic, new Set(names.topics.keys()), path);
  return topic;
}

function resolvePause(raw: { from: string; until: string }, names: Names, path: Path): { from: Moment; until: Moment } {
  return {
    from: momentAt(raw.from, names, [...path, 'from']),
    until: momentAt(raw.until, names, [...path, 'until']),
  };
}
