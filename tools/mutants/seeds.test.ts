// What kills a mutant that no single test is named for: seeds of random chaos in the simulator, until invariants or checkers
// find something. Run by `npm run mutants` only; unmutated, it passes (test/sim/seeds.test.ts).
import { inject, test } from 'vitest';
import { runSeed, type Workload } from '../../src/chaos/sim-seed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The seed that is tried first, and how many there are. */
    readonly seeds: { readonly first: number; readonly max: number };
  }
}

test.each(['replication', 'txn'] as const)('%s: no seed finds anything', { timeout: 600_000 }, (workload: Workload) => {
  const { first, max } = inject('seeds');
  const rest = Array.from({ length: max }, (_, at) => at + 1).filter((seed) => seed !== first);
  for (const seed of [first, ...rest]) {
    const { findings = [] } = runSeed(seed, { workload });
    const [found] = findings;
    if (found !== undefined) throw new Error(`seed ${seed}: ${found.anomaly} ${found.partition}: ${found.says}`);
  }
});
