// The plain consumer against a cluster by script: positions, resets, validation, and every reaction of repl R-36.
import { gzipSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ConsumerCore, PollResult } from '../../src/client/core/consumer.ts';
import type { Decompress } from '../../src/client/core/consumer-record.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { encodeBatch, encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import { BATCH_HEADER_BYTES } from '../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { poll, readValues, text, waitFor } from './support/wait.ts';

const P0 = { topic: TOPIC, partition: 0 };
const batch = (...values: readonly string[]): Buffer =>
  encodeBatch(values.map((value) => ({ timestamp: 1000, key: null, value: text(value) })));

function setUp(config: Record<string, unknown> = {}, options: { decompress?: Decompress; seed?: number } = {}) {
  const cluster = new ScriptedCluster(options.seed);
  const moves: string[] = [];
  const { decompress } = options;
  const client = cluster.client();
  const make = (overrides: Record<string, unknown>): ConsumerCore =>
    client.consumer(
      { 'auto.offset.reset': 'earliest', ...overrides },
      {
        onPosition: (_of, why, from, to) => moves.push(`${why} ${from}>${to}`),
        ...(decompress === undefined ? {} : { decompress }),
      },
    );
  const consumer = make(config);
  consumer.assign([P0]);
  return { cluster, world: cluster.world, client, consumer, make, moves };
}

const failureOf = (result: PollResult) => {
  if (result.kind !== 'failed') throw new Error(`no failure: ${JSON.stringify(result)}`);
  return result.failure;
};

