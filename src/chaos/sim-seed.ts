// One seed of random chaos in the simulator, as a line: what was drawn, what happened, and what the invariants and the
// checkers found. An unfired fault is counted only; a seed is inconclusive if nothing was acknowledged or no fault fired.
import type { DurationMs } from '../base/units.ts';
import { checkHistory } from '../checker/check.ts';
import { worst, type Verdict } from '../checker/findings.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { Stamped } from '../trace/events.ts';
import { ACTIVE_MS, drawPlan, planHash } from './draw-plan.ts';
import { drawTxnPlan } from './draw-txn-plan.ts';
import { runInSimulator, type SimulatedRun } from './run-in-simulator.ts';

/** As `highwater sim --json` prints it. */
export interface SeedLine {
  readonly seed: number;
  readonly verdict: Verdict;
  readonly traceHash: string;
  readonly planHash: string;
  readonly events: number;
  readonly acked: number;
  /** Of transactional workloads: how many were acknowledged to have ended, and how. */
  readonly transactions?: { readonly committed: number; readonly aborted: number };
  readonly elections: number;
  readonly faultsFired: number;
  /** Of failing seeds: what was found, and the command that finds it again. */
  readonly findings?: readonly SeedFinding[];
  readonly replay?: string;
  /** Of inconclusive seeds: why. */
  readonly reasons?: readonly string[];
}

export interface SeedFinding {
  readonly anomaly: string;
  readonly partition: string;
  readonly says: string;
}

/** What the clients of random runs do. */
export const WORKLOADS = { replication: drawPlan, txn: drawTxnPlan } as const;
export type Workload = keyof typeof WORKLOADS;

export interface SeedOptions {
  /** Default: replication. */
  readonly workload?: Workload;
  readonly safeguardsOff?: readonly Safeguard[];
  /** Length of workload and faults, virtual ms. */
  readonly activeMs?: DurationMs;
  /** False: traceHash is empty, and the seed is cheaper. */
  readonly hashed?: boolean;
  readonly onEvent?: (stamped: Stamped) => void;
  /** Hears of every safeguard that is asked whether it is on. */
  readonly onSafeguard?: (name: Safeguard) => void;
}

/** Findings that a line carries at most; the rest is counted. */
const FINDINGS_MAX = 20;

/** Runs one seed. */
export function runSeed(seed: number, options: SeedOptions = {}): SeedLine {
  const { workload = 'replication', safeguardsOff = [], activeMs = ACTIVE_MS, hashed = true } = options;
  const { onEvent, onSafeguard } = options;
  const plan = WORKLOADS[workload](seed, { safeguardsOff, activeMs });
  let elections = 0;
  const run = runInSimulator(plan, {
    hashed,
    ...(onSafeguard === undefined ? {} : { onSafeguard }),
    onEvent: (stamped) => {
      if (stamped.event.type === 'elected' && stamped.event.reason !== 'created') elections += 1;
      onEvent?.(stamped);
    },
  });
  const count = (f: string): number => run.history.filter((entry) => entry.f === f && entry.type === 'ok').length;
  const acked = count('send');
  const faultsFired = Object.values(run.outcome.fired).reduce((sum, fired) => sum + fired, 0);
  const { findings, reasons } = judgeSeed(run, { acked, faultsFired });
  const verdict: Verdict = findings.length > 0 ? 'fail' : reasons.length > 0 ? 'inconclusive' : 'pass';
  return {
    ...{ seed, verdict, traceHash: run.traceHash, planHash: planHash(plan), events: run.eventCount },
    acked,
    ...(workload === 'txn' ? { transactions: { committed: count('commit'), aborted: count('abort') } } : {}),
    ...{ elections, faultsFired },
    ...(findings.length === 0 ? {} : { findings: findings.slice(0, FINDINGS_MAX), replay: replayOf(seed, options) }),
    ...(verdict === 'inconclusive' ? { reasons } : {}),
  };
}

/** The worst verdict of several seeds. */
export function worstOf(lines: readonly SeedLine[]): Verdict {
  return worst(lines.map((line) => line.verdict));
}

function judgeSeed(run: SimulatedRun, counts: { readonly acked: number; readonly faultsFired: number }) {
  const { anomalies, inconclusive } = checkHistory(run.history);
  const findings: SeedFinding[] = [
    ...run.violations.map(({ invariant, subject, detail }) => ({
      anomaly: invariant,
      partition: subject,
      says: detail,
    })),
    ...anomalies.map(({ anomaly, partition, says }) => ({ anomaly, partition, says })),
    ...stalls(run),
  ];
  const reasons = [
    ...(counts.acked === 0 ? ['nothing was acknowledged'] : []),
    ...(counts.faultsFired === 0 ? ['no fault fired'] : []),
    ...(run.outcome.failure === undefined ? [] : [run.outcome.failure]),
    ...inconclusive,
  ];
  return { findings, reasons };
}

/** What did not end although everything had healed (repl I-28). */
function stalls({ history, outcome }: SimulatedRun): SeedFinding[] {
  const apart = history.flatMap((entry) => (entry.f === 'quiesce' ? entry.missing : []));
  return [
    ...apart.map((partition) => ({
      anomaly: 'stall',
      partition,
      says: 'its replicas did not agree after the healing',
    })),
    ...outcome.stalled.map((says) => ({ anomaly: 'stall', partition: '*', says })),
  ];
}

function replayOf(seed: number, { workload = 'replication', safeguardsOff = [], activeMs }: SeedOptions): string {
  const what = workload === 'replication' ? '' : ` --workload ${workload}`;
  const length = activeMs === undefined ? '' : ` --for ${activeMs}ms`;
  const off = safeguardsOff.map((name) => ` --disable ${name}`).join('');
  return `highwater sim${what} --seeds ${seed}..${seed}${length}${off} --trace trace.ndjson`;
}
