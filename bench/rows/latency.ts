// How long one record takes until all in-sync replicas have it, against the bare pipeline.
import { alternate, figure, ratio } from '../figures.ts';
import { startPipeline } from '../bare/pipeline.ts';
import { startCluster } from '../product/cluster.ts';
import type { Row } from './row.ts';

const ROUNDS = 7;
const RECORDS = 400;
/** Until both sides run compiled code. */
const WARM_UP_RECORDS = 2000;
/** A batch of one record of 1 KiB. */
const BARE_BYTES = 1024;

export const latency: Row = {
  name: 'latency',
  about: 'acks=all, RF 3, one record of 1 KiB at a time, p50',
  run: async (room) => {
    const cluster = await startCluster(room, 'kafka');
    const client = await room.part('our-client');
    await client.call('connect', cluster.reach);
    const bare = await startPipeline(room);
    const ours = (count: number): Promise<number> => client.call('latency', { count });
    const yard = (count: number): Promise<number> => bare.client.call('latency', { count, sizeBytes: BARE_BYTES });
    await ours(WARM_UP_RECORDS);
    await yard(WARM_UP_RECORDS);
    const rounds = await alternate(
      ROUNDS,
      () => ours(RECORDS),
      () => yard(RECORDS),
    );
    return [
      {
        ...{ row: 'latency', what: 'acks=all p50, one record at a time', figure: figure(rounds.ours, 'ms') },
        yardstick: { what: 'bare pipeline', ...figure(rounds.bare, 'ms') },
        ...{ judged: ratio(rounds), bar: { kind: 'at most', value: 2.5 } },
      },
    ];
  },
};
