// The agent as the first process of a container: runs the node that the environment names, or all of them, answers the health
// check, and ends in order on SIGTERM or when the cluster is shut down. When a node dies it stays, so that somebody can start
// the node again; when it is killed its nodes die with it, and start with it. If it is to be told where clients outside find
// the nodes, it starts none before, and remembers what it was told. Exit codes: 0 ended in order, 1 could not start, 2 the environment.
import { join } from 'node:path';
import { readAffliction, writeAffliction } from '../agent/affliction.ts';
import type { Agent } from '../agent/agent.ts';
import { INSIDE, PlaceUnknown, readPlace, type ContainerPlace } from '../agent/container-layout.ts';
import { OutsideAddresses } from '../agent/outside-addresses.ts';
import { openHealthDoor, type HealthOf } from '../agent/health-door.ts';
import { highwaterHome } from '../agent/home.ts';
import { claimDirectory } from '../agent/layout.ts';
import { Peers } from '../agent/peers.ts';
import { runAgent } from '../agent/run-agent.ts';
import type { NodeStatus } from '../protocol/generated/index.ts';
import { programPath } from '../cli/version.ts';
import { RemoteService } from '../rpc/remote-service.ts';
import type { NodeStatusMethods } from '../rpc/services/status.ts';

/** `docker stop` kills after ten seconds. */
const GRACE_MS = 8000;
/** The health check gives up later than this. */
const HEALTH_MS = 1500;
const TICK_MS = 500;
/** Silent for longer than this, the whole container was frozen and may have missed something. */
const FROZEN_MS = 2500;

const stop = new AbortController();
const kill = new AbortController();

function end(): void {
  if (stop.signal.aborted) kill.abort();
  stop.abort();
}

async function main(): Promise<number> {
  const home = highwaterHome();
  const place = readPlace(process.env, home);
  const { own } = place;
  const refused = claimDirectory(place.state.dir, place.state.name);
  if (refused !== undefined) return report(refused);
  const memory = join(place.state.dir, 'affliction.json');
  const outside = new OutsideAddresses(place);
  const state = outside.remembered();
  const peers = new Peers(state, own);
  const running = await runAgent(state, {
    ...{ home, program: programPath('node'), stop: stop.signal, kill: kill.signal },
    ...{ own, nodesPrint: 'with the agent', others: (action) => peers.act(action) },
    onAffliction: (now) => writeAffliction(memory, now),
    onAdvertise: (nodes) => outside.told(nodes),
    beforeStart: async (agent) => {
      await agent.faults.adopt(readAffliction(memory));
      await Promise.race([outside.known, whenAborted(stop.signal)]);
      await catchUp(peers, agent);
    },
  });
  const door = await openHealthDoor(INSIDE.healthPort, healthOf(running.agent, place));
  const watch = whenThawed(() => void catchUp(peers, running.agent));
  await Promise.race([running.shutDown, whenAborted(stop.signal)]);
  clearInterval(watch);
  door.close();
  await running.close(GRACE_MS);
  return 0;
}

async function catchUp(peers: Peers, agent: Agent): Promise<void> {
  const refused = await peers.catchUp(agent.faults);
  if (refused !== '') process.stderr.write(`what the other agents know could not be taken over: ${refused}\n`);
}

/** Calls `run` when this process has stood still, as `docker pause` makes it. */
function whenThawed(run: () => void): NodeJS.Timeout {
  let before = performance.now();
  return setInterval(() => {
    const now = performance.now();
    if (now - before > FROZEN_MS) run();
    before = now;
  }, TICK_MS);
}

/** As its nodes themselves say: the first of them that does not do its work, or the last one. */
function healthOf(agent: Agent, { state, own }: ContainerPlace): HealthOf {
  return async () => {
    const nodes = agent.list().filter(({ id }) => own.includes(id));
    const health = await Promise.all(nodes.map((node) => healthOfNode(node, state.secret)));
    return health.find(({ healthy }) => !healthy) ?? health.at(-1) ?? { healthy: false, state: 'unknown' };
  };
}

async function healthOfNode({ state, grpcPort }: NodeStatus, secret: string): ReturnType<HealthOf> {
  if (state !== 'running') return { healthy: false, state };
  const remote = new RemoteService<NodeStatusMethods>('NodeStatusService', {
    host: '127.0.0.1',
    port: grpcPort,
    secret,
  });
  try {
    const { state: told } = await remote.call('GetNodeStatus', {}, HEALTH_MS);
    return { healthy: told === 'RUNNING', state: told };
  } finally {
    remote.close();
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function report(reason: string): number {
  process.stderr.write(`${reason}\n`);
  return 1;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
main().then(
  (code) => process.exit(code),
  (error: Error) => {
    if (stop.signal.aborted) process.exit(0); // Ended before it had started: that is what was asked for.
    report(error.message);
    process.exit(error instanceof PlaceUnknown ? 2 : 1);
  },
);
