// The first random run that shows what a safeguard prevents: the same plans with it off, until one fails.
import type { Safeguard } from '../fault/safeguards.ts';
import { runSeed, type SeedFinding, type Workload } from './sim-seed.ts';

/** What was found first. */
export interface Catch {
  readonly seed: number;
  readonly finding: SeedFinding;
  /** Names of all that was found in that run, each once. */
  readonly anomalies: readonly string[];
  /** The command that finds it again. */
  readonly replay: string;
}

/** Runs seeds 1 to `maxSeeds` of a workload without a safeguard; undefined if none of them fails. */
export function firstCatch(safeguard: Safeguard, maxSeeds: number, workload: Workload = 'txn'): Catch | undefined {
  for (let seed = 1; seed <= maxSeeds; seed++) {
    const { findings = [], replay } = runSeed(seed, { workload, safeguardsOff: [safeguard] });
    const [finding] = findings;
    if (finding === undefined || replay === undefined) continue;
    return { seed, finding, anomalies: [...new Set(findings.map(({ anomaly }) => anomaly))], replay };
  }
  return undefined;
}
