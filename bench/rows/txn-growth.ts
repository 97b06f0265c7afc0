// How the cost of a transaction grows with its partitions, and with the transactions of others that are open in its
// partition: each against the smallest case, measured in turns with it.
import { figure, ratio, type Result, type Rounds } from '../figures.ts';
import type { Part } from '../part.ts';
import type { Row } from './row.ts';
import { PAUSE_MS, startTransactions } from './transactions.ts';

const ROUNDS = 5;
/** On a busy machine fewer rounds are made, but not fewer than three. */
const ENOUGH_MS = 20_000;
const ROUNDS_MIN = 3;
const TRANSACTIONS = 30;
const WARM_UP = 100;
const PARTITIONS = [1, 10, 50] as const;
/** Open transactions in the partition, the measured one included. */
const OPEN = [1, 10, 100] as const;

export const txnPartitions: Row = {
  name: 'txn-partitions',
  about: `p50 from begin to the answered commit with ${PARTITIONS.join(', ')} partitions a transaction (no bar)`,
  run: async (room) => {
    const { client } = await startTransactions(room, Math.max(...PARTITIONS));
    await client.call('latency', { count: WARM_UP });
    const rounds = await inTurns(PARTITIONS, (partitions) =>
      client.call('latency', { count: TRANSACTIONS, partitions, pauseMs: PAUSE_MS }),
    );
    return results('txn-partitions', PARTITIONS, rounds, 'partitions a transaction');
  },
};

export const txnOpen: Row = {
  name: 'txn-open',
  about: `p50 from begin to the answered commit with ${OPEN.join(', ')} open transactions a partition (no bar)`,
  run: async (room) => {
    const { client } = await startTransactions(room);
    await client.call('latency', { count: WARM_UP });
    const rounds = await inTurns(OPEN, (open) => besideOpen(client, open - 1));
    return results('txn-open', OPEN, rounds, 'open in the partition');
  },
};

async function besideOpen(client: Part, others: number): Promise<number> {
  await client.call('hold', { count: others });
  const measured = await client.call<number>('latency', { count: TRANSACTIONS, pauseMs: PAUSE_MS });
  await client.call('letGo', { count: others });
  return measured;
}

/** One of each a round, so that what disturbs one disturbs the others. */
async function inTurns(cases: readonly number[], measure: (size: number) => Promise<number>): Promise<number[][]> {
  const rounds = cases.map((): number[] => []);
  const end = performance.now() + ENOUGH_MS;
  for (let round = 0; round < ROUNDS && (round < ROUNDS_MIN || performance.now() < end); round++) {
    for (const [at, size] of cases.entries()) rounds[at]!.push(await measure(size));
  }
  return rounds;
}

function results(row: string, cases: readonly number[], rounds: readonly number[][], of: string): Result[] {
  const bare = rounds[0]!;
  return cases.map((size, at) => {
    const compared: Rounds = { ours: rounds[at]!, bare };
    const measured = { row, what: `p50, ${size} ${of}`, figure: figure(compared.ours, 'ms') };
    if (at === 0) return measured;
    return { ...measured, yardstick: { what: `${cases[0]}`, ...figure(bare, 'ms') }, judged: ratio(compared) };
  });
}
