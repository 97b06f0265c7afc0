// Random chaos over fixed seeds (design sections 2 and 7): clean as the protocol is, caught with a protection off, and the
// same to the byte whenever and wherever a seed is run again.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPlan, planHash } from '../../src/chaos/draw-plan.ts';
import { runSeed, type SeedLine } from '../../src/chaos/sim-seed.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

/** The first seed that fails without these protections. */
function firstCaught(safeguardsOff: readonly Safeguard[]): SeedLine | undefined {
  for (const seed of SEEDS) {
    const line = runSeed(seed, { safeguardsOff });
    if (line.verdict === 'fail') return line;
  }
  return undefined;
}

describe('random chaos', () => {
  test('finds nothing while every protection is on, and every seed says something', () => {
    const lines = SEEDS.map((seed) => runSeed(seed));
    expect(lines.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(lines.every(({ acked, faultsFired }) => acked > 0 && faultsFired > 0)).toBe(true);
    // Some of them must have been hard.
    expect(lines.reduce((sum, { elections }) => sum + elections, 0)).toBeGreaterThan(SEEDS.length);
  });

  test.each<Safeguard>(['hw.bound', 'trunc.leaderEpoch'])('finds what %s prevents, on the same plans', (safeguard) => {
    const safeguardsOff = [safeguard];
    for (const seed of SEEDS) expect(planHash(drawPlan(seed, { safeguardsOff }))).toBe(planHash(drawPlan(seed)));
    expect(firstCaught(safeguardsOff)).toMatchObject({ verdict: 'fail' });
  });
});

describe('highwater sim', () => {
  const top = fileURLToPath(new URL('../..', import.meta.url));
  let scratch = '';
  let child = '';

  beforeAll(() => {
    // Inside the package, so that the bundle finds its dependencies.
    scratch = mkdtempSync(join(top, 'node_modules', '.seeds-'));
    child = join(scratch, 'child.mjs');
    buildSync({
      ...{ entryPoints: [join(top, 'test/sim/seeds-child.ts')], outfile: child, bundle: true },
      ...{ platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
    });
  });

  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function run(words: string, env: Readonly<Record<string, string>> = {}): { lines: SeedLine[]; code: number | null } {
    const options = { env: { ...process.env, ...env }, cwd: scratch, encoding: 'utf8' } as const;
    const { stdout, status } = spawnSync(process.execPath, [child, 'sim', '--json', ...words.split(' ')], options);
    const lines = stdout.trim().split('\n');
    return { lines: lines.map((line) => JSON.parse(line) as SeedLine), code: status };
  }
  const sim = (words: string, env: Readonly<Record<string, string>> = {}): SeedLine[] => run(words, env).lines;

  test('a seed is the same alone, among others, in another process, time zone and locale', () => {
    const here = runSeed(7);
    const alone = sim('--seeds 7..7', { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' });
    const among = sim('--seeds 5..9', { TZ: 'America/St_Johns', LC_ALL: 'C' });
    expect(alone).toEqual([here]);
    expect(among.map(({ seed }) => seed)).toEqual([5, 6, 7, 8, 9]);
    expect(among[2]).toEqual(here);
    expect(among[3]?.traceHash).not.toBe(here.traceHash);
    expect(among[3]?.planHash).not.toBe(here.planHash);
  });

  test('shards tell together what the campaign tells, and each ends with its own verdict', () => {
    const campaign = '--seeds 6..10 --disable hw.bound'; // Some seeds fail.
    const shards = [0, 1, 2].map((index) => run(`${campaign} --shard ${index}/3`));
    expect(shards.map(({ lines }) => lines.map(({ seed }) => seed))).toEqual([[6, 7], [8, 9], [10]]);
    expect(shards.flatMap(({ lines }) => lines)).toEqual(sim(campaign));
    const worst = shards.map(({ lines }) => (lines.some(({ verdict }) => verdict === 'fail') ? 1 : 0));
    expect(shards.map(({ code }) => code)).toEqual(worst);
    expect(worst).toContain(1);
  });

  test('traceHash is the SHA-256 of what --trace writes', () => {
    const [line] = sim('--seeds 8..8 --for 3s --trace trace.ndjson');
    const trace = readFileSync(join(scratch, 'trace.ndjson'));
    expect(line?.traceHash).toBe(createHash('sha256').update(trace).digest('hex'));
    expect(trace.toString().trim().split('\n')).toHaveLength(line!.events);
  });

  test('a failing seed prints the command that finds the same again', () => {
    const caught = firstCaught(['hw.bound'])!;
    expect(caught.replay).toMatch(/^highwater sim /);
    expect(sim(caught.replay!.replace('highwater sim ', ''))).toEqual([caught]);
  });
});
