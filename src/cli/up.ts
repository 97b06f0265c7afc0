// Starts a cluster on this machine, in the foreground or detached: both run the same agent process. Whatever goes wrong on
// the way, nothing is left running.
import { agentAlive } from '../agent/agent-client.ts';
import { takeDirectory } from '../agent/directory-lock.ts';
import { highwaterHome, inContainers, readState, writeState, type ClusterState } from '../agent/home.ts';
import { endLeftovers } from '../agent/leftovers.ts';
import { claimedDirectory, layOut, LayoutRefused, type ClusterPlan } from '../agent/new-cluster.ts';
import { heldBy } from '../agent/run-agent.ts';
import { ConfigError, nodeConfig } from '../protocol/config.ts';
import { KAFKA_RELEASES, newestTransactionVersion } from '../protocol/kafka-releases.ts';
import { AgentProcess } from './agent-process.ts';
import { bootstrapOf } from './client-lines.ts';
import { checkClusterName, Cluster } from './cluster.ts';
import type { GlobalOptions } from './command.ts';
import { parseSettings } from './commands/topics.ts';
import { parseCount } from './duration.ts';
import { listenerPlan, type ListenerOptions } from './kafka-addresses.ts';
import { count, document, say, write } from './output.ts';
import { EXIT, Problem } from './problem.ts';
import { parseTopicSpec, untilUp, type TopicSpec } from './readiness.ts';

export interface UpOptions extends ListenerOptions {
  readonly brokers?: string;
  readonly dir?: string;
  readonly timers?: string;
  readonly topic: readonly string[];
  readonly config: readonly string[];
  readonly transactionVersion?: string;
  readonly asVersion?: string;
  /** `true`: with values hashed. */
  readonly record?: string | true;
  readonly portBase?: string;
  readonly racks?: string;
  readonly detach?: boolean;
}

/** A cluster is up within this, or not at all. */
const READY_MS = 25_000;
/** What nodes get for a clean stop after a start that failed. */
const FAILED_GRACE_MS = 2000;

export async function up(options: UpOptions, out: GlobalOptions): Promise<void> {
  const started = performance.now();
  const interruptions = new Interruptions();
  const { plan, topics } = readPlan(options, out);
  const { agent, state } = await prepare(plan, out);
  try {
    agent.run();
    const late = started + READY_MS - performance.now();
    const outcome = await Promise.race([interruptions.first, whenUp(agent, plan, topics, late)]);
    if (outcome === 'interrupted') return await giveUp(agent, interruptions);
    await announce(state, out, (performance.now() - started) / 1000, options.detach !== true);
  } catch (error) {
    agent.stop();
    const tooLate = setTimeout(() => agent.kill(), FAILED_GRACE_MS);
    await agent.ended;
    clearTimeout(tooLate);
    throw error;
  }
  if (options.detach === true) await agent.detach();
  else await inForeground(agent, plan, interruptions, out);
}

/** Ctrl-C and its like, counted. */
class Interruptions {
  readonly first: Promise<'interrupted'>;
  readonly second: Promise<'interrupted'>;

  constructor() {
    let [one, two]: (() => void)[] = [];
    this.first = new Promise((resolve) => (one = () => resolve('interrupted')));
    this.second = new Promise((resolve) => (two = () => resolve('interrupted')));
    let seen = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        seen += 1;
        (seen === 1 ? one : two)?.();
      });
    }
  }
}

/** What the words on the command line ask for. Touches nothing. */
function readPlan(options: UpOptions, out: GlobalOptions): { plan: ClusterPlan; topics: TopicSpec[] } {
  if (process.platform === 'win32')
    throw new Problem('HW2001', 'Highwater runs on Linux and macOS. On Windows use WSL 2 or containers');
  checkClusterName(out.cluster);
  const home = highwaterHome();
  const recorded = readState(out.cluster, home);
  const before = 'problem' in recorded ? undefined : recorded;
  const had = before?.nodes.filter((node) => node.role === 'broker').length ?? 3;
  const brokers = options.brokers === undefined ? had : parseCount('--brokers', options.brokers, 1, 99);
  const timers = options.timers ?? before?.timers ?? 'kafka';
  if (timers !== 'kafka' && timers !== 'fast')
    throw new Problem('HW2001', `--timers is kafka or fast, not "${timers}"`);
  const given = parseSettings(options.config).map(({ name, value }) => [name, value] as const);
  const config = {
    ...before?.config,
    ...Object.fromEntries(given),
    ...asVersion(options),
    ...transactionVersion(options),
    ...recording(options),
  };
  try {
    nodeConfig(config, timers);
  } catch (error) {
    if (error instanceof ConfigError) throw new Problem('HW2001', `--config: ${error.message}`);
    throw error;
  }
  const topics = options.topic.map((text) => parseTopicSpec(text, brokers));
  const portBase = options.portBase === undefined ? undefined : parseCount('--port-base', options.portBase, 0, 65_535);
  const plan = {
    name: out.cluster,
    home,
    brokers,
    dir: options.dir,
    timers,
    host: '127.0.0.1',
    portBase,
    config,
    listeners: listenerPlan(options, brokers),
    ...racksOf(options),
  } as const;
  return { plan, topics };
}