describe('reading', () => {
  test('what is below the bound is delivered once, in order, and moves the position', () => {
    const { cluster, world, consumer, moves } = setUp();
    cluster.append(batch('a', 'b'));
    cluster.append(batch('c'));
    expect(consumer.position(P0)).toBeUndefined();
    const result = poll(world, consumer);
    const told = { highWatermark: 3, highWatermarkEpoch: cluster.leaderEpoch };
    expect(result).toMatchObject({ kind: 'ok', deliveries: [{ ...P0, from: 0, to: 3, ...told }] });
    expect(consumer.position(P0)).toBe(3);
    expect(moves).toEqual(['start -1>0']);
    cluster.append(batch('d'));
    expect(readValues(world, consumer, 1)).toEqual(['d']);
  });

  test('records carry offset, epoch, time, key and headers', () => {
    const { cluster, world, consumer } = setUp();
    cluster.leaderEpoch = 4;
    const headers = [{ key: 'h', value: text('x') }];
    cluster.append(encodeBatch([{ timestamp: 5, key: text('k'), value: null, headers }]));
    const result = poll(world, consumer);
    expect(result.kind === 'ok' && result.deliveries[0]!.records).toEqual([
      { ...P0, offset: 0, leaderEpoch: 4, timestamp: 5, key: text('k'), value: null, headers },
    ]);
  });

  test('repl R-23: a fetch names topic id and leader epoch, and never a last fetched epoch', () => {
    const { cluster, world, consumer } = setUp();
    cluster.leaderEpoch = 2;
    cluster.append(batch('a'));
    readValues(world, consumer, 1);
    const { request } = cluster.requests('ConsumerFetch')[0]!;
    expect(request).toMatchObject({ replicaId: -1, maxWaitMs: 100, minBytes: 1, isolationLevel: 0, full: true });
    expect(request.partitions[0]).toMatchObject({ currentLeaderEpoch: 2, lastFetchedEpoch: -1, logStartOffset: -1 });
    expect(request.partitions[0]!.topicId).not.toBe('');
  });

  test('read_committed is passed through', () => {
    const { cluster, world, consumer } = setUp({ 'isolation.level': 'read_committed' });
    cluster.append(batch('a'));
    readValues(world, consumer, 1);
    expect(cluster.requests('ConsumerFetch')[0]!.request.isolationLevel).toBe(1);
    expect(cluster.requests('ListOffsets')[0]!.request.isolationLevel).toBe(1);
  });

  test('repl R-30: records of a batch below the position are skipped', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a', 'b', 'c'));
    consumer.seek(P0, 2);
    expect(readValues(world, consumer, 1)).toEqual(['c']);
  });

  test('K-30: markers are not records, but their offsets are passed', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(
      encodeMarker({ type: 'commit', producerId: 7, producerEpoch: 0, coordinatorEpoch: 0, timestamp: 1 }),
    );
    const result = poll(world, consumer);
    expect(result).toMatchObject({ kind: 'ok', deliveries: [{ from: 0, to: 1, records: [] }] });
    cluster.append(batch('a'));
    expect(readValues(world, consumer, 1)).toEqual(['a']);
  });

  test('max.poll.records cuts a batch; the rest comes without another fetch', () => {
    const { cluster, world, consumer } = setUp({ 'max.poll.records': 2 });
    cluster.append(batch('a', 'b', 'c'));
    expect(poll(world, consumer)).toMatchObject({ deliveries: [{ from: 0, to: 2 }] });
    expect(poll(world, consumer)).toMatchObject({ deliveries: [{ from: 2, to: 3 }] });
    world.runFor(150);
    const offsets = cluster.requests('ConsumerFetch').map(({ request }) => request.partitions[0]!.fetchOffset);
    expect(offsets).toEqual([0, 3]);
  });

  test('a poll ends after its time with nothing; a cancelled one at once; positions stay', () => {
    const { world, consumer } = setUp();
    const before = world.now;
    expect(poll(world, consumer, 700)).toEqual({ kind: 'ok', deliveries: [] });
    expect(world.now - before).toBeCloseTo(700, 0);
    const results: PollResult[] = [];
    consumer.poll(10_000, (result) => results.push(result));
    consumer.cancelPoll();
    expect(results).toEqual([{ kind: 'ok', deliveries: [] }]);
  });

  test('what arrives after a poll has ended is kept for the next one', () => {
    const { cluster, world, consumer } = setUp();
    poll(world, consumer, 50);
    cluster.append(batch('a'));
    world.runFor(500);
    const fetches = cluster.requests('ConsumerFetch').length;
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    expect(cluster.requests('ConsumerFetch').length - fetches).toBeLessThanOrEqual(1);
  });

  test('partitions take turns', () => {
    const cluster = new ScriptedCluster(1, 2);
    const consumer = cluster.client().consumer({ 'auto.offset.reset': 'earliest', 'max.poll.records': 1 });
    consumer.assign([P0, { ...P0, partition: 1 }]);
    for (const partition of [0, 1]) cluster.append(batch('a', 'b'), partition);
    const order = [1, 2, 3, 4].map(() => {
      const result = poll(cluster.world, consumer);
      return result.kind === 'ok' ? result.deliveries[0]?.partition : undefined;
    });
    expect(order.filter((partition) => partition === 0)).toHaveLength(2);
    expect(new Set(order.slice(0, 2)).size).toBe(2);
  });

  test('a partition that is not assigned any more is not delivered', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    poll(world, consumer, 5);
    consumer.assign([]);
    expect(poll(world, consumer, 500)).toEqual({ kind: 'ok', deliveries: [] });
    expect(consumer.seek(P0, 0)).toBe(false);
  });

  test('closed, a consumer polls nothing and sends nothing', () => {
    const { cluster, world, consumer } = setUp();
    consumer.close();
    expect(poll(world, consumer)).toEqual({ kind: 'ok', deliveries: [] });
    expect(cluster.requests('ConsumerFetch')).toHaveLength(0);
  });
});

