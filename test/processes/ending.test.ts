// However a cluster ends, nothing of it is left: Ctrl-C once, twice and during the start, a start that fails, `down` with
// nodes that are frozen or cannot reach each other, an agent that is killed, and a cluster that does not become ready.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Highwater, type Command } from './support/highwater.ts';
import { until } from './support/until.ts';

let highwater: Highwater;
/** A cluster that does not become ready, in a home of its own: it is given up beside the other tests. */
let unready: { readonly home: Highwater; readonly up: Command; readonly tookMs: Promise<number> };

beforeAll(async () => {
  highwater = new Highwater();
  unready = await freezing();
});
afterEach(() => highwater.untilNothingRuns());
afterAll(async () => {
  expect(await unready.home.close()).toEqual([]);
  expect(await highwater.close()).toEqual([]);
});

/** A broker freezes while it starts. */
async function freezing(): Promise<typeof unready> {
  const home = new Highwater();
  const began = performance.now();
  const up = home.start(['up', '--cluster', 'frozen', '--detach', '--timers', 'fast', '--port-base', '0']);
  const tookMs = up.ended.then(() => performance.now() - began);
  const { pid } = await until('it starts', () =>
    home.processes().find(({ command }) => command.includes('/broker-2 --start-file')),
  );
  process.kill(pid, 'SIGSTOP');
  return { home, up, tookMs };
}

const quick = ['--timers', 'fast', '--port-base', '0', '--brokers', '2'] as const;

/** `up` in the foreground. */
const foreground = (cluster: string): Command => highwater.start(['up', '--cluster', cluster, ...quick]);
const untilUp = (command: Command): Promise<unknown> =>
  until('it says that it is up', () => command.stdout.includes('is up'));
const untilNodesRun = (count: number): Promise<unknown> =>
  until(`${count} processes of the cluster`, () => highwater.processes().length >= count);

describe('Ctrl-C on up in the foreground', () => {
  test('stops all nodes in order and exits with 130', async () => {
    const up = foreground('ctrl-c');
    await untilUp(up);
    up.child.kill('SIGINT');
    expect(await up.ended).toMatchObject({ code: 130, signal: null });
    expect(highwater.processes()).toEqual([]);
    const clean = /"msg":"stopped"/;
    for (const { dataDir } of highwater.state('ctrl-c').nodes)
      expect(readFileSync(join(dataDir, 'node.log'), 'utf8')).toMatch(clean);
  });

  test('twice in a row, with a frozen node that cannot stop in order by itself', async () => {
    const up = foreground('twice');
    await untilUp(up);
    process.kill(highwater.state('twice').nodes.find(({ role }) => role === 'controller')!.pid, 'SIGSTOP');
    up.child.kill('SIGINT');
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(130);
    expect(highwater.processes()).toEqual([]);
  });

  test('during the start: before its nodes run, and while they start', async () => {
    for (const count of [1, 3]) {
      const up = foreground(`early-${count}`);
      await untilNodesRun(count);
      up.child.kill('SIGINT');
      expect((await up.ended).code).toBe(130);
      expect(highwater.processes()).toEqual([]);
    }
  });

  test('down from elsewhere ends it with 0', async () => {
    const up = foreground('elsewhere');
    await untilUp(up);
    await highwater.ok('down', '--cluster', 'elsewhere');
    expect((await up.ended).code).toBe(0);
  });

  test('kill -9 of up takes the cluster with it', async () => {
    const up = foreground('orphan');
    await untilUp(up);
    up.child.kill('SIGKILL');
    await up.ended;
    await highwater.untilNothingRuns();
    await highwater.ok('down', '--cluster', 'orphan');
  });
});

