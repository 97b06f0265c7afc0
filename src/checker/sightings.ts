// Where the values of idempotent producers were seen: in the final log of each replica, and by each reader. One witness
// at a time, because two witnesses may legally disagree about a log that an unclean election cut.
import type { Offset } from '../base/units.ts';
import type { HistoryView } from './view.ts';

/** A value at an offset, as one witness saw it first. */
export interface Sighting {
  readonly value: string;
  readonly offset: Offset;
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

/** Everybody who saw something of a partition with numbered sends: replicas first. */
export function witnessesOf(view: HistoryView): Witness[] {
  const wanted = new Set(view.numbered.map(({ partition, value }) => `${partition} ${value}`));
  if (wanted.size === 0) return [];
  const isWanted = (partition: string) => (record: { readonly value?: string }) =>
    wanted.has(`${partition} ${record.value}`);
  const replicas = view.finalLogs.flatMap(({ partition, replicas: held }) =>
    held.map((replica): Witness => {
      const sightings = replica.records
        .filter(isWanted(partition))
        .map(({ offset, value }) => ({ offset, value: value!, index: replica.index }));
      return { name: `replica ${replica.node}`, partition, kind: 'replica', sightings };
    }),
  );
  const readers = view.readings.map(({ reader, partition, steps }): Witness => {
    const seen = new Set<string>();
    const sightings = steps.flatMap((step) =>
      'records' in step
        ? step.records.filter(isWanted(partition)).flatMap(({ offset, value }) => {
            if (seen.has(`${offset} ${value}`)) return [];
            seen.add(`${offset} ${value}`);
            return [{ offset, value, index: step.index }];
          })
        : [],
    );
    return { name: reader, partition, kind: 'reader', sightings };
  });
  return [...replicas, ...readers];
}
