// Readers of decided data at a broker: its fetches, waits and offsets are bounded by the last stable offset (txn T-133 to T-137,
// T-178). The log was fetched from a scripted leader, which then hands over.
import { describe, expect, test } from 'vitest';
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { aFollower, fetched } from './support/scripted-leader.ts';
import type { ScriptedLeader } from './support/scripted-leader.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { TOPIC, wanted } from './support/stage.ts';
import type { Stage, StageOptions } from './support/stage.ts';

const one = [{ timestamp: 1, key: null, value: Buffer.from('v') }];
const transactional = (baseOffset: number, producerId: number, baseSequence: number): Buffer =>
  encodeBatch(one, {
    ...{ baseOffset, leaderEpoch: 0, attributes: TRANSACTIONAL, producerId, producerEpoch: 3, baseSequence },
  });
const plain = (baseOffset: number): Buffer => encodeBatch(one, { baseOffset, leaderEpoch: 0 });
const marker = (baseOffset: number, type: 'abort' | 'commit', producerId: number): Buffer =>
  encodeMarker(
    { type, producerId, producerEpoch: 3, coordinatorEpoch: 2, timestamp: 5 },
    { baseOffset, leaderEpoch: 0 },
  );

/** Producer 7: 0 and 2, ABORT at 3; plain: 1 and 5; producer 8: 4, open. */
const LOG = [
  transactional(0, 7, 0),
  plain(1),
  transactional(2, 7, 1),
  marker(3, 'abort', 7),
  transactional(4, 8, 0),
  plain(5),
];

/** A leader of ISR [1, 2] that has this log, up to this high watermark. */
function aLeader(batches: Buffer[], highWatermark: number, options: StageOptions = {}): Stage {
  const { stage, leader } = aFollower(options);
  follow(stage, leader, batches, highWatermark);
  stage.change({ leader: 1, isr: [1, 2] });
  return stage;
}

function follow(stage: Stage, leader: ScriptedLeader, batches: Buffer[], highWatermark: number): void {
  leader.request(1);
  leader.answer([fetched({ records: Buffer.concat(batches), highWatermark })]);
  leader.request(2);
  expect(stage.replica).toMatchObject({ highWatermark, logEndOffset: batches.length });
}

const ask = (fetchOffset: number, isolationLevel: number, more: { maxWaitMs?: number; minBytes?: number } = {}) => ({
  ...{
    replicaId: -1,
    replicaEpoch: -1,
    full: true,
    forgotten: [],
    rackId: '',
    leaderOnly: false,
    streamGeneration: 0,
    sequence: 0,
  },
  ...{ maxWaitMs: 0, minBytes: 1, maxBytes: 1 << 20, isolationLevel, ...more },
  partitions: [wanted(fetchOffset, { currentLeaderEpoch: 1, lastFetchedEpoch: -1 })],
});

function fetchedAt(stage: Stage, fetchOffset: number, isolationLevel: number) {
  return stage.call('ConsumerFetch', ask(fetchOffset, isolationLevel)).partitions[0]!;
}

describe('txn T-133, T-135: a fetch', () => {
  test('of read_committed ends at the last stable offset and says what was aborted', () => {
    const stage = aLeader(LOG, 6);
    const got = fetchedAt(stage, 0, 1);
    expect(got).toMatchObject({ highWatermark: 6, lastStableOffset: 4 });
    expect(got.records).toEqual(Buffer.concat(LOG.slice(0, 4)));
    expect(got.abortedTransactions).toEqual([{ producerId: 7, firstOffset: 0 }]);
    expect(stage.seen('consumer.served')).toMatchObject([{ endOffset: 4, highWatermark: 6, lastStableOffset: 4 }]);
  });

  test('of read_uncommitted ends at the high watermark and says nothing of it', () => {
    const stage = aLeader(LOG, 6);
    expect(fetchedAt(stage, 0, 0)).toMatchObject({ records: Buffer.concat(LOG), abortedTransactions: [] });
    expect(stage.seen('consumer.served')[0]).not.toHaveProperty('lastStableOffset');
  });

  test('at or above the bound brings nothing and no error; above the log end it is out of range', () => {
    const stage = aLeader(LOG, 6);
    for (const offset of [4, 5, 6]) {
      expect(fetchedAt(stage, offset, 1)).toMatchObject({ error: 'NONE', records: Buffer.alloc(0) });
    }
    expect(fetchedAt(stage, 7, 1)).toMatchObject({ error: 'OFFSET_OUT_OF_RANGE' });
  });

  test('with txn.lsoBound off: up to the high watermark', () => {
    const stage = aLeader(LOG, 6, { safeguardsOff: ['txn.lsoBound'] });
    expect(fetchedAt(stage, 0, 1).records).toEqual(Buffer.concat(LOG));
  });
});

