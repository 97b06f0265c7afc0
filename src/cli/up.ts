// Starts a cluster on this machine, in the foreground or detached. Whatever goes wrong on the way, nothing is left running.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { agentAlive } from '../agent/agent-client.ts';
import { clusterFolder, highwaterHome, readState, writeState, type ClusterState } from '../agent/home.ts';
import { endLeftovers } from '../agent/leftovers.ts';
import { layOut, LayoutRefused } from '../agent/new-cluster.ts';
import { runAgent, secondsSince } from '../agent/run-agent.ts';
import { ConfigError, nodeConfig } from '../protocol/config.ts';
import { checkClusterName, Cluster } from './cluster.ts';
import type { GlobalOptions } from './command.ts';
import { parseSettings } from './commands/topics.ts';
import { parseCount } from './duration.ts';
import { document, say, write } from './output.ts';
import { EXIT, Problem } from './problem.ts';
import { parseTopicSpec, untilUp, type TopicSpec } from './readiness.ts';
import { programPath } from './version.ts';

export interface UpOptions {
  readonly brokers: string;
  readonly dir?: string;
  readonly timers?: string;
  readonly topic: readonly string[];
  readonly config: readonly string[];
  readonly portBase?: string;
  readonly detach?: boolean;
}

/** A cluster is up within this, or not at all. */
const READY_MS = 28_000;
const GRACE_MS = 10_000;

export async function up(options: UpOptions, out: GlobalOptions): Promise<void> {
  const started = performance.now();
  const { state, topics } = await prepare(options, out);
  const home = highwaterHome();
  writeState(state, home);
  if (options.detach === true) await detached(state, home, topics);
  else await foreground(state, home, topics, () => announce(state, out, started, true));
  if (options.detach === true) await announce(state, out, started, false);
}

async function prepare(options: UpOptions, out: GlobalOptions): Promise<{ state: ClusterState; topics: TopicSpec[] }> {
  if (process.platform === 'win32')
    throw new Problem('HW2001', 'Highwater runs on Linux and macOS. On Windows use WSL 2 or containers');
  checkClusterName(out.cluster);
  const brokers = parseCount('--brokers', options.brokers, 1, 99);
  const home = highwaterHome();
  const recorded = readState(out.cluster, home);
  if (!('problem' in recorded)) await takeOver(recorded, out);
  const before = 'problem' in recorded ? undefined : recorded;
  const timers = options.timers ?? before?.timers ?? 'kafka';
  if (timers !== 'kafka' && timers !== 'fast')
    throw new Problem('HW2001', `--timers is kafka or fast, not "${timers}"`);
  const config = Object.fromEntries(parseSettings(options.config).map(({ name, value }) => [name, value]));
  try {
    nodeConfig(config, timers);
  } catch (error) {
    if (error instanceof ConfigError) throw new Problem('HW2001', `--config: ${error.message}`);
    throw error;
  }
  const topics = options.topic.map((text) => parseTopicSpec(text, brokers));
  const portBase = options.portBase === undefined ? undefined : parseCount('--port-base', options.portBase, 0, 65_535);
  try {
    const plan = {
      name: out.cluster,
      home,
      brokers,
      dir: options.dir,
      timers,
      host: '127.0.0.1',
      portBase,
      config,
    } as const;
    return { state: await layOut(plan), topics };
  } catch (error) {
    if (!(error instanceof LayoutRefused)) throw error;
    throw new Problem(error.kind === 'port' ? 'HW5002' : 'HW5003', error.message, EXIT.conflict);
  }
}

/** A cluster that runs is refused; one whose agent died is cleaned up. */
async function takeOver(state: ClusterState, out: GlobalOptions): Promise<void> {
  if (agentAlive(state)) {
    throw new Problem(
      'HW5001',
      `cluster ${state.name} is already running (agent pid ${state.agent.pid}). Stop it with: highwater down --cluster ${state.name}; or start another: --cluster NAME`,
      EXIT.conflict,
    );
  }
  const ended = await endLeftovers(state);
  if (ended.length > 0)
    say(out, `ended node(s) ${ended.map((node) => node.id).join(', ')}, left over from an agent that died`);
}

async function foreground(
  state: ClusterState,
  home: string,
  topics: readonly TopicSpec[],
  ready: () => Promise<void>,
): Promise<void> {
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<'interrupted'>((resolve) => (interrupt = () => resolve('interrupted')));
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('SIGHUP', interrupt);
  const running = await runAgent(state, { home, program: programPath('node') }).catch((error: Error) => {
    throw new Problem('HW4001', `the cluster could not start: ${error.message}`, EXIT.unreachable);
  });
  const cluster = new Cluster(running.agent.state);
  try {
    const outcome = await Promise.race([interrupted, untilUp(cluster, topics, READY_MS).then(() => 'up' as const)]);
    if (outcome === 'up') {
      await ready();
      const end = await Promise.race([interrupted, running.shutDown.then(() => 'down' as const)]);
      if (end === 'interrupted') process.exitCode = EXIT.interrupted;
    } else process.exitCode = EXIT.interrupted;
  } finally {
    cluster.close();
    await running.close(GRACE_MS);
  }
}

async function detached(state: ClusterState, home: string, topics: readonly TopicSpec[]): Promise<void> {
  const folder = clusterFolder(state.name, home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openSync(join(folder, 'agent.log'), 'a', 0o600);
  const child = spawn(process.execPath, [programPath('agent'), state.name, home], {
    detached: true,
    stdio: ['ignore', 'pipe', log],
  });
  const said = await firstLine(child.stdout!);
  if (said.error !== undefined)
    throw new Problem('HW4001', `the cluster could not start: ${said.error}`, EXIT.unreachable);
  const fresh = readState(state.name, home);
  if ('problem' in fresh) throw new Problem('HW4001', fresh.problem, EXIT.unreachable);
  const cluster = new Cluster(fresh);
  try {
    await untilUp(cluster, topics, READY_MS);
  } catch (error) {
    await cluster.agent.call('Shutdown', { graceMs: 1000 }, GRACE_MS).catch(() => undefined);
    await endLeftovers(fresh);
    throw error;
  } finally {
    cluster.close();
    child.stdout?.destroy();
    child.unref();
  }
}

/** What an agent says first; a closed pipe means that it died. */
function firstLine(stream: NodeJS.ReadableStream): Promise<{ ready?: boolean; error?: string }> {
  return new Promise((resolve) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as { ready?: boolean; error?: string });
    });
    stream.on('end', () => resolve({ error: "its agent ended; see agent.log in the cluster's folder" }));
  });
}

async function announce(
  state: ClusterState,
  out: GlobalOptions,
  started: number,
  foregrounded: boolean,
): Promise<void> {
  const brokers = state.nodes.filter((node) => node.role === 'broker');
  const bootstrap = brokers.map((node) => `${state.host}:${node.kafkaPort}`).join(',');
  if (out.json) {
    const data = { cluster: state.name, dir: state.dir, brokers: brokers.length, timers: state.timers };
    await write(document('up', data, { bootstrap }));
    return;
  }
  const flag = state.name === 'default' ? '' : ` --cluster ${state.name}`;
  await write(
    `cluster ${state.name} is up in ${secondsSince(started)} s   ${brokers.length} brokers, 1 controller, timers ${state.timers}\n`,
  );
  await write(`  Kafka clients   ${bootstrap}\n`);
  say(out, `next: highwater status${flag} | highwater topics create orders${flag} | highwater fault points`);
  if (foregrounded) say(out, 'Ctrl-C stops it.');
}
