// Our pipeline and the bare one, side by side: started, warmed up, measured in turns, and what CPU time each of them took.
import { startPipeline } from '../bare/pipeline.ts';
import { alternate, figure, ratio, type Result, type Rounds } from '../figures.ts';
import type { Part } from '../part.ts';
import { cpuMs } from '../processes.ts';
import { startCluster } from '../product/cluster.ts';
import type { Room } from '../room.ts';

export interface Comparison {
  /** What both clients are asked for; `count` of it is one round. */
  readonly call: 'throughput' | 'latency';
  readonly count: number;
  readonly rounds: number;
  /** How much of it runs before, until both sides run compiled code: before, half of the CPU time goes into compiling. */
  readonly warmUp: number;
}

export interface Compared {
  readonly rounds: Rounds;
  /** CPU time of client and brokers for one of `count`, ms; undefined where it is not known. */
  readonly cpu: Rounds | undefined;
}

/** Starts both and measures. */
export async function compareWithPipeline(room: Room, comparison: Comparison): Promise<Compared> {
  const { call, count, rounds, warmUp } = comparison;
  const cluster = await startCluster(room, 'kafka');
  const client = await room.part('our-client');
  await client.call('connect', cluster.reach);
  const bare = await startPipeline(room);
  const cpu: Rounds = { ours: [], bare: [] };
  const side =
    (part: Part, pids: readonly number[], spent: number[]) =>
    async (howMany: number): Promise<number> => {
      const before = cpuMs(pids);
      const measured = await part.call<number>(call, { count: howMany });
      const after = cpuMs(pids);
      if (before !== undefined && after !== undefined) spent.push((after - before) / howMany);
      return measured;
    };
  const ours = side(client, [client.pid, ...cluster.brokerPids()], cpu.ours);
  const theirs = side(bare.client, bare.pids, cpu.bare);
  await ours(warmUp);
  await theirs(warmUp);
  [cpu.ours.length, cpu.bare.length] = [0, 0];
  const measured = await alternate(
    rounds,
    () => ours(count),
    () => theirs(count),
  );
  return { rounds: measured, cpu: cpu.ours.length === 0 ? undefined : cpu };
}

/** Where cores are short, CPU time is what both speed and latency are made of, and neighbours disturb it less. */
export function cpuResult(row: string, cpu: Rounds | undefined, per: string): Result[] {
  if (cpu === undefined) return [];
  return [
    {
      ...{ row, what: 'CPU time of client and brokers', figure: figure(cpu.ours, `ms/${per}`) },
      yardstick: { what: 'bare pipeline', ...figure(cpu.bare, `ms/${per}`) },
      judged: ratio(cpu),
    },
  ];
}
