// Markers for partitions of __consumer_offsets (txn T-71, T-85, wire G-46): in one step the marker is appended and its
// outcome counts; it is answered when the high watermark covers it, so that no reader takes older offsets for decided.
import type { Marker } from '../../../log/control-batch.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { GroupShard, Shards } from '../contract.ts';

/** A marker as the transaction coordinator sent it. */
export type SentMarker = Marker & { readonly transactionVersion: number };

/** Writes a marker; `done` comes once, with the error as the transaction coordinator is to hear it. */
export function writeMarker(
  shards: Shards,
  partition: number,
  marker: SentMarker,
  done: (error: ErrorName) => void,
): void {
  const { faults } = shards.host.runtime;
  const finish = (error: ErrorName): void => done(markerError(error));
  const step = (shard: GroupShard): void => {
    const { coordinatorEpoch: leaderEpoch } = shard;
    const { type, producerId, producerEpoch, coordinatorEpoch } = marker;
    const fields = { topic: '__consumer_offsets', partition, leaderEpoch, producerId, producerEpoch, coordinatorEpoch };
    const groups = type === 'commit' ? shard.offsets.groupsOf(producerId) : [];
    shard.appendMarker(marker, {
      appended: ({ lastOffset: offset }, proceed) =>
        faults.reach('txn.marker.appended', { ...fields, outcome: type, offset }, proceed),
      committed: () => {
        for (const group of groups) {
          faults.observe('group.offsets.visible', { group, partition, coordinatorEpoch: leaderEpoch, producerId });
        }
        finish('NONE');
      },
      failed: finish,
    });
  };
  shards.enterPartition(partition, step, finish);
}

/** What makes the transaction coordinator look for the leader again is one error; all else passes (wire G-46). */
function markerError(error: ErrorName): ErrorName {
  switch (error) {
    case 'COORDINATOR_LOAD_IN_PROGRESS':
    case 'COORDINATOR_NOT_AVAILABLE':
    case 'NOT_COORDINATOR':
      return 'NOT_LEADER_OR_FOLLOWER';
    default:
      return error;
  }
}
