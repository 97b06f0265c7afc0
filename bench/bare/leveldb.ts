// The yardstick of one LevelDB: how fast it alone takes the bytes that a broker would store.
import { randomBytes } from 'node:crypto';
import { batchesToMb, BATCH_BYTES, IN_FLIGHT, POOL_BYTES } from '../sizes.ts';
import { BareLog } from './log.ts';

/** Handlers of the part "bare-leveldb". */
export const bareLevelDb = {
  /** MB/s taken, with as many batches waiting as a producer has under way. */
  throughput: async ({ directory, batches }: { directory: string; batches: number }): Promise<number> => {
    const log = await BareLog.open(directory);
    const pool = randomBytes(POOL_BYTES + BATCH_BYTES);
    const started = performance.now();
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < batches) {
        const at = (sent++ * 4099) % POOL_BYTES;
        await new Promise<void>((resolve) => log.append([pool.subarray(at, at + BATCH_BYTES)], resolve));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    return batchesToMb(batches) / ((performance.now() - started) / 1000);
  },
};