/** Where brokers stand, in their order; remembered like ports are. */
function racksOf({ racks }: UpOptions): { readonly racks?: readonly string[] } {
  if (racks === undefined) return {};
  const names = racks === '' ? [] : racks.split(',').map((name) => name.trim());
  if (names.includes('')) throw new Problem('HW2001', `--racks takes names with commas between them, not "${racks}"`);
  return { racks: names };
}

/** What of clients' values a recording keeps; like other settings it is remembered. */
function recording({ record }: UpOptions): Readonly<Record<string, string>> {
  if (record === undefined) return {};
  const kept = record === true ? 'hashed' : record;
  if (!['hashed', 'plain', 'off'].includes(kept)) {
    throw new Problem('HW2001', `--record is hashed, plain or off, not "${kept}"`);
  }
  return { 'kafka.record': kept === 'off' ? '' : kept };
}

/**
 * The release whose API versions Kafka clients are offered (wire section 3): a setting like others, and with it the level of
 * transactions that such a cluster begins with.
 */
function asVersion({
  asVersion: release,
  transactionVersion: level,
  config,
}: UpOptions): Readonly<Record<string, string>> {
  if (release === undefined) return {};
  const known = KAFKA_RELEASES.find((each) => each === release);
  if (known === undefined) {
    throw new Problem(
      'HW2001',
      `--as-version is a Kafka release, one of ${KAFKA_RELEASES.join(', ')}, not "${release}". Clients are offered the API ` +
        'versions of that release; what brokers do with a request stays as in the newest',
    );
  }
  const newest = newestTransactionVersion(known);
  if (level !== undefined && Number(level) > newest) {
    throw new Problem('HW2001', `Kafka ${known} has no transaction.version ${level}: leave out --transaction-version`);
  }
  const said = parseSettings(config).some(({ name }) => name === 'transaction.version');
  return { 'kafka.as.version': known, ...(said ? {} : { 'transaction.version': String(newest) }) };
}

/** The feature level of transactions (txn T-190): a setting like others, which has a flag because people compare its levels. */
function transactionVersion({ transactionVersion: level, config }: UpOptions): Readonly<Record<string, string>> {
  if (level === undefined) return {};
  if (!['0', '1', '2'].includes(level)) {
    throw new Problem(
      'HW2001',
      `--transaction-version is 0, 1 or 2, not "${level}". 2: an epoch for each transaction (Kafka 4); 1: markers keep ` +
        'the epoch, clients add partitions themselves; 0: as 1, with the records of Kafka 3',
    );
  }
  const said = parseSettings(config).find(({ name }) => name === 'transaction.version')?.value;
  if (said !== undefined && said !== level) {
    throw new Problem('HW2001', `--transaction-version ${level} and --config transaction.version=${said}: give one`);
  }
  return { 'transaction.version': level };
}

/** Claims directory and ports, and records the cluster with an agent that waits to be told. */
async function prepare(plan: ClusterPlan, out: GlobalOptions): Promise<{ agent: AgentProcess; state: ClusterState }> {
  const recorded = readState(plan.name, plan.home);
  if (!('problem' in recorded)) await takeOver(recorded, out);
  let agent: AgentProcess | undefined;
  try {
    const dir = claimedDirectory(plan);
    agent = new AgentProcess({ cluster: plan.name, home: plan.home, dir });
    const { pid, startTime } = agent;
    const holder = takeDirectory(dir, { pid, startTime, home: plan.home });
    if (holder !== undefined) throw new LayoutRefused('directory', heldBy(dir, holder));
    const state = await layOut(plan);
    writeState({ ...state, agent: { ...state.agent, pid, startTime } }, plan.home);
    return { agent, state };
  } catch (error) {
    agent?.stop();
    await agent?.ended;
    if (!(error instanceof LayoutRefused)) throw error;
    throw new Problem(error.kind === 'port' ? 'HW5002' : 'HW5003', error.message, EXIT.conflict);
  }
}

