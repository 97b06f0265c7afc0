// How long `highwater up` takes until a produce is acknowledged, against four empty Node processes: what no system of four
// processes can beat.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readState, type ClusterState } from '../../src/agent/home.ts';
import { packageRoot } from '../../src/cli/version.ts';
import { connect } from '../../src/client/index.ts';
import { alternate, figure, ratio } from '../figures.ts';
import { reachOf, TOPIC } from '../product/cluster.ts';
import type { Room } from '../room.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const PROCESSES = 4;
const STOP_MS = 15_000;

export const up: Row = {
  name: 'up',
  about: '`highwater up` (3 brokers, 1 controller) until a produce is acknowledged',
  run: async (room) => {
    let round = 0;
    const rounds = await alternate(
      ROUNDS,
      () => upUntilProduced(room, `bench-${round++}`),
      () => emptyProcesses(PROCESSES),
    );
    return [
      {
        ...{ row: 'up', what: '`up` until acks=all is acknowledged', figure: figure(rounds.ours, 'ms') },
        yardstick: { what: `${PROCESSES} empty Node processes`, ...figure(rounds.bare, 'ms') },
        judged: ratio(rounds),
        bar: { kind: 'at most', value: 6 },
      },
    ];
  },
};

/** Starts a cluster of processes, ends it, and answers how long it took. `whileUp` looks at it before it ends. */
export async function upUntilProduced(
  room: Room,
  cluster: string,
  whileUp: (state: ClusterState) => void = () => undefined,
): Promise<number> {
  const started = performance.now();
  const args = ['up', '--json', '--cluster', cluster, '--port-base', '0', '--topic', `${TOPIC}:1:3`];
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/cli/main.js'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '', HIGHWATER_HOME: room.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(late);
  };
  room.onClose(stop);
  await saysItIsUp(child);
  const state = readState(cluster, room.home);
  if ('problem' in state) throw new Error(state.problem);
  const client = await connect(reachOf(state));
  await client.producer({ acks: 'all', 'linger.ms': 0 }).send({ topic: TOPIC, value: 'first' });
  const took = performance.now() - started;
  whileUp(state);
  await client.close(0);
  await stop();
  return took;
}

/** Resolves at the first data on stdout; rejects with what it said on stderr if it ends instead. */
function saysItIsUp(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`up ended with ${code}: ${complaint}`)));
  });
}

/** Time until `count` Node processes with nothing to do, started at once, have all exited. */
async function emptyProcesses(count: number): Promise<number> {
  const started = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, NODE_OPTIONS: '' };
      const child = spawn(process.execPath, ['-e', ''], { env, stdio: 'ignore' });
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  await Promise.all(Array.from({ length: count }, one));
  return performance.now() - started;
}
