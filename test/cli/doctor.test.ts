// `doctor`: what each check makes of what it finds, on this machine and on one that is made up; none takes long, none ends
// the others, and nothing is left behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clusterFolder, writeState, type ClusterState } from '../../src/agent/home.ts';
import { startTimeOf } from '../../src/agent/process-identity.ts';
import { ok, runChecks, type Check, type Finding } from '../../src/cli/doctor/finding.ts';
import { clockCheck, filesCheck, isAtLeast, memoryCheck, nodeCheck } from '../../src/cli/doctor/machine.ts';
import { clustersCheck, diskCheck, existingFolder, flushCheck, portsCheck } from '../../src/cli/doctor/place.ts';
import { IMAGE, output, versionIn } from '../../src/cli/doctor/programs.ts';
import { DEFAULT_IMAGE } from '../../src/testcontainers/settings.ts';

let home: string;
const children: ChildProcess[] = [];
beforeAll(() => void (home = mkdtempSync(join(tmpdir(), 'highwater-doctor-'))));
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const one = async (check: Check): Promise<Finding> => (await runChecks([check]))[0]!;

test('a check that hangs or breaks is a warning, and the others are heard', async () => {
  const hangs: Check = { name: 'hangs', run: () => new Promise(() => undefined) };
  const breaks: Check = { name: 'breaks', run: () => Promise.reject(new Error('no such thing')) };
  const fine: Check = { name: 'fine', run: () => [ok('well')] };
  expect(await runChecks([hangs, breaks, fine], 5)).toMatchObject([
    { check: 'hangs', severity: 'warning', says: 'no answer within 0.005 s' },
    { check: 'breaks', severity: 'warning', says: 'cannot be told: no such thing' },
    { check: 'fine', severity: 'ok', says: 'well' },
  ]);
});

test('what a check started ends with it', async () => {
  const sleeps: Check = {
    name: 'sleeps',
    run: async (signal) => {
      await output(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], signal);
      ended = true;
      return [];
    },
  };
  let ended = false;
  await runChecks([sleeps], 5);
  await expect.poll(() => ended).toBe(true);
});

test.each([
  ['20.11.0', '20.11', true],
  ['22.0.1', '20.11', true],
  ['20.9.9', '20.11', false],
  ['18.20.0', '20.11', false],
  ['20.11', '20.11.0', true],
])('Node %s for %s: %s', async (running, least, fit) => {
  expect(isAtLeast(running, least)).toBe(fit);
  expect((await one(nodeCheck(`>=${least}`, running))).severity).toBe(fit ? 'ok' : 'problem');
});

test.each([
  [200, 'problem'],
  [900, 'warning'],
  [4000, 'ok'],
])('%s MiB of memory: %s', async (mebibytes, severity) => {
  expect((await one(memoryCheck(() => mebibytes * 1024 * 1024))).severity).toBe(severity);
});

test.each([
  ['100', 'problem'],
  ['512', 'warning'],
  ['65536', 'ok'],
  ['unlimited', 'ok'],
])('%s open files: %s', async (limit, severity) => {
  const limits = `Limit                     Soft Limit   Hard Limit   Units\nMax open files            ${limit}   9   files\n`;
  expect((await one(filesCheck(() => limits))).severity).toBe(severity);
  expect((await one(filesCheck(() => undefined))).severity).toBe('ok');
});

test('a clock that is set while it is looked at, and one that is behind this program', async () => {
  const file = join(home, 'program');
  writeFileSync(file, '');
  expect((await one(clockCheck(file))).severity).toBe('ok');
  let asked = 0;
  const jumps = (): number => Date.now() + (asked++ === 0 ? 0 : 3_600_000);
  expect(await one(clockCheck(file, jumps))).toMatchObject({
    ...{ severity: 'warning', says: expect.stringMatching(/moved by 3(599|600)\d{3} ms/) },
  });
  expect(await one(clockCheck(file, () => Date.now() - 86_400_000))).toMatchObject({
    ...{ severity: 'warning', todo: 'set the clock' },
  });
});

