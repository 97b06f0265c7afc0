// Random transactional chaos over fixed seeds: clean as the protocol is, and caught with a protection off.
import { describe, expect, test } from 'vitest';
import { runSeed } from '../../src/chaos/sim-seed.ts';

const SEEDS = Array.from({ length: 8 }, (_, at) => at + 1);

describe('random transactional chaos', () => {
  test('finds nothing while every protection is on, and every seed says something', { timeout: 60_000 }, () => {
    const lines = SEEDS.map((seed) => runSeed(seed, { workload: 'txn' }));
    expect(lines.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    const sum = (of: (line: (typeof lines)[number]) => number): number =>
      lines.reduce((all, line) => all + of(line), 0);
    // Some of them must have been hard, and some must have ended both ways.
    expect(sum(({ elections }) => elections)).toBeGreaterThan(SEEDS.length);
    expect(sum(({ transactions }) => transactions!.committed)).toBeGreaterThan(2 * SEEDS.length);
    expect(sum(({ transactions }) => transactions!.aborted)).toBeGreaterThan(SEEDS.length);
  });

  test('finds what txn.lsoBound prevents, and says how to find it again', () => {
    const options = { workload: 'txn', safeguardsOff: ['txn.lsoBound'] } as const;
    const caught = SEEDS.slice(0, 6)
      .map((seed) => runSeed(seed, options))
      .find(({ verdict }) => verdict === 'fail');
    expect(caught?.findings?.map(({ anomaly }) => anomaly)).toContain('aborted-read');
    const { seed } = caught!;
    expect(caught!.replay).toBe(
      `highwater sim --workload txn --seeds ${seed}..${seed} --disable txn.lsoBound --trace trace.ndjson`,
    );
  });
});
