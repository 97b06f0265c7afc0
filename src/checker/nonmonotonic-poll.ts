// Nonmonotonic polls: a reader went back behind what it had read, though nothing told it to. Reading on with an older
// position after a restart, a seek or a detected truncation is legal, and is in the history as such.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { isPoll, type Poll } from './readings.ts';

/** One finding for each step back, with the two polls. */
export const nonmonotonicPolls: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const { reader, partition, steps } of view.readings) {
    let before: Poll | undefined;
    for (const step of steps) {
      if (!isPoll(step)) {
        before = undefined;
        continue;
      }
      if (before !== undefined && step.from < before.to) {
        const details = { reader, offset: step.from, position: before.to };
        const says = `${reader} went back from ${before.to} to ${step.from} on ${partition} without being told to`;
        const ops = [before.index, step.index];
        findings.anomalies.push({ anomaly: 'nonmonotonic-poll', partition, details, ops, says });
      }
      before = step;
    }
  }
  return findings;
};
