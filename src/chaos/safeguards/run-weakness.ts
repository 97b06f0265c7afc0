// Runs the scenario of a known weakness in the simulator, every variant and cell, and tells what was found where it
// appears and that nothing was where it does not.
import { judge } from '../judge.ts';
import { runInSimulator } from '../run-in-simulator.ts';
import type { ReadPlans } from './run-pair.ts';
import type { Weakness } from './weaknesses.ts';

/** What became of one weakness. */
export interface WeaknessRow {
  readonly number: number;
  readonly name: string;
  readonly defence: string;
  /** File of the scenario or of the test. */
  readonly where: string;
  /** Anomalies where it appears, or a sentence. */
  readonly without: string;
  /** "clean", or why there is nothing to run. */
  readonly with: string;
  /** Every run was as its file declares. */
  readonly asDeclared: boolean;
  readonly reasons: readonly string[];
}

/** Runs one weakness; one that only a test of its core shows is not run. */
export function runWeakness(weakness: Weakness, read: ReadPlans): WeaknessRow {
  const { number, name, defence } = weakness;
  if ('test' in weakness) {
    const { test, why } = weakness;
    const says = { without: 'a test of its core', with: 'a test of its core' };
    return { number, name, defence, where: test, ...says, asDeclared: true, reasons: [why] };
  }
  const { file, weak, seen } = weakness;
  const found = { weak: new Set<string>(), fixed: new Set<string>() };
  const reasons: string[] = [];
  const plans = read(file);
  for (const plan of plans) {
    const { outcome, history } = runInSimulator(plan);
    const { verdict, findings, allowed, reasons: why } = judge(plan, outcome, history);
    if (verdict !== 'pass') reasons.push(...why.map((reason) => `${plan.variant}: ${reason}`));
    const into = weak.includes(plan.variant) ? found.weak : found.fixed;
    for (const { anomaly } of findings) into.add(anomaly);
    for (const { anomaly } of allowed) into.add(`${anomaly}, declared`);
  }
  for (const variant of weak) {
    if (!plans.some((plan) => plan.variant === variant)) reasons.push(`${file} has no variant ${variant}`);
  }
  if (found.fixed.size > 0) reasons.push(`found where it should not appear: ${[...found.fixed].join(', ')}`);
  if (weak.length > 0 && seen === undefined && found.weak.size === 0)
    reasons.push('nothing was found without its defence');
  return {
    ...{ number, name, defence, where: file, asDeclared: reasons.length === 0, reasons },
    without: seen ?? ([...found.weak].join(', ') || 'cannot be switched off'),
    with: plans.every(({ variant }) => weak.includes(variant)) ? 'there is none' : 'clean',
  };
}
