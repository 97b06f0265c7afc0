// A long history as `check` meets it: a file that is read piece by piece. One in which nothing is wrong, one that was cut, one
// whose very last operation was lost.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longHistory } from '../../bench/product/long-history.ts';
import { checkHistory } from '../../src/checker/check.ts';
import { readHistoryFile } from '../../src/cli/history-file.ts';
import { historyLine } from '../../src/history/lines.ts';

const OPERATIONS = 100_000;

let folder: string;
let right: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'highwater-long-history-'));
  right = made(false);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function made(lostAtTheEnd: boolean): string {
  const lines: string[] = [];
  longHistory({ seed: 1, operations: OPERATIONS, lostAtTheEnd, take: (entry) => void lines.push(historyLine(entry)) });
  return lines.join('');
}

describe(`a history of ${OPERATIONS} operations`, () => {
  test('passes where nothing is wrong, and replicas that hold the same take the room of one', () => {
    const { entries, torn } = readHistoryFile(written('right.jsonl', right), false);
    expect(entries.filter((entry) => 'op' in entry && entry.type !== 'invoke').length).toBeGreaterThan(OPERATIONS - 10);
    expect(torn).toBe(false);
    expect(checkHistory(entries)).toMatchObject({ anomalies: [], inconclusive: [] });
    const logs = entries.flatMap((entry) => (entry.f === 'replica' ? [entry.records] : []));
    expect([logs.length, new Set(logs).size]).toEqual([12, 4]);
  });

  test('is refused if it was cut, with what can be done; what is whole is checked where that is asked for', () => {
    const middle = right.indexOf('\n', right.length >> 3) + 1;
    const inside = written('inside.jsonl', right.slice(0, middle + 20));
    expect(() => readHistoryFile(inside, false)).toThrow(/ends inside an entry; \d+ entries are whole\. .*--partial/);
    expect(readHistoryFile(inside, true)).toMatchObject({ torn: true });
    const between = written('between.jsonl', right.slice(0, middle));
    expect(() => readHistoryFile(between, false)).toThrow(/ends before its run did: after \d+ entries .*--partial/);
    const behind = written('behind.jsonl', right.slice(middle));
    expect(() => readHistoryFile(behind, true)).toThrow(/line 1 has index \d+, expected 0: lines are missing/);
  });

  test('shows the loss of its very last operation', () => {
    const { entries } = readHistoryFile(written('lost.jsonl', made(true)), false);
    const { anomalies, inconclusive } = checkHistory(entries);
    expect(anomalies).toMatchObject([{ anomaly: 'lost-write' }]);
    const last = entries.findLast((entry) => entry.f === 'send')!;
    expect(anomalies[0]!.ops).toContain(last.index);
    expect(inconclusive).toEqual([]);
  });
});
