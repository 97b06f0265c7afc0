// highwater sim --seeds A..B: random chaos in the simulator, a seed a line: replication, or transactions. Every seed is watched
// by the invariants of the specification and judged by all checkers; a failure prints the command that replays it.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { runSeed, WORKLOADS, worstOf, type SeedLine, type Workload } from '../../chaos/sim-seed.ts';
import { exitCodeOf } from '../../chaos/report.ts';
import { isSafeguard, SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { nearest } from '../../base/nearest.ts';
import type { Stamped } from '../../trace/events.ts';
import { canonicalJson } from '../../sim/trace-log.ts';
import { collect, globals, type GlobalOptions } from '../command.ts';
import { parseDuration } from '../duration.ts';
import { say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { jobsFor, SeedCampaign } from '../seed-jobs.ts';
import { parseSeeds, parseShard, shardOf, type SeedRange } from '../seed-range.ts';

interface SimOptions {
  readonly seeds: string;
  readonly shard?: string;
  readonly workload: string;
  readonly for?: string;
  readonly disable: readonly string[];
  readonly trace?: string;
  readonly jobs?: string;
}

/** What each seed is run with. */
interface Setting {
  readonly workload: Workload;
  readonly safeguardsOff: readonly Safeguard[];
  readonly activeMs?: number;
}

export function registerSimCommand(program: Command): void {
  program
    .command('sim')
    .description('random chaos over the simulated cluster, seed by seed; the same seed gives the same trace anywhere')
    .requiredOption('--seeds <a..b>', 'which seeds, e.g. 1..200, or one')
    .option('--shard <i/n>', 'only the i-th of n equal shares of the seeds, counted from 0: for n machines')
    .option('--workload <name>', `what the clients do: ${Object.keys(WORKLOADS).join(' or ')}`, 'replication')
    .option('--for <duration>', 'length of workload and faults of each seed, in virtual time')
    .option('--disable <safeguard>', 'switch a safeguard off; repeatable', collect, [])
    .option('--jobs <n>', 'processes at once; as many as there are cores if not given')
    .option('--trace <file>', 'write the trace (one seed only); its SHA-256 is traceHash')
    .action((options: SimOptions, command: Command) => sim(options, globals(command)));
}

async function sim(options: SimOptions, out: GlobalOptions): Promise<void> {
  const { first, last } = seedsOf(options, out);
  const activeMs = options.for === undefined ? undefined : parseDuration('--for', options.for);
  if (activeMs !== undefined && (activeMs < 1000 || activeMs > 600_000))
    throw new Problem('HW2001', '--for lies between 1s and 10m');
  if (options.trace !== undefined && first !== last)
    throw new Problem('HW2001', '--trace takes one seed, e.g. --seeds 7..7');
  const setting: Setting = {
    workload: parseWorkload(options.workload),
    safeguardsOff: options.disable.map(parseSafeguard),
    ...(activeMs === undefined ? {} : { activeMs }),
  };
  const jobs = jobsFor(last - first + 1, parseJobs(options.jobs));
  let interrupted = false;
  let stop = (): void => undefined;
  process.once('SIGINT', () => {
    interrupted = true;
    stop();
  });
  const campaign = new SeedCampaign({ first, last, jobs, args: argsOf(options) });
  if (jobs > 1) stop = () => campaign.stop();
  const all = jobs > 1 ? campaign.lines() : here(first, last, setting, options.trace);
  const lines: SeedLine[] = [];
  for await (const line of all) {
    lines.push(line);
    await write(out.json ? `${JSON.stringify(line)}\n` : describe(line));
    if (interrupted) break;
  }
  if (!out.json) say(out, summary(lines));
  process.exitCode = interrupted ? EXIT.interrupted : exitCodeOf(worstOf(lines));
}

/** Seeds in this process, one after the other. */
async function* here(
  first: number,
  last: number,
  setting: Setting,
  traceFile: string | undefined,
): AsyncGenerator<SeedLine> {
  for (let seed = first; seed <= last; seed++) {
    const trace: string[] = [];
    const onEvent = (stamped: Stamped): void => void trace.push(canonicalJson(stamped));
    const line = runSeed(seed, { ...setting, ...(traceFile === undefined ? {} : { onEvent }) });
    if (traceFile !== undefined) writeFileSync(traceFile, trace.map((each) => `${each}\n`).join(''));
    yield line;
    await new Promise((resolve) => setImmediate(resolve)); // Ctrl-C is heard between seeds.
  }
}

/** What the processes of a campaign are told besides their seeds. */
function argsOf(options: SimOptions): string[] {
  return [
    ...['--workload', options.workload],
    ...(options.for === undefined ? [] : ['--for', options.for]),
    ...options.disable.flatMap((name) => ['--disable', name]),
  ];
}

function parseJobs(text: string | undefined): number {
  if (text === undefined) return availableParallelism();
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Problem('HW2001', `--jobs is a number of processes, not "${text}"`);
  return Number(text);
}

/** All seeds, or the share of them that is asked for; that is told, so that it can be run again by itself. */
function seedsOf(options: SimOptions, out: GlobalOptions): SeedRange {
  const all = parseSeeds(options.seeds);
  if (options.shard === undefined) return all;
  const shard = parseShard(options.shard);
  const mine = shardOf(all, shard);
  say(
    out,
    `shard ${shard.index}/${shard.count} of seeds ${all.first}..${all.last}: --seeds ${mine.first}..${mine.last}`,
  );
  return mine;
}

function parseWorkload(name: string): Workload {
  if (Object.hasOwn(WORKLOADS, name)) return name as Workload;
  throw new Problem('HW2001', `--workload is ${Object.keys(WORKLOADS).join(' or ')}, not "${name}"`);
}

function parseSafeguard(name: string): Safeguard {
  if (isSafeguard(name)) return name;
  const known = Object.keys(SAFEGUARDS);
  const near = nearest(name, known);
  throw new Problem(
    'HW2101',
    `no safeguard "${name}". ${near === undefined ? `Safeguards: ${known.join(', ')}` : `Did you mean: ${near}?`}`,
  );
}

function describe(line: SeedLine): string {
  const { seed, verdict, events, acked, elections, faultsFired } = line;
  const { transactions } = line;
  const ended =
    transactions === undefined ? '' : `  committed ${transactions.committed}  aborted ${transactions.aborted}`;
  const counts = `events ${events}  acked ${acked}${ended}  elections ${elections}  faults ${faultsFired}`;
  const head = `seed ${seed}  ${verdict.padEnd(12)}  ${counts}`;
  const found = (line.findings ?? []).slice(0, 5).map((finding) => `  ${finding.anomaly}: ${finding.says}`);
  const replay = line.replay === undefined ? [] : [`  replay: ${line.replay}`];
  return `${[head, ...found, ...replay].join('\n')}\n`;
}

function summary(lines: readonly SeedLine[]): string {
  const count = (verdict: string): number => lines.filter((line) => line.verdict === verdict).length;
  return `${lines.length} seeds: ${count('pass')} pass, ${count('fail')} fail, ${count('inconclusive')} inconclusive`;
}
