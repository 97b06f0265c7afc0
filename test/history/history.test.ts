// A history as lines of text, and what a killed process leaves of it.
import { describe, expect, test } from 'vitest';
import { HistoryLines, historyLine, isWhole, readHistory } from '../../src/history/lines.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { HistoryRecorder } from '../../src/history/recorder.ts';

function recorded(): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let now = 0;
  const recorder = new HistoryRecorder(
    () => (now += 5),
    (entry) => entries.push(entry),
  );
  recorder.record({ f: 'quiesce', type: 'ok', process: 'observer', missing: [] });
  recorder.record({ f: 'fault', type: 'info', process: 'faults', fault: 'f', action: 'kill', detail: 'node 1' });
  return entries;
}

describe('a history', () => {
  test('places entries in order and time', () => {
    expect(recorded().map(({ index, time }) => [index, time])).toEqual([
      [0, 5],
      [1, 10],
    ]);
  });

  test('is read as it was written', () => {
    const entries = recorded();
    expect(readHistory(entries.map(historyLine).join(''))).toEqual({ entries });
    expect(readHistory('')).toEqual({ entries: [] });
  });

  test('says where it ends inside an entry; what stands before is whole', () => {
    const entries = recorded();
    const text = entries.map(historyLine).join('');
    for (const cut of [1, 10]) {
      expect(readHistory(text.slice(0, -cut))).toEqual({ entries: entries.slice(0, 1), tornAt: 2 });
    }
  });

  test('refuses a line that is whole but wrong, with its number', () => {
    const [first, second] = recorded().map(historyLine) as [string, string];
    expect(() => readHistory(`${first}{oops}\n`)).toThrow('line 2 is not JSON');
    expect(() => readHistory(`${first}{"f":"dance","type":"ok","index":1}\n`)).toThrow('line 2 is no history entry');
    expect(() => readHistory(second)).toThrow('line 1 has index 1, expected 0');
    expect(() => readHistory(`${first}${first}`)).toThrow('line 2 has index 0, expected 1');
  });
});

test('a history that is read piece by piece is the same, wherever the pieces end', () => {
  const line = (index: number): string =>
    historyLine({ ...({ f: 'recorded', type: 'info' } as const), index, time: 0, process: 'é' });
  const text = line(0) + line(1) + line(2);
  for (let at = 0; at <= text.length; at++) {
    const lines = new HistoryLines();
    lines.take(text.slice(0, at));
    lines.take(text.slice(at));
    expect(lines.end()).toEqual(readHistory(text));
  }
});

test('names, and records of replicas that hold the same, are kept once; others stay as they are', () => {
  const at = { index: 0, time: 0, process: 'observer', partition: 'orders-0' } as const;
  const ends = { logStartOffset: 0, highWatermark: 1, logEndOffset: 1 } as const;
  const record = { offset: 0, leaderEpoch: 0, crc: 'a' } as const;
  const replica = (node: number, more: object = {}): string =>
    historyLine({
      ...at,
      ...ends,
      f: 'replica',
      type: 'info',
      index: node - 1,
      node,
      records: [{ ...record, ...more }],
    });
  const text = replica(1) + replica(2) + replica(3, { marker: 'abort' }) + replica(4, { transactional: true });
  const { entries } = readHistory(text);
  expect(entries.map(historyLine).join('')).toBe(text);
  const [first, second, third, fourth] = entries.map((entry) => (entry.f === 'replica' ? entry.records : undefined));
  expect(second).toBe(first);
  expect(new Set([first, third, fourth]).size).toBe(3);
});

test('a run came to its end if everything was quiet; what was recorded from the wire has no end', () => {
  const entry = { index: 0, time: 0, process: 'p' } as const;
  const quiet = { ...entry, f: 'quiesce', type: 'ok', missing: [] } as const;
  const sent = { ...entry, f: 'send', type: 'invoke', op: 0, partition: 'orders-0', value: 'a', acks: -1 } as const;
  expect(isWhole([sent])).toBe(false);
  expect(isWhole([sent, quiet])).toBe(true);
  expect(isWhole([{ ...entry, f: 'recorded', type: 'info' }, sent])).toBe(true);
});
