// How much our client gets acknowledged by all in-sync replicas, against the bare pipeline with the same bytes.
import { figure, ratio } from '../figures.ts';
import type { Row } from './row.ts';
import { compareWithPipeline, cpuResult } from './sides.ts';

/** 32 MiB a round, on each of three replicas. */
const BATCHES = 512;

export const produce: Row = {
  name: 'produce',
  about: 'acks=all, RF 3, 1 KiB records in 64 KiB batches, 5 in flight',
  run: async (room) => {
    const comparison = { call: 'throughput', count: BATCHES, rounds: 5, warmUp: 3 * BATCHES } as const;
    const { rounds, cpu } = await compareWithPipeline(room, comparison);
    return [
      {
        ...{ row: 'produce', what: 'acks=all, RF 3, 64 KiB batches, 5 in flight', figure: figure(rounds.ours, 'MB/s') },
        yardstick: { what: 'bare pipeline', ...figure(rounds.bare, 'MB/s') },
        ...{ judged: ratio(rounds), bar: { kind: 'at least', value: 0.5 } },
      },
      ...cpuResult('produce', cpu, 'batch'),
    ];
  },
};