/** A cluster that runs is refused; one whose agent died is cleaned up. */
async function takeOver(state: ClusterState, out: GlobalOptions): Promise<void> {
  if (inContainers(state)) {
    throw new Problem(
      'HW5001',
      `cluster ${state.name} runs in containers: start them with docker compose up --detach. ` +
        `To use the name on this machine: highwater detach --cluster ${state.name}`,
      EXIT.conflict,
    );
  }
  if (agentAlive(state)) {
    throw new Problem(
      'HW5001',
      `cluster ${state.name} is already running (agent pid ${state.agent.pid}). ` +
        `Stop it with: highwater down --cluster ${state.name}; or start another: --cluster NAME`,
      EXIT.conflict,
    );
  }
  const ended = await endLeftovers(state);
  if (ended.length > 0)
    say(out, `ended ${count(ended.length, 'node')} that a dead agent left: ${ended.map((node) => node.id).join(', ')}`);
}

/** Resolves when the cluster is up; rejects with a Problem if it cannot be, in time. */
async function whenUp(
  agent: AgentProcess,
  plan: ClusterPlan,
  topics: readonly TopicSpec[],
  withinMs: number,
): Promise<'up'> {
  const end = performance.now() + withinMs;
  const failed = (why: string): Problem =>
    new Problem('HW4001', `cluster ${plan.name} could not start: ${why}`, EXIT.unreachable);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`its nodes were not ready within ${READY_MS / 1000} s`)), withinMs);
  });
  try {
    await Promise.race([agent.ready, late]);
  } catch (error) {
    throw error instanceof Problem ? error : failed((error as Error).message);
  } finally {
    clearTimeout(timer);
  }
  const state = readState(plan.name, plan.home);
  if ('problem' in state) throw failed(state.problem);
  const cluster = new Cluster(state);
  try {
    await untilUp(cluster, topics, end - performance.now());
    return 'up';
  } finally {
    cluster.close();
  }
}

/** Until somebody ends the cluster, here or from elsewhere. */
async function inForeground(
  agent: AgentProcess,
  plan: ClusterPlan,
  interruptions: Interruptions,
  out: GlobalOptions,
): Promise<void> {
  const end = await Promise.race([interruptions.first, agent.ended]);
  if (end === 'interrupted') {
    say(out, `stopping cluster ${plan.name}; Ctrl-C again kills it`);
    await giveUp(agent, interruptions);
    return say(out, `cluster ${plan.name} is down; its data stays until: highwater down --wipe --cluster ${plan.name}`);
  }
  if (end === 0) return say(out, `cluster ${plan.name} was stopped`);
  const state = readState(plan.name, plan.home);
  if (!('problem' in state)) await endLeftovers(state);
  throw new Problem('HW4001', `the agent of cluster ${plan.name} died; all its nodes have ended`, EXIT.unreachable);
}

/** Ctrl-C stops all nodes in order; Ctrl-C again kills them. */
async function giveUp(agent: AgentProcess, interruptions: Interruptions): Promise<void> {
  agent.stop();
  void interruptions.second.then(() => agent.kill());
  await agent.ended;
  process.exitCode = EXIT.interrupted;
}

/** Kafka clients are asked for no secret: who can reach a listener beyond this machine may do anything there. */
function sayWhoIsLetIn({ nodes }: ClusterState, out: GlobalOptions): void {
  const open = nodes.find(({ kafkaOutside: told }) => told && !/^(127\.|::1$|localhost$)/.test(told.bind.host));
  if (open === undefined) return;
  say(
    out,
    `warning: whoever reaches ${open.kafkaOutside!.bind.host} can read and write: Kafka listeners ask for no secret`,
  );
}

async function announce(
  state: ClusterState,
  out: GlobalOptions,
  seconds: number,
  foregrounded: boolean,
): Promise<void> {
  const brokers = state.nodes.filter((node) => node.role === 'broker');
  const bootstrap = bootstrapOf(state);
  const outside = brokers.some(({ kafkaOutside }) => kafkaOutside) ? bootstrapOf(state, 'outside') : undefined;
  if (out.json) {
    const data = { cluster: state.name, dir: state.dir, brokers: brokers.length, timers: state.timers };
    await write(document('up', data, { bootstrap, ...(outside !== undefined && { outside }) }));
    return;
  }
  const flag = state.name === 'default' ? '' : ` --cluster ${state.name}`;
  await write(
    `cluster ${state.name} is up in ${seconds.toFixed(1)} s   ${count(brokers.length, 'broker')}, 1 controller, timers ${state.timers}\n`,
  );
  await write(`  Kafka clients   ${bootstrap}\n`);
  if (outside !== undefined) await write(`  outside         ${outside}\n`);
  sayWhoIsLetIn(state, out);
  say(out, `next: highwater clients${flag} | highwater status${flag} | highwater fault points`);
  if (foregrounded) say(out, 'Ctrl-C stops it.');
}
