// Seeds with kills, pauses and cut links: whatever happened, what a producer says of its records is true of the log (repl
// R-17, I-18, I-25), and a consumer reads exactly the log, in order, unless it said that it was moved.
import { beforeAll, describe, expect, test } from 'vitest';
import type { AdminResult } from '../../src/client/core/admin.ts';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import { aCluster, createTopic } from './support/cluster.ts';
import { text, waitFor } from './support/wait.ts';

const TOPIC = 'orders';
const P0 = { topic: TOPIC, partition: 0 };
const SEND_COUNT = 150;

type Cluster = ReturnType<typeof aCluster>;

/** Values by offset, as the leader holds them once all is quiet. */
function logOf({ world, client }: Cluster): Map<number, string> {
  const { leader } = client.metadata.partition(TOPIC, 0)!;
  const question = { topic: TOPIC, partition: 0, fromOffset: 0, maxBatches: 100_000 };
  const result = waitFor<AdminResult<ResponseOf<'DescribeReplicas'>>>(world, (done) =>
    client.admin().describeReplicas(leader, question, done),
  );
  if (result.kind === 'failed') throw new Error(result.message);
  const [replica] = result.value.replicas;
  const values = new Map<number, string>();
  for (const header of batchHeaders(replica!.records)) {
    const decoded = decodeBatch(replica!.records, header.at);
    if (decoded.kind !== 'records') throw new Error(`${decoded.kind} batch at ${header.baseOffset}`);
    for (const { offset, value } of decoded.records) values.set(offset, value!.toString());
  }
  expect(values.size).toBe(replica!.logEndOffset);
  return values;
}

/** One disturbance, drawn; undone before the next. */
function disturb({ cluster, world }: Cluster, random: { below(bound: number): number }): () => void {
  const id = 1 + random.below(3);
  switch (random.below(4)) {
    case 0:
      cluster.kill(id);
      return () => cluster.start(id);
    case 1:
      cluster.pause(id);
      return () => cluster.resume(id);
    case 2: {
      const ways = random.below(2) === 0 ? [[1001, id]] : [[id, 1001]];
      for (const [from, to] of ways) cluster.setLink(from!, to!, true);
      return () => ways.forEach(([from, to]) => cluster.setLink(from!, to!, false));
    }
    default: {
      const others = [1, 2, 3, 100].filter((other) => other !== id);
      for (const other of others) cluster.setLink(id, other, true);
      world.runFor(1);
      return () => others.forEach((other) => cluster.setLink(id, other, false));
    }
  }
}

interface Run {
  readonly log: Map<number, string>;
  readonly results: ReadonlyMap<string, SendResult>;
  readonly read: readonly { offset: number; value: string }[];
  readonly moves: readonly string[];
}

/** Clients that keep order, that give up at once, and that give up soon. */
const CONFIGS = [{}, { 'max.in.flight.requests.per.connection': 1 }, { retries: 0 }, { retries: 2 }] as const;
/** From this seed on producers are idempotent. */
const IDEMPOTENT_FROM = 9;

/** Idempotence needs retries (txn T-159). */
function configOf(seed: number): Record<string, unknown> {
  const config = CONFIGS[seed % CONFIGS.length]!;
  return seed >= IDEMPOTENT_FROM && 'retries' in config ? { retries: 3 } : config;
}

function run(seed: number, config: Record<string, unknown>): Run {
  const all = aCluster({ seed });
  const { world, client } = all;
  const random = world.random('plan');
  createTopic(all, TOPIC, { configs: { 'min.insync.replicas': seed % 3 === 0 ? '3' : '2' } });
  const producer = client.producer({ 'linger.ms': 2, 'delivery.timeout.ms': 4000, ...config });
  const moves: string[] = [];
  const consumer = client.consumer({ 'auto.offset.reset': 'earliest' }, { onPosition: (_of, why) => moves.push(why) });
  consumer.assign([P0]);
  const read: { offset: number; value: string }[] = [];
  const poll = (): void =>
    consumer.poll(100, (result) => {
      if (result.kind === 'failed') throw new Error(result.failure.message);
      for (const { records } of result.deliveries) {
        for (const { offset, value } of records) read.push({ offset, value: value!.toString() });
      }
      poll();
    });
  poll();

  const results = new Map<string, SendResult>();
  let undo = (): void => undefined;
  for (let index = 0; index < SEND_COUNT; index++) {
    const value = `${index}`;
    producer.send({ topic: TOPIC, value: text(value) }, (result) => results.set(value, result));
    if (index % 30 === 10) undo = disturb(all, random);
    if (index % 30 === 25) undo();
    world.runFor(random.below(150));
  }
  undo();
  expect(world.run({ until: () => results.size === SEND_COUNT, maxMs: 30_000 })).toBe(true);
  world.runFor(15_000);
  return { log: logOf(all), results, read, moves };
}

/** Kinds of outcome that any seed met. */
const OUTCOMES = new Set<string>();

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('seed %i', (seed) => {
  let log: Run['log'];
  let results: Run['results'];
  let read: Run['read'];
  let moves: Run['moves'];
  beforeAll(() => {
    ({ log, results, read, moves } = run(seed, { 'enable.idempotence': seed >= IDEMPOTENT_FROM, ...configOf(seed) }));
    for (const result of results.values()) {
      OUTCOMES.add(result.kind === 'ok' ? 'ok' : result.definite ? 'definitely absent' : 'unknown');
      if (result.retried) OUTCOMES.add('retried');
    }
  });
  const copies = (value: string): number => [...log.values()].filter((other) => other === value).length;

  test('an acknowledged record is where it was said to be; a second copy only if that was said to be possible', () => {
    for (const [value, result] of results) {
      if (result.kind === 'failed') continue;
      expect(log.get(result.offset)).toBe(value);
      if (!result.retried) expect(copies(value)).toBe(1);
    }
    expect([...results.values()].filter(({ kind }) => kind === 'ok').length).toBeGreaterThan(SEND_COUNT / 3);
  });

  test('a record that definitely failed is nowhere; one that is unknown is there at most once unless it was retried', () => {
    for (const [value, result] of results) {
      if (result.kind === 'ok') continue;
      if (result.definite) expect(copies(value)).toBe(0);
      else if (!result.retried) expect(copies(value)).toBeLessThanOrEqual(1);
    }
  });

  test('the consumer reads the log, all of it, each offset once and in order', () => {
    expect(moves).toEqual(['start']);
    expect(read).toEqual([...log].map(([offset, value]) => ({ offset, value })));
  });
});

test('the seeds above met every kind of outcome', () => {
  expect([...OUTCOMES].sort()).toEqual(['definitely absent', 'ok', 'retried', 'unknown']);
});
