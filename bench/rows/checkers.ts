// How fast a history is checked for all anomalies, in CPU time. An operation is a send or a poll, not one of its lines.
import { figure, type Result } from '../figures.ts';
import type { Part } from '../part.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const SENDS = 200_000;
/** Of the model: two operations each. */
const STEPS = 100_000;

export const checkers: Row = {
  name: 'checkers',
  about: 'a history checked for all anomalies',
  run: async (room) => {
    const part = await room.part('checkers');
    await part.call('make', { sends: SENDS });
    await part.call('check');
    const plain = await rate(part, 'all anomalies');
    await part.call('makeTransactions', { steps: STEPS });
    await part.call('check');
    return [plain, await rate(part, 'all anomalies, with transactions')];
  },
};

async function rate(part: Part, what: string): Promise<Result> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await part.call('check'));
  const measured = figure(rates, 'operations/s');
  return {
    ...{ row: 'checkers', what, figure: measured, judged: measured },
    bar: { kind: 'at least', value: 200_000 },
  };
}