describe('where to start', () => {
  test('latest starts at the high watermark', () => {
    const { cluster, world, consumer, moves } = setUp({ 'auto.offset.reset': 'latest' });
    cluster.append(batch('a', 'b'));
    poll(world, consumer, 300);
    cluster.append(batch('c'));
    expect(readValues(world, consumer, 1)).toEqual(['c']);
    expect(moves).toEqual(['start -1>2']);
  });

  test('none: a poll without a position fails until there is one', () => {
    const { cluster, world, consumer } = setUp({ 'auto.offset.reset': 'none' });
    cluster.append(batch('a'));
    for (let time = 0; time < 2; time++) {
      expect(failureOf(poll(world, consumer))).toMatchObject({ ...P0, kind: 'no-offset', position: -1 });
    }
    consumer.seek(P0, 0);
    expect(readValues(world, consumer, 1)).toEqual(['a']);
  });

  test('seekTo goes to an end', () => {
    const { cluster, world, consumer, moves } = setUp();
    cluster.append(batch('a', 'b'));
    readValues(world, consumer, 2);
    consumer.seekTo(P0, 'earliest');
    expect(readValues(world, consumer, 2)).toEqual(['a', 'b']);
    expect(moves).toEqual(['start -1>0', 'seek 2>0']);
  });

  test('a seek during a fetch makes its answer void', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a', 'b'));
    const results: PollResult[] = [];
    consumer.poll(1000, (result) => results.push(result));
    world.run({ until: () => cluster.requests('ConsumerFetch').length > 0, maxMs: 1000 });
    consumer.seek(P0, 1);
    world.run({ until: () => results.length > 0, maxMs: 2000 });
    expect(results[0]).toMatchObject({ deliveries: [{ from: 1, to: 2 }] });
  });

  test('repl R-37: OFFSET_NOT_AVAILABLE is asked again, not answered with a lower number', () => {
    const { cluster, world, consumer, moves } = setUp({ 'auto.offset.reset': 'latest' });
    cluster.append(batch('a'));
    cluster.next(
      'ListOffsets',
      { kind: 'error', error: 'OFFSET_NOT_AVAILABLE' },
      { kind: 'error', error: 'OFFSET_NOT_AVAILABLE' },
    );
    poll(world, consumer, 500);
    expect(cluster.requests('ListOffsets')).toHaveLength(3);
    expect(moves).toEqual(['start -1>1']);
  });
});

describe('reactions to errors (repl R-36)', () => {
  const retried: ErrorName[] = [
    ...(['NOT_LEADER_OR_FOLLOWER', 'FENCED_LEADER_EPOCH', 'KAFKA_STORAGE_ERROR', 'OFFSET_NOT_AVAILABLE'] as const),
    ...(['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID', 'INCONSISTENT_TOPIC_ID'] as const),
  ];
  test.each(retried)('%s: metadata is refreshed and the fetch repeated', (error) => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    consumer.seek(P0, 0);
    cluster.next('ConsumerFetch', { kind: 'error', error });
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    world.runFor(100);
    expect(cluster.requests('Metadata').length).toBeGreaterThan(1);
    expect(cluster.requests('ConsumerFetch').length).toBeGreaterThan(1);
  });

  test('UNKNOWN_LEADER_EPOCH: the broker is behind, so the fetch is repeated without refreshing', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    consumer.seek(P0, 0);
    cluster.next('ConsumerFetch', { kind: 'error', error: 'UNKNOWN_LEADER_EPOCH' });
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    world.runFor(100);
    expect(cluster.requests('Metadata')).toHaveLength(1);
  });

  test('OFFSET_OUT_OF_RANGE: auto.offset.reset is applied, and said', () => {
    const { cluster, world, consumer, moves } = setUp();
    cluster.append(batch('a'));
    consumer.seek(P0, 50);
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    expect(moves).toEqual(['seek -1>50', 'reset 50>0']);
  });

  test('OFFSET_OUT_OF_RANGE without a policy is raised, and the position stays', () => {
    const { cluster, world, consumer } = setUp({ 'auto.offset.reset': 'none' });
    cluster.append(batch('a'));
    consumer.seek(P0, 50);
    expect(failureOf(poll(world, consumer))).toMatchObject({
      kind: 'out-of-range',
      error: 'OFFSET_OUT_OF_RANGE',
      position: 50,
    });
    expect(consumer.position(P0)).toBe(50);
  });

  test('CORRUPT_MESSAGE from the broker is raised to the application', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    cluster.next('ConsumerFetch', { kind: 'error', error: 'CORRUPT_MESSAGE' });
    expect(failureOf(poll(world, consumer))).toMatchObject({ kind: 'corrupt', error: 'CORRUPT_MESSAGE' });
  });

  test('a damaged batch is raised after what stands before it was delivered, and each time again', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    cluster.append(batch('b'));
    cluster.corruptLast();
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    for (let time = 0; time < 2; time++) {
      expect(failureOf(poll(world, consumer))).toMatchObject({ kind: 'corrupt', position: 1 });
    }
    consumer.seek(P0, 2);
    cluster.append(batch('c'));
    expect(readValues(world, consumer, 1)).toEqual(['c']);
  });

  test('an error that waiting does not mend is raised', () => {
    const { cluster, world, consumer } = setUp();
    cluster.next('ConsumerFetch', { kind: 'error', error: 'INVALID_REQUEST' });
    expect(failureOf(poll(world, consumer))).toMatchObject({ kind: 'refused', error: 'INVALID_REQUEST' });
  });

  test('repl R-33: the leader named in an error is followed without waiting for metadata', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    expect(readValues(world, consumer, 1)).toEqual(['a']);
    cluster.metadataLeader = { leader: 1, leaderEpoch: 0 };
    cluster.elect(2);
    cluster.append(batch('b'));
    expect(readValues(world, consumer, 1)).toEqual(['b']);
  });

  test('a leader that dies in the middle is found again', () => {
    const { cluster, world, consumer } = setUp();
    cluster.append(batch('a'));
    readValues(world, consumer, 1);
    cluster.world.node(1).kill();
    cluster.elect(2);
    cluster.append(batch('b'));
    expect(readValues(world, consumer, 1)).toEqual(['b']);
  });

  test('repl R-25: a position above the high watermark gets nothing, no error, and does not spin', () => {
    const { cluster, world, consumer, moves } = setUp();
    cluster.append(batch('a', 'b'));
    readValues(world, consumer, 2);
    cluster.highWatermark = 1;
    const before = cluster.requests('ConsumerFetch').length;
    expect(poll(world, consumer, 1000)).toEqual({ kind: 'ok', deliveries: [] });
    expect(cluster.requests('ConsumerFetch').length - before).toBeLessThan(60);
    cluster.highWatermark = undefined;
    cluster.append(batch('c'));
    expect(readValues(world, consumer, 1)).toEqual(['c']);
    expect(moves).toEqual(['start -1>0']);
  });
});

