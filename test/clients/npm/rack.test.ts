// kafkajs with a rack: the leader points it to the follower that stands there, which serves it (KIP-392, repl R-35, wire W-76).
import { Kafka, logLevel } from 'kafkajs';
import { expect, test } from 'vitest';
import { RACK_AWARE_SELECTOR } from '../../../src/protocol/config.ts';
import { RealCluster } from '../../kafka/real-broker.ts';
import { until } from '../support/until.ts';

test('it reads from the follower in its rack', async () => {
  const config = { 'replica.selector.class': RACK_AWARE_SELECTOR, 'offsets.topic.num.partitions': '1' };
  const cluster = await RealCluster.start({ brokers: 3, config, racks: ['a', 'b', 'c'] });
  const served: number[] = [];
  cluster.sim.world.onEvent(({ node, event }) => {
    if (event.type === 'consumer.served' && event.topic === 'orders') served.push(node);
  });
  const brokers = cluster.bootstrap.split(',');
  const kafka = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING });
  const [producer, consumer] = [kafka.producer(), kafka.consumer({ groupId: 'g', rackId: 'b', maxWaitTimeInMs: 100 })];
  try {
    await cluster.createTopic('orders', { replicas: 3 }); // Broker 1 leads: the placement begins there.
    await producer.connect();
    await producer.send({ topic: 'orders', acks: -1, messages: ['x', 'y', 'z'].map((value) => ({ value })) });
    const values: string[] = [];
    await consumer.connect();
    await consumer.subscribe({ topics: ['orders'], fromBeginning: true });
    await consumer.run({ eachMessage: ({ message }) => Promise.resolve(void values.push(String(message.value))) });
    await until(
      'three messages',
      () => values.length,
      (length) => length >= 3,
    );
    expect(values).toEqual(['x', 'y', 'z']);
    expect(new Set(served)).toEqual(new Set([2]));
  } finally {
    await consumer.disconnect();
    await producer.disconnect();
    await cluster.close();
  }
});
