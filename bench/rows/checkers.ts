// How fast a history is checked for all anomalies, in CPU time. An operation is a send or a poll, not one of its lines.
import { join } from 'node:path';
import { figure, type Result } from '../figures.ts';
import type { Part } from '../part.ts';
import type { CheckedFile } from '../product/history.ts';
import type { Room } from '../room.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const SENDS = 200_000;
/** Of the model: two operations each. */
const STEPS = 100_000;
const MILLION = 1_000_000;

export const checkers: Row = {
  name: 'checkers',
  about: 'a history checked for all anomalies; a million operations in a file',
  limitMs: 180_000,
  run: async (room) => {
    const part = await room.part('checkers');
    await part.call('make', { sends: SENDS });
    await part.call('check');
    const plain = await rate(part, 'all anomalies');
    await part.call('makeTransactions', { steps: STEPS });
    await part.call('check');
    return [plain, await rate(part, 'all anomalies, with transactions'), ...(await million(room))];
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

/** A file of a million operations, written by one process and checked by another, so that memory is that of checking. */
async function million(room: Room): Promise<Result[]> {
  const file = join(room.folder('history'), 'history.jsonl');
  const writer = await room.part('checkers');
  await writer.call('write', { file, operations: MILLION });
  writer.kill();
  const checker = await room.part('checkers');
  const { readPerSecond, checkedPerSecond, memoryMib } = await checker.call<CheckedFile>('checkFile', { file });
  const result = (what: string, value: number, unit: string): Result => ({
    ...{ row: 'checkers', what: `a million operations in a file: ${what}`, figure: figure([value], unit) },
  });
  return [
    result('read', readPerSecond, 'operations/s'),
    result('checked', checkedPerSecond, 'operations/s'),
    result('resident memory', memoryMib, 'MiB'),
  ];
}
