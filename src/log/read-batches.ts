// Reads whole batches of a log, back to back (repl ). Where they stand is the index's.
import type { Offset } from '../base/units.ts';
import type { LogRead } from './api.ts';
import type { BatchIndex } from './batch-index.ts';

/** What a read asks for. */
export interface ReadBounds {
  readonly offset: Offset;
  /** Exclusive, and not above the log end. */
  readonly upTo: Offset;
  readonly maxBytes: number;
  /** Never less than one batch. */
  readonly atLeastOne: boolean;
}

const NO_RECORDS = Buffer.alloc(0);

/** Batches from the one that holds the offset; in a gap from the next one. */
export function readBatches(index: BatchIndex, bytesAt: (place: number) => Buffer, bounds: ReadBounds): LogRead {
  const { offset, maxBytes } = bounds;
  const from = index.find(offset);
  const bound = index.find(bounds.upTo);
  let to = from;
  if (bounds.atLeastOne && from < bound) to++;
  while (to < bound && index.sizeBetween(from, to + 1) <= maxBytes) to++;
  if (to === from) return { records: NO_RECORDS, nextOffset: offset };
  const batches: Buffer[] = [];
  for (let place = from; place < to; place++) batches.push(bytesAt(place));
  return {
    records: batches.length === 1 ? batches[0]! : Buffer.concat(batches, index.sizeBetween(from, to)),
    nextOffset: index.at(to - 1)!.lastOffset + 1,
  };
}
