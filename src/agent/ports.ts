// Picks ports that are free now, stay below the range the system hands out on its own, and belong to no other cluster of
// this home: a node keeps its ports over restarts, so nobody else may get them meanwhile.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { readState, recordedClusters } from './home.ts';

const LOWEST = 20_000;

/** First port of the system's own range; ours stay below. */
function ephemeralStart(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return 49_152;
  }
}

/** Ports that clusters of this home own, running or not. */
export function portsOfOthers(home: string, except: string): Set<number> {
  const taken = new Set<number>();
  for (const name of recordedClusters(home)) {
    if (name === except) continue;
    const state = readState(name, home);
    if ('problem' in state) continue;
    taken.add(state.agent.port);
    for (const { grpcPort, kafkaPort, kafkaOutside } of state.nodes) {
      taken.add(grpcPort).add(kafkaPort);
      if (kafkaOutside !== undefined) taken.add(kafkaOutside.bind.port);
    }
  }
  return taken;
}

/** Whether nobody listens on a port of `host`. */
export function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** `count` ports in a row if `consecutive`, else any; starting from a random place so that two `up`s rarely meet. */
export async function freePorts(options: {
  readonly host: string;
  readonly count: number;
  readonly consecutive: boolean;
  readonly taken: ReadonlySet<number>;
}): Promise<number[]> {
  const end = Math.max(LOWEST + 1000, Math.min(ephemeralStart(), 60_000));
  const span = end - LOWEST - options.count;
  let port = LOWEST + Math.floor(Math.random() * span);
  let found: number[] = [];
  for (let tried = 0; tried < span; tried++, port++) {
    if (port >= end) [port, found] = [LOWEST, []];
    const usable = !options.taken.has(port) && (await isFree(options.host, port));
    if (usable) found.push(port);
    else if (options.consecutive) found = [];
    if (found.length === options.count) return found;
  }
  throw new Error(`no ${options.count} free ports between ${LOWEST} and ${end}`);
}
