// highwater run FILE…: carries out scenarios, every variant and cell, and says what became of each: on clusters of their own, or
// one after the other on a cluster that runs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodeOf, runLine, type VerdictLine } from '../../chaos/report.ts';
import { readScenario } from '../../chaos/read-scenario.ts';
import { ScenarioError } from '../../chaos/scenario-error.ts';
import type { RunPlan } from '../../chaos/plan.ts';
import { AttachedSession } from '../attached-session.ts';
import { globals, namedCluster, type GlobalOptions } from '../command.ts';
import { count, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { Interrupted, newRunFolder, runScenario } from '../scenario-run.ts';
import { describeVerdict } from '../verdict-text.ts';
import { packageRoot } from '../version.ts';
import { registerDemoCommand } from './demo.ts';
import { registerSimCommand } from './sim.ts';

interface RunOptions {
  readonly variant?: string;
  readonly seed?: string;
  readonly sim?: boolean;
  readonly keep?: boolean;
  /** The cluster named with --cluster. */
  readonly on?: string;
}

export function registerRunCommands(program: Command): void {
  program
    .command('run <file...>')
    .description(
      'run scenario files, every variant or --variant, on clusters of their own, or on a running one that --cluster names: ' +
        'it is borrowed, restarted if its settings are others, and given back as it was',
    )
    .option('--variant <name>', 'only this variant')
    .option('--seed <seed>', "instead of the file's")
    .option('--sim', 'in the simulator: virtual time, one thread')
    .option('--keep', 'with --cluster: leave the topics of the run there')
    .action((files: string[], options: RunOptions, command: Command) => {
      const on = namedCluster(command);
      return run(files, on === undefined ? options : { ...options, on }, globals(command));
    });
  registerSimCommand(program);
  registerDemoCommand(program);
}

async function run(files: readonly string[], options: RunOptions, out: GlobalOptions): Promise<void> {
  const plans = files.flatMap((file) => readPlans(file, options));
  refuseMixture(options);
  const end = new AbortController();
  const interrupt = (): void => end.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  const attached =
    options.on === undefined
      ? undefined
      : await AttachedSession.open(options.on, { plans, keep: options.keep === true, out });
  const folder = newRunFolder();
  const verdicts: VerdictLine[] = [];
  const how = { folder, simulated: options.sim === true, signal: end.signal, ...(attached && { attached }) };
  const where =
    options.sim === true ? ' in the simulator' : options.on === undefined ? '' : ` on cluster ${options.on}`;
  try {
    for (const plan of plans) {
      say(out, `running ${plan.name} ${plan.variant}${where}…`);
      const verdict = await runScenario(plan, how);
      verdicts.push(verdict);
      await write(out.json ? `${JSON.stringify(verdict)}\n` : describeVerdict(verdict));
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say(out, `interrupted; the history is in ${folder.dir}`);
    process.exitCode = EXIT.interrupted;
    return;
  } finally {
    await attached?.end();
  }
  const total = runLine(verdicts.map(({ verdict }) => verdict));
  if (out.json) await write(`${JSON.stringify(total)}\n`);
  else await write(`${total.verdict.toUpperCase()} ${count(total.runs, 'run')}, ${folder.dir}\n`);
  process.exitCode = exitCodeOf(total.verdict);
}

function refuseMixture({ on, sim, keep }: RunOptions): void {
  if (on !== undefined && sim === true) {
    throw new Problem('HW2001', '--sim has no running cluster: give --sim or --cluster, not both');
  }
  if (on === undefined && keep === true) {
    throw new Problem('HW2001', '--keep is for a cluster that runs on: give --cluster NAME with it');
  }
}

/** Programs of the user's own run where their scenario lies. */
function inFolder(plan: RunPlan, folder: string): RunPlan {
  const clients = plan.clients.map((client) =>
    client.spec.kind === 'external' ? { ...client, spec: { ...client.spec, folder } } : client,
  );
  return { ...plan, clients };
}

/** Reads a scenario; a shipped one is found from anywhere as scenarios/NAME.yaml. */
export function readPlans(file: string, options: Pick<RunOptions, 'variant' | 'seed'>): RunPlan[] {
  const shipped = join(packageRoot(), file);
  const path = existsSync(file) || !existsSync(shipped) ? file : shipped;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Problem('HW2401', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const plans = readScenario(text, file, {
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.variant === undefined ? {} : { variant: options.variant }),
    });
    return plans.map((plan) => inFolder(plan, dirname(resolve(path))));
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem(error.code, `${error.message}\n${error.excerpt}`);
    throw error;
  }
}
