// The coordinators of a broker, attached to it: which one answers what, and which hears of which topic.
import { createGroupCoordinator } from '../coordinator/group/coordinator.ts';
import { createTransactionCoordinator } from '../coordinator/txn/coordinator.ts';
import type { Broker } from '../node/broker.ts';
import type { CoordinatorRequests } from '../node/coordinators.ts';
import { TRANSACTION_TOPIC } from '../node/internal-topics.ts';

/** Makes both coordinators of a broker and attaches them. Before it starts. */
export function attachCoordinators(broker: Broker): void {
  const { host } = broker.coordination;
  const transactions = createTransactionCoordinator(host);
  const groups = createGroupCoordinator(host);
  const of = (topic: string) => (topic === TRANSACTION_TOPIC ? transactions : groups);
  const requests: CoordinatorRequests = {
    InitProducerId: (request, answer) => transactions.initProducerId(request, answer),
    AddPartitionsToTxn: (request, answer) => transactions.addPartitionsToTxn(request, answer),
    VerifyTransactions: (request, answer) => transactions.verifyTransactions(request, answer),
    AddOffsetsToTxn: (request, answer) => transactions.addOffsetsToTxn(request, answer),
    EndTxn: (request, answer) => transactions.endTxn(request, answer),
    ListTransactions: (request, answer) => transactions.listTransactions(request, answer),
    DescribeTransactions: (request, answer) => transactions.describeTransactions(request, answer),
    JoinGroup: (request, answer) => groups.joinGroup(request, answer),
    SyncGroup: (request, answer) => groups.syncGroup(request, answer),
    Heartbeat: (request, answer) => groups.heartbeat(request, answer),
    LeaveGroup: (request, answer) => groups.leaveGroup(request, answer),
    OffsetCommit: (request, answer) => groups.offsetCommit(request, answer),
    TxnOffsetCommit: (request, answer) => groups.txnOffsetCommit(request, answer),
    OffsetFetch: (request, answer) => groups.offsetFetch(request, answer),
    OffsetDelete: (request, answer) => groups.offsetDelete(request, answer),
    DeleteGroups: (request, answer) => groups.deleteGroups(request, answer),
    DescribeGroups: (request, answer) => groups.describeGroups(request, answer),
    ListGroups: (request, answer) => groups.listGroups(request, answer),
  };
  broker.coordination.attach({
    requests,
    start: () => {
      transactions.start();
      groups.start();
    },
    stop: () => {
      transactions.stop();
      groups.stop();
    },
    elected: (topic, partition, leaderEpoch) => of(topic).elected(partition, leaderEpoch),
    resigned: (topic, partition, leaderEpoch) => of(topic).resigned(partition, leaderEpoch),
    metadataChanged: () => transactions.metadataChanged(),
    topicsDeleted: (topics) => groups.topicsDeleted(topics),
    writeOffsetsMarker: (partition, marker, done) => groups.writeMarker(partition, marker, done),
  });
}
