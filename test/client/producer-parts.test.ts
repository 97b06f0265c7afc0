// The parts of a producer that need no network: where records go, how they are batched, what their attempts prove.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Prng } from '../../src/base/prng.ts';
import { Accumulator } from '../../src/client/core/accumulator.ts';
import { backoffMs } from '../../src/client/core/backoff.ts';
import { clientConfig } from '../../src/client/core/config.ts';
import { Flushes } from '../../src/client/core/flushes.ts';
import type { TopicMetadata } from '../../src/client/core/metadata-cache.ts';
import { murmur2, partitionOfKey } from '../../src/client/core/murmur2.ts';
import { Partitioner } from '../../src/client/core/partitioner.ts';
import { ProducerBatch } from '../../src/client/core/producer-batch.ts';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { ERRORS, type ErrorName } from '../../src/protocol/errors.ts';

describe('partitioner', () => {
  test.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('murmur2 of "%s" is that of every Kafka client', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  test('a negative hash loses its sign bit, it is not negated', () => {
    expect(partitionOfKey(Buffer.from('21'), 100)).toBe((-973932308 & 0x7fffffff) % 100);
    expect(partitionOfKey(Buffer.from('21'), 100)).not.toBe(973932308 % 100);
  });

  const topic = (leaders: readonly number[]): TopicMetadata => ({
    name: 't',
    topicId: 'id',
    error: 'NONE',
    partitions: leaders.map((leader, partition) => ({
      ...{ topic: 't', topicId: 'id', partition, leader, leaderEpoch: 0, replicas: [], isr: [] },
    })),
  });
  const partitioner = (seed = 1): Partitioner => new Partitioner(new Prng(seed));
  /** Enough that luck agrees with no rule in all of them. */
  const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

  test('an explicit partition wins over a key; one that does not exist is none', () => {
    const key = Buffer.from('abc');
    expect(partitioner().choose({ topic: 't', partition: 2, key, value: null }, topic([1, 1, 1]))).toBe(2);
    expect(partitioner().choose({ topic: 't', partition: 3, key, value: null }, topic([1, 1, 1]))).toBeUndefined();
    expect(partitioner().choose({ topic: 't', partition: 0.5, key, value: null }, topic([1, 1, 1]))).toBeUndefined();
  });

  test('an empty key is a key', () => {
    const keyed = { topic: 't', key: Buffer.alloc(0), value: null };
    const chosen = SEEDS.map((seed) => partitioner(seed).choose(keyed, topic([1, 1, 1])));
    expect(new Set(chosen)).toEqual(new Set([partitionOfKey(Buffer.alloc(0), 3)]));
  });

  test.each(SEEDS)(
    'without a key it sticks to a led partition until that batch is closed, then to another (seed %i)',
    (seed) => {
      const sticky = partitioner(seed);
      const three = topic([1, -1, 2]);
      const first = sticky.choose({ topic: 't', value: null }, three)!;
      expect([0, 2]).toContain(first);
      expect(sticky.choose({ topic: 't', value: null }, three)).toBe(first);
      sticky.batchClosed(three, 1);
      expect(sticky.choose({ topic: 't', value: null }, three)).toBe(first);
      sticky.batchClosed(three, first);
      expect(sticky.choose({ topic: 't', value: null }, three)).toBe(2 - first);
    },
  );

  test('without any leader all partitions are as good', () => {
    expect(partitioner().choose({ topic: 't', value: null }, topic([-1]))).toBe(0);
  });
});

describe('backoff', () => {
  const config = { 'retry.backoff.ms': 100, 'retry.backoff.max.ms': 1000 };

  test('it doubles, within a fifth, and never exceeds the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer(), (failures, seed) => {
        const middle = Math.min(1000, 100 * 2 ** (failures - 1));
        const delay = backoffMs(config, failures, new Prng(seed));
        expect(delay).toBeGreaterThanOrEqual(middle * 0.8 - 1e-9);
        expect(delay).toBeLessThanOrEqual(Math.min(1000, middle * 1.2) + 1e-9);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('no backoff stays none, however many failures', () => {
    expect(backoffMs({ 'retry.backoff.ms': 0, 'retry.backoff.max.ms': 0 }, 1e9, new Prng(1))).toBe(0);
  });
});

const record = (value: string) => ({ timestamp: 1000, key: null, value: Buffer.from(value), headers: [] });

describe('accumulator', () => {
  const make = (overrides: Record<string, unknown> = {}) => {
    const closed: number[] = [];
    const accumulator = new Accumulator(clientConfig(overrides), (batch) => closed.push(batch.order));
    const results: SendResult[] = [];
    const append = (value: string, now = 0) =>
      accumulator.append('t', 0, { data: record(value), done: (result) => results.push(result) }, now);
    return { accumulator, append, closed, batches: () => accumulator.queueOf('t', 0).batches };
  };

  test('records share a batch until the next one does not fit; the sender hears of new and of full batches', () => {
    const { append, batches, closed } = make({ 'batch.size': 100 });
    expect(append('0123456789')).toBe(true);
    expect(append('0123456789')).toBe(false);
    expect(append('0123456789')).toBe(true);
    expect(batches().map((batch) => batch.records.length)).toEqual([2, 1]);
    expect(closed).toEqual([0]);
    expect(batches()[0]!.sizeBytes).toBeLessThanOrEqual(100);
  });

  test('a record larger than batch.size has a batch of its own', () => {
    const { append, batches } = make({ 'batch.size': 100 });
    append('x'.repeat(500));
    append('y');
    expect(batches().map((batch) => batch.records.length)).toEqual([1, 1]);
  });

  test('batch.size is what a batch really takes, to the byte', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 }), (lengths) => {
        const { append, accumulator, batches } = make({ 'batch.size': 1000 });
        for (const length of lengths) append('v'.repeat(length));
        for (const batch of batches()) {
          accumulator.close(batch);
          expect(batch.encode().length).toBe(batch.sizeBytes);
          if (batch.records.length > 1) expect(batch.sizeBytes).toBeLessThanOrEqual(1000);
        }
      }),
      { seed: 11, numRuns: 50 },
    );
  });

  test('linger counts from the first record; full, pushed and retried batches do not linger', () => {
    const { append, accumulator, batches } = make({ 'linger.ms': 50 });
    append('a', 10);
    append('b', 30);
    const batch = batches()[0]!;
    expect(accumulator.readyAt(batch, false)).toBe(60);
    expect(accumulator.readyAt(batch, true)).toBe(10);
    accumulator.close(batch);
    expect(accumulator.readyAt(batch, false)).toBe(10);
    batch.retryAt = 500;
    expect(accumulator.readyAt(batch, true)).toBe(500);
  });

  test('batches that come back stand before all that were begun after them', () => {
    const { append, accumulator, batches } = make({ 'batch.size': 0 });
    for (const value of ['a', 'b', 'c', 'd']) append(value);
    const [a, b, c] = batches().splice(0, 3);
    for (const batch of [b!, c!, a!]) accumulator.requeue(batch);
    expect(batches().map((batch) => batch.order)).toEqual([0, 1, 2, 3]);
  });

  test('buffer.memory counts until a batch is released; an empty buffer takes anything', () => {
    const { append, accumulator, batches } = make({ 'buffer.memory': 200 });
    expect(accumulator.hasMemory(10_000)).toBe(true);
    append('x'.repeat(100));
    expect(accumulator.hasMemory(100)).toBe(false);
    accumulator.release(batches()[0]!);
    expect(accumulator.hasMemory(10_000)).toBe(true);
  });
});

