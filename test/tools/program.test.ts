// A program starts from the code that was kept when it was built, and from its source where that code is of no use.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../tools/build.mjs';

const top = join(dirname(fileURLToPath(import.meta.url)), '../..');
const SOURCE = `
import { Level } from 'level';
const strict = (function () { return this; })() === undefined;
console.log(JSON.stringify({ url: import.meta.url, level: typeof Level, letter: 'ä', strict }));
void import('@grpc/proto-loader').then(({ fromJSON }) => console.log(typeof fromJSON));
`;

let folder: string;
let program: string;
beforeAll(async () => {
  const cache = join(top, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'highwater-program-'));
  program = join(folder, 'main.js');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'source.mjs'), SOURCE);
  await buildProgram(join(folder, 'source.mjs'), program);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const code = (): string =>
  join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.code'))!,
  );
const started = (): string[] => execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim().split('\n');
const SAID = (): string[] => [
  JSON.stringify({ url: pathToFileURL(program).href, level: 'function', letter: 'ä', strict: true }),
  'function',
];

test('V8 takes the code that is kept beside a program', () => {
  const filename = join(folder, 'main.cjs');
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readFileSync(code()) });
  expect(script.cachedDataRejected).toBe(false);
  expect(started()).toEqual(SAID());
});

test('code of another program of the same length is not taken for it', async () => {
  const other = join(folder, 'other.mjs');
  writeFileSync(other, SOURCE.replace('ä', 'ö'));
  await buildProgram(other, program, false);
  expect(started()[0]).toContain('ö');
  await buildProgram(join(folder, 'source.mjs'), program, false);
  expect(started()).toEqual(SAID());
});

test('code that V8 refuses, and none, cost time and nothing else', () => {
  writeFileSync(code(), 'of another version');
  expect(started()).toEqual(SAID());
  rmSync(code());
  expect(started()).toEqual(SAID());
});
