// Draws a transactional run from a seed: producers of several transactional ids, some ids with two instances of which one
// becomes a zombie, commits and aborts over several partitions and a group's offsets, readers of both isolations. As in
// draw-plan.ts, targets are roles and what a safeguard switches off is no part of it.
import { Prng } from '../base/prng.ts';
import type { DurationMs } from '../base/units.ts';
import { ANOMALIES } from '../checker/findings.ts';
import type { CopySpec, GroupConsumerSpec, TransactionalSpec, TransactionStep } from '../workload/spec.ts';
import { partitionNames } from './draw-faults.ts';
import { drawElr, moment, one, shuffled } from './draw-parts.ts';
import { ACTIVE_MS, SNAPSHOT_BYTES, TIMEOUT_MS, type DrawOptions } from './draw-plan.ts';
import { drawTxnFaults, type DrawnTxn } from './draw-txn-faults.ts';
import { drawTxnSchedules, MEMBERS_GROUP } from './draw-txn-schedules.ts';
import type { ClientPlan, RunPlan, TopicPlan } from './plan.ts';

/** Transactions that an instance runs at most. */
const TRANSACTIONS_MAX = 9;

/** The transactional plan of a seed. */
export function drawTxnPlan(seed: number | string, options: DrawOptions = {}): RunPlan {
  const { safeguardsOff = [], activeMs = ACTIVE_MS } = options;
  const random = new Prng(`txn plan ${seed}`);
  const brokers = one(random.fork('brokers'), [3, 3, 3, 3, 4, 5]);
  const config = {
    ...{ ...drawConfig(random.fork('config')), ...drawElr(random.fork('elr')) },
    // In some runs so near the end that epochs are used up.
    'transaction.first.epoch': one(random.fork('first epoch'), [0, 0, 0, 0, 0, 0, 0, 32_760]),
  };
  const level = config['transaction.version'];
  const written = drawTopics(random.fork('topics'), brokers);
  const copies = drawCopies(random.fork('copies'), { topics: written, activeMs, level });
  const topics = [...written, ...copies.topics];
  const producers = drawInstances(random.fork('producers'), { topics: written, activeMs, level });
  const transactional = [...producers, ...copies.workers];
  const members = drawMembers(random.fork('members'), topics, activeMs);
  const clients = [
    ...transactional,
    ...drawPlain(random.fork('plain'), { topics: written, activeMs, isNeeded: producers.length === 1 }),
    ...drawReaders(random.fork('readers'), topics, activeMs),
    ...members,
  ];
  const specs = transactional.map(({ spec }) => spec);
  const drawn: DrawnTxn = {
    ...{ partitions: partitionNames(topics), activeMs, brokers, clients: specs.map(({ id }) => id) },
    transactionalIds: [...new Set(specs.map(({ transactionalId }) => transactionalId))],
    groups: [...new Set(specs.map((spec) => ('group' in spec ? spec.group : groupOf(spec.transactionalId))))],
    statePartitions: config['transaction.state.log.num.partitions'],
    offsetsPartitions: config['offsets.topic.num.partitions'],
    hasVersion1: level < 2 || specs.some((spec) => spec.config['transaction.version'] === 1),
    members: members.map(({ spec }) => spec.id),
  };
  const faults = [...drawTxnFaults(random.fork('faults'), drawn), ...drawTxnSchedules(random.fork('schedules'), drawn)];
  return {
    ...{ name: 'random-txn', variant: 'default', cell: {}, seed: String(seed), timeoutMs: activeMs + TIMEOUT_MS },
    cluster: { brokers, timers: 'fast', config },
    ...{ safeguardsOff, topics, clients, faults },
    expectations: [{ kind: 'never', anomalies: ANOMALIES }],
  };
}

function drawConfig(random: Prng) {
  return {
    'replica.lag.time.max.ms': one(random, [300, 1000, 30_000]),
    'transaction.version': one(random, [2, 2, 2, 2, 1, 0]),
    // Few, so that a seed is cheap; several, so that two ids have two coordinators.
    'transaction.state.log.num.partitions': one(random, [1, 2, 3]),
    'offsets.topic.num.partitions': one(random, [1, 2]),
    'metadata.log.max.record.bytes.between.snapshots': one(random, SNAPSHOT_BYTES),
  };
}

