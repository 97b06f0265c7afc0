// A cluster that runs already, borrowed for the runs of one command: looked at first, lent the settings that each run needs,
// given back as it was. What stands in the way is said before anything is touched.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { inContainers } from '../agent/home.ts';
import { CONTROLLER_ID } from '../base/units.ts';
import { AttachedCluster } from '../chaos/attached/attached-cluster.ts';
import { fitted, isSame, settingsFor, whyUnfit, type MadeCluster, type Settings } from '../chaos/attached/fitting.ts';
import { renamed } from '../chaos/attached/renamed.ts';
import { hasForeign, type RunPlan } from '../chaos/plan.ts';
import type { Hands } from '../chaos/processes/hands.ts';
import type {
  Affliction,
  DescribeClusterResponse,
  DescribePlaceResponse,
  NodeStatus,
} from '../protocol/generated/index.ts';
import { openCluster, type Cluster } from './cluster.ts';
import type { GlobalOptions } from './command.ts';
import { count, say } from './output.ts';
import { EXIT, Problem } from './problem.ts';
import { untilUp } from './readiness.ts';

export interface AttachedOptions {
  /** What will be run: refused as a whole if one does not fit. */
  readonly plans: readonly RunPlan[];
  /** Whether topics stay behind their run. */
  readonly keep: boolean;
  readonly out: GlobalOptions;
}

const CALL_MS = 10_000;
const STOP_MS = 20_000;
const START_MS = 40_000;
const WHOLE_MS = 60_000;
/** The faults of a run that was killed end by themselves so long after its timeout. */
const FAULT_MARGIN_MS = 60_000;
const NAME_CHARACTERS_MAX = 40;

export class AttachedSession {
  readonly #cluster: Cluster;
  readonly #made: MadeCluster;
  readonly #options: AttachedOptions;
  readonly #borrower = `highwater run, pid ${process.pid} on ${hostname()}`;

  private constructor(cluster: Cluster, made: MadeCluster, options: AttachedOptions) {
    this.#cluster = cluster;
    this.#made = made;
    this.#options = options;
  }

  /** Borrows the cluster of this name. Throws a Problem that says what stands in the way. */
  static async open(name: string, options: AttachedOptions): Promise<AttachedSession> {
    const cluster = openCluster(name);
    try {
      const place = await cluster.reach('the agent', cluster.agent.call('DescribePlace', {}, CALL_MS));
      refuseAfflicted(name, place.affliction);
      await refuseBroken(cluster);
      const made = madeOf(name, cluster, { place, described: await cluster.controller('DescribeCluster', {}) });
      const unfit = options.plans.map((plan) => whyUnfit(plan, made)).find((why) => why !== undefined);
      if (unfit !== undefined) throw new Problem('HW2402', unfit);
      return new AttachedSession(cluster, made, options);
    } catch (error) {
      cluster.close();
      throw error;
    }
  }

