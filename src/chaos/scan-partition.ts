// Reads a partition from its beginning to its bound when everything is quiet, as a consumer of either isolation does: what
// readers can be given from now on, against which everything that was promised is judged (txn INV-3, INV-4).
import { formatPartition, type Offset, type TopicPartition } from '../base/units.ts';
import { AbortedFilter } from '../client/core/aborted-filter.ts';
import { FetchedRecords } from '../client/core/fetched-records.ts';
import type { CommittedScan, SeenRecord } from '../history/operations.ts';
import { recordText } from '../history/record-text.ts';
import type { FetchedPartition } from '../protocol/generated/index.ts';
import type { ClusterState } from './cluster-state.ts';
import type { AskBroker } from './observe.ts';

type Isolation = CommittedScan['isolation'];
type Scanned = (scan: Omit<CommittedScan, 'index' | 'time'> | undefined) => void;

/** Where the questions go. */
export interface ScanParts {
  readonly state: ClusterState;
  readonly ask: AskBroker;
}

const FETCH_BYTES = 4_194_304;

/** Reads all of it from its leader; undefined if that does not answer, or what it answers cannot be read. */
export function scanPartition(of: TopicPartition, isolation: Isolation, parts: ScanParts, done: Scanned): void {
  const leader = parts.state.partition(of)?.leader ?? -1;
  const records: SeenRecord[] = [];
  const readFrom = (from: Offset): void => {
    parts.ask(leader, 'ConsumerFetch', requestFor(of, isolation, from), (response) => {
      const answer = response?.error === 'NONE' ? response.partitions[0] : undefined;
      const next = answer?.error === 'NONE' ? take(of, answer, { from, isolation, into: records }) : undefined;
      if (answer === undefined || next === undefined) return done(undefined);
      const bound = isolation === 'read_committed' ? answer.lastStableOffset : answer.highWatermark;
      if (next < bound && next > from) return readFrom(next);
      const partition = formatPartition(of.topic, of.partition);
      done({ f: 'scan', type: 'info', process: 'observer', partition, isolation, to: next, records });
    });
  };
  readFrom(0);
}

function requestFor({ topic, partition }: TopicPartition, isolation: Isolation, fetchOffset: Offset) {
  const place = { topicId: '', topic, partition, currentLeaderEpoch: -1, fetchOffset };
  return {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0 },
    ...{ maxWaitMs: 0, minBytes: 0, maxBytes: FETCH_BYTES, full: true, forgotten: [], rackId: '', leaderOnly: true },
    isolationLevel: isolation === 'read_committed' ? 1 : 0,
    partitions: [{ ...place, lastFetchedEpoch: -1, logStartOffset: -1, partitionMaxBytes: FETCH_BYTES }],
  };
}

/** Takes what an answer holds; the offset to go on from, or undefined if it cannot be read. */
function take(
  of: TopicPartition,
  { records, abortedTransactions }: FetchedPartition,
  to: { readonly from: Offset; readonly isolation: Isolation; readonly into: SeenRecord[] },
): Offset | undefined {
  const filter = to.isolation === 'read_committed' ? new AbortedFilter(abortedTransactions) : undefined;
  const fetched = new FetchedRecords(of, records, { offset: to.from, offsetEpoch: -1 }, { filter });
  for (const { offset, key, value } of fetched.take(Number.MAX_SAFE_INTEGER)) {
    to.into.push({ offset, value: recordText(key, value) });
  }
  return fetched.failure === undefined ? fetched.nextOffset : undefined;
}
