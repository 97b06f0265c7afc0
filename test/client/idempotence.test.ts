// Idempotent producers against a cluster by script: identity, sequences, and what a failure does to the batches behind it
// (txn T-160 to T-163).
import { describe, expect, test } from 'vitest';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { readBatchHeader } from '../../src/protocol/batch-header.ts';
import { ScriptedCluster, TOPIC, type Deed } from './support/scripted.ts';
import { send, text, waitFor } from './support/wait.ts';

const ONE = { 'enable.idempotence': true, 'batch.size': 0, 'linger.ms': 0 };
const record = (value: string, partition = 0) => ({ topic: TOPIC, partition, value: text(value) });
const error = (name: Extract<Deed, { kind: 'error' }>['error']): Deed => ({ kind: 'error', error: name });

/** A producer of one-record batches, and what it has sent: [producer id, epoch, sequence] of each attempt. */
function aProducer(config: Record<string, unknown> = {}, cluster = new ScriptedCluster(1, 2)) {
  const producer = cluster.client({ ...ONE, ...config }).producer();
  const attempts = (partition = 0): number[][] =>
    cluster.requests('Produce').flatMap(({ request }) =>
      request.partitions
        .filter((one) => one.partition === partition)
        .map(({ records }) => {
          const { producerId, producerEpoch, baseSequence } = readBatchHeader(records)!;
          return [producerId, producerEpoch, baseSequence];
        }),
    );
  const sendAll = (...values: string[]): SendResult[] => {
    const results: SendResult[] = [];
    for (const value of values) producer.send(record(value), (result) => results.push(result));
    expect(cluster.world.run({ until: () => results.length === values.length, maxMs: 200_000 })).toBe(true);
    return results;
  };
  return { cluster, producer, attempts, sendAll };
}

describe('identity (txn T-39)', () => {
  test('is asked for before the first batch leaves, until some broker has one', () => {
    const { cluster, attempts, sendAll } = aProducer();
    cluster.next('InitProducerId', error('COORDINATOR_LOAD_IN_PROGRESS'), { kind: 'silence' });
    sendAll('a', 'b');
    expect(cluster.requests('InitProducerId').length).toBe(3);
    expect(attempts()).toEqual([
      [7001, 0, 0],
      [7001, 0, 1],
    ]);
  });

  test('one that is refused for good fails what waits for it, definitely', () => {
    const { cluster, sendAll } = aProducer();
    cluster.next('InitProducerId', error('UNSUPPORTED_VERSION'));
    expect(sendAll('a')).toMatchObject([{ kind: 'failed', error: 'UNSUPPORTED_VERSION', definite: true }]);
    expect(sendAll('b')).toMatchObject([{ kind: 'failed', error: 'UNSUPPORTED_VERSION', definite: true }]);
    expect(cluster.requests('Produce')).toEqual([]);
  });

  test('without idempotence nobody is asked, and batches have no numbers', () => {
    const { cluster, attempts, sendAll } = aProducer({ 'enable.idempotence': false });
    sendAll('a');
    expect([cluster.requests('InitProducerId'), attempts()]).toEqual([[], [[-1, -1, -1]]]);
  });
});

