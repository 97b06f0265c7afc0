// Runs cells in the simulator.
import type { Safeguard } from '../../fault/safeguards.ts';
import { runInSimulator } from '../run-in-simulator.ts';
import { judgeCell, type CellVerdict } from './judge.ts';
import type { CrashPoint } from './row.ts';
import { planOf, type Cell } from './template.ts';

export interface CellOptions {
  readonly seed: string;
  readonly safeguardsOff?: readonly Safeguard[];
}

/** Runs one cell of a row, and judges it. */
export function runCell(row: CrashPoint, cell: Cell, { seed, safeguardsOff = [] }: CellOptions): CellVerdict {
  const planned = planOf(row, cell, seed);
  const plan = { ...planned, safeguardsOff: [...planned.safeguardsOff, ...safeguardsOff] };
  const { outcome, history, violations } = runInSimulator(plan);
  const broken = violations.map(({ invariant, subject, detail }) => `${invariant} is broken: ${subject}: ${detail}`);
  return judgeCell(row, cell, { plan, outcome, history, broken });
}
