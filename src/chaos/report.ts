// The lines of `run --json`: one verdict a variant and cell, and one for the whole. And the exit code they amount to.
import { worst, type Verdict } from '../checker/findings.ts';
import type { Judgement } from './judge.ts';
import type { RunPlan } from './plan.ts';
import type { RunOutcome } from './run.ts';

/** One run, as a line. */
export interface VerdictLine {
  readonly type: 'verdict';
  readonly scenario: string;
  readonly variant: string;
  readonly cell: RunPlan['cell'];
  readonly seed: string;
  /** Anomalies that the variant is declared to find. */
  readonly expected: readonly string[];
  readonly verdict: Verdict;
  readonly findings: readonly Record<string, unknown>[];
  /** What is legal and was counted. */
  readonly allowed: readonly Record<string, unknown>[];
  readonly reasons: readonly string[];
  readonly fired: Readonly<Record<string, number>>;
  readonly durationMs: number;
  /** Path of the history. */
  readonly history: string;
}

/** All runs, as the last line. */
export interface RunLine {
  readonly type: 'run';
  readonly verdict: Verdict;
  readonly runs: number;
}

/** The line of one run. */
export function verdictLine(plan: RunPlan, outcome: RunOutcome, judgement: Judgement, history: string): VerdictLine {
  const expected = plan.expectations.flatMap((one) => (one.kind === 'finds' ? [one.anomaly] : []));
  const flat = ({ details, ...rest }: { readonly details: object }): Record<string, unknown> => ({
    ...rest,
    ...details,
  });
  return {
    type: 'verdict',
    scenario: plan.name,
    variant: plan.variant,
    cell: plan.cell,
    seed: plan.seed,
    expected: [...new Set(expected)],
    verdict: judgement.verdict,
    findings: judgement.findings.map(flat),
    allowed: judgement.allowed.map(flat),
    reasons: judgement.reasons,
    fired: outcome.fired,
    durationMs: outcome.durationMs,
    history,
  };
}

/** The last line. */
export function runLine(verdicts: readonly Verdict[]): RunLine {
  return { type: 'run', verdict: worst(verdicts), runs: verdicts.length };
}

/** 1 if any run failed, else 3 if any is inconclusive, else 0 (ux.md 2.3). */
export function exitCodeOf(verdict: Verdict): 0 | 1 | 3 {
  return verdict === 'fail' ? 1 : verdict === 'inconclusive' ? 3 : 0;
}
