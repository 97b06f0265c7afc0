// The package as people install it: `npm pack`, a global install into a folder of the test's own, and a cluster run by what
// was installed. Packages come from npm's cache where it has them.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesWith } from '../support/process-list.ts';
import { projectRoot } from '../support/package.ts';

const run = promisify(execFile);
let folder: string;
let highwater: (...args: readonly string[]) => Promise<string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'highwater-install-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: projectRoot });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--global', '--prefix', folder, ...quietly, join(folder, archive)], { cwd: folder });
  const env = {
    ...process.env,
    HIGHWATER_HOME: join(folder, 'home'),
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  };
  highwater = async (...args) => (await run('highwater', args, { cwd: '/', env })).stdout;
}, 120_000);
afterAll(() => {
  expect(processesWith(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

test('what is packed is the programs, their protocol and the scenarios; no sources, no tests', () => {
  const installed = join(folder, 'lib/node_modules/highwater');
  for (const name of ['dist/cli/main.js', 'dist/agent/main.js', 'dist/node/main.js', 'proto', 'scenarios', 'LICENSE'])
    expect([name, existsSync(join(installed, name))]).toEqual([name, true]);
  for (const name of ['src', 'test', 'tools', 'bench'])
    expect([name, existsSync(join(installed, name))]).toEqual([name, false]);
});

test('a global install gives a command that starts a cluster, tells how it is, and stops it', async () => {
  expect(await highwater('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  const up = await highwater(
    'up',
    '--detach',
    '--timers',
    'fast',
    '--port-base',
    '0',
    '--topic',
    'orders:3:3',
    '--json',
  );
  expect(JSON.parse(up)).toMatchObject({
    bootstrap: expect.stringMatching(/^127\.0\.0\.1:\d+(,127\.0\.0\.1:\d+){2}$/),
  });
  const { data } = JSON.parse(await highwater('status', '--json')) as { data: object };
  expect(data).toMatchObject({ topics: 1, partitions: 3, offline: [], underReplicated: [] });
  await highwater('down');
});
