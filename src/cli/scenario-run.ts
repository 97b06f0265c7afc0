// Carries out one plan, on processes (its own, or of a cluster that runs) or in the simulator, with its history in a file, and
// makes its verdict line.
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../agent/make-folder.ts';
import { highwaterHome } from '../agent/home.ts';
import type { NodeId } from '../base/units.ts';
import { judge } from '../chaos/judge.ts';
import type { RunPlan } from '../chaos/plan.ts';
import { OwnCluster } from '../chaos/processes/own-cluster.ts';
import { ProcessDriver } from '../chaos/processes/process-driver.ts';
import { verdictLine, type VerdictLine } from '../chaos/report.ts';
import { runInSimulator } from '../chaos/run-in-simulator.ts';
import { runPlan, type RunOutcome } from '../chaos/run.ts';
import { historyLine } from '../history/lines.ts';
import type { HistoryEntry } from '../history/operations.ts';
import type { Stamped } from '../trace/events.ts';
import type { AttachedSession } from './attached-session.ts';
import { programPath } from './version.ts';

/** Where the files of one `run` go, and how it is ended early. */
export interface RunFolder {
  readonly dir: string;
  readonly number: string;
}

export interface ScenarioRunOptions {
  readonly folder: RunFolder;
  readonly simulated: boolean;
  /** A cluster that runs already, instead of one of the run's own. */
  readonly attached?: AttachedSession;
  /** Aborted: the run ends as soon as its processes are gone. */
  readonly signal: AbortSignal;
  readonly onEntry?: (entry: HistoryEntry) => void;
  readonly onEvent?: (stamped: Stamped) => void;
  /** On processes: a node or client is gone, by this signal if by one. */
  readonly onExit?: (node: NodeId, signal: string) => void;
}

/** What a run on processes left. */
export interface ProcessRun {
  readonly outcome: RunOutcome;
  readonly history: readonly HistoryEntry[];
  /** Path of the history. */
  readonly file: string;
}

/** Runs kept in the home; older ones go. */
const RUNS_KEPT = 20;

/** A new folder under the home: runs/0042. */
export function newRunFolder(): RunFolder {
  const runs = join(highwaterHome(), 'runs');
  makeFolder(runs);
  const numbers = readdirSync(runs)
    .filter((name) => /^\d{4,}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const old of numbers.slice(0, -RUNS_KEPT)) rmSync(join(runs, numbered(old)), { recursive: true, force: true });
  for (let next = (numbers.at(-1) ?? 0) + 1; ; next++) {
    try {
      mkdirSync(join(runs, numbered(next)), { mode: 0o700 });
      return { dir: join(runs, numbered(next)), number: numbered(next) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Another run took it.
    }
  }
}

const numbered = (number: number): string => String(number).padStart(4, '0');

/** Runs a plan to its end. */
export async function runScenario(written: RunPlan, options: ScenarioRunOptions): Promise<VerdictLine> {
  const plan = (await options.attached?.lendTo(written)) ?? written;
  if (options.simulated) return simulate(plan, join(folderOf(plan, options), HISTORY), options);
  const { outcome, history, file } = await runOnProcesses(plan, options);
  return verdictLine(plan, outcome, judge(plan, outcome, history), file);
}

const HISTORY = 'history.ndjson';

function folderOf(plan: RunPlan, { folder }: ScenarioRunOptions): string {
  const cell = Object.values(plan.cell)
    .map((value) => `-${String(value).replace(/[^\w.-]/g, '_')}`)
    .join('');
  const dir = join(folder.dir, `${plan.name}-${plan.variant}${cell}`);
  makeFolder(dir);
  return dir;
}

function simulate(plan: RunPlan, file: string, options: ScenarioRunOptions): VerdictLine {
  const { onEvent } = options;
  const run = runInSimulator(plan, onEvent === undefined ? {} : { onEvent });
  writeFileSync(file, run.history.map(historyLine).join(''), { mode: 0o600 });
  run.history.forEach((entry) => options.onEntry?.(entry));
  const line = verdictLine(plan, run.outcome, judge(plan, run.outcome, run.history), file);
  if (plan.safeguardsOff.length > 0 || run.violations.length === 0) return line;
  const broken = run.violations.map(
    ({ invariant, subject, detail }) => `${invariant} is broken: ${subject}: ${detail}`,
  );
  return { ...line, verdict: 'fail', reasons: [...line.reasons, ...broken] };
}

/** Runs a plan on processes, to its end. */
export async function runOnProcesses(plan: RunPlan, options: ScenarioRunOptions): Promise<ProcessRun> {
  const history: HistoryEntry[] = [];
  const dir = folderOf(plan, options);
  const file = join(dir, HISTORY);
  const driver = new ProcessDriver({
    hands: options.attached?.hands(plan, dir) ?? ownCluster(plan, dir, options),
    ...{ dir, client: programPath('client') },
    ...(options.onExit === undefined ? {} : { onExit: options.onExit }),
  });
  const outcome = await new Promise<RunOutcome>((resolve, reject) => {
    const interrupt = (): void => driver.stop(() => reject(new Interrupted()));
    if (options.signal.aborted) return interrupt();
    options.signal.addEventListener('abort', interrupt, { once: true });
    const record = (entry: HistoryEntry): void => {
      history.push(entry);
      appendFileSync(file, historyLine(entry), { mode: 0o600 });
      options.onEntry?.(entry);
    };
    const hooks = options.onEvent === undefined ? {} : { onEvent: options.onEvent };
    runPlan({ plan, driver, history: record, ...hooks }, (ended) => {
      options.signal.removeEventListener('abort', interrupt);
      resolve(ended);
    });
  });
  return { outcome, history, file };
}

function ownCluster(plan: RunPlan, dir: string, { folder }: ScenarioRunOptions): OwnCluster {
  const name = `run-${folder.number}-${plan.variant}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return new OwnCluster({
    ...{ name: name.slice(0, 63), home: highwaterHome(), dir: join(dir, 'data') },
    program: programPath('node'),
  });
}

/** The user ended the run; its history is written. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
