// Each invariant has a file that begins with its definition, a place in the suite, and a test of its name with a planted violation
// and an innocent look-alike. Those of repl section 9 are all there, here or in a checker.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const TOP = join(import.meta.dirname, '../../..');
const FOLDERS = ['replication', 'metadata', 'promises', 'transactions'];
const read = (path: string): string => readFileSync(join(TOP, path), 'utf8');

/** Files that define an invariant, by what is behind src/sim/invariants/ and test/sim/invariants/. */
const DEFINED = FOLDERS.flatMap((folder) =>
  readdirSync(join(TOP, 'src/sim/invariants', folder)).flatMap((file) => {
    const name = `${folder}/${file.replace('.ts', '')}`;
    const rule = /^\/\/ ((?:repl I|txn INV)-\d+)\b/.exec(read(`src/sim/invariants/${name}.ts`))?.[1];
    return rule === undefined ? [] : [{ name, rule }];
  }),
);

/** About values, which events of nodes do not tell: the checker false-fail. */
const IN_CHECKERS = ['repl I-25'];

test('repl section 9: I-1 to I-29 are all defined', () => {
  const rules = new Set([...DEFINED.map(({ rule }) => rule), ...IN_CHECKERS]);
  const all = Array.from({ length: 29 }, (_, i) => `repl I-${i + 1}`);
  expect(all.filter((rule) => !rules.has(rule))).toEqual([]);
});

describe.each(DEFINED)('$rule, $name', ({ name, rule }) => {
  test('is in the suite, or asked by who runs the cluster', () => {
    const asks = rule === 'repl I-28' ? 'test/sim/stories/stage.ts' : 'src/sim/invariants/suite.ts';
    expect(read(asks)).toContain(`${name}.ts`);
  });
  test('has a planted violation and an innocent look-alike', () => {
    const text = read(`test/sim/invariants/${name}.test.ts`);
    expect(text).toMatch(new RegExp(`describe\\(['"]${rule}[:,]`));
    const titles = [...text.matchAll(/\btest(?:\.each\([\s\S]*?\]\))?\(\s*['"`]([^'"`]*)/g)].map(([, title]) => title!);
    expect(titles.some((title) => title.startsWith('innocent'))).toBe(true);
    expect(titles.some((title) => !title.startsWith('innocent'))).toBe(true);
  });
});
