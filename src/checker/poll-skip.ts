// Poll skips: a reader moved past a record that it was never given. Legal is only what it was told: a seek, a reset, a
// start somewhere.
import type { Offset } from '../base/units.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { FinalLog } from './final-log.ts';
import { keep } from './keep.ts';
import { isVisible, type Outcomes } from './outcomes.ts';
import { PassMap, passesOf, type Pass } from './passes.ts';
import { isCommittedOnly, isPoll, type Reading } from './readings.ts';
import { placeOf } from './search.ts';
import type { HistoryView } from './view.ts';
import { mayBeCompacted } from './without-compacted.ts';

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
  const owed = isCommittedOnly(reading) ? view.outcomes(reading.partition) : undefined;
  const missed = missedRecords(view, { final, owed }, passes, reading);
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

/** What a reader is to be given: all of a final log, or of that what its markers committed. */
interface Owed {
  readonly final: FinalLog;
  readonly owed: Outcomes | undefined;
}

/**
 * Records at passed offsets of which the reader was given none of the values that replicas hold there. In offset order.
 * Walks what was passed, not the log: most readers of a long log passed little of it.
 */
function missedRecords(view: HistoryView, { final, owed }: Owed, passes: readonly Pass[], reading: Reading): Missed[] {
  const missed: Missed[] = [];
  const given = keep(() => valuesGiven(reading));
  const records = final.replicas[0]?.records ?? [];
  for (const pass of new PassMap(passes).all) {
    let next = 0;
    for (let at = placeOf(records, pass.from); at < records.length; at++) {
      const { offset, value } = records[at]!;
      if (offset >= pass.to) break;
      // Nearly always the poll that passed a record was given it.
      while (next < pass.records.length && pass.records[next]!.offset < offset) next += 1;
      if (value === undefined || pass.records[next]?.value === value) continue;
      const place = owed?.at(offset);
      if ((place !== undefined && !isVisible(place)) || given().has(value)) continue;
      if (mayBeCompacted(view, reading.partition, records[at]!)) continue;
      const there = [...final.at(offset).values()];
      if (there.every((record) => record.value !== undefined && !given().has(record.value)))
        missed.push({ offset, value, pass });
    }
  }
  return missed;
}

function valuesGiven({ steps }: Reading): Set<string> {
  const given = new Set<string>();
  for (const step of steps) if (isPoll(step)) for (const { value } of step.records) given.add(value);
  return given;
}
