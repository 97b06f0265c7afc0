// What tools do to partitions by hand, where it meets replicas that are elsewhere and offsets of groups (wire W-87, G-46).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coordinatorPartition } from '../../../src/base/java-hash.ts';
import type { Struct } from '../generic-codec.ts';
import { RealCluster } from '../real-broker.ts';
import { coordinated, DESCRIBE_PRODUCERS, TransactionalClient, WRITE_TXN_MARKERS } from '../transactional-client.ts';
import { OFFSET_FETCH } from './group/support.ts';
import { first } from './served-topic.ts';

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await RealCluster.start({ brokers: 2 });
});
afterAll(() => cluster.close());

test('wire W-87: a broker without a replica of a partition that there is answers 6, the one with it 0', async () => {
  await cluster.createTopic('one', { replicas: 1 });
  const leader = cluster.leaderOf('one', 0);
  const codeOf = async (id: number): Promise<unknown> => {
    const topics = [{ name: 'one', partitionIndexes: [0] }];
    const { body } = await cluster.client(id).ask(DESCRIBE_PRODUCERS, 0, { topics });
    return first(first(body['topics'])['partitions'])['errorCode'];
  };
  expect(await codeOf(leader)).toBe(0);
  expect(await codeOf(3 - leader)).toBe(6);
});

test('wire G-46, G-47: a marker on __consumer_offsets decides what is pending there', async () => {
  const alone = await RealCluster.start();
  try {
    const client = alone.client();
    await coordinated(client);
    await alone.createTopic('t');
    const producer = new TransactionalClient(client, 'tx', 't');
    await producer.init(4);
    expect(await producer.addOffsets(3)).toBe(0);
    expect(await producer.commitOffsets(3)).toEqual([0]);
    const committed = async (): Promise<Struct> => {
      const topics = [{ name: 't', partitionIndexes: [0] }];
      const { body } = await client.ask(OFFSET_FETCH, 7, { groupId: 'g', topics, requireStable: true });
      return first(first(body['topics'])['partitions']);
    };
    expect(await committed()).toMatchObject({ errorCode: 88 });
    const { producerId, producerEpoch } = producer;
    const marker = {
      ...{ producerId, producerEpoch, transactionResult: true, coordinatorEpoch: 0 },
      topics: [{ name: '__consumer_offsets', partitionIndexes: [coordinatorPartition('g', 5)] }],
    };
    const { body } = await client.ask(WRITE_TXN_MARKERS, 1, { markers: [marker] });
    expect(first(first(first(body['markers'])['topics'])['partitions'])).toMatchObject({ errorCode: 0 });
    expect(await committed()).toMatchObject({ errorCode: 0, committedOffset: 7 });
  } finally {
    await alone.close();
  }
});
