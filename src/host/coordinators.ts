// The coordinators of a broker, attached to it: which one answers what, and which hears of which topic.
import { createTransactionCoordinator } from '../coordinator/txn/coordinator.ts';
import type { Broker } from '../node/broker.ts';
import type { CoordinatorRequests } from '../node/coordinators.ts';
import { TRANSACTION_TOPIC } from '../node/internal-topics.ts';

/** Makes both coordinators of a broker and attaches them. Before it starts. */
export function attachCoordinators(broker: Broker): void {
  const { host } = broker.coordination;
  const transactions = createTransactionCoordinator(host);
  const requests: CoordinatorRequests = {
    InitProducerId: (request, answer) => transactions.initProducerId(request, answer),
    AddPartitionsToTxn: (request, answer) => transactions.addPartitionsToTxn(request, answer),
    VerifyTransactions: (request, answer) => transactions.verifyTransactions(request, answer),
    AddOffsetsToTxn: (request, answer) => transactions.addOffsetsToTxn(request, answer),
    EndTxn: (request, answer) => transactions.endTxn(request, answer),
    ListTransactions: (request, answer) => transactions.listTransactions(request, answer),
    DescribeTransactions: (request, answer) => transactions.describeTransactions(request, answer),
  };
  broker.coordination.attach({
    requests,
    start: () => {
      transactions.start();
    },
    stop: () => {
      transactions.stop();
    },
    elected: (topic, partition, leaderEpoch) => {
      if (topic === TRANSACTION_TOPIC) transactions.elected(partition, leaderEpoch);
    },
    resigned: (topic, partition, leaderEpoch) => {
      if (topic === TRANSACTION_TOPIC) transactions.resigned(partition, leaderEpoch);
    },
    metadataChanged: () => transactions.metadataChanged(),
    topicsDeleted: () => undefined,
    // Groups are not coordinated yet, so nobody has written to their partitions.
    writeOffsetsMarker: (_partition, _marker, done) => done('UNKNOWN_TOPIC_OR_PARTITION'),
  });
}
