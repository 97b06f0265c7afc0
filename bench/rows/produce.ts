// How much our client gets acknowledged by all in-sync replicas, against the bare pipeline with the same bytes.
import { alternate, figure, ratio, type Result } from '../figures.ts';
import { startPipeline } from '../bare/pipeline.ts';
import { cpuMs } from '../processes.ts';
import { startCluster } from '../product/cluster.ts';
import { batchesToMb } from '../sizes.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
/** 32 MiB a round, on each of three replicas. */
const BATCHES = 512;
/** Until both sides run compiled code; before, half of the CPU time goes into compiling. */
const WARM_UP_BATCHES = 1536;

export const produce: Row = {
  name: 'produce',
  about: 'acks=all, RF 3, 1 KiB records in 64 KiB batches, 5 in flight',
  run: async (room) => {
    const cluster = await startCluster(room, 'kafka');
    const client = await room.part('our-client');
    await client.call('connect', cluster.reach);
    const bare = await startPipeline(room);
    const ours = sideOf([client.pid, ...cluster.brokerPids()], (batches) => client.call('throughput', { batches }));
    const yard = sideOf(bare.pids, (batches) => bare.client.call('throughput', { batches }));
    await ours.round(WARM_UP_BATCHES);
    await yard.round(WARM_UP_BATCHES);
    [ours.cpuMsPerMb.length, yard.cpuMsPerMb.length] = [0, 0];
    const rounds = await alternate(
      ROUNDS,
      () => ours.round(BATCHES),
      () => yard.round(BATCHES),
    );
    const results: Result[] = [
      {
        ...{ row: 'produce', what: 'acks=all, RF 3, 64 KiB batches, 5 in flight', figure: figure(rounds.ours, 'MB/s') },
        yardstick: { what: 'bare pipeline', ...figure(rounds.bare, 'MB/s') },
        ...{ judged: ratio(rounds), bar: { kind: 'at least', value: 0.5 } },
      },
    ];
    if (ours.cpuMsPerMb.length > 0) results.push(cpuResult(ours.cpuMsPerMb, yard.cpuMsPerMb));
    return results;
  },
};

interface Side {
  /** CPU time of all its processes, a round each; empty where it is not known. */
  readonly cpuMsPerMb: number[];
  round(batches: number): Promise<number>;
}

function sideOf(pids: readonly number[], throughput: (batches: number) => Promise<number>): Side {
  const cpuMsPerMb: number[] = [];
  return {
    cpuMsPerMb,
    round: async (batches) => {
      const before = cpuMs(pids);
      const mbPerSecond = await throughput(batches);
      const after = cpuMs(pids);
      if (before !== undefined && after !== undefined) cpuMsPerMb.push((after - before) / batchesToMb(batches));
      return mbPerSecond;
    },
  };
}

/** Where cores are short, throughput is CPU time: it is less disturbed by what else runs. */
function cpuResult(ours: readonly number[], bare: readonly number[]): Result {
  return {
    ...{ row: 'produce', what: 'CPU time of client and brokers', figure: figure(ours, 'ms/MB') },
    yardstick: { what: 'bare pipeline', ...figure(bare, 'ms/MB') },
    judged: ratio({ ours: [...ours], bare: [...bare] }),
  };
}