function drawTopics(random: Prng, brokers: number): TopicPlan[] {
  return Array.from({ length: 1 + random.below(2) }, (_, at) => {
    const all = shuffled(
      random,
      Array.from({ length: brokers }, (__, id) => id + 1),
    );
    const replicas = all.slice(0, 3);
    const assignments = Array.from({ length: 1 + random.below(3) }, () => shuffled(random, replicas));
    return { name: `topic-${at}`, assignments, config: { 'min.insync.replicas': one(random, [1, 2, 2, 2, 3]) } };
  });
}

const GROUP = 'copiers';

/** In some runs two workers copy a topic, as members of one group; the second comes later, or takes part from the start. */
function drawCopies(random: Prng, { topics, activeMs, level }: At): { topics: TopicPlan[]; workers: WorkerPlan[] } {
  if (random.chance(0.65)) return { topics: [], workers: [] };
  const [from] = topics;
  const version = level === 2 && random.chance(0.15) ? 1 : 2;
  const config = { 'transaction.version': version, 'session.timeout.ms': one(random, [1000, 3000]) };
  const workers = Array.from({ length: 1 + random.below(2) }, (_, at): WorkerPlan => {
    const common = {
      kind: 'copy',
      group: GROUP,
      from: from!.name,
      to: 'copied',
      batch: one(random, [1, 5, 20]),
    } as const;
    const spec = { ...common, id: `copier${at}`, transactionalId: random.chance(0.25) ? 'c0' : `c${at}`, config };
    if (at === 0 || random.chance(0.4)) return { spec, waits: new Map() };
    return { spec, waits: new Map(), start: moment(random.below(activeMs)) };
  });
  return { topics: [{ ...from!, name: 'copied' }], workers };
}

/** Gives a record up while it may still be under way. */
const IMPATIENT = { 'request.timeout.ms': 300, 'delivery.timeout.ms': 700 };

interface At {
  readonly topics: readonly TopicPlan[];
  readonly activeMs: DurationMs;
  /** The cluster's transaction.version. */
  readonly level: number;
}
type InstancePlan = ClientPlan & { readonly spec: TransactionalSpec };
type WorkerPlan = ClientPlan & { readonly spec: CopySpec };

/** One to three ids; of some a second instance starts while the first may still run. */
function drawInstances(random: Prng, at: At): InstancePlan[] {
  return Array.from({ length: 1 + random.below(3) }, (_, number) => {
    const transactionalId = `t${number}`;
    const timeout = one(random, [undefined, undefined, 400, 1500, 4000]);
    const version = at.level === 2 && random.chance(0.15) ? 1 : 2;
    const config = {
      'transaction.version': version,
      ...(random.chance(0.35) ? IMPATIENT : {}),
      ...(timeout === undefined ? {} : { 'transaction.timeout.ms': timeout }),
    };
    return Array.from({ length: one(random, [1, 1, 2, 2, 3]) }, (__, instance): InstancePlan => {
      const id = `${transactionalId}${'abc'[instance]}`;
      const steps = drawSteps(random, { ...at, id, transactionalId, offset: 1000 * instance });
      const spec = { kind: 'transactional', id, transactionalId, steps, config } as const;
      if (instance === 0) return { spec, waits: new Map() };
      return { spec, waits: new Map(), start: moment(300 + random.below(at.activeMs)) };
    });
  }).flat();
}

interface Instance extends At {
  readonly id: string;
  readonly transactionalId: string;
  /** Its offsets are above this, so that an offset says whose it is. */
  readonly offset: number;
}

