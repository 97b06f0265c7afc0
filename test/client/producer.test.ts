// The producer against a cluster by script: what each kind of answer, and of silence, does to a record (repl ).
import { describe, expect, test } from 'vitest';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { send, text, waitFor } from './support/wait.ts';

const record = (value: string) => ({ topic: TOPIC, value: text(value) });
const FOREVER = 200_000;

function sendAll(cluster: ScriptedCluster, producer: ReturnType<typeof aProducer>, values: readonly string[]) {
  const results: SendResult[] = [];
  for (const value of values) producer.send(record(value), (result) => results.push(result));
  const answered = cluster.world.run({ until: () => results.length === values.length, maxMs: FOREVER });
  expect(answered).toBe(true);
  return results;
}

const aProducer = (cluster: ScriptedCluster, config: Record<string, unknown> = {}) => cluster.client(config).producer();

describe('producer', () => {
  test('a record is appended once, told its offset, and its acks and timeout are on the wire', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster);
    expect(send(cluster.world, producer, record('a'))).toMatchObject({ kind: 'ok', offset: 0, retried: false });
    expect(cluster.values()).toEqual(['a']);
    expect(cluster.requests('Produce')[0]!.request).toMatchObject({ acks: -1, timeoutMs: 2000, clientId: 'test' });
  });

  test('records sent together travel in one batch, in order', () => {
    const cluster = new ScriptedCluster();
    const results = sendAll(cluster, aProducer(cluster), ['a', 'b', 'c']);
    expect(results.map((result) => result.kind === 'ok' && result.offset)).toEqual([0, 1, 2]);
    expect(cluster.requests('Produce')).toHaveLength(1);
  });

  test('the broker times a produce out before its client does', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'silence' });
    const producer = aProducer(cluster, { 'request.timeout.ms': 1000, retries: 0, 'delivery.timeout.ms': 5000 });
    const before = cluster.world.now;
    expect(send(cluster.world, producer, record('a'))).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT' });
    expect(cluster.world.now - before).toBeGreaterThan(1000);
  });

  test('repl R-17: a retriable error is retried until it succeeds; a definite one leaves no second copy to expect', () => {
    const cluster = new ScriptedCluster();
    cluster.next(
      'Produce',
      { kind: 'error', error: 'NOT_ENOUGH_REPLICAS' },
      { kind: 'error', error: 'NOT_ENOUGH_REPLICAS' },
    );
    expect(send(cluster.world, aProducer(cluster), record('a'))).toMatchObject({
      kind: 'ok',
      offset: 0,
      retried: false,
    });
    expect(cluster.requests('Produce')).toHaveLength(3);
    expect(cluster.values()).toEqual(['a']);
  });

  test('repl R-17: a retry after an unknown outcome may append twice, and says so', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'acts', answer: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' });
    const result = send(cluster.world, aProducer(cluster), record('a'));
    expect(result).toMatchObject({ kind: 'ok', offset: 1, retried: true });
    expect(cluster.values()).toEqual(['a', 'a']);
  });

  test('repl R-17: a record whose first attempt is unknown is never definitely absent', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'acts', answer: 'silence' }, { kind: 'error', error: 'MESSAGE_TOO_LARGE' });
    const result = send(cluster.world, aProducer(cluster), record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'MESSAGE_TOO_LARGE', definite: false });
    expect(cluster.values()).toEqual(['a']);
  });

  test('an error that is not retriable fails the record at once, with the sentence of the broker', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'error', error: 'MESSAGE_TOO_LARGE', message: 'larger than max.message.bytes' });
    expect(send(cluster.world, aProducer(cluster), record('a'))).toEqual({
      ...{ kind: 'failed', partition: 0, error: 'MESSAGE_TOO_LARGE', message: 'larger than max.message.bytes' },
      ...{ definite: true, retried: false },
    });
  });

  test('when the stream breaks, all that is outstanding is unknown', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'silence' }, { kind: 'acts', answer: 'break' });
    const producer = aProducer(cluster, { retries: 0, 'linger.ms': 0, 'batch.size': 0 });
    const results = sendAll(cluster, producer, ['a', 'b']);
    for (const result of results) {
      expect(result).toMatchObject({ kind: 'failed', error: 'NETWORK_EXCEPTION', definite: false });
    }
    expect(cluster.values()).toEqual(['b']);
  });

  test('a request without an answer breaks its stream: it timed out, its neighbours lost their connection', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { retries: 0, 'linger.ms': 0, 'batch.size': 0 });
    send(cluster.world, producer, record('warm'));
    cluster.next('Produce', { kind: 'silence' }, { kind: 'silence' });
    const results: SendResult[] = [];
    producer.send(record('a'), (result) => results.push(result));
    cluster.world.runFor(500);
    producer.send(record('b'), (result) => results.push(result));
    cluster.world.run({ until: () => results.length === 2, maxMs: FOREVER });
    expect(results).toMatchObject([
      { error: 'REQUEST_TIMED_OUT', definite: false },
      { error: 'NETWORK_EXCEPTION', definite: false },
    ]);
  });

  test('no record outlives delivery.timeout.ms, and what never reached a leader is definitely absent', () => {
    const cluster = new ScriptedCluster();
    cluster.leader = -1;
    const producer = aProducer(cluster, { 'delivery.timeout.ms': 3000 });
    const before = cluster.world.now;
    const result = send(cluster.world, producer, record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT', definite: true });
    expect(cluster.world.now - before).toBeGreaterThan(2999);
    expect(cluster.world.now - before).toBeLessThan(3100);
  });

  test('a batch that expires under way is unknown; its late answer changes nothing', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'acts', answer: 'silence' }, { kind: 'acts', answer: 'silence' });
    const producer = aProducer(cluster, { 'delivery.timeout.ms': 3000 });
    const result = send(cluster.world, producer, record('a'));
    expect(result).toMatchObject({ kind: 'failed', definite: false, retried: true });
    expect(result.kind === 'failed' && result.message).toMatch(
      /delivery\.timeout\.ms \(3000\) passed; the last attempt/,
    );
    cluster.world.runFor(10_000);
    expect(cluster.values()).toEqual(['a', 'a']);
  });

  test('one request in flight keeps order through failures; the log may repeat, never swap', () => {
    const cluster = new ScriptedCluster(5);
    const deeds = [
      { kind: 'error', error: 'NOT_ENOUGH_REPLICAS' },
      { kind: 'break' },
      { kind: 'acts', answer: 'break' },
    ] as const;
    cluster.next('Produce', ...deeds, ...deeds);
    const config = { 'max.in.flight.requests.per.connection': 1, 'batch.size': 0, 'linger.ms': 0 };
    const values = ['a', 'b', 'c', 'd', 'e'];
    const results = sendAll(cluster, aProducer(cluster, config), values);
    expect(results.every(({ kind }) => kind === 'ok')).toBe(true);
    expect(cluster.values().filter((value, index, all) => all.indexOf(value) === index)).toEqual(values);
    expect(cluster.values()).toEqual([...cluster.values()].sort());
  });

  test('txn T-160: one request in flight keeps order though its leader has moved: what waits does not overtake it', () => {
    const cluster = new ScriptedCluster();
    const one = { 'max.in.flight.requests.per.connection': 1, 'batch.size': 0, 'linger.ms': 0 };
    const producer = aProducer(cluster, { ...one, 'metadata.max.age.ms': 100 });
    send(cluster.world, producer, record('first'));
    cluster.next('Produce', { kind: 'silence' });
    for (const value of ['a', 'b']) producer.send(record(value), () => undefined);
    cluster.world.runFor(50);
    cluster.elect(2);
    cluster.world.runFor(1000);
    expect([cluster.requests('Produce').map(({ node }) => node), cluster.values()]).toEqual([[1, 1], ['first']]);
    cluster.world.runFor(10_000);
    expect(cluster.values()).toEqual(['first', 'a', 'b']);
  });

  test('at most max.in.flight requests are outstanding', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, {
      'batch.size': 0,
      'linger.ms': 0,
      'max.in.flight.requests.per.connection': 3,
    });
    send(cluster.world, producer, record('warm'));
    cluster.next('Produce', ...Array.from({ length: 3 }, () => ({ kind: 'silence' }) as const));
    for (let index = 0; index < 10; index++) producer.send(record(`${index}`), () => undefined);
    cluster.world.runFor(1000);
    expect(cluster.requests('Produce')).toHaveLength(4);
  });

  test('repl R-13: acks=0 is done when it is sent, with no offset; a stream the broker ends makes metadata fresh', () => {
    const cluster = new ScriptedCluster();
    cluster.metadataLeader = { leader: 2, leaderEpoch: 0 };
    const producer = aProducer(cluster, { acks: 0 });
    cluster.next('Produce', { kind: 'break' });
    expect(send(cluster.world, producer, record('lost'))).toMatchObject({ kind: 'ok', offset: -1, retried: false });
    cluster.metadataLeader = { leader: 1, leaderEpoch: 1 };
    cluster.leaderEpoch = 1;
    cluster.world.runFor(500);
    expect(send(cluster.world, producer, record('kept'))).toMatchObject({ kind: 'ok' });
    cluster.world.runFor(50);
    expect(cluster.values()).toEqual(['kept']);
  });

  test('a wrong leader is found out by NOT_LEADER_OR_FOLLOWER and fresh metadata', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster);
    send(cluster.world, producer, record('a'));
    cluster.elect(2);
    expect(send(cluster.world, producer, record('b'))).toMatchObject({ kind: 'ok', offset: 1, retried: true });
    expect(cluster.requests('Produce').map(({ node }) => node)).toEqual([1, 1, 2]);
  });

  test('a dead leader: its record is retried at the new one', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster);
    send(cluster.world, producer, record('a'));
    cluster.world.node(1).kill();
    cluster.elect(3);
    expect(send(cluster.world, producer, record('b'))).toMatchObject({ kind: 'ok', offset: 1 });
    expect(cluster.values()).toEqual(['a', 'b']);
  });

  test('an answer that leaves the partition out is as good as none: unknown', () => {
    const cluster = new ScriptedCluster();
    cluster.next('Produce', { kind: 'acts', answer: 'nothing' });
    const result = send(cluster.world, aProducer(cluster), record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'UNKNOWN_SERVER_ERROR', definite: false });
    expect(cluster.values()).toEqual(['a']);
  });

  test('partitions of one leader share a request; each has its own answer', () => {
    const cluster = new ScriptedCluster(1, 2);
    const producer = aProducer(cluster);
    const results: SendResult[] = [];
    for (const partition of [0, 1]) producer.send({ ...record('a'), partition }, (result) => results.push(result));
    cluster.world.run({ until: () => results.length === 2, maxMs: 5000 });
    expect(results).toMatchObject([{ partition: 0 }, { partition: 1 }]);
    expect(cluster.requests('Produce')[0]!.request.partitions).toHaveLength(2);
  });
});

