// highwater safeguards catch: the first of some random runs that notices that a safeguard is missing.
import type { Command } from 'commander';
import type { Catch, Catches } from '../../chaos/safeguards/random-catch.ts';
import { SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { CatchHunt, jobsOf } from '../catch-jobs.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { parseCount } from '../duration.ts';
import { printReport, say } from '../output.ts';
import { EXIT } from '../problem.ts';
import { parseSeeds, type SeedRange } from '../seed-range.ts';
import { safeguardNamed } from './safeguard-named.ts';

/** Of one that no run caught, the seed is -1. */
type Row = { readonly [K in keyof Catch]: Catch[K] };

export function registerSafeguardCatchCommand(safeguards: Command): void {
  safeguards
    .command('catch [names...]')
    .description('the first random run that notices that a safeguard is missing (of all, if none is named)')
    .requiredOption('--seeds <a..b>', 'which seeds, e.g. 1..200, or one')
    .option('--jobs <n>', 'processes at once; as many as there are cores if not given')
    .action((names: string[], flags: { seeds: string; jobs?: string }, command: Command) =>
      run(names, flags, globals(command)),
    );
}

async function run(names: readonly string[], flags: { seeds: string; jobs?: string }, out: GlobalOptions) {
  const chosen = names.length === 0 ? (Object.keys(SAFEGUARDS) as Safeguard[]) : names.map(safeguardNamed);
  const seeds = parseSeeds(flags.seeds);
  const found = await hunt(chosen, seeds, jobsOf(parseJobs(flags.jobs), seeds), out);
  if (found === undefined) return void (process.exitCode = EXIT.interrupted);
  const rows = chosen.map((safeguard): Row => {
    const none = { safeguard, workload: 'replication', seed: -1, anomalies: [], replay: '' } as const;
    return found.caught.find((each) => each.safeguard === safeguard) ?? none;
  });
  await printReport(out, {
    ...{ schema: 'safeguards.catch', rows, warnings: found.unsound },
    columns: [
      { title: 'SAFEGUARD', of: (row) => row.safeguard },
      { title: 'SEED', of: (row) => (row.seed < 0 ? 'none' : row.seed) },
      { title: 'FOUND', of: (row) => row.anomalies },
      { title: 'REPLAY', of: (row) => row.replay },
    ],
  });
  process.exitCode = found.unsound.length > 0 ? EXIT.failed : EXIT.ok;
}

/** Looks for the first catch of each; undefined if Ctrl-C came before the end. Tells how far it is. */
export async function hunt(
  safeguards: readonly Safeguard[],
  seeds: SeedRange,
  jobs: number,
  out: GlobalOptions,
): Promise<Catches | undefined> {
  const count = seeds.last - seeds.first + 1;
  const onProgress = (looked: number, caught: number): void => {
    say(out, `${looked} of ${count} seeds, ${caught} of ${safeguards.length} safeguards caught`);
  };
  const running = new CatchHunt({ safeguards, seeds, jobs, onProgress });
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    running.stop();
  };
  process.once('SIGINT', interrupt);
  try {
    const found = await running.run();
    return interrupted ? undefined : found;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** Undefined: nothing was said. */
export function parseJobs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseCount('--jobs', text, 1, 999);
}
