// The program of a node, as its agent sees it: what it announces, how it ends, and what it says when it cannot start.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StartFile } from '../../src/agent/start-file.ts';
import { RemoteService } from '../../src/rpc/remote-service.ts';
import type { NodeFaultsMethods } from '../../src/rpc/services/faults.ts';
import type { NodeStatusMethods } from '../../src/rpc/services/status.ts';
import { parseEventLine } from '../../src/runtime/real/event-file.ts';
import { buildPrograms, Child, type Programs } from './child-program.ts';

const NODE = 'src/main/node.ts';
let programs: Programs;
let directory: string;
const children: Child[] = [];

beforeAll(async () => {
  programs = await buildPrograms(NODE);
});
afterAll(() => programs.remove());
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'highwater-node-'))));
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  rmSync(directory, { recursive: true, force: true });
});

const START: StartFile = {
  ...{ version: 1, cluster: 'test', secret: 'test-secret', role: 'controller', id: 100 },
  ...{ host: '127.0.0.1', advertisedHost: '127.0.0.1', grpcPort: 0, kafkaPort: 0 },
  controller: { id: 100, host: '127.0.0.1', port: 1 },
  ...{ timers: 'fast', config: {}, seed: 0, safeguardsOff: [], faults: [], cutTo: [], truncateTail: 0, wiped: false },
};

/** Starts a node in a folder of its own name. */
function start(change: Partial<StartFile> = {}): Child {
  const file = { ...START, ...change };
  const dataDir = join(directory, String(file.id));
  const startFile = join(directory, `${file.id}.json`);
  writeFileSync(startFile, JSON.stringify(file));
  const flags = ['--role', file.role, '--id', String(file.id), '--data-dir', dataDir, '--start-file', startFile];
  const child = new Child(programs.path(NODE), flags);
  children.push(child);
  return child;
}

interface Said {
  readonly ready?: boolean;
  readonly grpcPort?: number;
  readonly error?: string;
}
const announced = async (child: Child): Promise<Said> =>
  JSON.parse(await child.line((line) => line.startsWith('{'))) as Said;

const eventTypes = (id: number): string[] =>
  readFileSync(join(directory, String(id), 'events.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseEventLine(line)!.event.type);

describe('a node', () => {
  test('announces its ports, tells how it is without a secret, and takes faults with it', async () => {
    const node = start();
    const { ready, grpcPort: port = 0 } = await announced(node);
    expect(ready).toBe(true);
    const open = { host: '127.0.0.1', port, secret: '' };
    const status = new RemoteService<NodeStatusMethods>('NodeStatusService', open);
    expect(await status.call('GetNodeStatus', {}, 5000)).toMatchObject({ id: 100, state: 'RUNNING', epoch: 1 });
    const stranger = new RemoteService<NodeFaultsMethods>('NodeFaults', open);
    await expect(stranger.call('ListFaults', {}, 5000)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const faults = new RemoteService<NodeFaultsMethods>('NodeFaults', { ...open, secret: 'test-secret' });
    expect((await faults.call('SetSafeguard', { name: 'hw.bound', on: false }, 5000)).refused).toBe('');
    await faults.call('SetLink', { to: 2, cut: true }, 5000);
    expect(await faults.call('ListFaults', {}, 5000)).toMatchObject({ cutTo: [2], safeguardsOff: ['hw.bound'] });
    for (const service of [status, stranger, faults]) service.close();
  });

  test.each([
    ['"stop" on stdin', (node: Child) => node.say('stop')],
    ['SIGTERM', (node: Child) => node.process.kill('SIGTERM')],
  ])('stops in order at %s', async (_what, stop) => {
    const node = start();
    await announced(node);
    stop(node);
    expect(await node.ended).toBe('exit 0');
  });

  test('ends at once when its agent is gone', async () => {
    const node = start();
    await announced(node);
    node.process.stdin?.end();
    expect(await node.ended).toBe('exit 1');
  });

  test('finds its state again after kill -9, as another process epoch', async () => {
    const first = start();
    await announced(first);
    await first.kill();
    await announced(start());
    const types = eventTypes(100);
    expect(types.filter((type) => type === 'controller.started').length).toBe(2);
  });
});

describe('a node that cannot start says why, and exits 1', () => {
  let other: Server;
  afterEach(() => void other?.close());

  async function expectRefusal(change: Partial<StartFile>, sentence: RegExp): Promise<void> {
    const node = start(change);
    expect((await announced(node)).error).toMatch(sentence);
    expect(await node.ended).toBe('exit 1');
  }

  test('a port in use', async () => {
    other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    await expectRefusal({ grpcPort: port }, new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is taken by another process`));
  });

  test('a network without a secret', () => expectRefusal({ host: '0.0.0.0', secret: '' }, /HIGHWATER_SECRET/));

  test('a setting that does not exist', () =>
    expectRefusal({ config: { 'min.insink.replicas': '2' } }, /unknown setting "min\.insink\.replicas"/));

  test('a data directory in use', async () => {
    await announced(start());
    await expectRefusal({}, /is in use by another process/);
  });
});