  /** Lends the settings of a plan. Answers the plan as it is run here, under names that clash with nothing. */
  async lendTo(plan: RunPlan): Promise<RunPlan> {
    const { out } = this.#options;
    const wanted = settingsFor(plan, this.#made);
    const settings = isSame(wanted, this.#made) ? this.#made : wanted;
    await this.#lend(settings);
    await this.#restartOutdated(`with the settings of ${plan.name}: ${inWords(settings)}`);
    // Programs of the user's own name what they use by themselves.
    if (hasForeign(plan)) return fitted(plan, this.#made);
    const prefix = `${plan.name.slice(0, NAME_CHARACTERS_MAX)}-${randomBytes(4).toString('hex')}.`;
    say(out, `topics, transactional ids and groups of this run begin with ${prefix}`);
    return renamed(fitted(plan, this.#made), prefix);
  }

  /** The cluster for one run. @param dir Where copies of what its nodes write go. */
  hands(plan: RunPlan, dir: string): Hands {
    const { keep, out } = this.#options;
    return new AttachedCluster({
      ...{ state: this.#cluster.state, agents: this.#cluster.agent, dir, keep },
      faultTtlMs: plan.timeoutMs + FAULT_MARGIN_MS,
      onTrouble: (sentence) => say(out, sentence),
    });
  }

  /** Gives everything back. What cannot be is said. */
  async end(): Promise<void> {
    try {
      await this.#lend(undefined);
      await this.#restartOutdated('with the settings they had');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      say(this.#options.out, `cluster ${this.#made.name} is not as it was: ${error.message}`);
    } finally {
      this.#cluster.close();
    }
  }

  async #lend(settings: Settings | undefined): Promise<void> {
    const borrower = this.#borrower;
    const lent =
      settings === undefined ? null : { borrower, timers: settings.timers, config: entriesOf(settings.config) };
    await this.#cluster.act(this.#cluster.agent.call('LendSettings', { settings: lent }, CALL_MS));
  }

  /** All of them, in order, if one runs with other settings than it would be started with now. */
  async #restartOutdated(why: string): Promise<void> {
    const { agent } = this.#cluster;
    const { nodes } = await this.#cluster.reach('the agent', agent.call('ListNodes', {}, CALL_MS));
    if (!nodes.some((node) => node.outdated)) return;
    say(this.#options.out, `restarting the ${count(nodes.length, 'node')} of cluster ${this.#made.name} ${why}…`);
    const ofRole = (role: string): readonly number[] => nodes.filter((node) => node.role === role).map(({ id }) => id);
    const [brokers, controllers] = [ofRole('broker'), ofRole('controller')];
    const cause = 'other settings';
    // One that does not stop in order is killed, and starts all the same.
    for (const ids of [brokers, controllers])
      await Promise.all(ids.map((id) => agent.call('StopNode', { id, cause }, STOP_MS)));
    for (const ids of [controllers, brokers]) {
      const how = { wipe: false, truncateTail: 0 };
      await Promise.all(ids.map((id) => this.#cluster.act(agent.call('StartNode', { id, ...how }, START_MS))));
    }
    await untilUp(this.#cluster, [], WHOLE_MS);
  }
}

const containerOf = (id: number): string => (id === CONTROLLER_ID ? 'controller' : `broker-${id}`);

/** Throws unless every node runs. */
async function refuseBroken(cluster: Cluster): Promise<void> {
  const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, CALL_MS));
  const broken = nodes.filter(({ state }) => state !== 'running');
  if (broken.length === 0) return;
  const { name } = cluster.state;
  const which = broken.map(({ id, state }) => `node ${id} is ${state}`).join(', ');
  const [{ id, state, pid, starts }] = broken as [NodeStatus];
  const verb = state === 'paused' ? 'resume' : 'start';
  const isGone = inContainers(cluster.state) && state === 'dead' && pid === 0 && starts === 0;
  const use = isGone ? `docker compose start ${containerOf(id)}` : `highwater node ${verb} ${id} --cluster ${name}`;
  const hint = state === 'starting' ? 'Try again' : `Use: ${use}`;
  throw new Problem('HW4001', `a run needs the whole cluster ${name}: ${which}. ${hint}`, EXIT.unreachable);
}

/** Throws if somebody else does something to the cluster on purpose. */
function refuseAfflicted(name: string, affliction: Affliction | null): void {
  const { faults = [], safeguardsOff = [], cuts = [], lent = null } = affliction ?? {};
  const heal = `highwater fault heal --cluster ${name}`;
  if (lent !== null) {
    const who = `cluster ${name} is in use by another run (${lent.borrower})`;
    throw new Problem('HW5004', `${who}. If that one was killed: ${heal}`, EXIT.conflict);
  }
  const suffers = [
    ...faults.map(({ id }) => `fault ${id} is armed`),
    ...safeguardsOff.map((safeguard) => `safeguard ${safeguard} is off`),
    ...cuts.map(({ from, to }) => `what ${from} sends to ${to} is cut`),
  ];
  if (suffers.length === 0) return;
  const why = `a run would be blamed for what cluster ${name} suffers already (${suffers.join(', ')})`;
  throw new Problem('HW5004', `${why}. Use: ${heal}`, EXIT.conflict);
}

function madeOf(
  name: string,
  cluster: Cluster,
  told: { readonly place: DescribePlaceResponse; readonly described: DescribeClusterResponse },
): MadeCluster {
  const { timers, config } = told.place;
  return {
    ...{ name, brokers: cluster.brokerIds(), timers: timers === 'fast' ? 'fast' : 'kafka' },
    topics: told.described.topics.map((topic) => topic.name),
    racks: new Map(told.described.brokers.map(({ id, rack }) => [id, rack])),
    config: Object.fromEntries(config.map((entry) => [entry.name, entry.value])),
  };
}

const entriesOf = (config: Settings['config']): { name: string; value: string }[] =>
  Object.entries(config).map(([name, value]) => ({ name, value }));

const inWords = ({ timers, config }: Settings): string =>
  [`timers ${timers}`, ...Object.entries(config).map(([name, value]) => `${name}=${value}`)].join(', ');
