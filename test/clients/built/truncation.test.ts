// A consumer of librdkafka 2.1 and newer asks a new leader where the epoch of what it has read ended (OffsetForLeaderEpoch v2),
// and so learns that it has read what is no longer there (wire W-81; section 14, step 22).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawClient } from '../../kafka/raw-client.ts';
import { installed, kcat } from '../run-client.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { RunningKcat } from '../support/running-kcat.ts';
import { partitionOf } from '../support/transactions.ts';
import { until } from '../support/until.ts';

const TOPIC = 'truncated';
const PLACE = ['-t', TOPIC, '-p', '0'];
const CREATE_TOPICS = 19;

let cluster: Highwater;
beforeAll(async () => {
  cluster = await startHighwater();
});
afterAll(() => cluster.close());

/** A topic of one partition, led by broker 1 and followed by broker 2, either of which may lead whatever it lacks. */
async function createTopic(): Promise<void> {
  const client = new RawClient(cluster.ports[2]!);
  const configs = [
    { name: 'unclean.leader.election.enable', value: 'true' },
    { name: 'min.insync.replicas', value: '1' },
  ];
  const topic = {
    ...{ name: TOPIC, numPartitions: -1, replicationFactor: -1, configs },
    assignments: [{ partitionIndex: 0, brokerIds: [1, 2] }],
  };
  const { body } = await client.ask(CREATE_TOPICS, 5, { topics: [topic], timeoutMs: 10_000, validateOnly: false });
  client.close();
  expect(body).toMatchObject({ topics: [{ errorCode: 0 }] });
}

/** Waits until broker 3, which is always there, says so of the partition. */
const untilPartition = (what: string, holds: (isr: readonly number[], leader: number) => boolean) =>
  until(
    what,
    () => partitionOf(cluster.ports.slice(2), TOPIC),
    ({ isrNodes, leaderId }) => holds(isrNodes, leaderId),
  );
const values = (letter: string) => Array.from({ length: 5 }, (_, i) => `${letter}${i}`);
const produce = (letter: string) =>
  kcat(
    cluster.bootstrap,
    ['-P', ...PLACE, '-X', 'acks=all'],
    values(letter)
      .map((value) => `${value}\n`)
      .join(''),
  );

test.skipIf(!installed.kcat)(
  'wire ladder 22, W-81: records that consumers have read are cut off: one goes on where they ended, one says so',
  async () => {
    await createTopic();
    const consumer = (reset: string) =>
      new RunningKcat(cluster.bootstrap, [
        ...['-C', ...PLACE, '-o', 'beginning', '-f', '%o %s\\n', '-d', 'protocol,fetch'],
        ...['-X', `auto.offset.reset=${reset}`, '-X', 'topic.metadata.refresh.interval.ms=500'],
      ]);
    await untilPartition('both replicas in sync', (isr) => isr.length === 2);
    await produce('a');
    const [going, telling] = [consumer('earliest'), consumer('error')];
    try {
      await cluster.kill(2);
      await untilPartition('broker 1 alone in the ISR', (isr) => isr.join() === '1');
      await produce('b'); // Nobody but broker 1 has these.
      for (const each of [going, telling]) await each.untilMessages('ten', (messages) => messages.length === 10);
      await cluster.kill(1);
      await cluster.running.agent.startNode(2, { wipe: false, truncateTail: 0 });
      await untilPartition('broker 2 as leader', (_, leader) => leader === 2);
      await produce('c');
      await going.untilMessages('what was written instead', (messages) => messages.length === 15);
      const numbered = (letter: string, from: number) => values(letter).map((value, i) => `${from + i} ${value}`);
      expect(going.messages).toEqual([...numbered('a', 0), ...numbered('b', 5), ...numbered('c', 5)]);
      expect(going.said).toContain('Sent OffsetForLeaderEpochRequest (v2,');
      await until(
        'the truncation told',
        () => telling.said.slice(-500),
        () => /log truncation detected at offset 10 .*broker end offset is 5/i.test(telling.said),
      );
      expect(telling.messages).toHaveLength(10);
    } finally {
      await Promise.all([going.kill(), telling.kill()]);
    }
    await cluster.restart(1);
  },
);
