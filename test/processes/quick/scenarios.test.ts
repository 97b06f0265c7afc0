// The shipped scenarios on real processes, as `highwater run` carries them out: every variant ends as its file says, every
// planned fault fired, histories are on disk, and nothing is left running.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHistory } from '../../../src/history/lines.ts';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { Highwater } from '../support/highwater.ts';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

async function run(
  ...args: readonly string[]
): Promise<{ verdicts: VerdictLine[]; last: unknown; code: number | null }> {
  const ended = await highwater.run(['run', ...args, '--json', '-q']);
  const lines = ended.stdout.split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => JSON.parse(line) as VerdictLine | { type: 'run' });
  expect(ended.stderr).toBe('');
  return { verdicts: parsed.slice(0, -1) as VerdictLine[], last: parsed.at(-1), code: ended.code };
}

const anomalies = (line: VerdictLine): string[] => [
  ...new Set(line.findings.map((finding) => String(finding['anomaly']))),
];

test('the ghost read: forbidden by the high watermark, there without it, told of but not undone by KIP-320', async () => {
  const { verdicts, last, code } = await run('scenarios/ghost-read.yaml');
  expect(last).toMatchObject({ type: 'run', verdict: 'pass' });
  expect(code).toBe(0);
  expect(verdicts.map(({ variant, verdict }) => [variant, verdict])).toEqual([
    ['kafka', 'pass'],
    ['no-hw', 'pass'],
    ['no-hw-kip320', 'pass'],
  ]);
  const [kafka, noHw, kip320] = verdicts as [VerdictLine, VerdictLine, VerdictLine];
  for (const { fired } of verdicts) expect(fired).toMatchObject({ starve: 2, failover: 1 });
  expect(anomalies(kafka)).toEqual([]);
  expect(kafka.allowed.map((loss) => loss['offset'])).toEqual([5, 6, 7]);
  expect(noHw.findings).toContainEqual(
    expect.objectContaining({
      anomaly: 'ghost-read',
      partition: 'orders-0',
      offset: 5,
      first: '5',
      later: '8',
      reader: 'r1',
    }),
  );
  expect(anomalies(noHw)).toContain('poll-skip');
  expect(anomalies(kip320)).toContain('inconsistent-offsets');
  expect(anomalies(kip320)).not.toContain('poll-skip');
  for (const { history } of verdicts) {
    expect(existsSync(history)).toBe(true);
    expect(readHistory(readFileSync(history, 'utf8')).entries.some((entry) => entry.f === 'quiesce')).toBe(true);
  }
  await highwater.untilNothingRuns();
});

test('the retry that a dead leader could not acknowledge: known by its successor, twice without what it knows', async () => {
  const { verdicts, code } = await run('scenarios/retry-twice.yaml');
  expect(verdicts.map(({ variant, verdict }) => [variant, verdict])).toEqual([
    ['kafka', 'pass'],
    ['no-replicated-state', 'pass'],
    ['no-dedup', 'pass'],
  ]);
  expect([verdicts.map((line) => anomalies(line)), code]).toEqual([[[], ['duplicate'], ['duplicate']], 0]);
  await highwater.untilNothingRuns();
});

test('the batch that was lost on the way: waited for, overtaken without the check of gaps', async () => {
  const { verdicts, code } = await run('scenarios/overtaken.yaml');
  expect(verdicts.map(({ variant, verdict }) => [variant, verdict])).toEqual([
    ['kafka', 'pass'],
    ['no-gap-reject', 'pass'],
  ]);
  expect([verdicts.map((line) => anomalies(line)), code]).toEqual([[[], ['reorder']], 0]);
  await highwater.untilNothingRuns();
});

test('one variant alone, and exit 2 with the variants that there are for one that is not', async () => {
  const { verdicts, code } = await run('scenarios/kip-101-loss.yaml', '--variant', 'no-epochs');
  expect(verdicts.map(({ variant, verdict }) => [variant, verdict])).toEqual([['no-epochs', 'pass']]);
  expect([anomalies(verdicts[0]!).includes('lost-write'), code]).toEqual([true, 0]);
  const refused = await highwater.run(['run', 'scenarios/kip-101-loss.yaml', '--variant', 'nothing']);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/no variant "nothing"\. Variants: kafka, no-epochs/);
});
