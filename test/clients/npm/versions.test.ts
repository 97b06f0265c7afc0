// Which versions of the APIs the clients of npm choose of what is offered, as they say themselves (wire section 2.2; section 14,
// steps 6 and 13).
import { Admin, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka';
import { Kafka, logLevel, type RequestEvent } from 'kafkajs';
import { tracingChannel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireApi } from '../../../src/kafka/registry.ts';
import { serve, type Served } from '../support/served.ts';
import { until } from '../support/until.ts';

/** What was sent: names of APIs and their versions, each once. */
class Sent {
  readonly #seen = new Map<string, Set<number>>();

  add(apiKey: number, apiVersion: number): void {
    const name = wireApi(apiKey)?.name ?? `key ${apiKey}`;
    this.#seen.set(name, (this.#seen.get(name) ?? new Set()).add(apiVersion));
  }

  get versions(): Readonly<Record<string, number | readonly number[]>> {
    const one = (all: readonly number[]) => (all.length === 1 ? all[0]! : all);
    return Object.fromEntries([...this.#seen].map(([name, versions]) => [name, one([...versions])]));
  }

  until(api: string): Promise<unknown> {
    return until(
      `a ${api}`,
      () => [...this.#seen.keys()],
      (names) => names.includes(api),
    );
  }
}

describe.each([1, 2])('transaction.version %i', (version) => {
  let cluster: Served;
  beforeAll(async () => {
    cluster = await serve({ 'transaction.version': String(version), 'offsets.topic.num.partitions': '1' });
  });
  afterAll(() => cluster.close());

  test('wire ladder 6, W-48: kafkajs takes the newest that it has', async () => {
    const sent = new Sent();
    const seen = ({ payload }: RequestEvent) => sent.add(payload.apiKey, payload.apiVersion);
    const kafka = new Kafka({ clientId: 'js', brokers: cluster.bootstrap.split(','), logLevel: logLevel.NOTHING });
    const [admin, consumer] = [
      kafka.admin(),
      kafka.consumer({ groupId: 'js', heartbeatInterval: 50, maxWaitTimeInMs: 100 }),
    ];
    const producer = kafka.producer({ transactionalId: 'js', maxInFlightRequests: 1, idempotent: true });
    admin.on(admin.events.REQUEST, seen);
    consumer.on(consumer.events.REQUEST, seen);
    producer.on(producer.events.REQUEST, seen);
    await Promise.all([admin.connect(), producer.connect(), consumer.connect()]);
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'js', replicationFactor: 3 }] });
    const transaction = await producer.transaction();
    await transaction.send({ topic: 'js', messages: [{ value: 'a' }] });
    const partitions = [{ partition: 0, offset: '0' }];
    await transaction.sendOffsets({ consumerGroupId: 'others', topics: [{ topic: 'js', partitions }] });
    await transaction.commit();
    await consumer.subscribe({ topics: ['js'], fromBeginning: true });
    await consumer.run({ autoCommitThreshold: 1, eachMessage: () => Promise.resolve() });
    for (const api of ['OffsetCommit', 'Heartbeat']) await sent.until(api);
    await admin.describeGroups(['js']);
    await Promise.all([consumer.disconnect(), producer.disconnect()]);
    await admin.deleteGroups(['js']);
    await admin.deleteTopics({ topics: ['js'] });
    await admin.disconnect();
    expect(sent.versions).toEqual({
      ...{ ApiVersions: 2, Metadata: 6, Produce: 7, Fetch: 11, ListOffsets: 3, FindCoordinator: 2 },
      ...{ JoinGroup: 5, SyncGroup: 3, Heartbeat: 3, LeaveGroup: 3, OffsetCommit: 5, OffsetFetch: 4 },
      ...{ InitProducerId: 1, AddPartitionsToTxn: 1, AddOffsetsToTxn: 1, TxnOffsetCommit: 1, EndTxn: 1 },
      ...{ CreateTopics: 3, DeleteTopics: 1, DescribeGroups: 2, DeleteGroups: 1 },
    });
  });

  test('wire ladder 13, W-51: platformatic takes the newest that is offered', async () => {
    const sent = new Sent();
    const { start } = tracingChannel('plt:kafka:connections:api');
    const seen = (message: unknown) => {
      const { apiKey, apiVersion } = message as { apiKey: number; apiVersion: number };
      sent.add(apiKey, apiVersion);
    };
    start.subscribe(seen);
    const client = { clientId: 'plt', bootstrapBrokers: cluster.bootstrap.split(',') };
    const admin = new Admin(client);
    const producer = new Producer({ ...client, serializers: stringSerializers, idempotent: true });
    const reading = { groupId: 'plt', deserializers: stringDeserializers, heartbeatInterval: 50, maxWaitTime: 100 };
    const consumer = new Consumer({ ...client, ...reading });
    try {
      await admin.createTopics({ topics: ['plt'], partitions: 1, replicas: 3 });
      await producer.send({ messages: [{ topic: 'plt', value: 'a' }] });
      const stream = await consumer.consume({
        topics: ['plt'],
        mode: 'committed',
        fallbackMode: 'earliest',
        autocommit: false,
      });
      stream.on('data', (message) => void message.commit());
      for (const api of ['OffsetCommit', 'Heartbeat']) await sent.until(api);
      await admin.describeGroups({ groups: ['plt'] });
      await admin.listGroups();
      await stream.close();
      await consumer.close(true);
      await admin.deleteTopics({ topics: ['plt'] });
    } finally {
      await Promise.all([admin.close(), producer.close(), consumer.close(true)]);
      start.unsubscribe(seen);
    }
    expect(sent.versions).toEqual({
      ...{ ApiVersions: 3, Metadata: 12, Produce: version === 1 ? 9 : 11, Fetch: 13, ListOffsets: 7 },
      ...{
        FindCoordinator: 4,
        JoinGroup: 9,
        SyncGroup: 5,
        Heartbeat: 4,
        LeaveGroup: 5,
        OffsetCommit: 9,
        OffsetFetch: 9,
      },
      ...{ InitProducerId: version === 1 ? 4 : 5, CreateTopics: 7, DeleteTopics: 6, DescribeGroups: 5, ListGroups: 5 },
    });
  });
});
