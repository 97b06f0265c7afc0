// The table of safeguards over its scenarios: what each protects from is found without it and not with it, in two runs
// that differ in it alone. And the page that a run writes.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { CORPUS } from '../../src/chaos/corpus.ts';
import { corpusRows } from '../../src/chaos/safeguards/corpus-rows.ts';
import { NOT_CAUGHT, safeguardsPage } from '../../src/chaos/safeguards/page.ts';
import { runPair } from '../../src/chaos/safeguards/run-pair.ts';
import { runWeakness } from '../../src/chaos/safeguards/run-weakness.ts';
import { SHOWN_IN } from '../../src/chaos/safeguards/shown-in.ts';
import { WEAKNESSES } from '../../src/chaos/safeguards/weaknesses.ts';
import { SAFEGUARDS, type Safeguard } from '../../src/fault/safeguards.ts';

const read = (file: string) => readScenario(readFileSync(file, 'utf8'), file);
const ALL = Object.keys(SAFEGUARDS) as Safeguard[];

test('every safeguard has a row, in the order of their table; none is open', () => {
  expect(Object.keys(SHOWN_IN)).toEqual(ALL);
  expect(ALL.filter((name) => 'open' in SHOWN_IN[name])).toEqual([]);
  for (const name of ALL) {
    const shown = SHOWN_IN[name];
    if ('test' in shown) expect(readFileSync(shown.test, 'utf8')).toContain(name);
  }
});

test.each(ALL.filter((name) => !('open' in SHOWN_IN[name])))(
  '%s: without it the anomaly is there, with it it is not',
  (name) => {
    const { found, reasons, shown } = runPair(name, read);
    expect(reasons).toEqual([]);
    expect([shown, found === '']).toEqual([true, false]);
  },
);

describe('a row that does not hold is red', () => {
  const red = (edit: (text: string) => string) =>
    runPair('seq.gapReject', (file) => readScenario(edit(readFileSync(file, 'utf8')), file));

  test('because nothing is found without it', () => {
    const { shown, reasons } = red((text) => text.replace('{ seq.gapReject: off }', '{ seq.dedup: off }'));
    expect([shown, reasons]).toEqual([
      false,
      expect.arrayContaining([
        'no-gap-reject and kafka differ in more than seq.gapReject',
        'no-gap-reject: reorder was not found',
      ]),
    ]);
  });

  test('because more than the safeguard differs', () => {
    const config =
      '{ safeguards: { seq.gapReject: off }, config: { num.replica.fetchers: 1, replica.fetch.max.bytes: 4096 } }';
    const other = config.replace('num.replica.fetchers: 1, ', '');
    const { shown, reasons } = red((text) => text.replace('{ safeguards: { seq.gapReject: off } }', other));
    expect([shown, reasons]).toEqual([false, ['no-gap-reject and kafka differ in more than seq.gapReject']]);
  });

  test('because there is no such variant', () => {
    const { shown, reasons } = red((text) => text.replaceAll('no-gap-reject', 'elsewhere'));
    expect([shown, reasons]).toEqual([false, ['scenarios/overtaken.yaml has no variants no-gap-reject and kafka']]);
  });
});

describe('known weaknesses', () => {
  test('all 24 are there, in order, and what they name exists', () => {
    expect(WEAKNESSES.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
    for (const one of WEAKNESSES) expect(existsSync('test' in one ? one.test : one.file)).toBe(true);
    for (const one of WEAKNESSES) {
      if (!('test' in one)) continue;
      const cited = readFileSync(one.test, 'utf8').match(new RegExp(`\\b${one.cites ?? `W-${one.number}`}\\b`));
      expect([one.number, cited !== null]).toEqual([one.number, true]);
    }
  });

  test('one that a scenario shows, and one that a test of its core does', () => {
    const of = (number: number) =>
      runWeakness(
        WEAKNESSES.find((one) => one.number === number)!,
        read,
      );
    expect(of(3)).toMatchObject({ without: 'hanging-txn', with: 'clean', asDeclared: true });
    expect(of(9)).toMatchObject({ where: 'test/coordinator/txn/schedules.test.ts', asDeclared: true });
  });

  test('one that does not appear where it should is red', () => {
    const w3 = WEAKNESSES.find((one) => one.number === 3)!;
    const row = runWeakness({ ...w3, weak: ['kafka'] } as typeof w3, read);
    expect([row.asDeclared, row.reasons]).toEqual([
      false,
      ['found where it should not appear: hanging-txn', 'nothing was found without its defence'],
    ]);
  });
});

test('the page says which random run notices that it is missing, and that none does', () => {
  const anomalies = ['aborted-read', 'torn-txn'];
  const caught = { safeguard: 'txn.filter', workload: 'txn', seed: 7, anomalies, replay: '' } as const;
  const rows = [
    { ...runPair('seq.gapReject', read), caught: NOT_CAUGHT },
    { ...runPair('txn.filter', read), caught },
  ] as const;
  const page = safeguardsPage({ rows, weaknesses: [runWeakness(WEAKNESSES[8]!, read)], seeds: 20 });
  expect(page).toContain('2 safeguards, all shown.');
  expect(page).toContain('1 of 2 are noticed within 20 seeds.');
  expect(page).toMatch(
    /\| `seq\.gapReject` \| \[overtaken\].* \| no-gap-reject \| kafka: clean \| reorder: .* \| none of 20 \|/,
  );
  expect(page).toMatch(/\| `txn\.filter` .* \| txn 7: aborted-read, torn-txn \|/);
  expect(page).toMatch(/\| W-9 \| overflow reply \|/);
});

describe('the corpus on the page', () => {
  const page = safeguardsPage({ rows: [], weaknesses: [], seeds: 0 });

  test('each of its entries has a line with its title, once, and every file that is named exists', () => {
    for (const [number, { title }] of Object.entries(CORPUS)) {
      expect(page.split(`| BUG-${number.padStart(2, '0')} | ${title} |`)).toHaveLength(2);
    }
    for (const file of corpusRows().flatMap(({ where }) => where))
      expect([file, existsSync(file)]).toEqual([file, true]);
  });

  test('says where it is played and which safeguards are shown there, or why it is not', () => {
    expect(page).toMatch(/\| BUG-23 \| .* \| \[bug-23-stale-commit\]\(\S+\) \| `group\.generationFence` \|/);
    expect(page).toMatch(/\| BUG-16 \| .*bug-16-read-too-far.*bug-16-acked-by-one.* \| `hw\.bound`, `hw\.allIsr` \|/);
    expect(page).toMatch(/\| BUG-57 \| .* \| \[sequence-wrap\.test\.ts\]\(\S+\): it takes two thousand million/);
    const not = corpusRows().find(({ kind }) => kind === 'not applicable');
    if (not !== undefined) expect(page).toContain(`${not.title} | ${not.why} |`);
  });
});