describe('before a record is batched', () => {
  test('a topic that stays unknown fails the record after max.block.ms; it was never sent', () => {
    const cluster = new ScriptedCluster();
    cluster.topicError = 'UNKNOWN_TOPIC_OR_PARTITION';
    const result = send(cluster.world, aProducer(cluster, { 'max.block.ms': 1000 }), record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'UNKNOWN_TOPIC_OR_PARTITION', definite: true });
    expect(cluster.requests('Metadata').length).toBeGreaterThan(3);
    expect(cluster.requests('Metadata')[0]!.request.allowAutoTopicCreation).toBe(true);
  });

  test('a topic that is created meanwhile lets its records go, in order', () => {
    const cluster = new ScriptedCluster();
    cluster.topicError = 'UNKNOWN_TOPIC_OR_PARTITION';
    const results: SendResult[] = [];
    const producer = aProducer(cluster);
    for (const value of ['a', 'b']) producer.send(record(value), (result) => results.push(result));
    cluster.world.runFor(300);
    cluster.topicError = 'NONE';
    producer.send(record('c'), (result) => results.push(result));
    cluster.world.run({ until: () => results.length === 3, maxMs: 5000 });
    expect(cluster.values()).toEqual(['a', 'b', 'c']);
  });

  test('an invalid topic is refused at once', () => {
    const cluster = new ScriptedCluster();
    cluster.topicError = 'INVALID_TOPIC_EXCEPTION';
    const result = send(cluster.world, aProducer(cluster), record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'INVALID_TOPIC_EXCEPTION', definite: true });
    expect(cluster.world.now).toBeLessThan(1000);
  });

  test('a partition that does not exist is waited for, then refused by name', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { 'max.block.ms': 500 });
    const result = send(cluster.world, producer, { ...record('a'), partition: 7 });
    expect(result).toMatchObject({ kind: 'failed', partition: 7, error: 'UNKNOWN_TOPIC_OR_PARTITION', definite: true });
    expect(result.kind === 'failed' && result.message).toMatch(
      /partition 7 does not exist after max\.block\.ms \(500\)/,
    );
  });

  test('without any broker the record fails, saying who could not be reached', () => {
    const cluster = new ScriptedCluster();
    for (const id of [1, 2, 3]) cluster.world.node(id).kill();
    const result = send(cluster.world, aProducer(cluster, { 'max.block.ms': 500 }), record('a'));
    expect(result).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT', definite: true });
    expect(result.kind === 'failed' && result.message).toMatch(
      /no metadata of topic orders.*broker \d cannot be reached/,
    );
  });

  test('a record larger than max.request.size is refused without being sent', () => {
    const cluster = new ScriptedCluster();
    const result = send(cluster.world, aProducer(cluster, { 'max.request.size': 1000 }), record('x'.repeat(1000)));
    expect(result).toMatchObject({ kind: 'failed', error: 'MESSAGE_TOO_LARGE', definite: true });
    expect(cluster.requests('Produce')).toHaveLength(0);
  });

  test('with a full buffer a send waits for memory, and goes on in order when there is some', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { 'buffer.memory': 150, 'linger.ms': 1000 });
    const values = ['a', 'b', 'c', 'd'].map((value) => value.repeat(50));
    const results = sendAll(cluster, producer, values);
    expect(results.every(({ kind }) => kind === 'ok')).toBe(true);
    expect(cluster.values()).toEqual(values);
    // Nobody lingers while somebody waits for memory.
    expect(cluster.world.now).toBeLessThan(2000);
  });

  test('memory that does not come within max.block.ms fails the send', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { 'buffer.memory': 150, 'max.block.ms': 1000, 'linger.ms': 0 });
    send(cluster.world, producer, record('warm'));
    cluster.next('Produce', { kind: 'silence' });
    producer.send(record('a'.repeat(80)), () => undefined);
    const result = send(cluster.world, producer, record('b'.repeat(80)));
    expect(result).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT', definite: true });
    expect(result.kind === 'failed' && result.message).toMatch(/buffer\.memory \(150\) is still full/);
  });
});

