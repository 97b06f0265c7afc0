// Two minutes of copying on real processes, while brokers, coordinators and workers are killed and frozen at random (txn T-168 to
// T-171): the output is the input, each record once. The scenario declares who is fenced and how; here the records are counted.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import type { HistoryEntry } from '../../../src/history/operations.ts';
import { Highwater } from '../support/highwater.ts';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test('read-process-write: the output is the input, each record once', { timeout: 420_000 }, async () => {
  const ended = await highwater.run(['run', 'scenarios/read-process-write.yaml', '--variant', 'kafka', '--json', '-q']);
  const verdict = JSON.parse(ended.stdout.split('\n')[0]!) as VerdictLine;
  expect([verdict.verdict, verdict.reasons, ended.code]).toEqual(['pass', [], 0]);
  const [input, output] = ['orders', 'payments'].map((topic) => committed(topic, verdict.history));
  expect(input!.length).toBeGreaterThan(1000);
  expect(output).toEqual(input);
  await highwater.untilNothingRuns();
});

/** What readers of committed data are given of all partitions of a topic when everything is quiet, sorted. */
function committed(topic: string, historyFile: string): readonly string[] {
  return readFileSync(historyFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryEntry)
    .flatMap((entry) =>
      entry.f === 'scan' && entry.isolation === 'read_committed' && entry.partition.startsWith(`${topic}-`)
        ? entry.records.map(({ value }) => value)
        : [],
    )
    .sort();
}
