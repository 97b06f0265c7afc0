// How long writing stands still when the leader is killed: from SIGKILL until a record sent after its end is acknowledged by
// all in-sync replicas.
import { connect } from '../../src/client/index.ts';
import { nodeConfig } from '../../src/protocol/config.ts';
import { figure } from '../figures.ts';
import { startCluster, TOPIC } from '../product/cluster.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const TIMERS = 'fast';
/** What detection and election may add to the session timeout. */
const ALLOWANCE_MS = 500;
const RECORDS_BEFORE = 50;

export const failover: Row = {
  name: 'failover',
  about: 'kill -9 of a leader until acks=all succeeds again',
  run: async (room) => {
    const cluster = await startCluster(room, TIMERS);
    const client = await connect(cluster.reach);
    room.onClose(() => client.close(0));
    const producer = client.producer({ acks: 'all', 'linger.ms': 0 });
    const send = () => producer.send({ topic: TOPIC, partition: 0, value: 'still there' });
    const outages: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let number = 0; number < RECORDS_BEFORE; number++) await send();
      const [topic] = await client.admin().describeTopics([TOPIC]);
      const leader = topic!.partitions[0]!.leader;
      const started = performance.now();
      await cluster.running.agent.killNode(leader, 'bench');
      await send();
      outages.push(performance.now() - started);
      const refused = await cluster.running.agent.startNode(leader, { wipe: false, truncateTail: 0 });
      if (refused !== '') throw new Error(refused);
      await cluster.settled();
    }
    const outage = figure(outages, 'ms');
    const value = nodeConfig({}, TIMERS)['broker.session.timeout.ms'] + ALLOWANCE_MS;
    return [
      {
        ...{ row: 'failover', what: 'kill -9 of the leader until acks=all (timers fast)', figure: outage },
        ...{ judged: outage, bar: { kind: 'at most', value } },
      },
    ];
  },
};
