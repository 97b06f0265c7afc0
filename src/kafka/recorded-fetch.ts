// What a reader is given in a Fetch response, as a client that does right takes it: from where it asked, without markers, and
// for read_committed without what was aborted (txn T-143).
import { AbortedFilter } from '../client/core/aborted-filter.ts';
import { isControl } from '../log/attributes.ts';
import { decodeMarker } from '../log/control-batch.ts';
import { batchHeaders } from '../protocol/batch-header.ts';
import type { WireFetched } from '../trace/wire.ts';
import type { FetchedPartition } from './apis/fetch.ts';
import { errorName } from './error-names.ts';
import type { Naming } from './recorded-apis.ts';

/** @param at Where the reader asked to go on, and how records are called. */
export function fetchedPartition(
  partition: string,
  fetched: FetchedPartition,
  { from, naming }: { readonly from: number; readonly naming: Naming },
): WireFetched {
  const { records, abortedTransactions, errorCode, divergingEpoch } = fetched;
  const filter = new AbortedFilter(abortedTransactions ?? []);
  const given: { offset: number; value: string }[] = [];
  let to = from;
  // A diverging reader is told so and given nothing (wire W-76).
  for (const header of divergingEpoch === null ? batchHeaders(records) : []) {
    const marker = isControl(header.attributes) ? decodeMarker(records, header.at) : undefined;
    const leftOut = filter.leavesOut(header, marker?.type === 'abort');
    if (header.lastOffset < from) continue;
    to = header.lastOffset + 1;
    if (leftOut || isControl(header.attributes)) continue;
    for (const { delta, name } of naming.valuesOf(records, header)) {
      const offset = header.baseOffset + delta;
      if (offset >= from) given.push({ offset, value: name });
    }
  }
  // What a follower says may fall within a leader epoch (repl R-48), and is no promise of one.
  const isLeaders = errorCode === 0 && divergingEpoch === null && !fetched.fromFollower;
  const told = isLeaders ? { highWatermark: fetched.highWatermark } : {};
  return { partition, error: errorName(errorCode), to, ...told, records: given };
}
