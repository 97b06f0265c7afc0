// Whether a plan can be carried out on a cluster that runs already, and with which settings: what a restart can change is
// lent, what is fixed for the life of a cluster must be there. Pure; every refusal says what the plan needs and what there is.
import type { NodeId } from '../../base/units.ts';
import { nodeConfig, rackOf, type NodeConfig, type TimerProfile } from '../../protocol/config.ts';
import { isInternalTopic } from '../../protocol/topic-name.ts';
import { hasForeign, recordedIfForeign, type FaultPlan, type RunPlan } from '../plan.ts';

/** A cluster as it was made. */
export interface MadeCluster {
  readonly name: string;
  readonly brokers: readonly NodeId[];
  readonly timers: TimerProfile;
  /** Settings under Kafka's names. */
  readonly config: Readonly<Record<string, string>>;
  /** Racks of its brokers, by id; '' or absent: none. */
  readonly racks?: ReadonlyMap<NodeId, string>;
  /** Names of all topics. */
  readonly topics: readonly string[];
}

/** Settings that nodes are started with. */
export interface Settings {
  readonly timers: TimerProfile;
  readonly config: Readonly<Record<string, string>>;
}

/** Written down when the cluster, or a topic of its own, is made: no restart changes them. */
const FIXED = [
  'eligible.leader.replicas.version',
  'transaction.version',
  'transaction.state.log.num.partitions',
  'transaction.state.log.replication.factor',
  'transaction.state.log.min.isr',
  'transaction.state.log.segment.bytes',
  'offsets.topic.num.partitions',
  'offsets.topic.replication.factor',
  'offsets.topic.segment.bytes',
] as const satisfies readonly (keyof NodeConfig)[];

/** Why the cluster cannot carry the plan; undefined if it can. */
export function whyUnfit(plan: RunPlan, made: MadeCluster): string | undefined {
  const own = 'Without --cluster it runs on a cluster of its own';
  const what = `${plan.name} (variant ${plan.variant})`;
  const ids = [...made.brokers].sort((a, b) => a - b);
  if (ids.some((id, at) => id !== at + 1))
    return `scenarios number brokers 1, 2, …; cluster ${made.name} has brokers ${ids.join(', ')}. ${own}`;
  if (plan.cluster.brokers > ids.length)
    return `${what} needs ${plan.cluster.brokers} brokers; cluster ${made.name} has ${ids.length}. ${own}`;
  const misplaced = otherRack(plan, made);
  if (misplaced !== undefined) return `${what} ${misplaced}. ${own}`;
  const [needed, has] = [nodeConfig(plan.cluster.config, plan.cluster.timers), nodeConfig(made.config, made.timers)];
  const differs = FIXED.find((key) => needed[key] !== has[key] && (isSaid(plan, key) || key === 'transaction.version'));
  if (differs !== undefined) {
    const both = `${what} needs ${differs} ${needed[differs]}; cluster ${made.name} was made with ${has[differs]}`;
    return `${both}, for life. ${own}`;
  }
  if (hasForeign(plan) && made.config['kafka.record'] !== 'plain') {
    const recorded = made.config['kafka.record'] === 'hashed' ? 'records hashes of values' : 'does not record';
    return (
      `${what} has programs of your own, judged by what brokers record of the wire, and cluster ${made.name} ${recorded}. ` +
      `Start it with: highwater up --record plain. ${own}`
    );
  }
  const taken = plan.topics.find(({ name }) => hasForeign(plan) && made.topics.includes(name));
  if (taken !== undefined) {
    const named = `programs of ${what} name topic ${taken.name}, and cluster ${made.name} has one already`;
    return `${named}. Delete it first. ${own}`;
  }
  const others = made.topics.filter((topic) => !isInternalTopic(topic));
  const destroyer = plan.faults.find(losesDisk);
  if (destroyer !== undefined && others.length > 0) {
    const named =
      others.length > 3 ? `${others.slice(0, 3).join(', ')} and ${others.length - 3} more` : others.join(', ');
    return (
      `fault ${destroyer.id} of ${what} takes what a disk holds, and cluster ${made.name} has topics of others ` +
      `(${named}). Delete them first. ${own}`
    );
  }
  return undefined;
}

/** Racks are the brokers' for life: a run lends none. */
function otherRack({ cluster: { racks, brokers } }: RunPlan, made: MadeCluster): string | undefined {
  if (racks === undefined) return undefined;
  const ids = Array.from({ length: brokers }, (_, at) => at + 1);
  const rackIn = (id: NodeId): string => made.racks?.get(id) ?? '';
  const differs = ids.find((id) => rackOf(racks, id) !== rackIn(id));
  if (differs === undefined) return undefined;
  const there = rackIn(differs) === '' ? 'no rack' : `rack ${rackIn(differs)}`;
  return (
    `needs broker ${differs} in rack ${rackOf(racks, differs)}; in cluster ${made.name} it has ${there}. ` +
    `Stop it and start it with: highwater up --racks ${racks.join(',')}`
  );
}

const isSaid = (plan: RunPlan, key: string): boolean => Object.hasOwn(plan.cluster.config, key);

function losesDisk({ action }: FaultPlan): boolean {
  const elsewhere = 'elsewhere' in action ? action.elsewhere : undefined;
  return elsewhere?.kind === 'start' && (elsewhere.wipe || elsewhere.truncateTail !== 0);
}

/** The plan with all brokers that there are: those it does not name hold nothing of it, but may coordinate. */
export function fitted(plan: RunPlan, made: MadeCluster): RunPlan {
  return { ...plan, cluster: { ...plan.cluster, brokers: made.brokers.length } };
}

/** What the nodes must be started with for the plan: its settings, and the cluster's where they are fixed. */
export function settingsFor(plan: RunPlan, made: MadeCluster): Settings {
  const { timers, config } = recordedIfForeign(plan);
  const said = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)]));
  const kept = FIXED.flatMap((key) => (Object.hasOwn(made.config, key) ? [[key, made.config[key]!] as const] : []));
  return { timers, config: { ...said, ...Object.fromEntries(kept) } };
}

/** Whether nodes act alike with both. */
export function isSame(one: Settings, other: Settings): boolean {
  const [first, second] = [nodeConfig(one.config, one.timers), nodeConfig(other.config, other.timers)];
  return (Object.keys(first) as (keyof NodeConfig)[]).every((key) => first[key] === second[key]);
}