describe('fate of a batch (repl R-17)', () => {
  function attempts(...outcomes: readonly ErrorName[]): { batch: ProducerBatch; results: SendResult[] } {
    const results: SendResult[] = [];
    const batch = new ProducerBatch({ topic: 't', partition: 3 }, 0, 0);
    batch.add({ data: record('a'), done: (result) => results.push(result) });
    batch.add({ data: { ...record('b'), timestamp: 2000 }, done: (result) => results.push(result) });
    batch.closed = true;
    for (const error of outcomes) {
      batch.attemptStarted();
      if (error !== 'NONE') batch.attemptFailed({ error, message: '' });
    }
    return { batch, results };
  }
  const failed = (batch: ProducerBatch, error: ErrorName) => batch.fail({ error, message: 'm' });

  test.each(Object.keys(ERRORS).filter((name) => name !== 'NONE') as ErrorName[])(
    'a single attempt ended by %s is as definite as the error table says',
    (error) => {
      const { batch, results } = attempts(error);
      failed(batch, error);
      expect(results[0]).toMatchObject({ kind: 'failed', error, definite: ERRORS[error].definite, retried: false });
    },
  );

  test('never sent: definite, whatever the reason', () => {
    const { batch, results } = attempts();
    failed(batch, 'REQUEST_TIMED_OUT');
    expect(results[0]).toMatchObject({ definite: true, retried: false });
  });

  test('an earlier unknown attempt makes a definite last answer unknown', () => {
    const { batch, results } = attempts('NETWORK_EXCEPTION', 'NOT_ENOUGH_REPLICAS');
    failed(batch, 'NOT_ENOUGH_REPLICAS');
    expect(results[0]).toMatchObject({ error: 'NOT_ENOUGH_REPLICAS', definite: false, retried: false });
  });

  test('an attempt that was never answered is unknown', () => {
    const { batch, results } = attempts('NOT_ENOUGH_REPLICAS', 'NONE');
    failed(batch, 'REQUEST_TIMED_OUT');
    expect(results[0]).toMatchObject({ definite: false, retried: false });
  });

  test('definite attempts only: definite, and no copy to expect', () => {
    const { batch, results } = attempts('NOT_ENOUGH_REPLICAS', 'CORRUPT_MESSAGE');
    failed(batch, 'CORRUPT_MESSAGE');
    expect(results[0]).toMatchObject({ definite: true, retried: false });
  });

  test('two unknown attempts may both be in the log', () => {
    const { batch, results } = attempts('NETWORK_EXCEPTION', 'REQUEST_TIMED_OUT');
    failed(batch, 'REQUEST_TIMED_OUT');
    expect(results[0]).toMatchObject({ definite: false, retried: true });
  });

  test('success at first: offsets count up from the base, timestamps are the records own', () => {
    const { batch, results } = attempts('NONE');
    batch.succeed(40, -1);
    expect(results).toEqual([
      { kind: 'ok', partition: 3, offset: 40, timestamp: 1000, retried: false },
      { kind: 'ok', partition: 3, offset: 41, timestamp: 2000, retried: false },
    ]);
  });

  test('success tells who says so, if it was told', () => {
    const { batch, results } = attempts('NONE');
    const by = { node: 2, leaderEpoch: 5 };
    batch.succeed(40, -1, by);
    expect(results).toMatchObject([{ by }, { by }]);
  });

  test('success after a definite refusal has no second copy; after an unknown attempt it may', () => {
    const clean = attempts('NOT_ENOUGH_REPLICAS', 'NONE');
    clean.batch.succeed(0, 77);
    expect(clean.results[0]).toMatchObject({ timestamp: 77, retried: false });
    const unknown = attempts('NOT_LEADER_OR_FOLLOWER', 'NONE');
    unknown.batch.succeed(0, -1);
    expect(unknown.results[0]).toMatchObject({ kind: 'ok', retried: true });
  });

  test('acks=0 tells no offset', () => {
    const { batch, results } = attempts('NONE');
    batch.succeed(-1, -1);
    expect(results.map((result) => result.kind === 'ok' && result.offset)).toEqual([-1, -1]);
  });

  test('wire W-73: a record refused by itself gets its own sentence, the others say why they fell with it', () => {
    const { batch, results } = attempts('INVALID_TIMESTAMP');
    const recordErrors = [{ batchIndex: 1, message: 'too far ahead' }];
    batch.fail({ error: 'INVALID_TIMESTAMP', message: 'm', recordErrors });
    expect(results.map((result) => result.kind === 'failed' && result.message)).toEqual([
      'another record of its batch was refused',
      'too far ahead',
    ]);
  });

  test('every attempt sends the same bytes, a batch that decodes to its records', () => {
    const { batch } = attempts();
    const bytes = batch.encode();
    expect(batch.encode()).toBe(bytes);
    const decoded = decodeBatch(bytes);
    expect(decoded.kind === 'records' && decoded.records.map((one) => one.value!.toString())).toEqual(['a', 'b']);
  });
});

describe('flushes', () => {
  test('a flush waits for what was sent before it, not for what comes after', () => {
    const flushes = new Flushes();
    const done: string[] = [];
    expect(flushes.flush(() => done.push('empty'))).toBe(false);
    const a = flushes.sent();
    const b = flushes.sent();
    expect(flushes.flush(() => done.push('first'))).toBe(true);
    const c = flushes.sent();
    expect(flushes.flush(() => done.push('second'))).toBe(true);
    const d = flushes.sent();
    flushes.settled(c);
    flushes.settled(a);
    expect(done).toEqual([]);
    flushes.settled(b);
    expect(done).toEqual(['first', 'second']);
    expect(flushes.pending).toBe(false);
    flushes.settled(d);
  });
});
