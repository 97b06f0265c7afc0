// highwater crash-points list|show|run: the crash points of the specification, each a schedule with its number, in the
// simulator or on processes, and the table of what came of them.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CellVerdict } from '../../chaos/crash-points/judge.ts';
import type { CrashPoint, Ending, Version } from '../../chaos/crash-points/row.ts';
import { ROWS } from '../../chaos/crash-points/rows.ts';
import { runCell } from '../../chaos/crash-points/run-cell.ts';
import { markdown, resultLine, verdictOfRow, type RowResult } from '../../chaos/crash-points/table.ts';
import { cellsOf, scenarioText, whyNoCell, type Cell } from '../../chaos/crash-points/template.ts';
import { nearest } from '../../base/nearest.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { runCellOnProcesses } from '../crash-point-run.ts';
import { count, document, printRows, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { Interrupted, newRunFolder } from '../scenario-run.ts';

interface CellFlags {
  readonly outcome?: string;
  readonly transactionVersion?: string;
  readonly victim?: string;
}

interface RunFlags extends CellFlags {
  readonly seed: string;
  readonly processes?: boolean;
  readonly write?: string;
}

export function registerCrashPointCommands(program: Command): void {
  const points = program.command('crash-points').description('the crash points of transactions: list, show, run them');
  points
    .command('list')
    .description('all rows: where each strikes, and the outcome that is right')
    .action((_options, command: Command) => list(globals(command)));
  withCellFlags(points.command('show <row>'))
    .description('the schedule of a row as a scenario file, to be run and edited')
    .action((id: string, flags: CellFlags, command: Command) => show(rowNamed(id), choiceOf(flags), globals(command)));
  withCellFlags(points.command('run [rows...]'))
    .description('run rows (all, if none is named) in the simulator; a row whose point did not fire is red')
    .option('--processes', 'on clusters of real processes: one cell of each row, with a real SIGKILL')
    .option('--seed <seed>', 'of every cell', '1')
    .option('--write <file>', 'write the table as Markdown')
    .action((ids: string[], flags: RunFlags, command: Command) => run(ids, flags, globals(command)));
}

function withCellFlags(command: Command): Command {
  return command
    .option('--outcome <ending>', 'only cells that end with commit, or with abort')
    .option('--transaction-version <version>', 'only cells of version 1, or 2')
    .option('--victim <fate>', 'only cells in which it restarts, or stays-dead');
}

async function list(out: GlobalOptions): Promise<void> {
  const cells = (row: CrashPoint): string =>
    cellsOf(row)
      .map(({ outcome, version }) => `${outcome} v${version}`)
      .filter((cell, at, all) => all.indexOf(cell) === at)
      .join(', ');
  const rows = ROWS.map((row) => ({ ...row, cells: cells(row) }));
  await printRows(out, 'crash-points.list', rows, [
    { title: 'ROW', of: (row) => row.id },
    { title: 'NAME', of: (row) => row.name },
    { title: 'STRIKES', of: (row) => row.victim },
    { title: 'GROUP', of: (row) => row.group },
    { title: 'CELLS', of: (row) => row.cells },
    { title: 'POINT', of: (row) => row.point },
  ]);
}

async function show(row: CrashPoint, choice: Partial<Cell>, out: GlobalOptions): Promise<void> {
  checkCells(row, choice);
  const scenario = scenarioText(row, choice);
  await write(out.json ? document('crash-points.show', { row: row.id, scenario }) : scenario);
}

/** A row that was named has cells to show or to run. */
function checkCells(row: CrashPoint, choice: Partial<Cell>): void {
  const why = whyNoCell(row, choice);
  if (why !== undefined) throw new Problem('HW2001', `${row.id} has no such cell: ${why}`);
}

/** Runs one cell, in the simulator or on processes. */
type RunCell = (row: CrashPoint, cell: Cell) => Promise<CellVerdict>;

async function run(ids: readonly string[], flags: RunFlags, out: GlobalOptions): Promise<void> {
  const named = ids.map(rowNamed);
  for (const row of named) checkCells(row, choiceOf(flags));
  const rows = named.length === 0 ? ROWS : named;
  const results: RowResult[] = [];
  const end = new AbortController();
  const interrupt = (): void => end.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  const runOne = flags.processes === true ? onProcesses(flags, end.signal) : inSimulator(flags);
  for (const row of rows) {
    const cells: CellVerdict[] = [];
    for (const cell of chosenCells(row, flags)) {
      if (end.signal.aborted) break;
      const verdict = await runOne(row, cell).catch(unlessInterrupted);
      if (verdict !== undefined) cells.push(verdict);
    }
    if (end.signal.aborted || cells.length === 0) continue;
    results.push({ row, cells });
    if (!out.json) await write(`${resultLine({ row, cells })}\n`);
  }
  await conclude(results, flags, out);
  if (end.signal.aborted) process.exitCode = EXIT.interrupted;
}

/** All cells that the flags leave. On processes, where a cell takes seconds: the first of version 2, unless flags choose. */
function chosenCells(row: CrashPoint, flags: RunFlags): readonly Cell[] {
  const cells = cellsOf(row, choiceOf(flags));
  const chosen = (flags.outcome ?? flags.transactionVersion ?? flags.victim) !== undefined;
  if (flags.processes !== true || chosen) return cells;
  return (cells.some(({ version }) => version === 2) ? cells.filter(({ version }) => version === 2) : cells).slice(
    0,
    1,
  );
}

function inSimulator({ seed }: RunFlags): RunCell {
  return async (row, cell) => {
    await new Promise((resolve) => setImmediate(resolve)); // Ctrl-C is heard between cells.
    return runCell(row, cell, { seed });
  };
}

function onProcesses({ seed }: RunFlags, signal: AbortSignal): RunCell {
  const folder = newRunFolder();
  return (row, cell) => runCellOnProcesses(row, cell, { seed, folder, signal });
}

function unlessInterrupted(error: unknown): undefined {
  if (!(error instanceof Interrupted)) throw error;
}

async function conclude(results: readonly RowResult[], flags: RunFlags, out: GlobalOptions): Promise<void> {
  const red = results.filter((result) => verdictOfRow(result) === 'red');
  const cells = results.flatMap((result) => result.cells);
  if (flags.write !== undefined) {
    const how = flags.processes === true ? ' --processes' : '';
    const command = `highwater crash-points run${how} --seed ${flags.seed} --write ${flags.write}`;
    const where = flags.processes === true ? 'on processes' : 'in the simulator';
    writeFileSync(flags.write, markdown(results, { command, where }));
  }
  if (out.json) {
    const data = results.map((result) => ({ row: result.row.id, verdict: verdictOfRow(result), cells: result.cells }));
    await write(document('crash-points.run', data, { verdict: red.length === 0 ? 'green' : 'red' }));
  } else say(out, `${count(results.length, 'row')}, ${count(cells.length, 'cell')}: ${red.length} red`);
  process.exitCode = red.length === 0 && results.length > 0 ? EXIT.ok : EXIT.failed;
}

function rowNamed(id: string): CrashPoint {
  const wanted = /^\d+$/.test(id) ? `CP-${id}` : id.toUpperCase();
  const row = ROWS.find((each) => each.id === wanted || each.name === id);
  if (row !== undefined) return row;
  const near = nearest(
    id,
    ROWS.flatMap((each) => [each.id, each.name]),
  );
  throw new Problem(
    'HW2001',
    `no crash point "${id}". ${near === undefined ? 'See: highwater crash-points list' : `Did you mean: ${near}?`}`,
  );
}

function choiceOf({ outcome, transactionVersion, victim }: CellFlags): Partial<Cell> {
  if (outcome !== undefined && outcome !== 'commit' && outcome !== 'abort')
    throw new Problem('HW2001', `--outcome is commit or abort, not "${outcome}"`);
  if (transactionVersion !== undefined && transactionVersion !== '1' && transactionVersion !== '2')
    throw new Problem('HW2001', `--transaction-version is 1 or 2, not "${transactionVersion}"`);
  if (victim !== undefined && victim !== 'restarts' && victim !== 'stays-dead')
    throw new Problem('HW2001', `--victim is restarts or stays-dead, not "${victim}"`);
  return {
    ...(outcome === undefined ? {} : { outcome: outcome as Ending }),
    ...(transactionVersion === undefined ? {} : { version: Number(transactionVersion) as Version }),
    ...(victim === undefined ? {} : { back: victim }),
  };
}
