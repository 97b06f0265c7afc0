// What checkers answer. Anomalies are violations of a promise; allowed is what looks like one but is legal in Kafka; and
// inconclusive says what could not be decided. Three-valued, and never a pass by ignorance (design section 7).
import type { BudgetOp } from '../history/operations.ts';
import type { HistoryView } from './view.ts';

/** Anomalies that have a checker, under the names of the corpus of failures, section 0.4. */
export const ANOMALIES = [
  'lost-write',
  'unseen',
  'ghost-read',
  'inconsistent-offsets',
  'poll-skip',
  'nonmonotonic-poll',
  'log-divergence',
  'hw-regression',
  'end-regression',
  'duplicate',
  'reorder',
  'aborted-read',
  'precommitted-read',
  'torn-txn',
  'hanging-txn',
  'lost-offset-commit',
  'offset-regression',
  'eos-violation',
  'double-owner',
  'double-leader',
  'self-fence',
  'false-fail',
  'false-ok',
  'stall',
] as const;
export type AnomalyName = (typeof ANOMALIES)[number];

/** A broken promise, with the fewest operations that show it. */
export interface Anomaly {
  readonly anomaly: AnomalyName;
  /** Where; empty if it is about no single partition. */
  readonly partition: string;
  /** What it is about, in fields that a scenario's `with` may name: offset, reader, first, later, missed… */
  readonly details: Readonly<Record<string, unknown>>;
  /** Indexes into the history: the smallest set of entries that shows it. */
  readonly ops: readonly number[];
  /** One sentence for people. */
  readonly says: string;
}

/** Looks like an anomaly and is legal. */
export interface Allowed {
  readonly anomaly: AnomalyName;
  readonly partition: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ops: readonly number[];
  readonly because: string;
}

export interface Findings {
  readonly anomalies: readonly Anomaly[];
  readonly allowed: readonly Allowed[];
  /** What could not be decided, and why: sentences. */
  readonly inconclusive: readonly string[];
}

/** A pure function of the history. */
export type Checker = (view: HistoryView) => Findings;

export type Verdict = 'pass' | 'inconclusive' | 'fail';

const SEVERITY: readonly Verdict[] = ['pass', 'inconclusive', 'fail'];

/** The worst of several verdicts: pass < inconclusive < fail. Of none: pass. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  let severity = 0;
  for (const verdict of verdicts) severity = Math.max(severity, SEVERITY.indexOf(verdict));
  return SEVERITY[severity]!;
}

/** What findings alone amount to. */
export function verdictOf(findings: Findings): Verdict {
  if (findings.anomalies.length > 0) return 'fail';
  return findings.inconclusive.length > 0 ? 'inconclusive' : 'pass';
}

/** Collects findings while a checker walks. */
export class FindingsBuilder implements Findings {
  readonly anomalies: Anomaly[] = [];
  readonly allowed: Allowed[] = [];
  readonly inconclusive: string[] = [];

  /** An anomaly, unless one of these declarations excuses it: then it is allowed. */
  add({ says, ops, ...found }: Anomaly, excuses: readonly BudgetOp[] = []): void {
    const [excuse] = excuses;
    const fewest = [...new Set(ops)].sort((a, b) => a - b);
    if (excuse === undefined) this.anomalies.push({ ...found, ops: fewest, says });
    else {
      const because = `the run declared ${excuse.what}, which may have caused this: ${says}`;
      this.allowed.push({ ...found, ops: [...fewest, excuse.index], because });
    }
  }
}
