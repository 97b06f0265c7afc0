// How fast a history is checked for all anomalies, in CPU time. An operation is a send or a poll, not one of its lines.
import { figure } from '../figures.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const SENDS = 200_000;

export const checkers: Row = {
  name: 'checkers',
  about: 'a history checked for all anomalies',
  run: async (room) => {
    const part = await room.part('checkers');
    await part.call('make', { sends: SENDS });
    await part.call('check');
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await part.call('check'));
    const rate = figure(rates, 'operations/s');
    return [
      {
        ...{ row: 'checkers', what: 'all anomalies', figure: rate, judged: rate },
        bar: { kind: 'at least', value: 200_000 },
      },
    ];
  },
};
