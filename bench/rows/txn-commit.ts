// What a transaction costs: how long until its commit is answered, and how many there are in a second, against an empty gRPC
// round trip and against a plain record in the bare pipeline.
import { startPipeline } from '../bare/pipeline.ts';
import { alternate, figure, ratio, type Result, type Rounds } from '../figures.ts';
import { PAUSE_MS, startTransactions } from './transactions.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const TRANSACTIONS = 60;
/** Producers side by side. */
const LANES = 16;
const WARM_UP = 100;
/** Of four comparisons in a row that is given 60 s. */
const ENOUGH_MS = 7000;

export const txnCommit: Row = {
  name: 'txn-commit',
  about: 'transactions of one partition: p50 from begin to the answered commit; transactions a second',
  run: async (room) => {
    const { client } = await startTransactions(room);
    const bare = (await startPipeline(room)).client;
    await client.call('latency', { count: WARM_UP });
    await client.call('rate', { count: WARM_UP, lanes: LANES });
    await bare.call('latency', { count: WARM_UP });
    await bare.call('roundTrip', { count: WARM_UP });
    await bare.call('rate', { count: WARM_UP, lanes: LANES });
    const against = (call: string, bareCall: string, asked: object): Promise<Rounds> =>
      alternate(ROUNDS, () => client.call(call, asked), () => bare.call(bareCall, asked), ENOUGH_MS); // prettier-ignore
    const one = { count: TRANSACTIONS, pauseMs: PAUSE_MS };
    const toCalls = await against('latency', 'roundTrip', one);
    const toRecords = await against('latency', 'latency', one);
    const following = await against('latency', 'latency', { count: TRANSACTIONS });
    const rates = await against('rate', 'rate', { count: 3 * TRANSACTIONS, lanes: LANES });
    const what = 'begin to answered commit p50, 1 partition';
    return [
      { ...compared(what, toCalls, 'ms', 'empty gRPC call'), bar: { kind: 'at most', value: 20 } },
      compared(what, toRecords, 'ms', 'a record, bare pipeline'),
      compared('the same, at once after the one before', following, 'ms', 'a record, bare pipeline'),
      compared(`${LANES} producers side by side`, rates, 'a second', 'records, bare pipeline'),
    ];
  },
};

function compared(what: string, rounds: Rounds, unit: string, bare: string): Result {
  return {
    ...{ row: 'txn-commit', what, figure: figure(rounds.ours, unit) },
    ...{ yardstick: { what: bare, ...figure(rounds.bare, unit) }, judged: ratio(rounds) },
  };
}
