// High watermark regressions: what was committed once is not any more (repl I-5, I-20; BUG-01). Leaders tell their high
// watermark with every read; a reader wrote it down with the leader epoch that its fetch was fenced with.
import { FindingsBuilder, type Anomaly, type Checker, type Findings } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import type { Poll } from './readings.ts';
import { firstFrom } from './search.ts';
import type { HistoryView } from './view.ts';

/** A poll with a high watermark. */
interface Told {
  readonly poll: Poll;
  readonly highWatermark: number;
  readonly leaderEpoch: number;
}

/**
 * Two things show it. Within one leader epoch a reader is told less than before: nothing excuses that. And a later epoch
 * begins below what was told: in the end a record of a later epoch stands below it, or a log ends there; an unclean
 * election or a declared loss excuses. That the first answers of a new leader are lower is legal (repl ), and so
 * is all that followers answer (repl R-48): neither their readers nor recordings of the wire write it down. What was told when
 * the replicas had been looked at is not compared with them: markers may have followed. One finding for each partition and kind.
 */
export const hwRegressions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const highest = new Map<string, Told>();
  const observed = new Map<string, Told>();
  const observedFrom = view.quiesce?.observedFrom ?? Infinity;
  const fallen = new Set<string>();
  for (const told of toldBy(view)) {
    const { reader, partition, index } = told.poll;
    const key = `${reader} ${told.leaderEpoch} ${partition}`;
    const before = highest.get(key);
    if (before === undefined || told.highWatermark >= before.highWatermark) {
      highest.set(key, told);
      if (index < observedFrom) observed.set(key, told);
    } else if (!fallen.has(partition)) {
      fallen.add(partition);
      findings.add(withinEpoch(before, told));
    }
  }
  judgeEnds(view, [...observed.values()], findings);
  return findings;
};

function* toldBy({ polls }: HistoryView): Generator<Told> {
  for (const poll of polls) {
    const { highWatermark, leaderEpoch } = poll;
    if (highWatermark !== undefined && leaderEpoch !== undefined) yield { poll, highWatermark, leaderEpoch };
  }
}

function withinEpoch(before: Told, after: Told): Anomaly {
  const { reader, partition } = after.poll;
  const { highWatermark, leaderEpoch } = after;
  const says =
    `${reader} was told the high watermark ${before.highWatermark} of ${partition}, and then ${highWatermark}, ` +
    `both in leader epoch ${leaderEpoch}`;
  const details = { reader, highWatermark, before: before.highWatermark, leaderEpoch };
  const ops = [before.poll.index, after.poll.index];
  return { anomaly: 'hw-regression', partition, details, ops, says };
}

/** Compares the highest of each epoch with where later epochs begin in the end. */
function judgeEnds(view: HistoryView, all: readonly Told[], findings: FindingsBuilder): void {
  const reported = new Set<string>();
  for (const { poll, highWatermark, leaderEpoch } of all) {
    const { partition, reader } = poll;
    const final = view.finalLog(partition);
    if (!final.complete || reported.has(partition)) continue;
    const cut = cutBelow(final, highWatermark, leaderEpoch);
    if (cut === undefined) continue;
    reported.add(partition);
    const says =
      `${reader} was told the high watermark ${highWatermark} of ${partition} in leader epoch ${leaderEpoch}; ` +
      (cut.epoch === undefined ? `its log ends at ${cut.offset}` : `epoch ${cut.epoch} begins at ${cut.offset}`);
    const details = { reader, highWatermark, offset: cut.offset, leaderEpoch, laterEpoch: cut.epoch };
    const found = { anomaly: 'hw-regression', partition, details, ops: [poll.index, cut.index], says } as const;
    findings.add(found, view.budget(partition));
  }
}

interface Cut {
  readonly offset: number;
  /** The later epoch that begins there; undefined: nothing stands there. */
  readonly epoch: number | undefined;
  readonly index: number;
}

/** Where what was committed in an epoch was cut, if it was. Epochs never fall along a log (repl R-5). */
function cutBelow({ replicas }: FinalLog, highWatermark: number, leaderEpoch: number): Cut | undefined {
  for (const { records, logEndOffset, index } of replicas) {
    const at = firstOfLater(records, leaderEpoch);
    const later = records[at];
    if (later !== undefined && later.offset < highWatermark)
      return { offset: later.offset, epoch: later.leaderEpoch, index };
    if (logEndOffset < highWatermark) return { offset: logEndOffset, epoch: undefined, index };
  }
  return undefined;
}

function firstOfLater(records: readonly { readonly leaderEpoch: number }[], leaderEpoch: number): number {
  return firstFrom(records, leaderEpoch + 1, (record) => record.leaderEpoch);
}
