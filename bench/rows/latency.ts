// How long one record takes until all in-sync replicas have it, against the bare pipeline.
import { figure, ratio } from '../figures.ts';
import type { Row } from './row.ts';
import { compareWithPipeline, cpuResult } from './sides.ts';

const RECORDS = 400;

export const latency: Row = {
  name: 'latency',
  about: 'acks=all, RF 3, one record of 1 KiB at a time, p50',
  run: async (room) => {
    const comparison = { call: 'latency', count: RECORDS, rounds: 7, warmUp: 5 * RECORDS } as const;
    const { rounds, cpu } = await compareWithPipeline(room, comparison);
    return [
      {
        ...{ row: 'latency', what: 'acks=all p50, one record at a time', figure: figure(rounds.ours, 'ms') },
        yardstick: { what: 'bare pipeline', ...figure(rounds.bare, 'ms') },
        ...{ judged: ratio(rounds), bar: { kind: 'at most', value: 2.5 } },
      },
      ...cpuResult('latency', cpu, 'record'),
    ];
  },
};