describe('up --detach', () => {
  test('Ctrl-C during the start leaves nothing', async () => {
    const up = highwater.start(['up', '--cluster', 'detached', '--detach', ...quick]);
    await untilNodesRun(2);
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(130);
    expect(highwater.processes()).toEqual([]);
  });

  test('a node that cannot start ends all of them, with exit 4 and its reason', async () => {
    await highwater.up('broken', '--brokers', '2');
    await highwater.ok('down', '--cluster', 'broken');
    const broker = highwater.state('broken').nodes.find(({ id }) => id === 2)!;
    writeFileSync(join(broker.dataDir, 'store/CURRENT'), 'garbage');
    const up = await highwater.run(['up', '--cluster', 'broken', '--detach']);
    expect(up.code).toBe(4);
    expect(up.stderr).toMatch(
      /^error\[HW4001\] cluster broken could not start: the database in .*broker-2\/store is damaged/,
    );
    expect(highwater.processes()).toEqual([]);
  });
});

describe('down', () => {
  test('with frozen nodes, one of them by a signal that nobody knows of', async () => {
    await highwater.up('frozen', '--brokers', '2');
    await highwater.ok('node', 'pause', '1', '--cluster', 'frozen');
    process.kill(highwater.state('frozen').nodes.find(({ id }) => id === 2)!.pid, 'SIGSTOP');
    await highwater.ok('down', '--cluster', 'frozen');
    expect(highwater.processes()).toEqual([]);
  });

  test('with a dead controller, and brokers that cannot reach it for faults', async () => {
    await highwater.up('headless', '--brokers', '2');
    const of = ['--cluster', 'headless'];
    await highwater.ok('fault', 'add', '--do', 'cut', '--from', '1', '--to', 'controller', ...of);
    await highwater.ok('node', 'kill', 'controller', ...of);
    await highwater.ok('down', ...of);
    expect(highwater.processes()).toEqual([]);
  });
});

describe('kill -9 of the agent', () => {
  test('nodes end by themselves; commands say so with exit 4; a frozen node is ended by the next up, which says so', async () => {
    await highwater.up('lost', '--brokers', '2');
    await highwater.ok('node', 'pause', '2', '--cluster', 'lost');
    const { agent, nodes } = highwater.state('lost');
    const frozen = nodes.find(({ id }) => id === 2)!;
    process.kill(agent.pid, 'SIGKILL');
    await until('only the frozen node is left', () => highwater.processes().length === 1);
    expect(highwater.processes()).toMatchObject([{ pid: frozen.pid, state: 'T' }]);
    const status = await highwater.run(['status', '--cluster', 'lost']);
    expect(status.code).toBe(4);
    expect(status.stderr).toMatch(
      /^error\[HW4001\] cluster lost is not running \(its agent is gone\)\. Start it: highwater up/,
    );

    const up = await highwater.run(['up', '--cluster', 'lost', '--detach']);
    expect(up.code).toBe(0);
    expect(up.stderr).toContain('ended 1 node that a dead agent left: 2');
    expect(highwater.processes().map(({ pid }) => pid)).not.toContain(frozen.pid);
    await highwater.ok('down', '--cluster', 'lost');
  });

  test('down ends what is left, and says so', async () => {
    await highwater.up('lost', '--brokers', '2');
    await highwater.ok('node', 'pause', '2', '--cluster', 'lost');
    process.kill(highwater.state('lost').agent.pid, 'SIGKILL');
    await until('only the frozen node is left', () => highwater.processes().length === 1);
    const down = await highwater.run(['down', '--cluster', 'lost']);
    expect(down.code).toBe(0);
    expect(down.stderr).toContain('ended 1 node that a dead agent left: 2');
  });
});

test('a broker that freezes while it starts ends all of them, with exit 4, within 30 s', async () => {
  const { code, stderr } = await unready.up.ended;
  expect(code).toBe(4);
  expect(stderr).toMatch(/^error\[HW4001\] cluster frozen could not start: its nodes were not ready within 25 s\n$/);
  expect(unready.home.processes()).toEqual([]);
  expect(await unready.tookMs).toBeLessThan(30_000);
});
