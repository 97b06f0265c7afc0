// The agent as the first process of a container: runs the one node that the environment names, answers the health check, and
// ends in order on SIGTERM or when the cluster is shut down. When its node dies it stays, so that somebody can start the node
// again; when it is killed the node dies with it, and starts with it. Exit codes: 0 ended in order, 1 could not start, 2 the environment.
import { join } from 'node:path';
import { readAffliction, writeAffliction } from '../agent/affliction.ts';
import type { Agent } from '../agent/agent.ts';
import { INSIDE, PlaceUnknown, readPlace, type ContainerPlace } from '../agent/container-layout.ts';
import { openHealthDoor, type HealthOf } from '../agent/health-door.ts';
import { highwaterHome } from '../agent/home.ts';
import { claimDirectory } from '../agent/layout.ts';
import { Peers } from '../agent/peers.ts';
import { runAgent } from '../agent/run-agent.ts';
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
  const { state, own } = readPlace(process.env, home);
  const refused = claimDirectory(state.dir, state.name);
  if (refused !== undefined) return report(refused);
  const peers = new Peers(state, own);
  const memory = join(state.dir, 'affliction.json');
  const running = await runAgent(state, {
    ...{ home, program: programPath('node'), stop: stop.signal, kill: kill.signal },
    ...{ own: [own], nodesPrint: 'with the agent', others: (action) => peers.act(action) },
    onAffliction: (now) => writeAffliction(memory, now),
    beforeStart: async (agent) => {
      await agent.faults.adopt(readAffliction(memory));
      await catchUp(peers, agent);
    },
  });
  const door = await openHealthDoor(INSIDE.healthPort, healthOf(running.agent, { state, own }));
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

/** As the node itself says. */
function healthOf(agent: Agent, { state, own }: ContainerPlace): HealthOf {
  return async () => {
    const status = agent.list().find(({ id }) => id === own);
    if (status?.state !== 'running') return { healthy: false, state: status?.state ?? 'unknown' };
    const at = { host: '127.0.0.1', port: status.grpcPort, secret: state.secret };
    const remote = new RemoteService<NodeStatusMethods>('NodeStatusService', at);
    try {
      const { state: told } = await remote.call('GetNodeStatus', {}, HEALTH_MS);
      return { healthy: told === 'RUNNING', state: told };
    } finally {
      remote.close();
    }
  };
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
