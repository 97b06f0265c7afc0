// The table of APIs that the wire listener serves (wire section 3). All brokers advertise the same one (wire W-18).
import { addOffsetsToTxn } from './apis/add-offsets-to-txn.ts';
import { addPartitionsToTxn } from './apis/add-partitions-to-txn.ts';
import { alterConfigs } from './apis/admin/alter-configs.ts';
import { alterPartitionReassignments } from './apis/admin/alter-partition-reassignments.ts';
import { createPartitions } from './apis/admin/create-partitions.ts';
import { createTopics } from './apis/admin/create-topics.ts';
import { deleteRecords } from './apis/admin/delete-records.ts';
import { deleteTopics } from './apis/admin/delete-topics.ts';
import { describeCluster } from './apis/admin/describe-cluster.ts';
import { describeConfigs } from './apis/admin/describe-configs.ts';
import { describeLogDirs } from './apis/admin/describe-log-dirs.ts';
import { electLeaders } from './apis/admin/elect-leaders.ts';
import { incrementalAlterConfigs } from './apis/admin/incremental-alter-configs.ts';
import { listPartitionReassignments } from './apis/admin/list-partition-reassignments.ts';
import { apiVersions } from './apis/api-versions.ts';
import { served, type ServedApi } from './apis/api.ts';
import { describeProducers } from './apis/describe-producers.ts';
import { describeTransactions } from './apis/describe-transactions.ts';
import { endTxn } from './apis/end-txn.ts';
import { fetch } from './apis/fetch.ts';
import { findCoordinator } from './apis/find-coordinator.ts';
import { deleteGroups } from './apis/group/delete-groups.ts';
import { describeGroups } from './apis/group/describe-groups.ts';
import { heartbeat } from './apis/group/heartbeat.ts';
import { joinGroup } from './apis/group/join-group.ts';
import { leaveGroup } from './apis/group/leave-group.ts';
import { listGroups } from './apis/group/list-groups.ts';
import { offsetCommit } from './apis/group/offset-commit.ts';
import { offsetDelete } from './apis/group/offset-delete.ts';
import { offsetFetch } from './apis/group/offset-fetch.ts';
import { syncGroup } from './apis/group/sync-group.ts';
import { initProducerId } from './apis/init-producer-id.ts';
import { listOffsets } from './apis/list-offsets.ts';
import { listTransactions } from './apis/list-transactions.ts';
import { metadata } from './apis/metadata.ts';
import { offsetForLeaderEpoch } from './apis/offset-for-leader-epoch.ts';
import { produce } from './apis/produce.ts';
import { txnOffsetCommit } from './apis/txn-offset-commit.ts';
import { writeTxnMarkers } from './apis/write-txn-markers.ts';

/** In the order of keys, as ApiVersions lists them. */
export const WIRE_APIS: readonly ServedApi[] = [
  served(produce),
  served(fetch),
  served(listOffsets),
  served(metadata),
  served(offsetCommit),
  served(offsetFetch),
  served(findCoordinator),
  served(joinGroup),
  served(heartbeat),
  served(leaveGroup),
  served(syncGroup),
  served(describeGroups),
  served(listGroups),
  served(apiVersions),
  served(createTopics),
  served(deleteTopics),
  served(deleteRecords),
  served(initProducerId),
  served(offsetForLeaderEpoch),
  served(addPartitionsToTxn),
  served(addOffsetsToTxn),
  served(endTxn),
  served(writeTxnMarkers),
  served(txnOffsetCommit),
  served(describeConfigs),
  served(alterConfigs),
  served(describeLogDirs),
  served(createPartitions),
  served(deleteGroups),
  served(electLeaders),
  served(incrementalAlterConfigs),
  served(alterPartitionReassignments),
  served(listPartitionReassignments),
  served(offsetDelete),
  served(describeCluster),
  served(describeProducers),
  served(describeTransactions),
  served(listTransactions),
];

const byKey: ReadonlyMap<number, ServedApi> = new Map(WIRE_APIS.map((api) => [api.key, api]));

/** The API of a key; undefined for every other, internal ones included (wire W-32, W-63). */
export function wireApi(key: number): ServedApi | undefined {
  return byKey.get(key);
}