describe('txn T-136: a waiting read_committed fetch', () => {
  test('is answered when the high watermark passes the marker, not when it is appended', () => {
    const stage = aLeader(LOG.slice(0, 4), 3);
    expect(stage.replica).toMatchObject({ highWatermark: 3, lastStableOffset: 0, logEndOffset: 4 });
    const waiting = stage.ask('ConsumerFetch', ask(0, 1, { maxWaitMs: 5000 }));
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(3, { currentLeaderEpoch: 1 })]);
    stage.runFor(50);
    expect(waiting.value).toBeUndefined();
    follower.send([wanted(4, { currentLeaderEpoch: 1 })]);
    stage.until(() => waiting.value !== undefined, 100);
    expect(waiting.value).toMatchObject({ response: { partitions: [{ lastStableOffset: 4, highWatermark: 4 }] } });
    expect(stage.seen('lso').at(-1)).toMatchObject({ from: 0, to: 4, highWatermark: 4, firstUnstableOffset: -1 });
  });

  test('above the last stable offset waits as one at it', () => {
    const stage = aLeader(LOG, 6);
    const waiting = stage.ask('ConsumerFetch', ask(5, 1, { maxWaitMs: 500 }));
    stage.runFor(400);
    expect(waiting.value).toBeUndefined();
    stage.runFor(300);
    expect(waiting.value).toMatchObject({ response: { partitions: [{ error: 'NONE', records: Buffer.alloc(0) }] } });
  });
});

describe('txn T-137: ListOffsets', () => {
  const list = (stage: Stage, timestamp: number, isolationLevel: number) =>
    stage.call('ListOffsets', {
      ...{ replicaId: -1, isolationLevel },
      partitions: [{ topic: TOPIC, partition: 0, timestamp, currentLeaderEpoch: -1 }],
    }).partitions[0]!;

  test('LATEST is the last stable offset or the high watermark', () => {
    const stage = aLeader(LOG, 6);
    expect([list(stage, -1, 1).offset, list(stage, -1, 0).offset]).toEqual([4, 6]);
  });

  test('what lies at or above the bound is not found by its timestamp', () => {
    const stage = aLeader([transactional(0, 7, 0), plain(1)], 2);
    expect([list(stage, 1, 1).offset, list(stage, 1, 0).offset]).toEqual([-1, 0]);
  });

  test('CP-25: a new leader whose high watermark is behind says so, and serves nothing undecided', () => {
    const stage = aLeader(LOG, 2);
    expect(list(stage, -1, 1)).toMatchObject({ error: 'OFFSET_NOT_AVAILABLE' });
    expect(stage.replica.lastStableOffset).toBe(0);
    expect(fetchedAt(stage, 0, 1).records).toHaveLength(0);
  });
});

describe('CP-23: what a follower knows', () => {
  test('the last stable offset, as its leader does', () => {
    const { stage, leader } = aFollower();
    follow(stage, leader, LOG, 6);
    expect(stage.replica).toMatchObject({ highWatermark: 6, lastStableOffset: 4 });
    expect(stage.seen('lso').at(-1)).toMatchObject({ to: 4, firstUnstableOffset: 4 });
  });
});

test('txn T-182: a replica tells of its oldest open transaction, and whether it is late', () => {
  const stage = aLeader(LOG, 6);
  // Of 1970, by its batches: nothing may be open for so long.
  const oldest = { producerId: 8, startOffset: 4, lastTimestampMs: 1, late: true };
  expect(stage.replica.oldestTransaction).toEqual(oldest);
  expect(aLeader(LOG.slice(0, 4), 4).replica.oldestTransaction).toBeNull();
});
