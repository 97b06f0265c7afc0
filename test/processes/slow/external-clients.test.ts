// Programs of foreign clients as the workload of a scenario, judged from what the brokers recorded of the wire: a broker dies
// under them, and the same plan with a safeguard off is found out.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { Highwater } from '../support/highwater.ts';

/** In the repository, where the clients are installed. */
const SCENARIOS = resolve('scenarios/clients');

let highwater: Highwater;
beforeAll(async () => {
  highwater = await Highwater.build();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test.each(readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')))('%s', { timeout: 120_000 }, async (name) => {
  const ended = await highwater.run(['run', `${SCENARIOS}/${name}`, '--json', '-q']);
  const verdicts = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as VerdictLine)
    .filter(({ variant }) => variant !== undefined);
  expect(verdicts.map(({ variant, verdict, reasons }) => [variant, verdict, reasons])).toEqual(
    verdicts.map(({ variant }) => [variant, 'pass', []]),
  );
  expect(ended.code).toBe(0);
  await highwater.untilNothingRuns();
});

test(
  'up --record, record, check: what was told is judged anywhere, and a history that was tampered with is found out',
  { timeout: 120_000 },
  async () => {
    await highwater.up(
      'wire',
      '--brokers',
      '1',
      '--record',
      'plain',
      '--topic',
      'orders:1:1',
      '--topic',
      'payments:1:1',
    );
    const { host, nodes } = highwater.state('wire');
    const bootstrap = `${host}:${nodes.find(({ role }) => role === 'broker')!.kafkaPort}`;
    const program = (name: string, ...args: string[]): Promise<unknown> =>
      promisify(execFile)(process.execPath, [`${SCENARIOS}/programs/${name}.mjs`, ...args], {
        env: { ...process.env, HIGHWATER_BOOTSTRAP: bootstrap, HIGHWATER_CLIENT_ID: 'app' },
        cwd: SCENARIOS,
      });
    await program('kafkajs-producer', 'orders', 'all:0..9');
    await program('kafkajs-aborted-only', 'payments', 'tx');
    const file = join(highwater.folder('recorded'), 'history.ndjson');
    await highwater.ok('record', file, '--cluster', 'wire');
    const checkers = ['--checker', 'duplicate,reorder,aborted-read,inconsistent-offsets'];
    expect((await highwater.run(['check', file, ...checkers])).stdout).toMatch(/^PASS /);
    // Acknowledged, and read by nobody: the wire cannot tell whether it is there.
    const unread = await highwater.run(['check', file, '--checker', 'lost-write']);
    expect([unread.code, unread.stdout]).toEqual([3, expect.stringContaining('were never seen again')]);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('"value":"committed"}', '"value":"another"}'));
    const tampered = await highwater.run(['check', file, '--checker', 'lost-write']);
    expect([tampered.code, tampered.stdout]).toEqual([1, expect.stringContaining('"committed" was acknowledged')]);
    await highwater.ok('down', '--wipe', '--cluster', 'wire');
  },
);
