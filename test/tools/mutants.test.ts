// The table of mutants and what its runner makes of answers. That the mutants die is for `npm run mutants` to say.
import { expect, test } from 'vitest';
import { mutate, staleProblems } from '../../tools/mutants/stale.mjs';
import { mutants, REPLICATION } from '../../tools/mutants/table.mjs';
import { redProblem, verdictOf } from '../../tools/mutants/verdict.mjs';

const top = new URL('../..', import.meta.url).pathname;
const row = {
  ...{ id: 'a-b', breaks: 'repl R-45', part: 'leader', what: 'something', file: 'src/base/assert.ts' },
  ...{ find: 'old', replace: 'new', test: ['test/a.test.ts', 'repl R-45: it holds'] as const },
};
const ran = (state: 'passed' | 'failed', title = 'around repl R-45: it holds') => ({
  result: { tests: [{ title, state, says: 'expected 1' }], broken: [] },
});

test('a mutant changes one place; a fragment that is gone, or there twice, is stale', () => {
  expect(mutate('an old one', row)).toEqual({ text: 'an new one' });
  expect(mutate('a new one', row).problem).toContain('not there any more');
  expect(mutate('old and old', row).problem).toContain('more than once');
  expect(mutate('a $& one', { find: '$&', replace: '$$' })).toEqual({ text: 'a $$ one' });
});

test('a row whose fragment, file or test is gone says so, by its id and with what to do', () => {
  expect(staleProblems(top, [{ ...row, find: 'gone' }]).get('a-b')).toMatch(
    /leader.mjs: a-b: stale in src\/base\/assert.ts.*choose a fragment/,
  );
  expect(staleProblems(top, [{ ...row, file: 'src/gone.ts' }]).get('a-b')).toContain('there is no src/gone.ts');
  const here = {
    ...row,
    find: 'export class InvariantViolation',
    test: ['test/tools/mutants.test.ts', 'no ' + 'such'] as const,
  };
  expect(staleProblems(top, [here]).get('a-b')).toContain('name the one that pins the rule');
});

test('a mutant is killed by a test that fails or that never ends, and by nothing else', () => {
  expect(verdictOf(row, 'test', ran('failed'))).toMatchObject({
    killed: true,
    how: 'test/a.test.ts "repl R-45: it holds"',
  });
  expect(verdictOf(row, 'test', { timedOut: true }).killed).toBe(true);
  expect(verdictOf(row, 'test', ran('passed')).problem).toMatch(/SURVIVES.*write the test/);
  expect(verdictOf(row, 'test', { result: { tests: [], broken: ['Unexpected token'] } }).problem).toContain(
    'does not load',
  );
  const crashed = { title: 'x', state: 'failed' as const, says: 'ReferenceError: y is not defined' };
  expect(verdictOf(row, 'test', { result: { tests: [crashed], broken: [] } }).problem).toContain('does not run');
  expect(verdictOf(row, 'test', { failure: 'it ended' }).killed).toBe(false);
});

test('a seed that finds something is named', () => {
  const { test: _, ...rest } = row;
  const bySim = { ...rest, sim: ['txn', 3] as const };
  const found = {
    result: { tests: [{ title: 'txn: x', state: 'failed' as const, says: 'seed 7: I-2 t-0: x' }], broken: [] },
  };
  expect(verdictOf(bySim, 'sim', found).how).toBe('sim txn, seed 7: I-2');
});

test('a test that is red, missing or endless without any mutant proves nothing', () => {
  expect(redProblem(row, ran('passed'))).toBeUndefined();
  expect(redProblem(row, ran('failed'))).toContain('fails without any mutant');
  expect(redProblem(row, ran('passed', 'another'))).toContain('no test "repl R-45: it holds" ran');
  expect(redProblem(row, { timedOut: true })).toContain('does not end');
});

test('the table: at least 100, 60 of them of replication, each naming a rule', () => {
  const all = mutants();
  expect(all.length).toBeGreaterThanOrEqual(100);
  expect(all.filter(({ part }) => REPLICATION.has(part)).length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});
