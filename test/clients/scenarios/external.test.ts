// Programs of foreign clients as the workload of a scenario, judged from what the brokers recorded of the wire: a broker dies
// under them, and the same plan with a safeguard off is found out.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { installed } from '../run-client.ts';
import { Highwater } from '../../processes/support/highwater.ts';

/** In the repository, where the clients are installed. */
const SCENARIOS = resolve('scenarios/clients');

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

/** Scenarios whose client comes from Debian are skipped, and counted, where it is not installed. */
const isInstalled = (name: string): boolean => installed.confluentKafka || !name.includes('librdkafka');

// Each on a cluster of its own, which waits more than it works: so many at once as there are cores to have.
const files = readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml'));
test.concurrent.for(files)('%s', { timeout: 120_000 }, async (name, { expect, skip }) => {
  if (!isInstalled(name)) skip();
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
});

test('no process of a cluster is left behind those', () => highwater.untilNothingRuns());

test('programs of which nothing was recorded: nobody can tell, whatever is looked for', async () => {
  const file = join(highwater.folder('silent'), 'silent.yaml');
  const lines = ['highwater: 1', 'name: silent', 'topics: [{ name: orders }]', 'cluster: { brokers: 1 }'];
  const rest = ["workload: [{ id: app, external: 'true' }]", 'expect: [{ never: [lost-write, ghost-read, torn-txn] }]'];
  writeFileSync(file, [...lines, ...rest].join('\n'));
  const ended = await highwater.run(['run', file, '-q']);
  expect([ended.code, ended.stdout]).toEqual([3, expect.stringContaining('the brokers recorded nothing of programs')]);
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
    // A run on this cluster: its programs name topics themselves, and what they do is recorded.
    const scenario = join(highwater.folder('attached'), 'attached.yaml');
    const producer = `node ${SCENARIOS}/programs/kafkajs-producer.mjs`;
    const lines = (topic: string): string =>
      ['highwater: 1', 'name: attached', `topics: [{ name: ${topic} }]`, 'cluster: { brokers: 1, timers: kafka }']
        .concat([
          `workload: [{ id: app, external: '${producer} ${topic} all:0..9' }]`,
          'expect: [{ never: lost-write }]',
        ])
        .join('\n');
    writeFileSync(scenario, lines('orders'));
    const refused = await highwater.run(['run', scenario, '--cluster', 'wire']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/cluster wire has one already\. Delete it/),
    ]);
    writeFileSync(scenario, lines('others'));
    const ran = await highwater.run(['run', scenario, '--cluster', 'wire', '-q']);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/^PASS /)]);
    await highwater.ok('down', '--wipe', '--cluster', 'wire');
  },
);
