// All invariants over one view: folds each event, asks whom it concerns, sweeps at the end of a seed. In self-check mode it
// also sweeps after every turn and proves that looking at what an event touched finds what looking at everything finds.
import { InvariantViolation } from '../../base/assert.ts';
import type { Stamped } from '../../trace/events.ts';
import type { Invariant, MakeInvariant, Violation } from './invariant.ts';
import { brokerEpochsIncrease } from './metadata/broker-epochs-increase.ts';
import { electionIsClean } from './metadata/election-is-clean.ts';
import { isrIsActive } from './metadata/isr-is-active.ts';
import { isrIsSound } from './metadata/isr-is-sound.ts';
import { leaderKnowsIsr } from './metadata/leader-knows-isr.ts';
import { metadataIsPrefix } from './metadata/metadata-is-prefix.ts';
import { oneLeaderAnEpoch } from './metadata/one-leader-an-epoch.ts';
import { statesAreOfTheLog } from './metadata/states-are-of-the-log.ts';
import { answeredIsCommitted } from './promises/answered-is-committed.ts';
import { cutsAreAboveWatermark } from './promises/cuts-are-above-watermark.ts';
import { latestNeverFalls } from './promises/latest-never-falls.ts';
import { leadersAreComplete } from './promises/leaders-are-complete.ts';
import { leadersBeginAboveWatermark } from './promises/leaders-begin-above-watermark.ts';
import { nothingIsMadeUp } from './promises/nothing-is-made-up.ts';
import { readsAreStable } from './promises/reads-are-stable.ts';
import { servedIsBelowBound } from './promises/served-is-below-bound.ts';
import { advanceIsRecorded } from './replication/advance-is-recorded.ts';
import { advanceNeedsMinIsr } from './replication/advance-needs-min-isr.ts';
import { boundsAreOrdered } from './replication/bounds-are-ordered.ts';
import { committedLogsMatch } from './replication/committed-logs-match.ts';
import { countedFetchesAreOfTheEpoch } from './replication/counted-fetches-are-of-the-epoch.ts';
import { epochCacheFits } from './replication/epoch-cache-fits.ts';
import { isrHoldsHighWatermark } from './replication/isr-holds-high-watermark.ts';
import { leaderNeverRetreats } from './replication/leader-never-retreats.ts';
import { logsMatch } from './replication/logs-match.ts';
import { recoveryKeepsCounted } from './replication/recovery-keeps-counted.ts';
import { sequencesAreContiguous } from './replication/sequences-are-contiguous.ts';
import { abortedIndexFits } from './transactions/aborted-index-fits.ts';
import { answeredIdentitiesAreInForce } from './transactions/answered-identities-are-in-force.ts';
import { committedReadsAreDecided } from './transactions/committed-reads-are-decided.ts';
import { duplicatesAreThere } from './transactions/duplicates-are-there.ts';
import { epochsNeverFall } from './transactions/epochs-never-fall.ts';
import { identitiesNeverFall } from './transactions/identities-never-fall.ts';
import { markersAreDecided } from './transactions/markers-are-decided.ts';
import { offsetsShareTheFate } from './transactions/offsets-share-the-fate.ts';
import { oneCoordinatorAnEpoch } from './transactions/one-coordinator-an-epoch.ts';
import { oneRecordAnOffset } from './transactions/one-record-an-offset.ts';
import { oneTransactionAtATime } from './transactions/one-transaction-at-a-time.ts';
import { producerIdsAreUnique } from './transactions/producer-ids-are-unique.ts';
import { recordsAreLegal } from './transactions/records-are-legal.ts';
import { stableOffsetIsBound } from './transactions/stable-offset-is-bound.ts';
import { stableOffsetNeverFalls } from './transactions/stable-offset-never-falls.ts';
import { undecidedPinsStableOffset } from './transactions/undecided-pins-stable-offset.ts';
import { zombiesAreRefused } from './transactions/zombies-are-refused.ts';
import { TraceView } from './view/trace-view.ts';

/**
 * The safety invariants of repl section 9 and those of txn section 11 that speak of logs and coordinators. Those that speak of
 * what clients were told are checkers as well or alone, which see the history and nothing else:
 *
 * - here: repl I-1 to I-24, I-26, I-27 and I-29; I-28 is asked by who runs the cluster (healed-cluster-converges.ts);
 * - there too: I-5 and I-20 (hw-regression), I-8 (double-leader), I-14 (lost-write), I-16 (inconsistent-offsets, ghost-read),
 *   I-18 (false-ok; here it is asked of batches, there of values), I-19 (end-regression), I-26 (duplicate, reorder), I-28 (stall,
 *   unseen);
 * - there alone: I-25 (false-fail), because events of nodes tell no values;
 * - here: INV-1, INV-5, INV-6, INV-10, INV-12 to INV-16, INV-18, INV-20; INV-9 is repl I-26; INV-11 follows from repl I-6 and
 *   I-7 with INV-12 and INV-16, because each replica is held to its own log;
 * - here and there: INV-2 (offsets here, records in torn-txn), INV-3 (the broker's bound here, what consumers were given in
 *   aborted-read, precommitted-read and poll-skip);
 * - there: INV-4 (lost-write, lost-offset-commit, aborted-read), INV-7 (hanging-txn, stall), INV-8 (eos-violation), INV-17
 *   (poll-skip, inconsistent-offsets and precommitted-read compare all readers and the scans of either isolation);
 * - INV-19 is no promise, so nobody requires it: readers are judged once everything is quiet.
 */
