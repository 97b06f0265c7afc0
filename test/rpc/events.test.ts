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
/** Where line n begins: all are equally long. */
const placeOf = (line: number): number => line * (event(0).length + 1);
const event = (seq: number): string =>
  JSON.stringify({ node: 1, seq, lamport: 10 + seq, time: 0, event: { type: 'x' } });

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
    { node: 1, line: 1, lamport: 11, json: event(1), nextPlace: placeOf(2) },
    { node: 1, line: 2, lamport: 12, json: event(2), nextPlace: placeOf(3) },
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

test('from a place on, nothing before it is read', async () => {
  const at = { host: '127.0.0.1', port, secret: 's' };
  const request = { node: 1, fromLine: 2, fromPlace: placeOf(2), follow: false };
  expect((await all(remoteEvents(at, request))).map(({ line, json }) => [line, json])).toEqual([[2, event(2)]]);
});

test('only what is new, and of what is old some types: a line without text tells where what is new begins', async () => {
  const old = JSON.stringify({ node: 1, seq: 3, lamport: 13, time: 0, event: { type: 'kept' } });
  appendFileSync(join(directory, '1'), `${old}\n`);
  const at = { host: '127.0.0.1', port, secret: 's' };
  const found: (readonly [number, string])[] = [];
  const request = { node: 1, fromLine: 0, follow: true, onlyNew: true, writtenTypes: ['kept'] };
  for await (const { line, json, nextPlace } of remoteEvents(at, request)) {
    found.push([line, json]);
    if (json === '') {
      expect(nextPlace).toBe(placeOf(3) + old.length + 1);
      appendFileSync(join(directory, '1'), `${event(4)}\n`);
    }
    if (line === 4 && json !== '') break;
  }
  expect(found).toEqual([
    [3, old],
    [4, ''],
    [4, event(4)],
  ]);
});

test('a reader leaves also while nothing comes', async () => {
  const leave = new AbortController();
  const reading = all(
    remoteEvents({ host: '127.0.0.1', port, secret: 's' }, { node: 1, fromLine: 9, follow: true }, leave.signal),
  );
  leave.abort();
  await expect(reading).rejects.toThrow(/CANCELLED/i);
});

test('without the secret it is refused', async () => {
  await expect(all(tail(1, 0, false, ''))).rejects.toThrow(/UNAUTHENTICATED.*x-highwater-secret/);
});