describe('a new leader epoch (KIP-320, repl R-36)', () => {
  function readThree(config: Record<string, unknown> = {}) {
    const all = setUp(config);
    for (const value of ['a', 'b', 'c']) all.cluster.append(batch(value));
    readValues(all.world, all.consumer, 3);
    return all;
  }

  test('the position is validated against the epoch of the last record, and reading goes on', () => {
    const { cluster, world, consumer, moves } = readThree();
    cluster.elect(2);
    cluster.append(batch('d'));
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    const [asked] = cluster.requests('OffsetsForLeaderEpoch');
    expect(asked!.request.partitions[0]).toMatchObject({ leaderEpoch: 0, currentLeaderEpoch: 1 });
    expect(moves).toEqual(['start -1>0']);
  });

  test('a log that was cut below the position: go on where the epoch ends, and say so', () => {
    const { cluster, world, consumer, moves } = readThree();
    cluster.elect(2, 1);
    cluster.append(batch('B'));
    expect(readValues(world, consumer, 1)).toEqual(['B']);
    expect(moves).toEqual(['start -1>0', 'truncated 3>1']);
  });

  test('without a reset policy the truncation is raised, with both offsets, until the application seeks', () => {
    const { cluster, world, consumer } = setUp({ 'auto.offset.reset': 'none' });
    for (const value of ['a', 'b', 'c']) cluster.append(batch(value));
    consumer.seek(P0, 0);
    readValues(world, consumer, 3);
    cluster.elect(2, 1);
    for (let time = 0; time < 2; time++) {
      const failure = failureOf(poll(world, consumer));
      expect(failure).toMatchObject({ kind: 'log-truncation', position: 3, divergentOffset: 1 });
    }
    consumer.seek(P0, 1);
    cluster.append(batch('B'));
    expect(readValues(world, consumer, 1)).toEqual(['B']);
  });

  test('an epoch the leader does not know: auto.offset.reset', () => {
    const { cluster, world, consumer, moves } = readThree();
    cluster.elect(2);
    cluster.epochs = [[1, 3]];
    expect(readValues(world, consumer, 3)).toEqual(['a', 'b', 'c']);
    expect(moves).toEqual(['start -1>0', 'reset 3>0']);
  });

  test('validation is repeated through errors and silence; nothing is delivered before it is done', () => {
    const { cluster, world, consumer } = readThree();
    cluster.elect(2);
    cluster.append(batch('d'));
    cluster.next('OffsetsForLeaderEpoch', { kind: 'error', error: 'UNKNOWN_LEADER_EPOCH' }, { kind: 'silence' });
    const fetches = () =>
      cluster.requests('ConsumerFetch').filter(({ request }) => request.partitions[0]!.currentLeaderEpoch === 1);
    poll(world, consumer, 1500);
    expect(fetches()).toHaveLength(0);
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    expect(cluster.requests('OffsetsForLeaderEpoch')).toHaveLength(3);
  });

  test('what was fetched from the old leader and not delivered is dropped when the position is in doubt', () => {
    const { cluster, world, consumer } = setUp({ 'max.poll.records': 1 });
    cluster.append(batch('a'));
    cluster.append(batch('b'));
    readValues(world, consumer, 1);
    cluster.elect(2, 1);
    cluster.append(batch('B'));
    cluster.next('ConsumerFetch', { kind: 'error', error: 'NOT_LEADER_OR_FOLLOWER' });
    consumer.seek(P0, 1, 0);
    expect(readValues(world, consumer, 1)).toEqual(['B']);
  });

  test('a position set by seek without an epoch is not validated; with one it is', () => {
    const { cluster, world, consumer, moves } = setUp();
    cluster.append(batch('a'));
    cluster.append(batch('b'));
    consumer.seek(P0, 1);
    readValues(world, consumer, 1);
    expect(cluster.requests('OffsetsForLeaderEpoch')).toHaveLength(0);
    cluster.elect(2, 1);
    cluster.append(batch('B'));
    consumer.seek(P0, 2, 0);
    expect(readValues(world, consumer, 1)).toEqual(['B']);
    expect(moves.at(-1)).toBe('truncated 2>1');
  });

  test('consumer.truncationDetect off: it goes on where it was, and skips what the new leader wrote there', () => {
    const { cluster, world, consumer, moves } = readThree();
    cluster.world.setSafeguard('consumer.truncationDetect', false);
    cluster.elect(2, 1);
    for (const value of ['B', 'C', 'D']) cluster.append(batch(value));
    expect(readValues(world, consumer, 1)).toEqual(['D']);
    expect(cluster.requests('OffsetsForLeaderEpoch')).toHaveLength(0);
    expect(moves).toEqual(['start -1>0']);
  });
});

