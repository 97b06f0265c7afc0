// The share of its time that an application spends on committing, F / (T + F), for several processing times T (txn T-184).
import { figure } from '../figures.ts';
import type { Overhead } from '../product/transactions.ts';
import type { Row } from './row.ts';
import { startTransactions } from './transactions.ts';

const ROUNDS = 3;
/** Processing time, ms, and transactions of a round. */
const CASES = [
  { processingMs: 10, count: 40 },
  { processingMs: 100, count: 10 },
  { processingMs: 1000, count: 3 },
] as const;
const WARM_UP = 100;

export const txnOverhead: Row = {
  name: 'txn-overhead',
  about: 'share of a commit, F / (T + F), of T = 10, 100 and 1000 ms of processing (no bar)',
  run: async (room) => {
    const { client } = await startTransactions(room);
    await client.call('latency', { count: WARM_UP });
    const measured = CASES.map((): Overhead[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, asked] of CASES.entries()) measured[at]!.push(await client.call<Overhead>('overhead', asked));
    }
    return CASES.map(({ processingMs }, at) => ({
      ...{ row: 'txn-overhead', what: `F / (T + F), T = ${processingMs} ms` },
      figure: figure(measured[at]!.map(({ percent }) => percent), '%'), // prettier-ignore
      yardstick: { what: 'F', ...figure(measured[at]!.map(({ fixedMs }) => fixedMs), 'ms') }, // prettier-ignore
    }));
  },
};
