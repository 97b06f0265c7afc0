// End regressions: a client asked a leader where a partition ends, and was told less than before (repl I-19, BUG-32). A new
// leader that does not know yet what was committed says so instead (OFFSET_NOT_AVAILABLE, repl R-37).
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { EndOffset } from './arrange.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each client and partition, with the highest answer before. Compared are answers of one client, the later
 * question asked after the earlier answer: the order between two clients passes two pipes, and proves nothing. A deposed
 * leader may answer stale (repl R-103): an answer of an older leader epoch than was seen is left out, and so is one that
 * tells no epoch. An unclean election or a declared loss excuses.
 */
export const endRegressions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const highest = new Map<string, EndOffset>();
  const newest = new Map<string, number>();
  const reported = new Set<string>();
  for (const end of view.endOffsets) {
    const key = `${end.process} ${end.partition}`;
    if (end.leaderEpoch < (newest.get(key) ?? 0)) continue;
    const before = highest.get(key);
    if (before !== undefined && before.index < end.invoked && end.offset < before.offset && !reported.has(key)) {
      reported.add(key);
      judge(view, before, end, findings);
    }
    newest.set(key, end.leaderEpoch);
    if (before === undefined || end.offset >= before.offset) highest.set(key, end);
  }
  return findings;
};

function judge(view: HistoryView, before: EndOffset, after: EndOffset, findings: FindingsBuilder): void {
  const { process, partition, offset, leaderEpoch } = after;
  const says =
    `${process} was told that ${partition} ends at ${before.offset} (leader epoch ${before.leaderEpoch}), ` +
    `and then at ${offset} (leader epoch ${leaderEpoch})`;
  const details = { process, offset, before: before.offset, leaderEpoch };
  const found = { anomaly: 'end-regression', partition, details, ops: [before.index, after.index], says } as const;
  findings.add(found, view.budget(partition));
}
