// Nonmonotonic polls: a reader went back behind what it had read, though nothing told it to. Reading on with an older
// position after a restart, a seek or a detected truncation is legal, and is in the history as such. A reset is only if what
// was read is gone: an offset that is still there was never out of range (BUG-34, BUG-80).
import type { PositionOp } from '../history/operations.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isPoll, type Poll } from './readings.ts';
import type { HistoryView } from './view.ts';

/** One finding for each step back, with the two entries that show it. */
export const nonmonotonicPolls: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const { reader, partition, steps } of view.readings) {
    let before: Poll | undefined;
    for (const step of steps) {
      const back = before !== undefined && isBack(view, before, step);
      if (before !== undefined && back) {
        const to = isPoll(step) ? step.from : step.to;
        const details = { reader, offset: to, position: before.to };
        const why = isPoll(step) ? 'without being told to' : 'by a reset, though what it had read is still there';
        const says = `${reader} went back from ${before.to} to ${to} on ${partition} ${why}`;
        const ops = [before.index, step.index];
        findings.anomalies.push({ anomaly: 'nonmonotonic-poll', partition, details, ops, says });
      }
      before = isPoll(step) ? step : undefined;
    }
  }
  return findings;
};

function isBack(view: HistoryView, before: Poll, step: Poll | PositionOp): boolean {
  if (isPoll(step)) return step.from < before.to;
  return step.why === 'reset' && step.to < before.to && isStillThere(view, before);
}

/** Whether every replica still holds the record that was read last, where it was, and nothing was declared to be lost. */
function isStillThere(view: HistoryView, { partition, records }: Poll): boolean {
  const last = records.at(-1);
  const final = view.finalLog(partition);
  if (last === undefined || !final.complete || view.budget(partition).length > 0) return false;
  const there = [...final.at(last.offset).values()];
  return there.length > 0 && there.every(({ value }) => value !== undefined && value === last.value);
}
