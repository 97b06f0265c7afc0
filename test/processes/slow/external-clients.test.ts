// Programs of foreign clients as the workload of a scenario, judged from what the brokers recorded of the wire: a broker dies
// under them, and the same plan with a safeguard off is found out.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { Highwater } from '../support/highwater.ts';

/** In the repository, where the clients are installed. */
const SCENARIOS = resolve('scenarios/clients');

let highwater: Highwater;
beforeAll(async () => {
  highwater = await Highwater.build();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test.each(readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')))('%s', { timeout: 120_000 }, async (name) => {
  const ended = await highwater.run(['run', `${SCENARIOS}/${name}`, '--json', '-q']);
  const verdicts = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as VerdictLine)
    .filter(({ variant }) => variant !== undefined);
  expect(verdicts.map(({ variant, verdict, reasons }) => [variant, verdict, reasons])).toEqual(
    verdicts.map(({ variant }) => [variant, 'pass', []]),
  );
  expect(ended.code).toBe(0);
  await highwater.untilNothingRuns();
});