test('the disk is looked at where the home will be, and nothing stays there', async () => {
  const later = join(home, 'not', 'yet');
  expect(existingFolder(later)).toBe(home);
  expect((await one(diskCheck(later))).says).toMatch(new RegExp(`^\\d+ MiB free at ${home}$`));
  const before = readdirSync(home);
  expect((await one(flushCheck(later))).says).toMatch(/takes \d+\.\d ms$/);
  expect(readdirSync(home)).toEqual(before);
  expect(await one(flushCheck('/proc/self'))).toMatchObject({ severity: 'problem', check: 'flush' });
});

test('a port that another program has is a warning, with what to type', async () => {
  expect(await one(portsCheck(home, () => Promise.resolve(true)))).toMatchObject({ severity: 'ok' });
  const stranger = await one(portsCheck(home, (port) => Promise.resolve(port !== 19_093)));
  expect(stranger).toMatchObject({ severity: 'warning', todo: expect.stringContaining('--port-base 29092') });
  expect(stranger.says).toMatch(/^19093 /);
});

/** A cluster whose agent is `agent` and whose one broker is `broker`. */
function record(name: string, agent: number, broker: number): ClusterState {
  const dir = join(home, name);
  const identity = (pid: number) => ({ pid, startTime: startTimeOf(pid) ?? 'long ago' });
  const node = { id: 1, role: 'broker' as const, dataDir: join(dir, 'broker-1'), grpcPort: 1, kafkaPort: 19_092 };
  const state: ClusterState = {
    ...{ version: 1, name, dir, secret: 'x'.repeat(20), timers: 'fast', host: '127.0.0.1', config: {} },
    ...{ agent: { ...identity(agent), port: 2 }, nodes: [{ ...node, ...identity(broker) }] },
  };
  writeState(state, home);
  return state;
}

test('clusters: what runs, what is down, what a dead agent left, what cannot be read', async () => {
  const idle = ['-e', 'setInterval(() => {}, 1000)', join(home, 'left', 'broker-1')];
  const node = spawn(process.execPath, idle, { stdio: 'ignore' });
  children.push(node);
  record('alive', process.pid, 0);
  record('down', 0, 0);
  record('fallen', 4_000_000, 4_000_001);
  record('left', 4_000_000, node.pid!);
  const broken = record('broken', 0, 0);
  writeFileSync(join(clusterFolder(broken.name, home), 'cluster.json'), '{');
  const found = await runChecks([clustersCheck(home)]);
  expect(found.map(({ severity, says }) => [severity, says])).toEqual([
    ['ok', 'alive is up'],
    ['problem', expect.stringContaining('cluster.json is damaged')],
    ['ok', 'down is down'],
    ['warning', 'fallen: its agent died without stopping it'],
    ['problem', `left: its agent is gone, and nodes 1 (pid ${node.pid}) are still there`],
  ]);
  // Its broker runs, so its port is that of a cluster of ours.
  const ports = await one(portsCheck(home, (port) => Promise.resolve(port !== 19_092)));
  expect(ports).toMatchObject({ severity: 'ok', says: expect.stringContaining('19092 (cluster left)') });
});

test('a port is asked for by listening on it', async () => {
  const server = createServer();
  // Somebody has it in any case: this test, or who had it before.
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen({ host: '127.0.0.1', port: 19_094 }, () => resolve());
  });
  const found = await one(portsCheck(home));
  server.close();
  expect(found).toMatchObject({ severity: 'warning', says: expect.stringMatching(/19094.* taken by another program/) });
});

test('the image that is looked for is the one that tests in containers use', () => {
  expect(IMAGE).toBe(DEFAULT_IMAGE);
});

test.each([
  ['kcat - Apache Kafka\nVersion 1.7.1 (JSON, librdkafka 2.0.2)', '1.7.1'],
  ['openjdk version "17.0.13" 2024-10-15', '17.0.13'],
  ['nothing of the kind', ''],
])('the version in %j', (text, version) => {
  expect(versionIn(text)).toBe(version);
});
