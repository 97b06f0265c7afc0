// highwater safeguards: what the protections of the protocol are, and what each protects from: its scenario without it
// and with it in the simulator, and the first random seed that notices that it is missing.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { runPair, type SafeguardRow } from '../../chaos/safeguards/run-pair.ts';
import { caughtBy, NOT_CAUGHT, safeguardsPage } from '../../chaos/safeguards/page.ts';
import { NO_CATCHES } from '../../chaos/safeguards/random-catch.ts';
import { runWeakness, type WeaknessRow } from '../../chaos/safeguards/run-weakness.ts';
import { WEAKNESSES } from '../../chaos/safeguards/weaknesses.ts';
import { SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { jobsOf } from '../catch-jobs.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { parseCount } from '../duration.ts';
import { printRows, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { readPlans } from './run.ts';
import { safeguardNamed } from './safeguard-named.ts';
import { hunt, parseJobs, registerSafeguardCatchCommand } from './safeguards-catch.ts';

interface RunFlags {
  readonly randomSeeds: string;
  readonly jobs?: string;
  readonly write?: string;
}

/** Seeds that are looked at for one safeguard at most. */
const SEEDS_MAX = 500;

export function registerSafeguardCommands(program: Command): void {
  const safeguards = program
    .command('safeguards')
    .description('the protections of the protocol that a run can switch off')
    .action((_options, command: Command) => list(globals(command)));
  safeguards
    .command('run [names...]')
    .description(
      'show what they protect from (all, and the known weaknesses, if none is named): without each, and with it',
    )
    .option(
      '--random-seeds <n>',
      `look for the first of n random runs that catches its absence; up to ${SEEDS_MAX}`,
      '0',
    )
    .option('--jobs <n>', 'processes at once for the random runs; as many as there are cores if not given')
    .option('--write <file>', 'write the table as Markdown')
    .action((names: string[], flags: RunFlags, command: Command) => run(names, flags, globals(command)));
  registerSafeguardCatchCommand(safeguards);
}

async function list(out: GlobalOptions): Promise<void> {
  const rows = Object.entries(SAFEGUARDS).map(([safeguard, meaning]) => ({ safeguard, meaning }));
  await printRows(out, 'safeguards.list', rows, [
    { title: 'SAFEGUARD', of: (row) => row.safeguard },
    { title: 'MEANING', of: (row) => row.meaning },
  ]);
}

async function run(names: readonly string[], flags: RunFlags, out: GlobalOptions): Promise<void> {
  const seeds = parseCount('--random-seeds', flags.randomSeeds, 0);
  if (seeds > SEEDS_MAX) throw new Problem('HW2001', `--random-seeds is at most ${SEEDS_MAX}, not ${seeds}`);
  const jobs = parseJobs(flags.jobs);
  const chosen = names.length === 0 ? (Object.keys(SAFEGUARDS) as Safeguard[]) : names.map(safeguardNamed);
  const read = (file: string) => readPlans(file, {});
  const pairs: SafeguardRow[] = [];
  for (const name of chosen) {
    say(out, `${name}…`);
    pairs.push(runPair(name, read));
    await new Promise((resolve) => setImmediate(resolve)); // Ctrl-C is heard between rows.
  }
  const weaknesses: WeaknessRow[] = [];
  for (const weakness of names.length === 0 ? WEAKNESSES : []) {
    say(out, `W-${weakness.number}…`);
    weaknesses.push(runWeakness(weakness, read));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const range = { first: 1, last: seeds };
  const found = seeds === 0 ? NO_CATCHES : await hunt(chosen, range, jobsOf(jobs, range), out);
  if (found === undefined) return void (process.exitCode = EXIT.interrupted);
  for (const sentence of found.unsound) say(out, `warning: ${sentence}`);
  const caught = new Map(found.caught.map((one) => [one.safeguard, one]));
  const rows = pairs.map((row) => (seeds === 0 ? row : { ...row, caught: caught.get(row.safeguard) ?? NOT_CAUGHT }));
  const shown = rows.map((row) => ({ ...row }));
  await printRows(out, 'safeguards.run', shown, [
    { title: 'SAFEGUARD', of: (row) => row.safeguard },
    { title: 'SHOWN', of: (row) => (row.shown ? 'yes' : 'NO') },
    { title: 'SCENARIO', of: (row) => row.scenario },
    { title: 'OFF', of: (row) => row.off },
    { title: 'ON', of: (row) => row.on },
    { title: 'FIRST-SEED', of: (row) => caughtBy(row, seeds) },
    { title: 'WITHOUT IT', of: (row) => (row.shown ? row.found : row.reasons.join('; ')) },
  ]);
  if (flags.write !== undefined)
    writeFileSync(flags.write, safeguardsPage({ rows, weaknesses, seeds, unsound: found.unsound }));
  const bad = [
    ...rows.filter(({ shown }) => !shown),
    ...weaknesses.filter(({ asDeclared }) => !asDeclared),
    ...found.unsound,
  ];
  if (!out.json && weaknesses.length > 0) await write(describe(weaknesses));
  process.exitCode = bad.length === 0 ? EXIT.ok : 1;
}

function describe(rows: readonly WeaknessRow[]): string {
  const lines = rows.map(({ number, name, where, asDeclared, reasons }) => {
    return `W-${number}  ${asDeclared ? 'as declared' : 'NOT AS DECLARED'}  ${name}  ${where}  ${reasons.join('; ')}`;
  });
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
