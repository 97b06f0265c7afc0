// The event file of a node: what a kill tears is cut, numbers and Lamport times go on over restarts (design section 7).
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LamportClock } from '../../src/runtime/lamport.ts';
import { EventFile, parseEventLine } from '../../src/runtime/real/event-file.ts';
import { tailEvents } from '../../src/runtime/real/event-tail.ts';
import type { Stamped } from '../../src/trace/events.ts';
import { until } from '../rpc/harness.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'highwater-events-'));
  path = join(directory, 'events.ndjson');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const line = (message: string) => ({ type: 'log.line', level: 'info', message }) as const;
const open = (lamport = new LamportClock()): EventFile => new EventFile({ path, node: 3, lamport });
const events = (): Stamped[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((text) => parseEventLine(text)!);

function write(...messages: string[]): void {
  const file = open();
  for (const message of messages) file.append(line(message));
  file.close();
}

describe('event file', () => {
  test('nothing is written before the end of the turn or a flush, then all at once', async () => {
    const file = open();
    file.append(line('a'));
    file.append(line('b'));
    expect(statSync(path).size).toBe(0);
    file.flush();
    expect(events().length).toBe(2);
    file.append(line('c'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events().map(({ event }) => event)).toEqual(['a', 'b', 'c'].map(line));
    file.close();
  });

  test('numbers and Lamport times go on over restarts', () => {
    write('a', 'b');
    const lamport = new LamportClock();
    const file = open(lamport);
    expect([file.nextSeq, lamport.time]).toEqual([2, 2]);
    file.append(line('c'));
    file.close();
    expect(events().map(({ node, seq, lamport: time }) => [node, seq, time])).toEqual(
      [0, 1, 2].map((n) => [3, n, n + 1]),
    );
  });

  test.each([
    ['a torn line', '{"node":3,"seq":2,"la'],
    ['a torn line that contains a whole one', '{"node":3,"seq":9,"lamport":9,"time":0,"event":{"type":"x"}}'],
    ['a last line that is no event', 'null\n'],
    ['zeros left by a power loss', '\0\0\0\0\n\0\0'],
    ['several bad lines', 'x\n{}\n{"seq":'],
  ])('%s at the end is cut, and the numbers leave no gap', (_what, torn) => {
    write('a', 'b');
    const whole = readFileSync(path);
    appendFileSync(path, torn);
    const file = open();
    expect(readFileSync(path)).toEqual(whole);
    file.append(line('c'));
    file.close();
    expect(events().map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  test('a file that is torn from its first byte begins anew', () => {
    writeFileSync(path, '{"node":3');
    const file = open();
    expect([file.nextSeq, statSync(path).size]).toEqual([0, 0]);
    file.close();
  });

  test('lines longer than the reading chunk are found', () => {
    write('x'.repeat(200_000), 'y'.repeat(300_000));
    expect(open().nextSeq).toBe(2);
  });

  test('after close nothing is written and nothing thrown', () => {
    const file = open();
    file.close();
    file.append(line('late'));
    file.flush();
    file.close();
    expect(statSync(path).size).toBe(0);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'a full disk is told once, before anything can leave; later events go nowhere',
    () => {
      const failures: string[] = [];
      const lamport = new LamportClock();
      const file = new EventFile({ path: '/dev/full', node: 3, lamport, onFailure: (reason) => failures.push(reason) });
      file.append(line('a'));
      expect(failures).toEqual([]);
      file.flush();
      file.append(line('b'));
      file.flush();
      file.close();
      expect(failures).toEqual([expect.stringMatching(/^cannot write the event file: ENOSPC/)]);
    },
  );
});

async function collect(fromLine: number): Promise<string[]> {
  const found: string[] = [];
  const options = { path, fromLine, follow: false, signal: new AbortController().signal };
  for await (const lines of tailEvents(options)) found.push(...lines.map(({ line: n, json }) => `${n} ${json}`));
  return found;
}

describe('event tail', () => {
  test('a file that is not there is empty', async () => {
    expect(await collect(0)).toEqual([]);
  });

  test('tells whole lines from a number on, long ones included', async () => {
    const long = 'z'.repeat(700_000);
    writeFileSync(path, `a\nb\n${long}\nc\nto`);
    expect(await collect(1)).toEqual(['1 b', `2 ${long}`, '3 c']);
  });

  test('follows: a torn line that is cut and written anew is told once, as it became', async () => {
    writeFileSync(path, 'a\nto');
    const ending = new AbortController();
    const found: string[] = [];
    const reading = (async () => {
      const options = { path, fromLine: 0, follow: true, signal: ending.signal };
      for await (const lines of tailEvents(options)) found.push(...lines.map(({ json }) => json));
    })();
    await until(() => found.length === 1, 'the whole line is told');
    writeFileSync(path, 'a\nb\nc\n');
    await until(() => found.length === 3, 'the new lines are told');
    ending.abort();
    await reading;
    expect(found).toEqual(['a', 'b', 'c']);
  });
});
