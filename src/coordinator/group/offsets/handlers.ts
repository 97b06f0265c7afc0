// Holds the place of the requests about offsets: each is answered COORDINATOR_NOT_AVAILABLE. Markers are written (wire G-46).
// The handlers proper replace this file.
import type { ErrorName } from '../../../protocol/errors.ts';
import type { OffsetHandlers, Shards } from '../contract.ts';

const UNAVAILABLE = 'COORDINATOR_NOT_AVAILABLE';

/** What every coordinator error is to the sender of a marker, so that it looks up the leader again (wire G-46). */
function markerError(error: ErrorName): ErrorName {
  const coordinators: readonly ErrorName[] = [
    'COORDINATOR_LOAD_IN_PROGRESS',
    'COORDINATOR_NOT_AVAILABLE',
    'NOT_COORDINATOR',
  ];
  return coordinators.includes(error) ? 'NOT_LEADER_OR_FOLLOWER' : error;
}

export function createOffsetHandlers(shards: Shards): OffsetHandlers {
  return {
    start: () => undefined,
    stop: () => undefined,
    topicsDeleted: () => undefined,
    writeMarker: (partition, marker, done) => {
      const fail = (error: ErrorName): void => done(markerError(error));
      shards.enterPartition(
        partition,
        (shard) => shard.appendMarker(marker, { committed: () => done('NONE'), failed: fail }),
        fail,
      );
    },
    offsetCommit: ({ offsets }, answer) => answer({ partitions: offsets.map(refused) }),
    txnOffsetCommit: ({ offsets }, answer) => answer({ partitions: offsets.map(refused) }),
    offsetFetch: (_request, answer) => answer({ error: UNAVAILABLE, partitions: [] }),
    offsetDelete: (_request, answer) => answer({ error: UNAVAILABLE, partitions: [] }),
  };
}

function refused({ topic, partition }: { readonly topic: string; readonly partition: number }): {
  topic: string;
  partition: number;
  error: ErrorName;
} {
  return { topic, partition, error: UNAVAILABLE };
}
