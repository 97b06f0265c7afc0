// Which cells a crash point has, and why it lacks others.
import { expect, test } from 'vitest';
import { ROWS } from '../../src/chaos/crash-points/rows.ts';
import { cellsOf, whyNoCell, type Cell } from '../../src/chaos/crash-points/template.ts';

function whyNot(id: string, choice: Partial<Cell>): string | undefined {
  return whyNoCell(
    ROWS.find((row) => row.id === id)!,
    choice,
  );
}

test('a row without the ending chosen says why', () => {
  expect(whyNot('CP-36', { outcome: 'abort' })).toBe(ROWS.find(({ id }) => id === 'CP-36')!.omits);
  expect(whyNot('CP-36', { outcome: 'commit' })).toBeUndefined();
  expect(whyNot('CP-36', {})).toBeUndefined();
});

test('a row whose victim always restarts says so', () => {
  const row = ROWS.find(({ back }) => back?.join() === 'restarts')!;
  expect(whyNoCell(row, { back: 'stays-dead' })).toBe('in all its cells the victim restarts');
});

test('there is a reason exactly where there is no cell', () => {
  for (const row of ROWS) {
    for (const outcome of ['commit', 'abort'] as const) {
      expect(whyNoCell(row, { outcome }) === undefined, row.id).toBe(cellsOf(row, { outcome }).length > 0);
    }
  }
});
