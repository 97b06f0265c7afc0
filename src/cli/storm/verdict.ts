// What a storm amounts to: what checkers find in its history, and whether the cluster got on and was whole in the end.
import type { Findings, Verdict } from '../../checker/findings.ts';
import type { Raged } from './rage.ts';

/** What a storm did and what came of it. */
export interface StormFacts extends Raged {
  readonly acknowledged: number;
  readonly unacknowledged: number;
}

export interface StormVerdict {
  readonly verdict: Verdict;
  /** Sentences, worst first. */
  readonly findings: readonly string[];
  /** Why nobody can tell. */
  readonly unclear: readonly string[];
}

/** Three-valued: a storm that struck nothing, or in which nothing was acknowledged, shows nothing. */
export function judgeStorm(facts: StormFacts, { anomalies, inconclusive }: Findings): StormVerdict {
  const findings = [...anomalies.map(({ anomaly, says }) => `${anomaly}: ${says}`), ...facts.troubles];
  const unclear = [
    ...(facts.strikes === 0 ? ['nothing was struck'] : []),
    ...(facts.acknowledged === 0 ? ['nothing was acknowledged'] : []),
    ...inconclusive,
  ];
  const verdict = findings.length > 0 ? 'fail' : unclear.length > 0 ? 'inconclusive' : 'pass';
  return { verdict, findings, unclear };
}
