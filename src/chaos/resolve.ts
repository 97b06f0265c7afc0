// From a scenario file's shape to a plan: texts are read, names are checked, one variant and one cell of the matrix are
// chosen. Throws Misfit at the first thing that is wrong; its path is where it stands in the file.
import type { NodeId } from '../base/units.ts';
import { clientConfig } from '../client/core/config.ts';
import { nearest } from '../fault/legality.ts';
import { isSafeguard, SAFEGUARDS, type Safeguard } from '../fault/safeguards.ts';
import { ConfigError, nodeConfig, parseTopicConfigs } from '../protocol/config.ts';
import { durationAt } from './names.ts';
import type { ClusterPlan, RunPlan, Scalar, TopicPlan } from './plan.ts';
import { resolveClient } from './resolve-client.ts';
import { resolveExpectation } from './resolve-expectation.ts';
import { resolveFault } from './resolve-fault.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawExpectation, RawScenario, RawTopic } from './schema.ts';

/** One variant and cell of a scenario. */
export interface Choice {
  readonly variant: string;
  readonly cell: Readonly<Record<string, Scalar>>;
  /** Overrides the file's. */
  readonly seed?: string;
}

/** Longest a run may take before the healing, if the file does not say: a shipped scenario ends within 20 s. */
const TIMEOUT_MS = 30_000;

/** The plan of one choice. The raw scenario has its matrix values filled in already. */
export function resolvePlan(raw: RawScenario, choice: Choice): RunPlan {
  const variant = raw.variants?.[choice.variant] ?? undefined;
  const cluster = resolveCluster(raw, variant?.config);
  const topics = raw.topics.map((topic, at) => resolveTopic(topic, cluster, ['topics', at]));
  const names = {
    clients: namesOf(raw.workload, 'workload'),
    faults: namesOf(raw.faults ?? [], 'faults'),
    topics: new Map(topics.map((topic) => [topic.name, topic])),
  };
  return {
    name: raw.name,
    variant: choice.variant,
    cell: choice.cell,
    seed: choice.seed ?? String(raw.seed ?? 1),
    timeoutMs: raw.timeout === undefined ? TIMEOUT_MS : durationAt(raw.timeout, ['timeout']),
    cluster,
    safeguardsOff: [
      ...switchedOff(raw.safeguards, ['safeguards']),
      ...switchedOff(variant?.safeguards, ['variants', choice.variant, 'safeguards']),
    ],
    topics,
    clients: raw.workload.map((client, at) => resolveClient(client, names, ['workload', at])),
    faults: (raw.faults ?? []).map((fault, at) => resolveFault(fault, names, ['faults', at])),
    expectations: (raw.expect ?? []).flatMap((expectation, at) => {
      const path = ['expect', at];
      checkChoice(raw, expectation, path);
      return concerns(expectation, choice) ? [resolveExpectation(expectation, names, path)] : [];
    }),
  };
}

function resolveCluster(raw: RawScenario, overrides: Readonly<Record<string, Scalar>> | undefined): ClusterPlan {
  const { brokers = 3, timers = 'fast', config = {}, racks } = raw.cluster ?? {};
  const all = { ...config, ...overrides };
  configured(['cluster', 'config'], () => nodeConfig(all, timers));
  configured(['cluster', 'timers'], () => clientConfig({}, timers));
  return { brokers, timers, config: all, ...(racks === undefined ? {} : { racks }) };
}

function resolveTopic(raw: RawTopic, cluster: ClusterPlan, path: Path): TopicPlan {
  const { name, partitions = 1, replicas, rf, config = {} } = raw;
  if (replicas !== undefined && rf !== undefined) {
    throw new Misfit('HW2412', path, `topic "${name}" has replicas: and rf:. Say where its replicas are, or how many`);
  }
  const count = replicas?.length ?? rf ?? Math.min(3, cluster.brokers);
  if (count > cluster.brokers || replicas?.some((id) => id < 1 || id > cluster.brokers) === true) {
    throw new Misfit(
      'HW2413',
      path,
      `topic "${name}" needs brokers that are not there; the cluster has 1 to ${cluster.brokers}`,
    );
  }
  configured([...path, 'config'], () => parseTopicConfigs(Object.entries(config)));
  const first = replicas ?? Array.from({ length: count }, (_, at) => at + 1);
  const assignments = Array.from({ length: partitions }, (_, at) => rotate(first, at));
  return { name, assignments, config };
}

/** Each partition's preferred leader is the next one of the list. */
function rotate(replicas: readonly NodeId[], by: number): NodeId[] {
  const at = by % replicas.length;
  return [...replicas.slice(at), ...replicas.slice(0, at)];
}

function switchedOff(switches: Readonly<Record<string, 'on' | 'off'>> | undefined, path: Path): Safeguard[] {
  return Object.entries(switches ?? {}).flatMap(([name, state]) => {
    if (!isSafeguard(name)) {
      const known = Object.keys(SAFEGUARDS);
      throw new Misfit('HW2413', [...path, name], `no safeguard "${name}". Did you mean ${nearest(name, known)}?`);
    }
    return state === 'off' ? [name] : [];
  });
}

function namesOf(list: readonly { readonly id: string }[], where: string): ReadonlySet<string> {
  const names = new Set<string>();
  list.forEach(({ id }, at) => {
    if (names.has(id)) throw new Misfit('HW2412', [where, at, 'id'], `the name "${id}" is taken; names are unique`);
    names.add(id);
  });
  return names;
}

function concerns(expectation: RawExpectation, choice: Choice): boolean {
  const { variant, when = {} } = expectation;
  const variants = variant === undefined ? undefined : [variant].flat();
  if (variants !== undefined && !variants.includes(choice.variant)) return false;
  return Object.entries(when).every(([name, value]) => choice.cell[name] === value);
}

function checkChoice(raw: RawScenario, expectation: RawExpectation, path: Path): void {
  const variants = Object.keys(raw.variants ?? {});
  for (const name of expectation.variant === undefined ? [] : [expectation.variant].flat()) {
    if (!variants.includes(name)) {
      throw new Misfit(
        'HW2413',
        [...path, 'variant'],
        `no variant "${name}". Variants: ${variants.join(', ') || 'none'}`,
      );
    }
  }
  for (const name of Object.keys(expectation.when ?? {})) {
    if (raw.matrix?.[name] === undefined)
      throw new Misfit('HW2413', [...path, 'when', name], `the matrix has no "${name}"`);
  }
}

/** Turns what the settings table says into a misfit at its place. */
function configured(path: Path, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (error instanceof ConfigError) throw new Misfit('HW2410', path, error.message);
    throw error;
  }
}
