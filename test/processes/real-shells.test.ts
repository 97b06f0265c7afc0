// What only processes can show: that kill -9 loses nothing written (repl R-116, I-29), how a dead and a frozen peer look,
// and that a node strikes itself exactly at its point (design section 6).
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HEARTBEAT } from '../../src/runtime/conformance/sample-messages.ts';
import type { Outcome, StoreEntry } from '../../src/runtime/ports.ts';
import { openLevelStore } from '../../src/runtime/real/leveldb-store.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { closeNode, rpcNode, until, type RpcNode } from '../rpc/harness.ts';
import { buildPrograms, Child, type Programs } from './child-program.ts';
import { entryOf, keyOf } from './children/store-entries.ts';

const WRITER = 'test/processes/children/store-writer.ts';
const PEER = 'test/processes/children/rpc-peer.ts';
let programs: Programs;
let directory: string;
const children: Child[] = [];

beforeAll(async () => {
  programs = await buildPrograms(WRITER, PEER);
});
afterAll(() => programs.remove());
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'highwater-shells-'))));
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  rmSync(directory, { recursive: true, force: true });
});

function start(source: string, ...args: readonly string[]): Child {
  const child = new Child(programs.path(source), args);
  children.push(child);
  return child;
}

async function readAll(storeDirectory: string): Promise<Map<string, Buffer>> {
  const turns = new Turns((error) => {
    throw error;
  });
  const store = await openLevelStore({ directory: storeDirectory, turns });
  const entries = await new Promise<readonly StoreEntry[]>((resolve, reject) => {
    store.scan({ gte: Buffer.alloc(0), lt: Buffer.alloc(6, 0xff) }, (found, failure) =>
      failure === undefined ? resolve(found) : reject(new Error(failure.reason)),
    );
  });
  await store.close();
  return new Map(entries.map(({ key, value }) => [key.toString('hex'), value]));
}

test('repl R-116, I-29: after kill -9 everything acknowledged is there, in whole batches without a gap', async () => {
  const store = join(directory, 'store');
  let next = 0;
  for (let round = 0; round < 5; round++) {
    const writer = start(WRITER, store, String(next));
    const enough = next + 150 + 40 * round;
    await writer.line((line) => Number(line) >= enough);
    expect(await writer.kill()).toBe('SIGKILL');
    const acknowledged = Math.max(...writer.lines.map(Number));
    const found = await readAll(store);
    const count = found.size / 3;
    expect(count).toBeGreaterThan(acknowledged);
    for (let number = 0; number < count; number++) {
      const { value } = entryOf(number);
      for (const part of [0, 1, 2]) expect(found.get(keyOf(number, part).toString('hex'))?.equals(value)).toBe(true);
    }
    next = count;
  }
});

describe('a peer', () => {
  let node: RpcNode;
  let received: number[];
  let peer: Child;
  const firingFile = (): string => join(directory, 'firings.ndjson');

  beforeEach(async () => {
    node = rpcNode(1);
    received = [];
    node.network.serve({
      unary: {},
      stream: {
        Produce: () => ({
          message: (request) => received.push(request.correlationId),
          ended: () => undefined,
          closed: () => received.push(-1),
        }),
      },
    });
    const port = await node.server.listen('127.0.0.1', 0);
    peer = start(PEER, 'test-secret', String(port), firingFile());
    const announced = await peer.line((line) => line.startsWith('port'));
    node.network.setAddress(2, '127.0.0.1', Number(announced.slice(5)));
    await until(() => received.length === 1, 'its stream is open');
  });
  afterEach(() => closeNode(node));

  /** Sends a heartbeat that the peer will name by `mark`. */
  function beat(mark: number, timeoutMs: number): Promise<Outcome<unknown>> {
    return new Promise((resolve) => {
      const request = { ...HEARTBEAT, currentMetadataOffset: mark };
      node.network.request(2, 'BrokerHeartbeat', request, timeoutMs, resolve);
    });
  }

  test('killed with a request in hand is disconnected, long before the deadline', async () => {
    expect((await beat(1, 10_000)).kind).toBe('ok');
    peer.process.kill('SIGSTOP');
    const outcome = beat(2, 60_000);
    await peer.kill();
    expect((await outcome).kind).toBe('disconnected');
  });

  test('frozen is timed-out, and executes the request when it goes on: timed out means unknown', async () => {
    expect((await beat(1, 10_000)).kind).toBe('ok');
    peer.process.kill('SIGSTOP');
    expect(await beat(2, 300)).toEqual({ kind: 'timed-out' });
    expect(peer.lines).not.toContain('heartbeat 2');
    peer.process.kill('SIGCONT');
    expect(await peer.line((line) => line === 'heartbeat 2')).toBe('heartbeat 2');
    expect((await beat(3, 10_000)).kind).toBe('ok');
  });

  test('that kills itself at a point: all it had sent arrives, nothing that it said after, and the firing is written', async () => {
    peer.say('kill');
    expect(await peer.ended).toBe('SIGKILL');
    await until(() => received.includes(-1), 'the stream breaks');
    expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, -1]);
    expect(JSON.parse(readFileSync(firingFile(), 'utf8'))).toMatchObject({ fault: 'f1', action: 'kill', node: 2 });
  });

  test('that pauses itself at a point goes on by itself: the held flow first, then the rest of the turn', async () => {
    peer.say('pause');
    await until(() => existsSync(firingFile()), 'the firing is written');
    await until(() => received.length === 9, 'it goes on');
    expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, 1000, 2000]);
  });
});