describe('sequences (txn T-160)', () => {
  test('run per partition and record', () => {
    const { producer, cluster, attempts } = aProducer({ 'batch.size': 10_000, 'linger.ms': 5 });
    const results: SendResult[] = [];
    for (const [value, partition] of [
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ] as const) {
      producer.send(record(value, partition), (result) => results.push(result));
    }
    cluster.world.run({ until: () => results.length === 3, maxMs: 10_000 });
    send(cluster.world, producer, record('d', 0));
    expect([attempts(0), attempts(1)]).toEqual([
      [
        [7000, 0, 0],
        [7000, 0, 2],
      ],
      [[7000, 0, 0]],
    ]);
  });

  test('a retry keeps its number; what was behind it follows one by one, in order', () => {
    const { cluster, attempts, sendAll } = aProducer();
    cluster.next('Produce', error('NOT_LEADER_OR_FOLLOWER'), error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    cluster.next('Produce', error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    const results = sendAll('a', 'b', 'c');
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok']);
    expect(cluster.values()).toEqual(['a', 'b', 'c']);
    expect(attempts()).toEqual([0, 1, 2, 0, 1, 2].map((sequence) => [7000, 0, sequence]));
  });

  test('txn T-160: while one is sent again, only the lowest sequence of its partition is on the wire', () => {
    const { cluster, producer, attempts } = aProducer();
    cluster.next('Produce', error('NOT_LEADER_OR_FOLLOWER'), error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    cluster.next('Produce', { kind: 'acts', answer: 'silence' });
    for (const value of ['a', 'b']) producer.send(record(value), () => undefined);
    cluster.world.runFor(1500);
    expect(attempts()).toEqual([0, 1, 0].map((sequence) => [7000, 0, sequence]));
    cluster.world.runFor(5000);
    expect(attempts()).toEqual([0, 1, 0, 0, 1].map((sequence) => [7000, 0, sequence]));
  });

  test('an answer that was lost is no second copy to expect, and a duplicate without an offset is a success', () => {
    const { cluster, sendAll } = aProducer();
    cluster.next('Produce', { kind: 'break' }, error('DUPLICATE_SEQUENCE_NUMBER'));
    expect(sendAll('a')).toMatchObject([{ kind: 'ok', offset: -1, retried: false }]);
  });
});

describe('a gap (txn T-161, T-162)', () => {
  test('a batch refused for good raises the epoch; those behind it are numbered from 0, without a request', () => {
    const { cluster, attempts, sendAll } = aProducer();
    cluster.next('Produce', error('MESSAGE_TOO_LARGE'), error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    cluster.next('Produce', error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    const results = sendAll('a', 'b', 'c');
    expect(results.map(({ kind }) => kind).sort()).toEqual(['failed', 'ok', 'ok']);
    expect(cluster.values()).toEqual(['b', 'c']);
    expect(attempts().slice(3)).toEqual([
      [7000, 1, 0],
      [7000, 1, 1],
    ]);
    expect(cluster.requests('InitProducerId')).toHaveLength(1);
  });

  test('the batch that was to be next is out of order: the epoch is raised and the batch sent again (BUG-07 b)', () => {
    const { cluster, attempts, sendAll } = aProducer();
    sendAll('a');
    cluster.next('Produce', { kind: 'acts', answer: 'silence' }, error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    expect(sendAll('b')).toMatchObject([{ kind: 'ok', retried: true }]);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
      [7000, 0, 1],
      [7000, 1, 0],
    ]);
    expect(cluster.values()).toEqual(['a', 'b', 'b']);
  });

  test('BUG-58: other partitions begin anew lazily, with one bump in all', () => {
    const { cluster, producer, attempts, sendAll } = aProducer();
    sendAll('a');
    send(cluster.world, producer, record('x', 1));
    cluster.next('Produce', error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    sendAll('b');
    send(cluster.world, producer, record('y', 1));
    expect(attempts(1)).toEqual([
      [7000, 0, 0],
      [7000, 1, 0],
    ]);
  });

  test('txn T-161: a partition begins the new epoch when all it has under way is done, which keeps its numbers', () => {
    const { cluster, producer, attempts } = aProducer();
    const sent = (value: string, partition: number): void => producer.send(record(value, partition), () => undefined);
    send(cluster.world, producer, record('first', 1));
    cluster.next('Produce', { kind: 'acts', answer: 'silence' }, error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    sent('x', 1);
    cluster.world.runFor(10);
    sent('a', 0);
    cluster.world.runFor(500);
    sent('y', 1);
    cluster.world.runFor(500);
    const before = [
      [7000, 0, 0],
      [7000, 0, 1],
    ];
    expect([attempts(0).at(-1), attempts(1)]).toEqual([[7000, 1, 0], before]);
    cluster.world.runFor(10_000);
    expect(attempts(1)).toEqual([...before, [7000, 0, 1], [7000, 1, 0]]);
  });

  test('UNKNOWN_PRODUCER_ID: once more in another epoch', () => {
    const { cluster, attempts, sendAll } = aProducer();
    cluster.next('Produce', error('UNKNOWN_PRODUCER_ID'));
    expect(sendAll('a')).toMatchObject([{ kind: 'ok' }]);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 1, 0],
    ]);
  });

  test('behind the last epoch comes a new producer id', () => {
    const cluster = new ScriptedCluster(1, 2);
    cluster.firstEpoch = 32_767;
    const { attempts, sendAll } = aProducer({}, cluster);
    cluster.next('Produce', error('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    sendAll('a');
    expect(attempts()).toEqual([
      [7000, 32_767, 0],
      [7001, 32_767, 0],
    ]);
  });
});

describe('a batch given up while it may be in the log (txn T-163)', () => {
  const SHORT = { 'delivery.timeout.ms': 2000, 'request.timeout.ms': 2000 };

  test('alone: the next one begins another epoch, never its sequence (BUG-60)', () => {
    const { cluster, attempts, sendAll } = aProducer(SHORT);
    cluster.next('Produce', { kind: 'acts', answer: 'silence' });
    expect(sendAll('a')).toMatchObject([{ kind: 'failed', error: 'REQUEST_TIMED_OUT', definite: false }]);
    expect(sendAll('b')).toMatchObject([{ kind: 'ok', offset: 1 }]);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 1, 0],
    ]);
  });

  test('with a later one acknowledged: it was there, and the sequence goes on', () => {
    const { cluster, producer, attempts, sendAll } = aProducer(SHORT);
    cluster.next('Produce', { kind: 'acts', answer: 'silence' });
    const lost = waitFor<SendResult>(cluster.world, (done) => {
      producer.send(record('a'), done);
      producer.send(record('b'), () => undefined);
    });
    expect(lost).toMatchObject({ kind: 'failed', definite: false });
    sendAll('c');
    expect(attempts()).toEqual([0, 1, 2].map((sequence) => [7000, 0, sequence]));
  });
});
