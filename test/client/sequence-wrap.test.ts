// Sequences behind 2^31-1 (txn T-102). Nobody sends so many records here. The client's half: its numbering, beginning with one
// batch of that length. The brokers' half: a real client on real brokers, whose numbers are shifted on their way.
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/base/crc32c.ts';
import { ClientCore } from '../../src/client/core/client.ts';
import { ProducerBatch } from '../../src/client/core/producer-batch.ts';
import type { ProducerCore } from '../../src/client/core/producer.ts';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { Sequences } from '../../src/client/core/sequences.ts';
import type { AdminResult } from '../../src/client/core/admin.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import type { RequestOf, ResponseOf } from '../../src/protocol/apis.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import type { Network, Runtime } from '../../src/runtime/ports.ts';
import { aCluster, createTopic } from './support/cluster.ts';
import { asValue } from './support/transactions-on-cluster.ts';
import { readValues, text, waitFor } from './support/wait.ts';

const MAX = 2_147_483_647;
const T0 = { topic: 't', partition: 0 };

describe('the client', () => {
  const identity = { producerId: 7, epoch: 0 };
  const batchOf = (count: number, order: number): ProducerBatch => {
    const batch = new ProducerBatch(T0, order, 0);
    batch.records.length = count;
    return batch;
  };
  /** Numbered one by one, and acknowledged but for the last ones. */
  const numbered = (counts: readonly number[], open: number, inTransactions = false) => {
    const sequences = new Sequences({
      current: identity,
      ...(inTransactions ? { unresolved: () => undefined } : { bump: () => undefined }),
    });
    const batches = counts.map(batchOf);
    batches.forEach((batch, at) => {
      sequences.assign(batch);
      if (at < counts.length - open) sequences.succeeded(batch, -1);
    });
    return { sequences, batches, bases: () => batches.map(({ baseSequence }) => baseSequence) };
  };

  test('numbers on from 0, also when a batch holds both ends', () => {
    expect(numbered([MAX - 1, 4, 1], 0).bases()).toEqual([0, MAX - 1, 2]);
    expect(numbered([MAX, 1, 1], 0).bases()).toEqual([0, MAX, 0]);
  });

  test('knows what is next across the wrap, and what was acknowledged last', () => {
    const { sequences, batches } = numbered([MAX - 1, 4, 1], 1);
    // The batch that is next, refused as out of order: a gap, so there will be another epoch. One behind it waits.
    expect(sequences.mayRetry(batches[2]!, 'OUT_OF_ORDER_SEQUENCE_NUMBER', -1)).toBe(true);
    sequences.resolve();
    expect(batches[2]!.baseSequence).toBe(0);
  });

  test('closes a gap in a transaction across the wrap', () => {
    const { sequences, batches, bases } = numbered([MAX - 1, 3, 1, 1], 3, true);
    expect(bases()).toEqual([0, MAX - 1, 1, 2]);
    sequences.rejected(batches[1]!);
    expect(bases().slice(2)).toEqual([MAX - 1, MAX]);
  });
});

interface Shift {
  /** Added to every sequence. */
  readonly by: number;
  /** Answers that do not arrive, by number. */
  readonly lost: readonly number[];
  /** Every sequence as it was sent, retries included. */
  readonly sent: number[];
}

function shifted(network: Network, { by, lost, sent }: Shift): Network {
  let answers = 0;
  const shift = (request: RequestOf<'Produce'>): RequestOf<'Produce'> => ({
    ...request,
    partitions: request.partitions.map((partition) => ({ ...partition, records: shiftBatch(partition.records, by) })),
  });
  return {
    request: (...call) => network.request(...call),
    serve: (handlers) => network.serve(handlers),
    setAddress: (...address) => network.setAddress(...address),
    open: (to, api, on) => {
      if (api !== 'Produce') return network.open(to, api, on);
      const message: typeof on.message = (response) => {
        if (!lost.includes(answers++)) on.message(response);
      };
      const stream = network.open(to, api, { message, closed: (reason) => on.closed(reason) });
      return {
        send: (request) => {
          const out = shift(request as RequestOf<'Produce'>);
          sent.push(...out.partitions.map(({ records }) => records.readInt32BE(SEQUENCE_AT)));
          stream.send(out as typeof request);
        },
        end: () => stream.end(),
        abort: () => stream.abort(),
      };
    },
  };
}

const [SEQUENCE_AT, CRC_AT, CRC_FROM] = [53, 17, 21];

function shiftBatch(batch: Buffer, by: number): Buffer {
  const copy = Buffer.from(batch);
  copy.writeInt32BE((copy.readInt32BE(SEQUENCE_AT) + by) % 0x8000_0000, SEQUENCE_AT);
  copy.writeUInt32BE(crc32c(copy, CRC_FROM), CRC_AT);
  return copy;
}

