// Events.TailEvents: the lines of an event file over gRPC, from a number on, to whoever has the secret.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventLine } from '../../src/protocol/generated/index.ts';
import { remoteEvents } from '../../src/rpc/remote-events.ts';
import { RpcServer } from '../../src/rpc/server.ts';
import { serveEvents } from '../../src/rpc/services/events.ts';

let directory: string;
let server: RpcServer;
let port: number;
const event = (seq: number): string =>
  JSON.stringify({ node: 1, seq, lamport: seq * 10, time: 0, event: { type: 'x' } });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'highwater-tail-'));
  for (const node of [1, 2])
    writeFileSync(join(directory, String(node)), [0, 1, 2].map((n) => event(n) + '\n').join(''));
  server = new RpcServer({ secret: 's' });
  const sources = [1, 2].map((node) => ({ node, path: join(directory, String(node)) }));
  serveEvents(server, (asked) => sources.filter(({ node }) => asked === 0 || node === asked));
  port = await server.listen('127.0.0.1', 0);
});
afterEach(() => {
  server.kill();
  rmSync(directory, { recursive: true, force: true });
});

const tail = (node: number, fromLine: number, follow: boolean, secret = 's') =>
  remoteEvents({ host: '127.0.0.1', port, secret }, { node, fromLine, follow });

async function all(lines: AsyncGenerator<EventLine>): Promise<EventLine[]> {
  const found: EventLine[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

test('lines from a number on, with their Lamport times, then the end', async () => {
  expect(await all(tail(1, 1, false))).toEqual([
    { node: 1, line: 1, lamport: 10, json: event(1) },
    { node: 1, line: 2, lamport: 20, json: event(2) },
  ]);
});

test('node 0 asks for all files of the process', async () => {
  const lines = await all(tail(0, 2, false));
  expect(lines.map(({ node, line }) => [node, line]).sort()).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

test('followed: what is written later arrives, until the reader leaves', async () => {
  const found: number[] = [];
  for await (const { line } of tail(1, 2, true)) {
    found.push(line);
    if (found.length === 1) appendFileSync(join(directory, '1'), event(3) + '\n');
    else break;
  }
  expect(found).toEqual([2, 3]);
});

test('without the secret it is refused', async () => {
  await expect(all(tail(1, 0, false, ''))).rejects.toThrow(/UNAUTHENTICATED.*x-highwater-secret/);
});
