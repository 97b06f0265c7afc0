// What kcat does without groups and transactions, on a librdkafka built here, by both tables of versions (wire section 14, step
// 22, of steps 2, 3, 4, 8 and 10).
import { foreignKcat } from '../suite.ts';
import { startHighwater } from '../support/highwater.ts';
import { autoCreate } from '../topics.ts';

for (const version of ['1', '2']) {
  foreignKcat(`transaction.version ${version}`, async () => {
    const topics = { 'num.partitions': '3', 'default.replication.factor': '3', 'min.insync.replicas': '2' };
    const cluster = await startHighwater({ config: { ...topics, 'transaction.version': version } });
    return {
      ...{ bootstrap: cluster.bootstrap, brokerCount: cluster.ports.length, close: cluster.close },
      createTopic: (name) => autoCreate(cluster.ports[0]!, name),
    };
  });
}
