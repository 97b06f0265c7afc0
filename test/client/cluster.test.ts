// The client against whole simulated clusters: what users see through failovers (repl ).
import { describe, expect, test } from 'vitest';
import type { AdminResult } from '../../src/client/core/admin.ts';
import type { ListedOffsetResult } from '../../src/client/core/list-offsets.ts';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import type { CreatedTopic, ElectionResult } from '../../src/protocol/generated/index.ts';
import { aCluster, createTopic } from './support/cluster.ts';
import { poll, readValues, send, text, waitFor } from './support/wait.ts';

const P0 = { topic: 'orders', partition: 0 };
const record = (value: string) => ({ topic: 'orders', value: text(value) });

type Cluster = ReturnType<typeof aCluster>;

function leaderOf({ client }: Cluster): number {
  return client.metadata.partition('orders', 0)!.leader;
}

function latest({ world, client }: Cluster): ListedOffsetResult {
  const questions = [{ ...P0, timestamp: -1 }];
  return waitFor<readonly ListedOffsetResult[]>(world, (done) => client.admin().listOffsets(questions, done))[0]!;
}

describe('against real brokers', () => {
  test('what is sent with acks=all is read', () => {
    const all = aCluster();
    createTopic(all, 'orders');
    const producer = all.client.producer();
    expect(send(all.world, producer, record('a'))).toMatchObject({ kind: 'ok', offset: 0 });
    expect(send(all.world, producer, record('b'))).toMatchObject({ kind: 'ok', offset: 1 });
    const consumer = all.client.consumer({ 'auto.offset.reset': 'earliest' });
    consumer.assign([P0]);
    expect(readValues(all.world, consumer, 2)).toEqual(['a', 'b']);
  });

  test.each([1, 2, 3])('acknowledged records survive the death of their leader, and are read on (seed %i)', (seed) => {
    const all = aCluster({ seed });
    createTopic(all, 'orders', { configs: { 'min.insync.replicas': '2' } });
    const producer = all.client.producer();
    const consumer = all.client.consumer({ 'auto.offset.reset': 'earliest' });
    consumer.assign([P0]);
    const results: SendResult[] = [];
    for (let index = 0; index < 20; index++) producer.send(record(`before ${index}`), (result) => results.push(result));
    all.world.run({ until: () => results.length === 20, maxMs: 10_000 });
    readValues(all.world, consumer, 20);

    all.cluster.kill(leaderOf(all));
    for (let index = 0; index < 20; index++) producer.send(record(`after ${index}`), (result) => results.push(result));
    expect(all.world.run({ until: () => results.length === 40, maxMs: 30_000 })).toBe(true);
    expect(results.every(({ kind }) => kind === 'ok')).toBe(true);
    const seen = readValues(all.world, consumer, 20);
    expect([...new Set(seen)]).toEqual(Array.from({ length: 20 }, (_, index) => `after ${index}`));
    const offsets = results.map((result) => (result.kind === 'ok' ? result.offset : -1));
    expect([...offsets].sort((a, b) => a - b)).toEqual(offsets);
  });

  test('repl R-25, R-51: after a failover the position stays, latest does not go back, and nothing is reset', () => {
    const all = aCluster({ seed: 4 });
    createTopic(all, 'orders');
    const producer = all.client.producer();
    const moves: string[] = [];
    const consumer = all.client.consumer(
      { 'auto.offset.reset': 'earliest' },
      { onPosition: (_of, why, from, to) => moves.push(`${why} ${from}>${to}`) },
    );
    consumer.assign([P0]);
    for (const value of ['a', 'b', 'c']) send(all.world, producer, record(value));
    expect(readValues(all.world, consumer, 3)).toEqual(['a', 'b', 'c']);
    expect(latest(all)).toMatchObject({ error: 'NONE', offset: 3 });

    all.cluster.kill(leaderOf(all));
    const idle = poll(all.world, consumer, 5000);
    expect(idle).toEqual({ kind: 'ok', deliveries: [] });
    expect(consumer.position(P0)).toBe(3);
    expect(latest(all)).toMatchObject({ error: 'NONE', offset: 3 });
    send(all.world, producer, record('d'));
    expect(readValues(all.world, consumer, 1)).toEqual(['d']);
    expect(moves).toEqual(['start -1>0']);
  });

  test('below min.insync.replicas acks=all is refused before the append: definite (repl R-13, R-17)', () => {
    const all = aCluster({ seed: 5 });
    createTopic(all, 'orders', { configs: { 'min.insync.replicas': '3' } });
    send(all.world, all.client.producer(), record('a'));
    const follower = [1, 2, 3].find((id) => id !== leaderOf(all))!;
    all.cluster.kill(follower);
    all.world.runFor(3000);
    const result = send(all.world, all.client.producer({ retries: 3 }), record('b'));
    expect(result).toMatchObject({ kind: 'failed', error: 'NOT_ENOUGH_REPLICAS', definite: true, retried: false });
  });

  test('a paused leader: the request times out, unknown, and the retry may be a second copy', () => {
    const all = aCluster({ seed: 6 });
    createTopic(all, 'orders');
    const producer = all.client.producer({ 'enable.idempotence': false });
    send(all.world, producer, record('a'));
    const paused = leaderOf(all);
    all.cluster.pause(paused);
    const result = send(all.world, producer, record('b'));
    expect(result).toMatchObject({ kind: 'ok', offset: 1, retried: true });
    all.cluster.resume(paused);
    all.world.runFor(5000);
    const consumer = all.client.consumer({ 'auto.offset.reset': 'earliest' });
    consumer.assign([P0]);
    const values = readValues(all.world, consumer, 2);
    expect(values).toEqual(['a', 'b']);
  });

  test('repl R-36: an unclean election cuts what was read; the consumer notices and says from where to where', () => {
    const all = aCluster({ seed: 7 });
    createTopic(all, 'orders', { configs: { 'unclean.leader.election.enable': 'true' } });
    const producer = all.client.producer({ acks: '1' });
    send(all.world, producer, record('a'));
    all.world.runFor(1000);
    const leader = leaderOf(all);
    for (const follower of [1, 2, 3].filter((id) => id !== leader)) all.cluster.kill(follower);
    all.world.runFor(3000);
    for (const value of ['b', 'c', 'd']) send(all.world, producer, record(value));
    const moves: string[] = [];
    const consumer = all.client.consumer(
      { 'auto.offset.reset': 'earliest' },
      { onPosition: (_of, why, from, to) => moves.push(`${why} ${from}>${to}`) },
    );
    consumer.assign([P0]);
    expect(readValues(all.world, consumer, 4)).toEqual(['a', 'b', 'c', 'd']);

    all.cluster.kill(leader);
    for (const follower of [1, 2, 3].filter((id) => id !== leader)) all.cluster.start(follower);
    all.world.runFor(3000);
    const election = { type: 'UNCLEAN', topic: 'orders', partition: 0 } as const;
    waitFor<AdminResult<readonly ElectionResult[]>>(all.world, (done) =>
      all.client.admin().electLeaders(election, done),
    );
    send(all.world, producer, record('B'));
    expect(readValues(all.world, consumer, 1)).toEqual(['B']);
    expect(moves).toEqual(['start -1>0', 'truncated 4>1']);
  });
});