describe('compressed batches', () => {
  const body = (): Buffer => batch('a', 'b').subarray(BATCH_HEADER_BYTES);
  const zipped = (codec: 'gzip' | 'zstd'): Buffer =>
    encodeOpaqueBatch({
      ...{ codec, body: codec === 'gzip' ? gzipSync(body()) : body() },
      ...{ recordCount: 2, baseTimestamp: 1000, maxTimestamp: 1000 },
    });
  const gunzip: Decompress = (codec, bytes) => (codec === 'gzip' ? gunzipSync(bytes) : undefined);

  test('a decompressor makes them readable', () => {
    const { cluster, world, consumer } = setUp({}, { decompress: gunzip });
    cluster.append(zipped('gzip'));
    cluster.append(batch('c'));
    expect(readValues(world, consumer, 3)).toEqual(['a', 'b', 'c']);
  });

  test.each(['gzip', 'zstd'] as const)('without one for %s the failure names the codec', (codec) => {
    const { cluster, world, consumer } = setUp({}, codec === 'gzip' ? {} : { decompress: gunzip });
    cluster.append(zipped(codec));
    const failure = failureOf(poll(world, consumer));
    expect(failure).toMatchObject({ kind: 'compressed', error: 'UNSUPPORTED_COMPRESSION_TYPE', position: 0 });
    expect(failure.message).toContain(codec);
  });
});

test('a second poll cancels the first', () => {
  const { world, consumer } = setUp();
  const first: PollResult[] = [];
  consumer.poll(60_000, (result) => first.push(result));
  expect(waitFor<PollResult>(world, (done) => consumer.poll(10, done))).toEqual({ kind: 'ok', deliveries: [] });
  expect(first).toEqual([{ kind: 'ok', deliveries: [] }]);
});
