// `highwater safeguards` as people call it: a list, a run of one with its page, and a name that there is not.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAFEGUARDS } from '../../../src/fault/safeguards.ts';
import { Highwater } from '../support/highwater.ts';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test('all are listed with what they mean; a name that there is not is told with the nearest', async () => {
  const { data } = await highwater.json<{ data: { safeguard: string; meaning: string }[] }>('safeguards');
  expect(data).toEqual(Object.entries(SAFEGUARDS).map(([safeguard, meaning]) => ({ safeguard, meaning })));
  const refused = await highwater.run(['safeguards', 'run', 'txn.verfy']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/no safeguard "txn\.verfy"\. Did you mean: txn\.verify/),
  ]);
});

test('one is run without it and with it, and the page says so', async () => {
  const page = join(mkdtempSync(join(tmpdir(), 'highwater-')), 'safeguards.md');
  const ran = await highwater.run([
    'safeguards',
    'run',
    'txn.filter',
    '--random-seeds',
    '3',
    '--write',
    page,
    '--json',
    '-q',
  ]);
  const { data } = JSON.parse(ran.stdout) as { data: Record<string, unknown>[] };
  expect(ran.code).toBe(0);
  expect(data).toMatchObject([{ safeguard: 'txn.filter', shown: true, off: 'no-filter', on: 'kafka' }]);
  expect(readFileSync(page, 'utf8')).toMatch(
    /\| `txn\.filter` \| \[aborted-delivered\].* \| no-filter \| kafka: clean \|/,
  );
});
