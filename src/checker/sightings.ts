// Where the values of idempotent producers were seen: in the final log of each replica, and by each reader. One witness
// at a time, because two witnesses may legally disagree about a log that an unclean election cut.
import type { Offset } from '../base/units.ts';
import type { ReplicaObservation } from '../history/operations.ts';
import type { Arranged, Sent, TrackedSend } from './arrange.ts';
import type { FinalLog } from './final-log.ts';
import { entryOf } from './keep.ts';
import { isPoll, type Reading } from './readings.ts';

/** What was sent to one partition, by value. */
type SentTo = ReadonlyMap<string, Sent>;

/** A value at an offset, as one witness saw it first. */
export interface Sighting {
  readonly offset: Offset;
  /** What put it there. */
  readonly send: TrackedSend;
  /** Index of the entry that shows it. */
  readonly index: number;
}

/** Somebody who saw records of one partition. */
export interface Witness {
  readonly name: string;
  readonly partition: string;
  /** A final log is what is; a reader may have read what was taken back later. */
  readonly kind: 'replica' | 'reader';
  /** Each value at each offset once, in the order in which they were seen. */
  readonly sightings: readonly Sighting[];
}

/** Everybody who saw something of a partition with numbered sends: replicas first, those that hold the same as one. */
export function witnessesOf(
  { tracked, sent, readings }: Pick<Arranged, 'tracked' | 'sent' | 'readings'>,
  finalLogs: readonly FinalLog[],
): Witness[] {
  const witnesses: Witness[] = [];
  const partitions = new Set(tracked.filter(({ numbered }) => numbered).map(({ partition }) => partition));
  for (const { partition, distinct } of finalLogs) {
    if (partitions.has(partition))
      witnesses.push(...distinct.map((replica) => replicaWitness(replica, sent.of(partition)!)));
  }
  for (const reading of readings) {
    if (partitions.has(reading.partition)) witnesses.push(readerWitness(reading, sent.of(reading.partition)!));
  }
  return witnesses;
}

/** The send of a value that a numbering producer sent, and that nobody sent a second time. */
function sendOf(sent: SentTo, value: string | undefined): TrackedSend | undefined {
  const sends = value === undefined ? undefined : sent.get(value);
  return sends?.times === 1 && sends.tracked?.numbered === true ? sends.tracked : undefined;
}

function replicaWitness({ node, partition, records, index }: ReplicaObservation, sent: SentTo): Witness {
  const sightings: Sighting[] = [];
  for (const { offset, value } of records) {
    const send = sendOf(sent, value);
    if (send !== undefined) sightings.push({ offset, send, index });
  }
  return { name: `replica ${node}`, partition, kind: 'replica', sightings };
}

function readerWitness({ reader, partition, steps }: Reading, sent: SentTo): Witness {
  const sightings: Sighting[] = [];
  let last = -1;
  // What was seen where, from when the reader first went back: before that it saw nothing twice.
  let seen: Map<Offset, TrackedSend[]> | undefined;
  for (const step of steps) {
    if (!isPoll(step)) continue;
    for (const { offset, value } of step.records) {
      const send = sendOf(sent, value);
      if (send === undefined) continue;
      if (offset <= last) seen ??= new Map(sightings.map((one) => [one.offset, [one.send]]));
      last = offset;
      const there = seen === undefined ? undefined : entryOf(seen, offset, () => []);
      if (there?.includes(send) === true) continue;
      there?.push(send);
      sightings.push({ offset, send, index: step.index });
    }
  }
  return { name: reader, partition, kind: 'reader', sightings };
}
