// The verdict of a run: what the checkers found in its history, against what the plan expects. A pass is every expectation
// held and nothing in doubt; a fault that never fired is never a pass (design section 6).
import { checkHistory } from '../checker/check.ts';
import { worst, type Allowed, type Anomaly, type Findings, type Verdict } from '../checker/findings.ts';
import type { HistoryEntry } from '../history/operations.ts';
import { endedAs, epochProblem, markerProblem, operationMissed, valuesSeen } from './judge-history.ts';
import type { Expectation, Fields, RunPlan } from './plan.ts';
import type { RunOutcome } from './run.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly findings: readonly Anomaly[];
  readonly allowed: readonly Allowed[];
  /** Why it is not a pass: sentences. */
  readonly reasons: readonly string[];
}

/** Anomalies of what does not go on. */
const STANDSTILLS: readonly string[] = ['stall', 'unseen'];

/** Judges a run. */
export function judge(plan: RunPlan, outcome: RunOutcome, history: readonly HistoryEntry[]): Judgement {
  const found = checkHistory(history);
  // What stands still is what such a plan is about.
  const stalls = plan.expectations.some((one) => one.kind === 'finds' && STANDSTILLS.includes(one.anomaly));
  const doubts = [
    ...(outcome.failure === undefined ? [] : [outcome.failure]),
    ...outcome.unfired.map(({ fault, nearMisses }) => `fault ${fault} never fired: ${nearMisses.join('; ')}`),
    ...outcome.doubts.filter((doubt) => !stalls || !outcome.stalled.includes(doubt)),
  ];
  const expected = new Set(plan.expectations.flatMap((one) => (one.kind === 'exits' ? [one.client] : [])));
  for (const [client, code] of Object.entries(outcome.exits ?? {})) {
    if (code !== 0 && !expected.has(client))
      doubts.push(`${client} ended with exit code ${code}; see clients/${client}.log`);
  }
  const judged = plan.expectations.map((expectation) =>
    judgeOne(expectation, { found, outcome, history, inDoubt: doubts.length > 0 }),
  );
  const verdict = worst([doubts.length > 0 ? 'inconclusive' : 'pass', ...judged.map((one) => one.verdict)]);
  const reasons = [...doubts, ...judged.flatMap((one) => one.reasons)];
  return { verdict, findings: found.anomalies, allowed: found.allowed, reasons: [...new Set(reasons)] };
}

interface Judged {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

const HELD: Judged = { verdict: 'pass', reasons: [] };

/** What a run was, as its expectations look at it. */
interface Evidence {
  readonly found: Findings;
  readonly outcome: RunOutcome;
  readonly history: readonly HistoryEntry[];
  /** Something planned did not happen: then what was not found is no failure, but unknown. */
  readonly inDoubt: boolean;
}

function judgeOne(expectation: Expectation, { found, outcome, history, inDoubt }: Evidence): Judged {
  const missed = (reason: string): Judged => ({ verdict: inDoubt ? 'inconclusive' : 'fail', reasons: [reason] });
  switch (expectation.kind) {
    case 'never':
      return never(expectation, found);
    case 'finds': {
      const { anomaly, with: fields } = expectation;
      if (found.anomalies.some((one) => one.anomaly === anomaly && hasFields(one, fields))) return HELD;
      return missed(`expected to find ${anomaly}${shown(fields)}, and did not`);
    }
    case 'allows': {
      const offsets = new Set(found.allowed.map(({ details }) => details['offset']));
      const absent = expectation.offsets.filter((offset) => !offsets.has(offset));
      if (absent.length === 0) return HELD;
      return missed(`expected a legal loss at offset ${absent.join(', ')}, and there was none`);
    }
    case 'eventually':
      if (outcome.eventually[expectation.text] === true) return HELD;
      return missed(`${expectation.text} did not come to hold within ${expectation.withinMs} ms of the healing`);
    case 'order':
      if (outcome.ordered[expectation.moment.text] === true) return HELD;
      return missed(`did not come about in this order: ${expectation.moment.text}`);
    case 'unseen': {
      const seen = valuesSeen(history, expectation);
      if (seen.length === 0) return HELD;
      return { verdict: 'fail', reasons: [`${expectation.client} was given ${seen.join(', ')}, and must not be`] };
    }
    case 'operation':
      return endedAs(history, expectation) ? HELD : missed(operationMissed(history, expectation));
    case 'exits': {
      const code = outcome.exits?.[expectation.client];
      if (code === expectation.code) return HELD;
      const ended = code === undefined ? 'did not end by itself' : `ended with ${code}`;
      return missed(`expected ${expectation.client} to end with exit code ${expectation.code}; it ${ended}`);
    }
    case 'epoch': {
      const problem = epochProblem(history, expectation);
      return problem === undefined ? HELD : missed(problem);
    }
    case 'marker': {
      const problem = markerProblem(history, expectation);
      return problem === undefined ? HELD : missed(problem);
    }
  }
}

function never(
  { anomalies, with: fields = {} }: Extract<Expectation, { readonly kind: 'never' }>,
  found: Findings,
): Judged {
  const bad = found.anomalies.filter((one) => anomalies.includes(one.anomaly) && hasFields(one, fields));
  if (bad.length > 0) return { verdict: 'fail', reasons: bad.map(({ anomaly, says }) => `${anomaly}: ${says}`) };
  const named: readonly string[] = anomalies;
  const unclear = found.inconclusive.filter((sentence) => named.includes(sentence.split(':')[0]!));
  return unclear.length > 0 ? { verdict: 'inconclusive', reasons: unclear } : HELD;
}

/** Whether a finding has these fields; texts and numbers are compared as written. */
function hasFields(anomaly: Anomaly, fields: Fields): boolean {
  return Object.entries(fields).every(([name, expected]) => {
    const actual = name === 'partition' ? anomaly.partition : anomaly.details[name];
    if (!Array.isArray(expected)) return String(actual) === String(expected);
    return Array.isArray(actual) && actual.map(String).join() === expected.map(String).join();
  });
}

function shown(fields: Fields): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`);
  return pairs.length === 0 ? '' : ` with ${pairs.join(', ')}`;
}
