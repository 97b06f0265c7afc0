// Same seed, same trace, byte for byte, in any process, time zone and locale (design section 2).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/sim/trace-log.ts';
import { busyHash } from './busy-world.ts';

const SEEDS = [1, 2, 3];
const top = fileURLToPath(new URL('../..', import.meta.url));
let scratch = '';
let child = '';

beforeAll(() => {
  // Inside the package, so that the bundle finds its dependencies.
  scratch = mkdtempSync(join(top, 'node_modules', '.determinism-'));
  child = join(scratch, 'child.mjs');
  buildSync({
    ...{ entryPoints: [join(top, 'test/sim/determinism-child.ts')], outfile: child, bundle: true },
    ...{ platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
  });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function inChild(seeds: readonly number[], env: Readonly<Record<string, string>>): string[] {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, [child, ...seeds.map(String)], options)
    .trim()
    .split(',');
}

describe('determinism', () => {
  test('a seed gives the same trace again, whatever seeds ran before it in the process', () => {
    const first = SEEDS.map(busyHash);
    const again = [...SEEDS].reverse().map(busyHash).reverse();
    expect(again).toEqual(first);
    expect(new Set(first).size).toBe(SEEDS.length);
  });

  test('a seed gives the same trace in another process, time zone and locale', () => {
    const here = SEEDS.map(busyHash);
    expect(inChild(SEEDS, { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' })).toEqual(here);
    expect(inChild([3], { TZ: 'America/St_Johns', LC_ALL: 'C' })).toEqual([here[2]]);
  });

  test('traces are hashed with sorted keys and without what is undefined', () => {
    expect(canonicalJson({ b: [1, undefined, { d: 1, c: 'x' }], a: undefined, Z: null })).toBe(
      '{"Z":null,"b":[1,null,{"c":"x","d":1}]}',
    );
  });
});
