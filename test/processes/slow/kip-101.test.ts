// The KIP-101 scenarios on real processes: an acknowledged record lost (BUG-01) and two replicas that disagree for ever
// (BUG-02) with `trunc.leaderEpoch` off, and neither with it on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { Highwater } from '../support/highwater.ts';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test.each([
  ['kip-101-loss', 'lost-write'],
  ['kip-101-divergence', 'log-divergence'],
])('%s: clean with leader epochs, %s without', async (scenario, anomaly) => {
  const ended = await highwater.run(['run', `scenarios/${scenario}.yaml`, '--json', '-q']);
  const lines = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as VerdictLine);
  const verdicts = lines.slice(0, -1);
  expect(verdicts.map(({ variant, verdict, reasons }) => [variant, verdict, reasons])).toEqual([
    ['kafka', 'pass', []],
    ['no-epochs', 'pass', []],
  ]);
  const found = verdicts.map(({ findings }) => findings.some((finding) => finding['anomaly'] === anomaly));
  expect([found, ended.code]).toEqual([[false, true], 0]);
  await highwater.untilNothingRuns();
});
