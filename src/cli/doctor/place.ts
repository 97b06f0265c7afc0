// Where clusters are kept on this machine: room and speed of the disk, ports, and what dead agents left behind.
import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readState, recordedClusters, inContainers, type ClusterState } from '../../agent/home.ts';
import { leftovers } from '../../agent/leftovers.ts';
import { DEFAULT_PORT_BASE } from '../../agent/new-cluster.ts';
import { isFree } from '../../agent/ports.ts';
import { isSameProcess } from '../../agent/process-identity.ts';
import { ok, problem, warning, type Answer, type Check } from './finding.ts';

const MIB = 1024 * 1024;
const LITTLE_ROOM = 1024 * MIB;
const NO_ROOM = 100 * MIB;

/** What is written to see how fast the disk is, and how often. */
const PROBE_BYTES = 4096;
const PROBES = 5;
/** From here on elections and new topics are slow: the controller flushes before it answers. */
const SLOW_FLUSH_MS = 50;

/** The broker ports of a cluster that nobody gave others. */
const DEFAULT_PORTS = [DEFAULT_PORT_BASE, DEFAULT_PORT_BASE + 1, DEFAULT_PORT_BASE + 2];

/** The home itself, or the first folder above it that exists: nothing is created. */
export function existingFolder(home: string): string {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export function diskCheck(home: string): Check {
  return {
    name: 'disk',
    run: async () => {
      const folder = existingFolder(home);
      const { bavail, bsize } = await statfs(folder);
      const bytes = bavail * bsize;
      const says = `${Math.floor(bytes / MIB)} MiB free at ${folder}`;
      const todo = 'make room, or set HIGHWATER_HOME to another folder';
      return [bytes < NO_ROOM ? problem(says, todo) : bytes < LITTLE_ROOM ? warning(says, todo) : ok(says)];
    },
  };
}

/** Writes a small file and removes it. */
export function flushCheck(home: string): Check {
  return {
    name: 'flush',
    run: async (signal) => {
      const folder = existingFolder(home);
      try {
        return [flushAnswer(folder, await flushTimes(folder, signal))];
      } catch (error) {
        const says = `${folder} cannot be written to: ${(error as NodeJS.ErrnoException).code}`;
        return [problem(says, 'make it yours, or set HIGHWATER_HOME to another folder')];
      }
    },
  };
}

async function flushTimes(folder: string, signal: AbortSignal): Promise<number[]> {
  const file = join(folder, `.highwater-doctor-${process.pid}`);
  const handle = await open(file, 'wx', 0o600);
  const times: number[] = [];
  try {
    while (times.length < PROBES && !signal.aborted) {
      const began = performance.now();
      await handle.write(Buffer.alloc(PROBE_BYTES));
      await handle.datasync();
      times.push(performance.now() - began);
    }
    return times;
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

function flushAnswer(folder: string, times: readonly number[]): Answer {
  const median = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  const says = `a flush at ${folder} takes ${median.toFixed(1)} ms`;
  if (median < SLOW_FLUSH_MS) return ok(says);
  return warning(says, 'topics, elections and starts will be slow: set HIGHWATER_HOME to a faster disk');
}

export function portsCheck(home: string, free: (port: number) => Promise<boolean> = isFreeHere): Check {
  return {
    name: 'ports',
    run: async () => {
      const owners = portOwners(home);
      const taken: string[] = [];
      const ours: string[] = [];
      for (const port of DEFAULT_PORTS) {
        if (await free(port)) continue;
        const owner = owners.get(port);
        (owner === undefined ? taken : ours).push(owner === undefined ? String(port) : `${port} (cluster ${owner})`);
      }
      if (taken.length > 0) {
        const says = `${taken.join(', ')} of Kafka's clients: taken by another program`;
        return [warning(says, `highwater up --port-base ${DEFAULT_PORT_BASE + 10_000}, or 0 for any free ports`)];
      }
      const all = `${DEFAULT_PORTS[0]} to ${DEFAULT_PORTS.at(-1)}`;
      return [ours.length === 0 ? ok(`${all} are free`) : ok(`of ${all} clusters of yours have ${ours.join(', ')}`)];
    },
  };
}

const isFreeHere = (port: number): Promise<boolean> => isFree('127.0.0.1', port);

/** Which cluster that runs has which port. */
function portOwners(home: string): Map<number, string> {
  const owners = new Map<number, string>();
  for (const state of states(home)) {
    for (const node of state.nodes) if (isSameProcess(node)) owners.set(node.kafkaPort, state.name);
  }
  return owners;
}

function states(home: string): ClusterState[] {
  return recordedClusters(home).flatMap((name) => {
    const state = readState(name, home);
    return 'problem' in state ? [] : [state];
  });
}

export function clustersCheck(home: string): Check {
  return {
    name: 'clusters',
    run: () => {
      const names = recordedClusters(home);
      if (names.length === 0) return [ok(`none is recorded in ${home}`)];
      return names.map((name) => clusterAnswer(name, home));
    },
  };
}

function clusterAnswer(name: string, home: string): Answer {
  const state = readState(name, home);
  if ('problem' in state) return { severity: 'problem', says: state.problem };
  if (inContainers(state)) return ok(`${name} runs in containers: docker compose ps`);
  if (isSameProcess(state.agent)) return ok(`${name} is up`);
  const left = leftovers(state).map(({ id, pid }) => `${id} (pid ${pid})`);
  if (left.length > 0) {
    const says = `${name}: its agent is gone, and nodes ${left.join(', ')} are still there`;
    return problem(says, `highwater down --cluster ${name} ends them; data stays`);
  }
  if (state.agent.pid > 0) {
    return warning(`${name}: its agent died without stopping it`, `highwater up --cluster ${name} takes it up again`);
  }
  return ok(`${name} is down`);
}
