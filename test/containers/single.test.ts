// A cluster in one container, as the tests of an application start it: `highwater/testcontainers`.
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HighwaterContainer, StartFailed, type StartedHighwaterContainer } from '../../src/testcontainers/index.ts';
import { missingImage } from './engine.ts';

const why = missingImage();

describe.skipIf(why !== undefined)('HighwaterContainer', () => {
  let cluster: StartedHighwaterContainer;

  beforeAll(async () => {
    cluster = await new HighwaterContainer().withTopic('orders', { partitions: 1 }).start();
  });
  afterAll(() => cluster?.stop());

  test('clients are told addresses that they can reach, and these survive the death of a node', async () => {
    const client = await cluster.client();
    const producer = client.producer({ acks: 'all' });
    await producer.send({ topic: 'orders', value: 'before' });
    const [leader] = await cluster.node.find('leader(orders-0)');
    await cluster.node.kill(leader!);
    await producer.send({ topic: 'orders', value: 'after' });
    await cluster.node.start(leader!);
    await cluster.untilWhole();
    await client.close();

    const kafka = new Kafka({ brokers: [...cluster.brokers], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    expect(brokers.map(({ host, port }) => `${host}:${port}`).sort()).toEqual([...cluster.brokers].sort());
  });
});

describe.skipIf(why !== undefined)('what cannot start says why, and leaves nothing', () => {
  test('an image that is not there', async () => {
    const start = new HighwaterContainer('highwater:none').start();
    await expect(start).rejects.toThrow(StartFailed);
    await expect(start).rejects.toThrow(/image highwater:none is not there.*npm run image/);
  });
});
