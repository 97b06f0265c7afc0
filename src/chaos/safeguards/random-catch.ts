// Which random runs notice that a safeguard is missing: the same plan with it off, judged as ever. A seed is run once with all
// of them on, to see which are asked in it at all: a run that never asks one is the same run without it, and is not run again.
import type { Safeguard } from '../../fault/safeguards.ts';
import { runSeed, WORKLOADS, type SeedLine, type Workload } from '../sim-seed.ts';
import { SHOWN_IN } from './shown-in.ts';

/** A random run that notices that one is missing. */
export interface Catch {
  readonly safeguard: Safeguard;
  readonly workload: Workload;
  readonly seed: number;
  /** Names of all that was found in it, each once. */
  readonly anomalies: readonly string[];
  /** The command that finds it again. */
  readonly replay: string;
}

/** What some seeds brought. */
export interface Catches {
  /** The first of each that was caught. */
  readonly caught: readonly Catch[];
  /** Of seeds that fail with every safeguard on, which is a bug: they count for nothing. Sentences. */
  readonly unsound: readonly string[];
}

/** The workloads that have something to lose without it: what is asked in both is tried in both. */
export function workloadsFor(safeguard: Safeguard): readonly Workload[] {
  const [room = ''] = safeguard.split('.');
  if (['txn', 'epoch', 'group', 'ctp', 'compact'].includes(room)) return ['txn'];
  return room === 'seq' ? ['replication', 'txn'] : ['replication'];
}

/** Of what no schedule of a whole cluster can say (a test of its core shows it), so many seeds are tried at most. */
const HOPELESS_MAX = 100;

/** How many of so many seeds are tried for it. */
export function seedsFor(safeguard: Safeguard, seeds: number): number {
  return 'test' in SHOWN_IN[safeguard] ? Math.min(seeds, HOPELESS_MAX) : seeds;
}

/** Runs one seed without each of these. */
export function catchesIn(seed: number, safeguards: readonly Safeguard[]): Catches {
  const caught: Catch[] = [];
  const unsound: string[] = [];
  for (const workload of Object.keys(WORKLOADS) as Workload[]) {
    const isOpen = (name: Safeguard): boolean => !caught.some(({ safeguard }) => safeguard === name);
    const tried = safeguards.filter((name) => workloadsFor(name).includes(workload) && isOpen(name));
    if (tried.length === 0) continue;
    const asked = new Set<Safeguard>();
    const whole = foundIn(() =>
      runSeed(seed, { workload, hashed: false, onSafeguard: (name) => void asked.add(name) }),
    );
    if (whole.length > 0) {
      unsound.push(`seed ${seed} of ${workload} fails with every safeguard on: ${whole.join(', ')}`);
      continue;
    }
    for (const safeguard of tried.filter((name) => asked.has(name))) {
      const anomalies = foundIn(() => runSeed(seed, { workload, hashed: false, safeguardsOff: [safeguard] }));
      const replay = `highwater sim --workload ${workload} --seeds ${seed} --disable ${safeguard}`;
      if (anomalies.length > 0) caught.push({ safeguard, workload, seed, anomalies, replay });
    }
  }
  return { caught, unsound };
}

/** Two halves as one: of each safeguard the lower seed counts. */
export function merged(some: Catches, others: Catches): Catches {
  const caught = new Map<Safeguard, Catch>();
  for (const one of [...some.caught, ...others.caught]) {
    const known = caught.get(one.safeguard);
    if (known === undefined || one.seed < known.seed) caught.set(one.safeguard, one);
  }
  return { caught: [...caught.values()], unsound: [...some.unsound, ...others.unsound] };
}

export const NO_CATCHES: Catches = { caught: [], unsound: [] };

/** Names of what was found. A core that breaks down without its protection shows it too. */
function foundIn(run: () => SeedLine): string[] {
  try {
    return [...new Set((run().findings ?? []).map(({ anomaly }) => anomaly))];
  } catch (error) {
    return [`broke down: ${(error as Error).message}`];
  }
}
