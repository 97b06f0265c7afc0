// Poll skips: a reader moved past a record that it was never given. Legal is only what it was told: a seek, a reset, a
// start somewhere.
import type { Offset } from '../base/units.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import { PassMap, passesOf, type Pass } from './passes.ts';
import { isVisible } from './outcomes.ts';
import { isCommittedOnly, isPoll, type Reading } from './readings.ts';
import type { HistoryView } from './view.ts';

/**
 * A reader passes the offsets from a poll's start to its end, and from there to the next poll's start if nothing told it
 * to move. Every record that stands at a passed offset in the final log must have been given to it, at any time. Offsets
 * where no record stands (control batches, gaps) miss nothing; a reader that is behind has passed nothing; and a
 * read_committed reader misses only what is committed (txn INV-3: nor may there be holes). Needs the final logs; without
 * them an unexplained jump is inconclusive. One finding for each reader and partition.
 */
export const pollSkips: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const reading of view.readings) {
    const { reader, partition } = reading;
    const passes = passesOf(reading);
    const final = view.finalLog(partition);
    if (final.complete) judge(view, reading, passes, final, findings);
    else if (passes.some(({ jumped }) => jumped)) {
      findings.inconclusive.push(
        `poll-skip: ${reader} jumped forward on ${partition}, and not all its replicas were observed in agreement`,
      );
    }
  }
  return findings;
};

function judge(
  view: HistoryView,
  reading: Reading,
  passes: readonly Pass[],
  final: FinalLog,
  findings: FindingsBuilder,
): void {
  const given = new Set<string>();
  for (const step of reading.steps) if (isPoll(step)) for (const { value } of step.records) given.add(value);
  const owed = isCommittedOnly(reading) ? view.outcomes(reading.partition) : undefined;
  const missed = missedRecords(final, passes, given).filter(({ offset }) => {
    const place = owed?.at(offset);
    return place === undefined || isVisible(place);
  });
  if (missed.length === 0) return;
  const { reader, partition } = reading;
  const details = { reader, missed: missed.map(({ value }) => value), offset: missed[0]!.offset };
  const ops = [...new Set(missed.map(({ pass }) => pass.index))].sort((a, b) => a - b);
  const excuse = view.budget(partition)[0];
  if (excuse !== undefined) {
    const because = `the run declared ${excuse.what}, after which a reader may stand beyond the log's new end`;
    findings.allowed.push({ anomaly: 'poll-skip', partition, details, ops: [...ops, excuse.index], because });
    return;
  }
  const values = missed.slice(0, 3).map(({ value, offset }) => `"${value}" at ${offset}`);
  const more = missed.length > values.length ? ` and ${missed.length - values.length} more` : '';
  const says = `${reader} moved past ${values.join(', ')}${more} on ${partition} without being given them`;
  findings.anomalies.push({ anomaly: 'poll-skip', partition, details, ops, says });
}

interface Missed {
  readonly offset: Offset;
  readonly value: string;
  readonly pass: Pass;
}

/** Records at passed offsets of which the reader was given none of the values that replicas hold there. In offset order. */
function missedRecords(final: FinalLog, passes: readonly Pass[], given: ReadonlySet<string>): Missed[] {
  const passed = new PassMap(passes);
  const missed: Missed[] = [];
  for (const { offset, value } of final.replicas[0]?.records ?? []) {
    if (value === undefined || given.has(value)) continue;
    const pass = passed.at(offset);
    if (pass === undefined) continue;
    const there = [...final.at(offset).values()];
    if (there.every((record) => record.value !== undefined && !given.has(record.value)))
      missed.push({ offset, value, pass });
  }
  return missed;
}
