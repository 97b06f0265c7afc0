// All checkers by name, and a history checked by them. The only entrance of this room.
import type { HistoryEntry } from '../history/operations.ts';
import { abortedReads } from './aborted-read.ts';
import { doubleLeaders } from './double-leader.ts';
import { doubleOwners } from './double-owner.ts';
import { duplicates } from './duplicate.ts';
import { endRegressions } from './end-regression.ts';
import { eosViolations } from './eos-violation.ts';
import { falseFails } from './false-fail.ts';
import { falseOks } from './false-ok.ts';
import { FindingsBuilder, type AnomalyName, type Checker, type Findings } from './findings.ts';
import { ghostReads } from './ghost-read.ts';
import { hangingTransactions } from './hanging-txn.ts';
import { hwRegressions } from './hw-regression.ts';
import { inconsistentOffsets } from './inconsistent-offsets.ts';
import { logDivergence } from './log-divergence.ts';
import { lostOffsetCommits } from './lost-offset-commit.ts';
import { lostWrites } from './lost-write.ts';
import { nonmonotonicPolls } from './nonmonotonic-poll.ts';
import { offsetRegressions } from './offset-regression.ts';
import { pollSkips } from './poll-skip.ts';
import { precommittedReads } from './precommitted-read.ts';
import { reorderings } from './reorder.ts';
import { selfFences } from './self-fence.ts';
import { stalls } from './stall.ts';
import { tornTransactions } from './torn-txn.ts';
import { unseen } from './unseen.ts';
import { viewHistory } from './view.ts';

/** A checker for each anomaly. Reordering is looked for where the producer is idempotent: else it is legal. */
export const CHECKERS: Readonly<Record<AnomalyName, Checker>> = {
  'lost-write': lostWrites,
  unseen,
  'ghost-read': ghostReads,
  'inconsistent-offsets': inconsistentOffsets,
  'poll-skip': pollSkips,
  'nonmonotonic-poll': nonmonotonicPolls,
  'log-divergence': logDivergence,
  'hw-regression': hwRegressions,
  'end-regression': endRegressions,
  duplicate: duplicates,
  reorder: reorderings,
  'aborted-read': abortedReads,
  'precommitted-read': precommittedReads,
  'torn-txn': tornTransactions,
  'hanging-txn': hangingTransactions,
  'lost-offset-commit': lostOffsetCommits,
  'offset-regression': offsetRegressions,
  'eos-violation': eosViolations,
  'double-owner': doubleOwners,
  'double-leader': doubleLeaders,
  'self-fence': selfFences,
  'false-fail': falseFails,
  'false-ok': falseOks,
  stall: stalls,
};

/** What the named checkers (all, if none is named) find in a history. */
export function checkHistory(
  entries: readonly HistoryEntry[],
  names: readonly AnomalyName[] = Object.keys(CHECKERS) as AnomalyName[],
): Findings {
  const view = viewHistory(entries);
  const all = new FindingsBuilder();
  for (const name of names) {
    const found = CHECKERS[name](view);
    // One by one: a run that lost everything has more of them than a call takes arguments.
    for (const anomaly of found.anomalies) all.anomalies.push(anomaly);
    for (const allowed of found.allowed) all.allowed.push(allowed);
    for (const sentence of found.inconclusive) all.inconclusive.push(sentence);
  }
  return all;
}
