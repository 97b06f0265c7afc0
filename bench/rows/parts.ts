// What the parts alone can do, with our settings: an empty gRPC call, and one LevelDB taking a broker's bytes.
import { startPipeline } from '../bare/pipeline.ts';
import { figure } from '../figures.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const CALLS = 400;
const WARM_UP_CALLS = 800;
const BATCHES = 512;

export const parts: Row = {
  name: 'parts',
  about: 'the yardsticks alone: an empty gRPC call, one LevelDB (no bar)',
  run: async (room) => {
    const bare = await startPipeline(room);
    const level = await room.part('bare-leveldb');
    await bare.client.call('roundTrip', { count: WARM_UP_CALLS });
    const [calls, writes]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      calls.push(await bare.client.call('roundTrip', { count: CALLS }));
      writes.push(await level.call('throughput', { directory: room.folder('level'), batches: BATCHES }));
    }
    return [
      { row: 'parts', what: 'empty gRPC round trip, p50', figure: figure(calls, 'ms') },
      { row: 'parts', what: 'one LevelDB, 64 KiB batches, no sync', figure: figure(writes, 'MB/s') },
    ];
  },
};
