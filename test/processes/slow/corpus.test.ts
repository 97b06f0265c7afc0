// The headlines of the corpus of failures on real processes: with its protection off each does what it is known for; with
// HIGHWATER_CORPUS=both it is run with the protection on as well, where it must not. Every variant of every file is run by the
// simulator (test/chaos/corpus.test.ts).
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { Highwater } from '../support/highwater.ts';

/** Without the protection, and with it. */
const HEADLINES: Readonly<Record<string, readonly [without: string, guarded: string]>> = {
  'bug-01-own-watermark': ['no-epochs', 'kafka'],
  'bug-02-two-at-one-offset': ['no-epochs', 'kafka'],
  'bug-03-lone-leader': ['no-clean', 'kafka'],
  'bug-03-lone-reader': ['no-freeze', 'kafka'],
  'bug-04-last-replica': ['no-elr', 'kafka'],
  'bug-05-wiped-member': ['no-broker-epoch', 'kafka'],
  'bug-06-shown-before-cut': ['raised-first', 'cut-first'],
  'bug-07-retry-after-failover': ['no-replicated-state', 'kafka'],
  'bug-08-first-batch-lost': ['kafka', 'highwater'],
  'bug-09-zombie-writes': ['unfenced', 'kafka'],
  'bug-10-open-record-read': ['no-lso', 'kafka'],
  'bug-11-hanging-transaction': ['unverified', 'kafka'],
  'bug-12-delayed-commit': ['one-epoch', 'kafka'],
  'bug-13-forgotten-registration': ['not-durable', 'kafka'],
  'bug-14-zombie-member': ['no-fence', 'kafka'],
  'bug-15-deposed-coordinator': ['any-epoch', 'kafka'],
};

const BOTH = process.env['HIGHWATER_CORPUS'] === 'both';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test('every headline is here', () => {
  const files = readdirSync('scenarios/corpus').filter((name) => /^bug-(0\d|1[0-5])-/.test(name));
  expect(Object.keys(HEADLINES).map((name) => `${name}.yaml`)).toEqual(files.sort());
});

test.each(Object.entries(HEADLINES))('%s: as it declares, on real processes', async (scenario, variants) => {
  for (const variant of BOTH ? variants : variants.slice(0, 1)) {
    const ended = await highwater.run([
      'run',
      `scenarios/corpus/${scenario}.yaml`,
      '--variant',
      variant,
      '--json',
      '-q',
    ]);
    const { verdict, reasons, fired } = JSON.parse(ended.stdout.split('\n')[0]!) as VerdictLine;
    expect([variant, verdict, reasons]).toEqual([variant, 'pass', []]);
    expect(Object.entries(fired).filter(([, count]) => count === 0)).toEqual([]);
    expect(ended.code).toBe(0);
    await highwater.untilNothingRuns();
  }
});
