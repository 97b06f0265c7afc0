// Runs a scenario twice in the simulator, without a safeguard and with it, and says whether the safeguard is what made
// the difference: the plans differ in it alone, without it the anomaly is found, with it it is not, and both are as
// declared.
import { SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { judge } from '../judge.ts';
import type { RunPlan } from '../plan.ts';
import { runInSimulator } from '../run-in-simulator.ts';
import type { Catch } from './random-catch.ts';
import { SHOWN_IN } from './shown-in.ts';

/** What a pair of runs showed of one safeguard. */
export interface SafeguardRow {
  readonly safeguard: Safeguard;
  readonly meaning: string;
  /** File of the scenario, or of the test of its core; empty if there is none. */
  readonly scenario: string;
  readonly off: string;
  readonly on: string;
  /** What was found without it, in a sentence; empty if nothing was. */
  readonly found: string;
  /** Both runs were as declared, and nothing but the safeguard made the difference. */
  readonly shown: boolean;
  /** Why not: sentences. */
  readonly reasons: readonly string[];
  /** The first random run that notices that it is missing; 'none': no one does. Absent: none was run. */
  readonly caught?: Catch | 'none';
}

/** Reads the plans of a scenario file. */
export type ReadPlans = (file: string) => readonly RunPlan[];

/** Runs the pair of one safeguard. */
export function runPair(safeguard: Safeguard, read: ReadPlans): SafeguardRow {
  const shown = SHOWN_IN[safeguard];
  const common = { safeguard, meaning: SAFEGUARDS[safeguard] };
  if ('test' in shown) {
    const { test, why } = shown;
    return {
      ...common,
      scenario: test,
      off: '',
      on: '',
      found: `a test of its core: ${why}`,
      shown: true,
      reasons: [],
    };
  }
  if ('open' in shown) {
    return { ...common, scenario: '', off: '', on: '', found: '', shown: false, reasons: [shown.open] };
  }
  const { file, off, on, cell = {}, finds } = shown;
  const plans = read(file);
  const [without, with_] = [planOf(plans, off, cell), planOf(plans, on, cell)];
  if (without === undefined || with_ === undefined) {
    const reasons = [`${file} has no variants ${off} and ${on}${shownCell(cell)}`];
    return { ...common, scenario: file, off, on, found: '', shown: false, reasons };
  }
  const [ranWithout, ranWith] = [carryOut(without), carryOut(with_)];
  const found = ranWithout.found.get(finds);
  const reasons = [
    ...difference(safeguard, without, with_),
    ...ranWithout.reasons.map((reason) => `${off}: ${reason}`),
    ...ranWith.reasons.map((reason) => `${on}: ${reason}`),
    ...(found === undefined ? [`${off}: ${finds} was not found`] : []),
    ...(ranWith.found.has(finds) ? [`${on}: ${finds} was found: ${ranWith.found.get(finds)!}`] : []),
  ];
  const sentence = found === undefined ? '' : `${finds}: ${found}`;
  return { ...common, scenario: file, off, on, found: sentence, shown: reasons.length === 0, reasons };
}

function planOf(plans: readonly RunPlan[], variant: string, cell: RunPlan['cell']): RunPlan | undefined {
  return plans.find(
    (plan) => plan.variant === variant && Object.entries(cell).every(([name, value]) => plan.cell[name] === value),
  );
}

function shownCell(cell: RunPlan['cell']): string {
  const pairs = Object.entries(cell).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '' : ` with ${pairs.join(', ')}`;
}

/** What was found, by the name of the anomaly or invariant: the first of each in a sentence. And why it is no pass. */
function carryOut(plan: RunPlan): { readonly found: ReadonlyMap<string, string>; readonly reasons: readonly string[] } {
  const { outcome, history, violations } = runInSimulator(plan);
  const { verdict, findings, reasons } = judge(plan, outcome, history);
  const found = new Map<string, string>();
  const note = (name: string, says: string): void => void (found.has(name) || found.set(name, says));
  for (const { anomaly, says } of findings) note(anomaly, says);
  for (const { invariant, subject, detail } of violations) note(invariant, `${subject}: ${detail}`);
  return { found, reasons: verdict === 'pass' ? [] : reasons };
}

/** Why more than the safeguard differs; nothing if only it does. */
function difference(safeguard: Safeguard, without: RunPlan, with_: RunPlan): string[] {
  const off = without.safeguardsOff.filter((name) => !with_.safeguardsOff.includes(name));
  const isAlone = off.length === 1 && off[0] === safeguard;
  const isSame = JSON.stringify(compared(without)) === JSON.stringify(compared(with_));
  return isAlone && isSame ? [] : [`${without.variant} and ${with_.variant} differ in more than ${safeguard}`];
}

function compared({ cluster, topics, clients, faults, seed, timeoutMs }: RunPlan): unknown {
  const plain = clients.map(({ waits, ...client }) => ({ ...client, waits: [...waits] }));
  return { cluster, topics, clients: plain, faults, seed, timeoutMs };
}
