// All invariants over one view: folds each event, asks whom it concerns, sweeps at the end of a seed. In self-check mode it
// also sweeps after every turn and proves that looking at what an event touched finds what looking at everything finds.
import { InvariantViolation } from '../../base/assert.ts';
import type { Stamped } from '../../trace/events.ts';
import { answeredIsCommitted } from './acks-answered.ts';
import { brokerEpochsIncrease } from './broker-epochs.ts';
import { oneCoordinatorAnEpoch, oneRecordAnOffset } from './coordinator-owners.ts';
import { identitiesNeverFall, recordsAreLegal } from './coordinator-records.ts';
import { electionIsClean, isrIsActive, isrIsSound, leaderKnowsIsr } from './decided-isr.ts';
import { epochCacheFits } from './epoch-cache.ts';
import { countedFetchesAreOfTheEpoch } from './fetch-epochs.ts';
import { advanceIsRecorded, advanceNeedsMinIsr, isrHoldsHighWatermark, leaderNeverRetreats } from './high-watermark.ts';
import type { Invariant, MakeInvariant, Violation } from './invariant.ts';
import { latestNeverFalls } from './latest-told.ts';
import { leadersAreComplete } from './leader-completeness.ts';
import { oneLeaderAnEpoch, statesAreOfTheLog } from './leadership.ts';
import { committedLogsMatch, logsMatch } from './log-matching.ts';
import { metadataIsPrefix } from './metadata-prefix.ts';
import { answeredIdentitiesAreInForce, producerIdsAreUnique } from './producer-identities.ts';
import { readsAreStable } from './read-stability.ts';
import { recoveryKeepsCounted } from './recovery.ts';
import { replicaBounds } from './replica-bounds.ts';
import { cutsAreAboveWatermark, leadersBeginAboveWatermark } from './reported-watermark.ts';
import { sequencesAreContiguous } from './sequences.ts';
import { servedIsBelowBound } from './served-below-bound.ts';
import { TraceView } from './trace-view.ts';
import { abortedIndexFits } from './txn-aborted-index.ts';
import { markersAreDecided, offsetsShareTheFate } from './txn-decisions.ts';
import { duplicatesAreThere } from './txn-duplicates.ts';
import { epochsNeverFall, oneTransactionAtATime, zombiesAreRefused } from './txn-producers.ts';
import {
  committedReadsAreDecided,
  stableOffsetIsBound,
  stableOffsetNeverFalls,
  undecidedPinsStableOffset,
} from './txn-stable-offset.ts';

/**
 * The safety invariants of repl section 9 and those of txn section 11 that speak of logs and coordinators. Those that speak of
 * what clients were told are checkers as well or alone, which see the history and nothing else:
 *
 * - here: repl I-1 to I-17, I-19 to I-24, I-26, I-27 and I-29; I-28 is asked by who runs the cluster (liveness.ts);
 * - there too: I-5 and I-20 (hw-regression), I-8 (double-leader), I-14 (lost-write), I-16 (inconsistent-offsets, ghost-read),
 *   I-19 (end-regression), I-26 (duplicate, reorder), I-28 (stall, unseen);
 * - there alone: I-18 (false-ok; a value that nobody sent is not looked for: a run may have writers that nobody records)
 *   and I-25 (false-fail), because events of nodes tell no values;
 * - here: INV-1, INV-5, INV-6, INV-10, INV-12 to INV-16, INV-18, INV-20; INV-9 is repl I-26; INV-11 follows from repl I-6 and
 *   I-7 with INV-12 and INV-16, because each replica is held to its own log;
 * - here and there: INV-2 (offsets here, records in torn-txn), INV-3 (the broker's bound here, what consumers were given in
 *   aborted-read, precommitted-read and poll-skip);
 * - there: INV-4 (lost-write, lost-offset-commit, aborted-read), INV-7 (hanging-txn, stall), INV-8 (eos-violation), INV-17
 *   (poll-skip, inconsistent-offsets and precommitted-read compare all readers and the scans of either isolation);
 * - INV-19 is no promise, so nobody requires it: readers are judged once everything is quiet.
 */
export const INVARIANTS: readonly MakeInvariant[] = [
  ...[replicaBounds, isrHoldsHighWatermark, advanceIsRecorded, advanceNeedsMinIsr, leaderNeverRetreats],
  ...[logsMatch, committedLogsMatch, oneLeaderAnEpoch, statesAreOfTheLog, isrIsSound, isrIsActive],
  ...[electionIsClean, leaderKnowsIsr, epochCacheFits, metadataIsPrefix, recoveryKeepsCounted],
  ...[leadersAreComplete, answeredIsCommitted, readsAreStable, servedIsBelowBound, latestNeverFalls],
  ...[leadersBeginAboveWatermark, cutsAreAboveWatermark, brokerEpochsIncrease, countedFetchesAreOfTheEpoch],
  ...[sequencesAreContiguous, stableOffsetIsBound, undecidedPinsStableOffset, committedReadsAreDecided],
  ...[stableOffsetNeverFalls, abortedIndexFits, duplicatesAreThere],
  ...[epochsNeverFall, oneTransactionAtATime, zombiesAreRefused, identitiesNeverFall, recordsAreLegal],
  ...[oneCoordinatorAnEpoch, oneRecordAnOffset, producerIdsAreUnique, answeredIdentitiesAreInForce],
  ...[markersAreDecided, offsetsShareTheFate],
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
