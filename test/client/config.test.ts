// Client settings: Kafka's defaults, the profiles, and the sentences people get for what cannot be.
import { describe, expect, test } from 'vitest';
import { acksOf, clientConfig, isolationOf } from '../../src/client/core/config.ts';
import { ConfigError } from '../../src/protocol/config.ts';

describe('client settings', () => {
  test('the defaults are those of a new Kafka client (repl section 8)', () => {
    expect(clientConfig()).toMatchObject({
      acks: 'all',
      'enable.idempotence': true,
      retries: 2_147_483_647,
      'delivery.timeout.ms': 120_000,
      'request.timeout.ms': 30_000,
      'linger.ms': 5,
      'batch.size': 16_384,
      'max.in.flight.requests.per.connection': 5,
      'max.request.size': 1_048_576,
      'buffer.memory': 33_554_432,
      'max.block.ms': 60_000,
      'retry.backoff.ms': 100,
      'retry.backoff.max.ms': 1000,
      'metadata.max.age.ms': 300_000,
      'isolation.level': 'read_uncommitted',
      'auto.offset.reset': 'latest',
      'fetch.min.bytes': 1,
      'fetch.max.wait.ms': 500,
      'fetch.max.bytes': 52_428_800,
      'max.partition.fetch.bytes': 1_048_576,
      'max.poll.records': 500,
    });
  });

  test('the fast profile shortens what waits, and an override beats it', () => {
    const config = clientConfig({ 'request.timeout.ms': '3s' }, 'fast');
    expect(config).toMatchObject({
      'request.timeout.ms': 3000,
      'delivery.timeout.ms': 20_000,
      'fetch.max.wait.ms': 100,
      'retry.backoff.ms': 20,
      'retry.backoff.max.ms': 100,
    });
  });

  test.each([
    ['all', -1],
    [-1, -1],
    [1, 1],
    ['0', 0],
  ])('repl R-13: acks=%s is sent as %d', (acks, sent) => {
    expect(acksOf(clientConfig({ acks }))).toBe(sent);
  });

  test('wire W-67: isolation levels are numbered 0 and 1', () => {
    expect(isolationOf(clientConfig())).toBe(0);
    expect(isolationOf(clientConfig({ 'isolation.level': 'read_committed' }))).toBe(1);
  });

  test.each([
    [{ 'linger.msec': 1 }, /unknown client setting "linger\.msec"; known: .*linger\.ms/],
    [{ toString: 1 }, /unknown client setting "toString"/],
    [{ acks: 2 }, /acks is one of "all", "-1", "1", "0", not "2"/],
    [{ 'batch.size': 'big' }, /batch\.size is a whole number, not "big"/],
    [{ 'max.in.flight.requests.per.connection': 0 }, /must be at least 1/],
    [{ 'auto.offset.reset': 'newest' }, /auto\.offset\.reset is one of "earliest", "latest", "none"/],
    [{ 'enable.idempotence': true, acks: 1 }, /acks is 1; it must be all while enable\.idempotence is true/],
    [{ 'enable.idempotence': true, retries: 0 }, /retries is 0; it must be at least 1 while enable\.idempotence/],
    [{ 'max.in.flight.requests.per.connection': 6 }, /it must be at most 5 while enable\.idempotence is true/],
    [{ 'max.in.flight.requests.per.connection': 6, acks: 1 }, /must be at most 5/],
    [{ 'delivery.timeout.ms': 30_004 }, /must be at least linger\.ms \+ request\.timeout\.ms \(30005\)/],
    [{ 'retry.backoff.ms': 2000 }, /retry\.backoff\.ms must not exceed retry\.backoff\.max\.ms/],
    [{ 'fetch.max.wait.ms': 30_000 }, /fetch\.max\.wait\.ms must be less than request\.timeout\.ms/],
  ])('%j is refused with a sentence', (overrides, sentence) => {
    expect(() => clientConfig(overrides)).toThrow(ConfigError);
    expect(() => clientConfig(overrides)).toThrow(sentence);
  });

  test.each([{ acks: 1 }, { acks: 0 }, { retries: 0 }])(
    'txn T-159: idempotence that nobody asked for gives way to %j',
    (overrides) => expect(clientConfig(overrides)['enable.idempotence']).toBe(false),
  );

  test('txn T-159: without idempotence any number of requests may be in flight', () => {
    const plain = { 'enable.idempotence': false, 'max.in.flight.requests.per.connection': 6 };
    expect(clientConfig(plain)['max.in.flight.requests.per.connection']).toBe(6);
  });

  test('a delivery timeout that nobody asked for gives way to a longer linger and request timeout', () => {
    expect(clientConfig({ 'request.timeout.ms': '3m' })['delivery.timeout.ms']).toBe(180_005);
    expect(clientConfig({ 'delivery.timeout.ms': 30_005 })['delivery.timeout.ms']).toBe(30_005);
  });
});
