// Which rules a text cites, and how a specification is read.
import { expect, test } from 'vitest';
import { citedRules, rulesOf } from '../../tools/rules/citations.mjs';

const cited = (text: string): string[] => [...citedRules(text, () => true)];

test('a word carries over a list, and over what follows in the file', () => {
  expect(cited('(repl R-13, R-117 and T-28)')).toEqual(['repl R-13', 'repl R-117', 'repl T-28']);
  expect(cited('txn T-98; then\n// trap T-3')).toEqual(['txn T-98', 'txn T-3']);
});

test('letters that one specification alone has need no word', () => {
  expect(cited('txn T-1; R-2, I-3, G-4, INV-5, CP-6')).toEqual([
    'txn T-1',
    'repl R-2',
    'repl I-3',
    'wire G-4',
    'txn INV-5',
    'txn CP-6',
  ]);
});

test('ranges count whole', () => {
  expect(cited('repl R-41 to R-43')).toEqual(['repl R-41', 'repl R-42', 'repl R-43']);
  expect(cited('repl R-95…R-96')).toEqual(['repl R-95', 'repl R-96']);
});

test('what no specification defines is no rule', () => {
  expect([...citedRules(['repl R-1 by KIP-101; R', '9999'].join('-'), (rule) => rule === 'repl R-1')]).toEqual([
    'repl R-1',
  ]);
});

test('rules are paragraphs, items and rows of tables, each with its beginning', () => {
  const text = '**R-1** `a` holds.\n- **W-2** b\n| T-3 | c | d |\n| id | x |\n**T-13 states.** e | f\n**R-1** again';
  expect(rulesOf('repl', text)).toEqual([
    { rule: 'repl R-1', says: 'a holds.' },
    { rule: ['repl', 'W-2'].join(' '), says: 'b' },
    { rule: 'repl T-3', says: 'c d' },
    { rule: 'repl T-13', says: 'states. e f' },
  ]);
});