describe('flush and close', () => {
  test('flush cuts the linger short and waits for what was sent before it', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { 'linger.ms': 5000 });
    const results: SendResult[] = [];
    producer.send(record('a'), (result) => results.push(result));
    waitFor<void>(cluster.world, (done) => producer.flush(() => done()));
    expect(results).toHaveLength(1);
    expect(cluster.world.now).toBeLessThan(1000);
  });

  test('close waits for what is under way, then refuses', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, { 'linger.ms': 5000 });
    const results: SendResult[] = [];
    producer.send(record('a'), (result) => results.push(result));
    waitFor<void>(cluster.world, (done) => producer.close(10_000, () => done()));
    expect(results).toMatchObject([{ kind: 'ok' }]);
    const late = send(cluster.world, producer, record('b'));
    expect(late).toMatchObject({ kind: 'failed', error: 'OPERATION_NOT_ATTEMPTED', definite: true });
  });

  test('close gives up after its time: what was sent is unknown, what was not is definitely absent', () => {
    const cluster = new ScriptedCluster();
    const producer = aProducer(cluster, {
      'batch.size': 0,
      'linger.ms': 0,
      'max.in.flight.requests.per.connection': 1,
    });
    send(cluster.world, producer, record('warm'));
    cluster.next('Produce', { kind: 'acts', answer: 'silence' });
    const results: SendResult[] = [];
    for (const value of ['a', 'b']) producer.send(record(value), (result) => results.push(result));
    waitFor<void>(cluster.world, (done) => producer.close(100, () => done()));
    expect(results).toMatchObject([
      { kind: 'failed', error: 'NETWORK_EXCEPTION', definite: false },
      { kind: 'failed', error: 'OPERATION_NOT_ATTEMPTED', definite: true },
    ]);
  });
});
