// The client against a whole simulated cluster.
import { describe, expect, test } from 'vitest';
import { aCluster, createTopic } from './support/cluster.ts';
import { readValues, send, text } from './support/wait.ts';

describe('against real brokers', () => {
  test('what is sent with acks=all is read', () => {
    const all = aCluster();
    createTopic(all, 'orders');
    const producer = all.client.producer();
    expect(send(all.world, producer, { topic: 'orders', value: text('a') })).toMatchObject({ kind: 'ok', offset: 0 });
    expect(send(all.world, producer, { topic: 'orders', value: text('b') })).toMatchObject({ kind: 'ok', offset: 1 });
    const consumer = all.client.consumer({ 'auto.offset.reset': 'earliest' });
    consumer.assign([{ topic: 'orders', partition: 0 }]);
    expect(readValues(all.world, consumer, 2)).toEqual(['a', 'b']);
  });
});
