// Draws a run from a seed: cluster, workload and faults, from a stream that nothing else shifts. Targets are roles, so that
// a plan means the same whatever happens in the run; what a safeguard switches off is no part of it (design section 2).
import { createHash } from 'node:crypto';
import { Prng } from '../base/prng.ts';
import type { DurationMs } from '../base/units.ts';
import { ANOMALIES } from '../checker/findings.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import { canonicalJson } from '../sim/trace-log.ts';
import type { ProduceStep } from '../workload/spec.ts';
import { drawFaults, partitionNames } from './draw-faults.ts';
import { drawElr, drawRack, drawRacks, one, shuffled } from './draw-parts.ts';
import { drawSchedules, placesOf, SCHEDULES } from './draw-schedules.ts';
import type { ClientPlan, RunPlan, TopicPlan } from './plan.ts';

/** Longest time of workload and faults, ms. The healing comes after. */
export const TIMEOUT_MS = 60_000;
/** The workload is spread over about this long, and faults strike within it. */
export const ACTIVE_MS = 6000;

export interface DrawOptions {
  readonly safeguardsOff?: readonly Safeguard[];
  /** Length of workload and faults. */
  readonly activeMs?: DurationMs;
}

/** The plan of a seed. */
export function drawPlan(seed: number | string, options: DrawOptions = {}): RunPlan {
  const { safeguardsOff = [], activeMs = ACTIVE_MS } = options;
  const random = new Prng(`plan ${seed}`);
  const brokers = one(random.fork('brokers'), [3, 3, 3, 4, 4, 5, 2, 1]);
  const topics = drawTopics(random.fork('topics'), brokers);
  const { racks, config: selector } = drawRacks(random.fork('racks'));
  return {
    name: 'random',
    variant: 'default',
    cell: {},
    seed: String(seed),
    timeoutMs: activeMs + TIMEOUT_MS,
    cluster: {
      brokers,
      timers: 'fast',
      config: { ...drawConfig(random.fork('config')), ...drawElr(random.fork('elr')), ...selector },
      ...(racks === undefined ? {} : { racks }),
    },
    safeguardsOff,
    topics,
    clients: [...drawProducers(random, topics, activeMs), ...drawConsumers(random.fork('consumers'), topics, activeMs)],
    faults: [
      ...drawFaults(random.fork('faults'), topics, { activeMs, brokers }),
      ...drawSchedules(random.fork('schedules'), SCHEDULES, {
        ...{ partitions: partitionNames(topics), places: placesOf(topics), activeMs, brokers },
      }),
    ],
    expectations: [{ kind: 'never', anomalies: ANOMALIES }],
  };
}

/** SHA-256 of what was drawn: equal plans have equal hashes, whatever safeguards are off. */
export function planHash(plan: RunPlan): string {
  const { cluster, topics, faults, seed } = plan;
  const clients = plan.clients.map((client) => ({ ...client, waits: [...client.waits] }));
  return createHash('sha256').update(canonicalJson({ cluster, topics, clients, faults, seed })).digest('hex');
}

/** Few enough for several snapshots of the metadata log in a run, or for none. */
export const SNAPSHOT_BYTES = [500, 2000, 6000, 20_971_520];

function drawConfig(random: Prng): Record<string, number> {
  // Short enough that a starved follower leaves the ISR and comes back within a run, at times.
  const lag = one(random, [200, 500, 2000, 30_000]);
  const checkpoint = one(random, [100, 1000]);
  return {
    ...{ 'replica.lag.time.max.ms': lag, 'replica.high.watermark.checkpoint.interval.ms': checkpoint },
    'metadata.log.max.record.bytes.between.snapshots': one(random, SNAPSHOT_BYTES),
  };
}

function drawTopics(random: Prng, brokers: number): TopicPlan[] {
  return Array.from({ length: 1 + random.below(2) }, (_, at) => {
    const replicas = shuffled(
      random,
      Array.from({ length: brokers }, (__, id) => id + 1),
    ).slice(0, 3);
    const assignments = Array.from({ length: 1 + random.below(3) }, () => shuffled(random, replicas));
    const config = {
      'min.insync.replicas': one(random, [1, 1, 2, 2, 3]),
      'unclean.leader.election.enable': random.chance(0.1),
    };
    return { name: `topic-${at}`, assignments, config };
  });
}

function drawProducers(plan: Prng, topics: readonly TopicPlan[], activeMs: DurationMs): ClientPlan[] {
  const random = plan.fork('producers');
  const idempotence = plan.fork('idempotence');
  return Array.from({ length: 1 + random.below(3) }, (_, at) => {
    const topic = one(random, topics);
    const id = `p${at}`;
    const steps = drawSteps(random, id, activeMs);
    const partitions = topic.assignments.map((__, partition) => partition);
    const acks = one<0 | 1 | -1>(random, [-1, -1, -1, -1, 1, 0]);
    // Drawn for all, so that nothing else shifts; idempotence needs acks=all (txn T-159).
    const config = { 'enable.idempotence': idempotence.below(2) === 0 && acks === -1 };
    const spec = { kind: 'produce' as const, id, topic: topic.name, partitions, acks, steps, config };
    return { spec: { ...spec, inFlight: one(random, [1, 1, 5]) }, waits: new Map() };
  });
}

/** Bursts of values that nobody else sends, with pauses between them. */
function drawSteps(random: Prng, id: string, activeMs: DurationMs): ProduceStep[] {
  const bursts = (4 + random.below(8)) * Math.ceil(activeMs / ACTIVE_MS);
  const steps: ProduceStep[] = [];
  let value = 0;
  for (let burst = 0; burst < bursts; burst++) {
    const count = 1 + random.below(12);
    steps.push({ kind: 'send', values: Array.from({ length: count }, () => `${id}-${value++}`) });
    steps.push({ kind: 'sleep', ms: random.below(Math.max(1, Math.floor((2 * activeMs) / bursts))) });
  }
  return steps;
}

function drawConsumers(random: Prng, topics: readonly TopicPlan[], activeMs: DurationMs): ClientPlan[] {
  const racks = random.fork('racks');
  return Array.from({ length: 1 + random.below(2) }, (_, at) => {
    const partitions = topics.flatMap(({ name, assignments }) =>
      assignments.map((__, partition) => ({ topic: name, partition })),
    );
    const spec = {
      kind: 'consume' as const,
      id: `c${at}`,
      partitions,
      from: 'earliest' as const,
      config: { 'client.rack': drawRack(racks) },
    };
    if (at === 0) return { spec, waits: new Map() };
    const ms = random.below(activeMs);
    const start = { text: `${ms}ms`, parts: [{ kind: 'time' as const, span: { min: ms, max: ms } }] };
    return { spec, waits: new Map(), start };
  });
}
