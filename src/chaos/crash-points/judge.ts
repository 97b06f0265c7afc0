// The verdict on one cell of a row: every expectation and every checker, every fault fired, no invariant broken, and a fate that
// the row allows and that no answer to the client contradicts.
import type { HistoryEntry } from '../../history/operations.ts';
import { judge } from '../judge.ts';
import type { RunPlan } from '../plan.ts';
import type { RunOutcome } from '../run.ts';
import type { Death } from './deaths.ts';
import { acknowledged, fateOf, type Judged } from './fate.ts';
import type { CrashPoint, Fate } from './row.ts';
import type { Cell } from './template.ts';

/** What one cell came to. */
export interface CellVerdict {
  readonly row: string;
  readonly cell: Cell;
  readonly seed: string;
  /** How often each fault fired. */
  readonly fired: Readonly<Record<string, number>>;
  /** What the fault of the row did, and to whom: "kill node 3". */
  readonly strike: string;
  readonly fate: Fate | 'torn';
  readonly allowed: readonly Fate[];
  readonly verdict: 'green' | 'red';
  /** Why it is red: sentences. */
  readonly reasons: readonly string[];
  /** On processes: how whoever came to the point died there. */
  readonly death?: Death;
}

/** A run of a cell. */
export interface CellRun {
  readonly plan: RunPlan;
  readonly outcome: RunOutcome;
  readonly history: readonly HistoryEntry[];
  /** What the invariants found. */
  readonly broken: readonly string[];
}

const FIRST: Judged = { client: 'app', txn: 1 };

/** Judges a run of a cell. */
export function judgeCell(row: CrashPoint, cell: Cell, { plan, outcome, history, broken }: CellRun): CellVerdict {
  const { verdict, reasons } = judge(plan, outcome, history);
  const allowed = row.fates[cell.outcome] ?? [];
  const fated = fateOf(history, FIRST);
  const fate = 'fate' in fated ? fated.fate : 'torn';
  const bound = acknowledged(history, FIRST);
  const all = [
    ...(verdict === 'pass' ? [] : reasons),
    ...broken,
    ...('torn' in fated ? [`the transaction is torn: ${fated.torn}`] : []),
    ...('torn' in fated || allowed.includes(fated.fate)
      ? []
      : [`the outcome is ${fate}, and must be ${allowed.join(' or ')}`]),
    ...(bound === undefined || bound === fate || (bound === 'A' && fate === 'N')
      ? []
      : [`the client was answered ${bound}, and the outcome is ${fate}`]),
  ];
  return {
    ...{ row: row.id, cell, seed: plan.seed, fired: outcome.fired, strike: strikeOf(history) },
    ...{ fate, allowed, verdict: all.length === 0 ? 'green' : 'red', reasons: [...new Set(all)] },
  };
}

/** The verdict with what is known of a death on processes: red as well if the point was not the last thing it did. */
export function withDeath(verdict: CellVerdict, death: Death): CellVerdict {
  const reasons = [...verdict.reasons, ...death.problems];
  return { ...verdict, death, reasons, verdict: reasons.length === 0 ? 'green' : 'red' };
}

/** Whether whoever comes to the point of the row kills itself there: then it can be said how it died. */
export function diesAtPoint(plan: RunPlan): boolean {
  const action = plan.faults.find(({ id }) => id === 'crash')?.action;
  return action !== undefined && 'own' in action && action.own.kind === 'kill';
}

function strikeOf(history: readonly HistoryEntry[]): string {
  const crash = history.find((entry) => entry.f === 'fault' && entry.fault === 'crash');
  return crash?.f === 'fault' ? `${crash.action} ${crash.detail}`.trim() : '';
}