describe('admin', () => {
  test('repl R-107, R-119: a partition moves and is led elsewhere; a broker is forgotten; refusals say why', () => {
    const { world, client } = aCluster();
    const admin = client.admin();
    const of = { topic: 'moved', partition: 0 };
    waitFor<AdminResult<unknown>>(world, (done) =>
      admin.createTopics([{ name: 'moved', assignments: [[1, 2]] }], false, done),
    );
    const reassign = (to: readonly number[] | null) =>
      waitFor<AdminResult<unknown>>(world, (done) => admin.reassign(of, to, done));
    expect(reassign(null)).toMatchObject({ kind: 'ok', value: { error: 'NO_REASSIGNMENT_IN_PROGRESS' } });
    expect(reassign([3, 2])).toMatchObject({ kind: 'ok', value: { error: 'NONE' } });
    world.runFor(3000);
    expect(waitFor<AdminResult<unknown>>(world, (done) => admin.listReassignments(done))).toEqual({
      ...{ kind: 'ok', value: [] },
    });
    const cluster = waitFor<AdminResult<unknown>>(world, (done) => admin.describeCluster(done));
    expect(cluster).toMatchObject({
      kind: 'ok',
      value: { topics: [{ partitions: [{ leader: 3, replicas: [3, 2] }] }] },
    });
    const forget = () => waitFor<AdminResult<unknown>>(world, (done) => admin.unregisterBroker(1, done));
    expect(forget()).toMatchObject({ kind: 'ok', value: { error: 'NONE' } });
    expect(forget()).toMatchObject({ kind: 'ok', value: { error: 'BROKER_ID_NOT_REGISTERED' } });
  });

  test('topics are created, described, refused twice, and deleted', () => {
    const { world, client } = aCluster();
    const admin = client.admin();
    const create = () =>
      waitFor<AdminResult<readonly CreatedTopic[]>>(world, (done) =>
        admin.createTopics([{ name: 'orders', partitions: 2, replicationFactor: 3 }], false, done),
      );
    expect(create()).toMatchObject({ kind: 'ok', value: [{ name: 'orders', error: 'NONE', numPartitions: 2 }] });
    expect(create()).toMatchObject({ kind: 'ok', value: [{ error: 'TOPIC_ALREADY_EXISTS' }] });
    world.runFor(500);
    const described = waitFor<AdminResult<{ topics: readonly object[] }>>(world, (done) =>
      admin.describeTopics(['orders'], done),
    );
    expect(described).toMatchObject({ kind: 'ok', value: { topics: [{ name: 'orders', partitions: [{}, {}] }] } });
    const deleted = waitFor<AdminResult<unknown>>(world, (done) => admin.deleteTopics(['orders', 'nothing'], done));
    expect(deleted).toMatchObject({ kind: 'ok', value: [{ error: 'NONE' }, { error: 'UNKNOWN_TOPIC_OR_PARTITION' }] });
  });

  test('an election to a node, and what the replicas hold after it', () => {
    const all = aCluster();
    createTopic(all, 'orders');
    send(all.world, all.client.producer(), record('a'));
    all.world.runFor(1000);
    const to = [1, 2, 3].find((id) => id !== leaderOf(all))!;
    const admin = all.client.admin();
    const elected = waitFor<AdminResult<readonly ElectionResult[]>>(all.world, (done) =>
      admin.electLeaders({ type: 'TO', topic: 'orders', partition: 0, to }, done),
    );
    expect(elected).toMatchObject({ kind: 'ok', value: [{ error: 'NONE', leader: to, leaderEpoch: 1 }] });
    all.world.runFor(1000);
    const replicas = waitFor<AdminResult<unknown>>(all.world, (done) =>
      admin.describeReplicas(to, { topic: 'orders', fromOffset: 0, maxBatches: 10 }, done),
    );
    expect(replicas).toMatchObject({
      kind: 'ok',
      value: { replicas: [{ role: 'leader', logEndOffset: 1, highWatermark: 1 }] },
    });
    const cluster = waitFor<AdminResult<unknown>>(all.world, (done) => admin.describeCluster(done));
    expect(cluster).toMatchObject({ kind: 'ok', value: { topics: [{ partitions: [{ leader: to }] }] } });
  });

  test('offsets of both ends; a topic that does not exist is said so after the time is over', () => {
    const all = aCluster({}, { 'default.api.timeout.ms': 2000 });
    createTopic(all, 'orders');
    for (const value of ['a', 'b']) send(all.world, all.client.producer(), record(value));
    const questions = [
      { ...P0, timestamp: -2 },
      { ...P0, timestamp: -1 },
      { topic: 'nothing', partition: 9, timestamp: -1 },
    ];
    const results = waitFor<readonly ListedOffsetResult[]>(all.world, (done) =>
      all.client.admin().listOffsets(questions, done),
    );
    expect(results.map(({ error, offset }) => [error, offset])).toEqual([
      ['NONE', 0],
      ['NONE', 2],
      ['UNKNOWN_TOPIC_OR_PARTITION', -1],
    ]);
    expect(all.cluster.controller!.controller.image.topicNamed('nothing')).toBeUndefined();
  });

  test('without a controller a change fails once its time is over, and a question too', () => {
    const { world, client, cluster } = aCluster({}, { 'default.api.timeout.ms': 2000 });
    cluster.kill(100);
    const created = waitFor<AdminResult<unknown>>(world, (done) =>
      client.admin().createTopics([{ name: 't' }], false, done),
    );
    expect(created).toMatchObject({ kind: 'failed', error: 'NETWORK_EXCEPTION' });
    const before = world.now;
    const described = waitFor<AdminResult<unknown>>(world, (done) => client.admin().describeCluster(done));
    expect(described).toMatchObject({ kind: 'failed', error: 'NETWORK_EXCEPTION' });
    expect(world.now - before).toBeGreaterThan(1500);
  });
});

test('closing a client ends everything within its time', () => {
  const all = aCluster();
  createTopic(all, 'orders');
  const producer = all.client.producer({ 'linger.ms': 10_000 });
  const consumer = all.client.consumer();
  consumer.assign([P0]);
  let polled = false;
  consumer.poll(60_000, () => (polled = true));
  const results: SendResult[] = [];
  producer.send(record('a'), (result) => results.push(result));
  waitFor<void>(all.world, (done) => all.client.close(5000, () => done()), 5100);
  expect(polled).toBe(true);
  expect(results).toMatchObject([{ kind: 'ok' }]);
});
