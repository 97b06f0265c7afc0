// The requests about offsets, and what else the broker tells of them, by name. What each does is in a file of its own.
import type { OffsetHandlers, Shards } from '../contract.ts';
import { commitOffsets } from './commit-offsets.ts';
import { commitTxnOffsets } from './commit-txn-offsets.ts';
import { deleteOffsets, deleteOffsetsOfTopics } from './delete-offsets.ts';
import { expiryScan } from './expiry-scan.ts';
import { fetchOffsets } from './fetch-offsets.ts';
import { writeMarker } from './write-marker.ts';

/** Handlers over these shards. The expiry scan runs from `start` to `stop`. */
export function createOffsetHandlers(shards: Shards): OffsetHandlers {
  const scan = expiryScan(shards);
  return {
    start: () => scan.start(),
    stop: () => scan.stop(),
    topicsDeleted: (topics) => deleteOffsetsOfTopics(shards, topics),
    writeMarker: (partition, marker, done) => writeMarker(shards, partition, marker, done),
    offsetCommit: (request, answer) => commitOffsets(shards, request, answer),
    txnOffsetCommit: (request, answer) => commitTxnOffsets(shards, request, answer),
    offsetFetch: (request, answer) => fetchOffsets(shards, request, answer),
    offsetDelete: (request, answer) => deleteOffsets(shards, request, answer),
  };
}