export const INVARIANTS: readonly MakeInvariant[] = [
  // replication/, what leaders and followers do with their logs: I-1 to I-7, I-22, I-26, I-27, I-29.
  ...[boundsAreOrdered, isrHoldsHighWatermark, advanceIsRecorded, advanceNeedsMinIsr, leaderNeverRetreats],
  ...[logsMatch, committedLogsMatch, epochCacheFits, sequencesAreContiguous, countedFetchesAreOfTheEpoch],
  ...[recoveryKeepsCounted],
  // metadata/, what the controller decides and who acts on it: I-8 to I-13, I-23, I-24.
  ...[oneLeaderAnEpoch, statesAreOfTheLog, isrIsSound, isrIsActive, electionIsClean, leaderKnowsIsr],
  ...[brokerEpochsIncrease, metadataIsPrefix],
  // promises/, what was told and given: I-14 to I-21.
  ...[leadersAreComplete, answeredIsCommitted, readsAreStable, servedIsBelowBound, nothingIsMadeUp],
  ...[latestNeverFalls, leadersBeginAboveWatermark, cutsAreAboveWatermark],
  // transactions/, the last stable offset: INV-1, INV-3, INV-16, INV-20.
  ...[stableOffsetIsBound, committedReadsAreDecided, undecidedPinsStableOffset, stableOffsetNeverFalls],
  // What stands in logs of data: INV-12, INV-15, INV-5, INV-10, INV-14.
  ...[abortedIndexFits, duplicatesAreThere, epochsNeverFall, oneTransactionAtATime, zombiesAreRefused],
  // What coordinators do: INV-5, INV-6, INV-14, INV-13, INV-18, INV-2.
  ...[identitiesNeverFall, answeredIdentitiesAreInForce, recordsAreLegal, oneCoordinatorAnEpoch, oneRecordAnOffset],
  ...[producerIdsAreUnique, markersAreDecided, offsetsShareTheFate],
];

export interface SuiteOptions {
  /** Hears each violation when it is found, once a rule and subject. */
  readonly onViolation: (violation: Violation, at: Stamped | undefined) => void;
  /** Sweeps after every turn; slow. */
  readonly selfCheck?: boolean;
  readonly invariants?: readonly MakeInvariant[];
}

/** An invariant, and whether it was told anything in this turn: most turns tell most of them nothing. */
interface Listener {
  readonly invariant: Invariant;
  heard: boolean;
}

export class InvariantSuite {
  readonly view = new TraceView();
  readonly #options: SuiteOptions;
  readonly #invariants: readonly Invariant[];
  readonly #byEvent = new Map<string, Listener[]>();
  /** Those that look at a turn as a whole. */
  readonly #turnEnders: readonly Listener[];
  readonly #reported = new Map<string, Violation>();
  #last: Stamped | undefined;

  constructor(options: SuiteOptions) {
    this.#options = options;
    this.#invariants = (options.invariants ?? INVARIANTS).map((make) => make(this.view));
    const listeners = this.#invariants.map((invariant): Listener => ({ invariant, heard: false }));
    for (const listener of listeners)
      for (const type of listener.invariant.on) {
        const list = this.#byEvent.get(type);
        if (list === undefined) this.#byEvent.set(type, [listener]);
        else list.push(listener);
      }
    this.#turnEnders = listeners.filter(({ invariant }) => invariant.onTurnEnd !== undefined);
  }

  /** Everything found so far, in the order in which it was found. */
  get violations(): readonly Violation[] {
    return [...this.#reported.values()];
  }

  /** Takes the next event of the one trace of all nodes. */
  onEvent(stamped: Stamped): void {
    if (this.#last !== undefined && this.#last.node !== stamped.node) this.#endTurn();
    this.#last = stamped;
    this.view.fold(stamped);
    const concerned = this.#byEvent.get(stamped.event.type);
    if (concerned === undefined) return;
    for (const listener of concerned) {
      listener.heard = true;
      this.#report(listener.invariant.onEvent(stamped));
    }
  }

  /** The trace is over, or stands still: looks at everything. */
  sweep(): readonly Violation[] {
    this.#endTurn();
    for (const invariant of this.#invariants) for (const violation of invariant.sweep()) this.#report(violation);
    return this.violations;
  }

  #endTurn(): void {
    for (const listener of this.#turnEnders) {
      if (!listener.heard) continue;
      listener.heard = false;
      this.#report(listener.invariant.onTurnEnd?.());
    }
    if (this.#options.selfCheck === true) this.#compare();
  }

  /** Whatever the sweep finds must have been reported by the events before. */
  #compare(): void {
    for (const invariant of this.#invariants)
      for (const violation of invariant.sweep()) {
        if (this.#reported.has(keyOf(violation))) continue;
        const { invariant: name, subject, detail } = violation;
        throw new InvariantViolation(`${name}: the sweep finds in ${subject} what no event showed: ${detail}`);
      }
  }

  #report(violation: Violation | undefined): void {
    if (violation === undefined || this.#reported.has(keyOf(violation))) return;
    this.#reported.set(keyOf(violation), violation);
    this.#options.onViolation(violation, this.#last);
  }
}

function keyOf({ invariant, subject }: Violation): string {
  return `${invariant} ${subject}`;
}

/** For runs that must not go on: throws what was found, with the event that showed it. */
export function throwViolation(violation: Violation, at: Stamped | undefined): never {
  const where = at === undefined ? '' : ` (node ${at.node}, event ${at.seq}: ${at.event.type})`;
  throw new InvariantViolation(`${violation.invariant}: ${violation.subject}: ${violation.detail}${where}`);
}
