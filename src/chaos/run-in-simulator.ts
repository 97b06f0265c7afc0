// Runs a plan in the simulator to its end: synchronously, in one thread. The invariants of the specification watch every
// event; what they find is part of the result, beside the history that checkers read.
import { InvariantViolation } from '../base/assert.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { HistoryEntry } from '../history/operations.ts';
import type { SimCluster } from '../sim/cluster.ts';
import type { Violation } from '../sim/invariants/invariant.ts';
import { InvariantSuite } from '../sim/invariants/suite.ts';
import type { NetworkOptions } from '../sim/network/fabric.ts';
import type { Stamped } from '../trace/events.ts';
import type { RunPlan } from './plan.ts';
import { runPlan, type RunOutcome } from './run.ts';
import { SimDriver } from './sim-driver.ts';

export interface SimulatedRun {
  readonly outcome: RunOutcome;
  readonly history: readonly HistoryEntry[];
  /** What the invariants found; empty with every safeguard on, or there is a bug. */
  readonly violations: readonly Violation[];
  /** SHA-256 of the trace, if asked for. */
  readonly traceHash: string;
  /** Events that nodes reported. */
  readonly eventCount: number;
}

export interface SimulatedRunOptions {
  readonly network?: Partial<NetworkOptions>;
  readonly hashed?: boolean;
  readonly onEvent?: (stamped: Stamped) => void;
  /** Hears of every safeguard that a node asks whether it is on. */
  readonly onSafeguard?: (name: Safeguard) => void;
}

/** Far more virtual time than any run has: one that is not over by then hangs. */
const VIRTUAL_MS_MAX = 1_800_000;

/** Carries a plan out in a world of its own. */
export function runInSimulator(plan: RunPlan, options: SimulatedRunOptions = {}): SimulatedRun {
  const { network, hashed = false, onEvent, onSafeguard } = options;
  const history: HistoryEntry[] = [];
  const suite = new InvariantSuite({ onViolation: () => undefined });
  let cluster: SimCluster | undefined;
  const driver = new SimDriver({
    hashed,
    ...(network === undefined ? {} : { network }),
    ...(onSafeguard === undefined ? {} : { onSafeguard }),
    onCluster: (made) => {
      cluster = made;
      made.world.onEvent((stamped) => suite.onEvent(stamped));
      if (onEvent !== undefined) made.world.onEvent(onEvent);
    },
  });
  const ended: RunOutcome[] = [];
  runPlan({ plan, driver, history: (entry) => history.push(entry) }, (outcome) => ended.push(outcome));
  if (!driver.runUntil(() => ended.length > 0, VIRTUAL_MS_MAX)) {
    throw new InvariantViolation(`run ${plan.name} of seed ${plan.seed} did not end within ${VIRTUAL_MS_MAX / 1000} s`);
  }
  const { world } = cluster!;
  return {
    outcome: ended[0]!,
    history,
    violations: suite.sweep(),
    traceHash: hashed ? world.traceHash() : '',
    eventCount: world.eventCount,
  };
}