function drawSteps(random: Prng, instance: Instance): TransactionStep[] {
  const count = 2 + random.below(TRANSACTIONS_MAX - 1);
  const sleepMs = Math.floor(instance.activeMs / count);
  const steps: TransactionStep[] = [{ kind: 'init' }];
  let value = 0;
  let { offset } = instance;
  const next = (): string => `${instance.id}-${value++}`;
  for (let txn = 0; txn < count; txn++) {
    steps.push({ kind: 'begin' });
    for (let part = 1 + random.below(3); part > 0; part--) {
      const { name, assignments } = one(random, instance.topics);
      const values = Array.from({ length: 1 + random.below(3) }, next);
      steps.push({ kind: 'send', topic: name, partition: random.below(assignments.length), values });
      if (random.chance(0.3)) steps.push({ kind: 'confirm' });
      if (random.chance(0.3)) steps.push({ kind: 'sleep', ms: random.below(sleepMs) });
    }
    if (random.chance(0.35)) {
      offset += 1 + random.below(5);
      const { name } = instance.topics[0]!;
      const offsets = [{ topic: name, partition: 0, offset }];
      steps.push({ kind: 'send-offsets', group: groupOf(instance.transactionalId), offsets });
    }
    steps.push({ kind: random.chance(0.25) ? 'abort' : 'commit' }, { kind: 'sleep', ms: random.below(sleepMs) });
  }
  return steps;
}

function groupOf(transactionalId: string): string {
  return `group-of-${transactionalId}`;
}

/** Records of no transaction, between those of transactions. A run whose only other producer dies needs them. */
function drawPlain(random: Prng, at: Omit<At, 'level'> & { readonly isNeeded: boolean }): ClientPlan[] {
  const { topics, activeMs, isNeeded } = at;
  if (random.chance(0.3) && !isNeeded) return [];
  const { name, assignments } = one(random, topics);
  const bursts = 3 + random.below(5);
  let value = 0;
  const steps = Array.from({ length: bursts }, () => [
    { kind: 'send' as const, values: Array.from({ length: 1 + random.below(4) }, () => `plain-${value++}`) },
    { kind: 'sleep' as const, ms: random.below(Math.floor((2 * activeMs) / bursts)) },
  ]).flat();
  const partitions = assignments.map((_, partition) => partition);
  const config = { 'enable.idempotence': random.chance(0.8), ...(random.chance(0.4) ? IMPATIENT : {}) };
  const spec = { kind: 'produce', id: 'plain', topic: name, partitions, acks: -1, steps, config, inFlight: 1 } as const;
  return [{ spec, waits: new Map() }];
}

/** One reader of each isolation from the start, and at times a late one. */
function drawReaders(random: Prng, topics: readonly TopicPlan[], activeMs: DurationMs): ClientPlan[] {
  const partitions = topics.flatMap(({ name, assignments }) =>
    assignments.map((_, partition) => ({ topic: name, partition })),
  );
  const reader = (id: string, isolation: string) =>
    ({ kind: 'consume', id, partitions, from: 'earliest', config: { 'isolation.level': isolation } }) as const;
  const plans: ClientPlan[] = [
    { spec: reader('committed', 'read_committed'), waits: new Map() },
    { spec: reader('uncommitted', 'read_uncommitted'), waits: new Map() },
  ];
  const start = moment(random.below(activeMs));
  if (random.chance(0.5)) plans.push({ spec: reader('late', 'read_committed'), waits: new Map(), start });
  return plans;
}

type MemberPlan = ClientPlan & { readonly spec: GroupConsumerSpec };

/** In some runs a group reads everything, without transactions: members come later, and some take the seat of another. */
function drawMembers(random: Prng, topics: readonly TopicPlan[], activeMs: DurationMs): MemberPlan[] {
  if (random.chance(0.6)) return [];
  const common = {
    'session.timeout.ms': one(random, [1000, 3000]),
    'auto.commit.interval.ms': one(random, [100, 500]),
    'partition.assignment.strategy': one(random, ['range', 'roundrobin', 'cooperative-sticky', 'cooperative-sticky']),
    'isolation.level': one(random, ['read_committed', 'read_uncommitted']),
  };
  const seats = one(random, [undefined, undefined, 1, 2]);
  return Array.from({ length: 2 + random.below(2) }, (_, at): MemberPlan => {
    const seat = seats === undefined ? {} : { 'group.instance.id': `seat-${at % seats}` };
    const names = topics.map(({ name }) => name);
    const spec = { kind: 'group', id: `member${at}`, group: MEMBERS_GROUP, topics: names } as const;
    const plan = { spec: { ...spec, config: { ...common, ...seat } }, waits: new Map() };
    return at === 0 ? plan : { ...plan, start: moment(random.below(activeMs)) };
  });
}