/** A producer whose first sequence is `first`, on a cluster that takes any. */
function aProducer(
  first: number,
  lost: readonly number[],
  config: Readonly<Record<string, unknown>> = {},
  off: readonly Safeguard[] = [],
) {
  // An unknown producer begins with 0, unless this is off, as in Kafka: so it may begin where the wrap is near.
  const made = aCluster({ safeguardsOff: ['seq.firstIsZero', ...off], config: { 'transaction.version': 1 } });
  createTopic(made, 't');
  const { cluster, world } = made;
  const sent: number[] = [];
  const program = (runtime: Runtime): ClientCore => {
    const network = shifted(runtime.network, { by: first, lost, sent });
    return new ClientCore({
      ...{ runtime: { ...runtime, network }, bootstrap: cluster.brokerIds, clientId: 'shifted', profile: 'fast' },
    });
  };
  const producer = cluster.spawnClient(1002, program).producer(config);
  const admin = made.client.admin();
  const leader = (): number => {
    const told = waitFor<AdminResult<ResponseOf<'Metadata'>>>(world, (done) => admin.describeTopics(['t'], done));
    return asValue(told).topics[0]!.partitions[0]!.leader;
  };
  const log = () => {
    const question = { ...T0, fromOffset: 0, maxBatches: 1000 };
    type Answer = AdminResult<ResponseOf<'DescribeReplicas'>>;
    const told = waitFor<Answer>(world, (done) => admin.describeReplicas(leader(), question, done));
    return [...batchHeaders(asValue(told).replicas[0]!.records)];
  };
  const consumer = made.client.consumer({ 'isolation.level': 'read_committed', 'auto.offset.reset': 'earliest' });
  consumer.assign([T0]);
  const read = (count: number): string => readValues(world, consumer, count).join('');
  return { ...made, producer, log, leader, read, sent };
}

/** Sends values that share a batch. */
function sendAll(world: ReturnType<typeof aProducer>['world'], producer: ProducerCore, values: string): SendResult[] {
  const results: SendResult[] = [];
  for (const value of values) producer.send({ ...T0, value: text(value) }, (result) => results.push(result));
  expect(world.run({ until: () => results.length === values.length, maxMs: 60_000 })).toBe(true);
  return results;
}

describe('brokers', () => {
  test('a batch behind the wrap whose answer is lost is appended once; the next leader goes on behind it', () => {
    const { cluster, world, producer, log, leader, read, sent } = aProducer(MAX - 1, [1]);
    sendAll(world, producer, 'ab');
    sendAll(world, producer, 'cdef');
    sendAll(world, producer, 'g');
    const old = leader();
    cluster.kill(old);
    sendAll(world, producer, 'h');
    expect(leader()).not.toBe(old);
    const found = log().map(({ baseSequence, recordCount }) => [baseSequence, recordCount]);
    expect(found).toEqual([[MAX - 1, 2], [0, 4], [4, 1], [5, 1]]); // prettier-ignore
    expect([read(8), sent.slice(0, 4)]).toEqual(['abcdefgh', [MAX - 1, 0, 0, 4]]);
  });

  test('a batch that holds both ends is known again by the next leader, which only fetched it', () => {
    const { cluster, world, producer, log, leader, read, sent } = aProducer(MAX - 1, [0]);
    const results: SendResult[] = [];
    for (const value of 'abcd') producer.send({ ...T0, value: text(value) }, (result) => results.push(result));
    for (let waited = 0; log().length === 0 && waited < 50; waited++) world.runFor(10);
    world.runFor(200);
    cluster.kill(leader());
    expect(world.run({ until: () => results.length === 4, maxMs: 60_000 })).toBe(true);
    expect(results).toMatchObject([0, 1, 2, 3].map((offset) => ({ kind: 'ok', offset })));
    sendAll(world, producer, 'e');
    expect(log().map(({ baseSequence }) => baseSequence)).toEqual([MAX - 1, 2]);
    expect(read(5)).toBe('abcde');
    expect(sent.filter((sequence) => sequence === MAX - 1).length).toBeGreaterThan(1);
  });

  test('BUG-57: without seq.wrap the batch behind the last sequence is never taken', () => {
    const config = { 'delivery.timeout.ms': 3000, 'request.timeout.ms': 1000 };
    const { world, producer, log } = aProducer(MAX - 1, [], config, ['seq.wrap']);
    expect(sendAll(world, producer, 'ab')).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(sendAll(world, producer, 'c')).toMatchObject([{ kind: 'failed' }]);
    expect(log().map(({ baseSequence }) => baseSequence)).toEqual([MAX - 1]);
  });

  test('transactions of version 1 number on across the wrap, one aborted, two committed', () => {
    const { world, producer, log, read } = aProducer(MAX - 2, [], { 'transactional.id': 'app' });
    const txn = producer.transactions;
    waitFor(world, (done) => txn.init(done));
    const steps = [['ab', 'commit'], ['cd', 'abort'], ['ef', 'commit']] as const; // prettier-ignore
    for (const [values, end] of steps) {
      txn.begin();
      for (const value of values) sendAll(world, producer, value);
      expect(waitFor(world, (done) => txn[end](done))).toEqual({ kind: 'ok' });
    }
    expect(read(4)).toBe('abef');
    const data = log().filter(({ baseSequence }) => baseSequence >= 0);
    expect(data.map(({ baseSequence }) => baseSequence)).toEqual([MAX - 2, MAX - 1, MAX, 0, 1, 2]);
    expect(new Set(data.map(({ producerEpoch }) => producerEpoch)).size).toBe(1);
  });
});
