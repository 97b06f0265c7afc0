// The same cluster as four containers, against four processes without: how long from `up` until a produce is acknowledged, what
// memory it holds just then, and how large the image is. Both are started in turns; neither is under load.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readState } from '../../src/agent/home.ts';
import { Cluster } from '../../src/cli/cluster.ts';
import { untilUp } from '../../src/cli/readiness.ts';
import { packageRoot } from '../../src/cli/version.ts';
import { connect } from '../../src/client/index.ts';
import { alternate, figure, ratio, type Result, type Rounds } from '../figures.ts';
import { residentMib } from '../processes.ts';
import { reachOf, TOPIC } from '../product/cluster.ts';
import { AGENT, containersIn, imageMib, noContainers, SECRET_FILE, type Containers } from '../product/containers.ts';
import type { Room } from '../room.ts';
import { Skipped, type Row } from './row.ts';
import { upUntilProduced } from './up.ts';

const ROUNDS = 3;
const READY_MS = 20_000;
const SERVICES = ['controller', 'broker-1', 'broker-2', 'broker-3'] as const;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export const containers: Row = {
  name: 'containers',
  about: '`docker compose up` until a produce is acknowledged, memory, image, against processes',
  limitMs: 150_000,
  run: async (room) => {
    const why = noContainers();
    if (why !== undefined) throw new Skipped(why);
    const compose = containersIn(room);
    let round = 0;
    const memory: Rounds = { ours: [], bare: [] };
    const times = await alternate(
      ROUNDS,
      () => composedUntilProduced(room, compose, memory.ours),
      () =>
        upUntilProduced(room, `bench-${round++}`, ({ agent, nodes }) => {
          memory.bare.push(sum([agent, ...nodes].map(({ pid }) => residentMib(pid))));
        }),
    );
    return [...compared(times, memory), await imageSize()];
  },
};

function compared(times: Rounds, memory: Rounds): Result[] {
  const processes = 'four processes and their agent';
  return [
    {
      ...{ row: 'containers', what: '`compose up` until acks=all is acknowledged', figure: figure(times.ours, 'ms') },
      yardstick: { what: '`highwater up`', ...figure(times.bare, 'ms') },
      judged: ratio(times),
    },
    {
      ...{ row: 'containers', what: 'memory of four containers', figure: figure(memory.ours, 'MiB') },
      yardstick: { what: processes, ...figure(memory.bare, 'MiB') },
      judged: ratio(memory),
    },
  ];
}

async function imageSize(): Promise<Result> {
  const { whole, own } = await imageMib();
  return {
    ...{ row: 'containers', what: 'image, unpacked', figure: figure([whole], 'MiB') },
    yardstick: { what: 'of it Highwater', ...figure([own], 'MiB') },
  };
}

/** As the README has it: up, attach, and a produce to a topic that is made meanwhile. */
async function composedUntilProduced(room: Room, compose: Containers, memory: number[]): Promise<number> {
  const started = performance.now();
  await compose.up();
  const args = [join(packageRoot(), 'dist/cli/main.js'), 'attach', '--no-wait', AGENT, '--secret-file', SECRET_FILE];
  const env = { ...process.env, NODE_OPTIONS: '', HIGHWATER_HOME: room.home };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`attach ended with ${status}: ${stderr}`);
  const state = readState('default', room.home);
  if ('problem' in state) throw new Error(state.problem);
  const cluster = new Cluster(state);
  try {
    await untilUp(cluster, [{ name: TOPIC, partitions: 1, replicationFactor: 3 }], READY_MS);
  } finally {
    cluster.close();
  }
  const client = await connect(reachOf(state));
  await client.producer({ acks: 'all', 'linger.ms': 0 }).send({ topic: TOPIC, value: 'first' });
  const took = performance.now() - started;
  await client.close(0);
  const resident = await Promise.all(SERVICES.map((service) => compose.residentMib(service)));
  memory.push(sum(resident.flat()));
  await compose.down();
  return took;
}
