// Runs one cell of a crash point on real processes, with a real SIGKILL, and says how the dead one died.
import { DeathWatch } from '../chaos/crash-points/deaths.ts';
import { diesAtPoint, judgeCell, withDeath, type CellVerdict } from '../chaos/crash-points/judge.ts';
import type { CrashPoint } from '../chaos/crash-points/row.ts';
import { planOf, type Cell } from '../chaos/crash-points/template.ts';
import { runOnProcesses, type RunFolder } from './scenario-run.ts';

export interface ProcessCellOptions {
  readonly seed: string;
  readonly folder: RunFolder;
  /** Aborted: the run ends as soon as its processes are gone. */
  readonly signal: AbortSignal;
}

/** Runs a cell on a cluster of its own, and judges it. */
export async function runCellOnProcesses(
  row: CrashPoint,
  cell: Cell,
  { seed, folder, signal }: ProcessCellOptions,
): Promise<CellVerdict> {
  const plan = planOf(row, cell, seed);
  const watch = new DeathWatch('crash');
  const { outcome, history } = await runOnProcesses(plan, {
    ...{ folder, simulated: false, signal },
    onEvent: (stamped) => watch.onEvent(stamped),
    onExit: (node, by) => watch.onExit(node, by),
  });
  const verdict = judgeCell(row, cell, { plan, outcome, history, broken: [] });
  const death = diesAtPoint(plan) ? watch.death() : undefined;
  return death === undefined ? verdict : withDeath(verdict, death);
}
