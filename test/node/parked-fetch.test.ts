// Which fetches are answered at once and which wait, and for how much (repl ).
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { batchOf, Stage, wanted } from './support/stage.ts';
import type { StageOptions } from './support/stage.ts';

const BATCH_BYTES = batchOf('A').length;
const LONG = { maxWaitMs: 60_000 };

function aFollower(options: StageOptions = {}): { stage: Stage; follower: ScriptedFollower } {
  const stage = new Stage({ replicas: [1, 2], partitions: 2, ...options }).start();
  return { stage, follower: new ScriptedFollower(stage, 2) };
}

const both = (more: object = {}) => [0, 1].map((partition) => wanted(0, { partition, ...more }));

describe('repl R-31: at once', () => {
  test('an error of one partition', () => {
    const { stage, follower } = aFollower();
    follower.send([wanted(0), wanted(0, { partition: 1, currentLeaderEpoch: 9 })], LONG);
    stage.until(() => follower.answers.length === 1, 100);
    const unknown = { partition: 1, error: 'UNKNOWN_LEADER_EPOCH', currentLeader: -1, currentLeaderEpoch: -1 };
    expect(follower.answers[0]!.partitions).toMatchObject([{ error: 'NONE' }, unknown]); // No hint: repl R-33.
  });
  test('repl R-28: a divergence, which records nothing and says the ends', () => {
    const { stage, follower } = aFollower();
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1 });
    stage.produced('B', { acks: 1 }); // What is asked for lies at the log end: without the divergence it would wait.
    follower.send([wanted(2, { currentLeaderEpoch: 1 })], LONG);
    stage.until(() => follower.answers.length === 1, 100);
    const end = { divergingEpoch: { epoch: 0, endOffset: 1 }, records: Buffer.alloc(0), highWatermark: 0 };
    expect(follower.answers[0]!.partitions).toMatchObject([{ error: 'NONE', ...end }]);
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: -1 }]);
    expect(stage.seen('fetch.recorded')).toEqual([]);
  });
  test('no partitions', () => {
    const { stage, follower } = aFollower();
    follower.send([], LONG);
    stage.until(() => follower.answers.length === 1, 100);
  });
  test('as much as the response may hold, though more is asked for', () => {
    const { stage, follower } = aFollower();
    stage.produced('A', { acks: 1 });
    follower.send([wanted(0)], { ...LONG, minBytes: 10 * BATCH_BYTES, maxBytes: BATCH_BYTES });
    stage.until(() => follower.answers.length === 1, 100);
  });
});

describe('repl R-31: what adds up while a fetch is parked', () => {
  test('the bytes of all partitions', () => {
    const { stage, follower } = aFollower();
    follower.send(both(), { ...LONG, minBytes: 2 * BATCH_BYTES });
    stage.produced('A', { acks: 1, partition: 1 });
    stage.runFor(50);
    expect(follower.answers).toHaveLength(0);
    stage.produced('A', { acks: 1, partition: 0 });
    stage.until(() => follower.answers.length === 1, 100);
    expect(follower.answers[0]!.partitions.map(({ records }) => records.length)).toEqual([BATCH_BYTES, BATCH_BYTES]);
  });
  test('of each no more than it may return', () => {
    const { stage, follower } = aFollower();
    follower.send(both({ partitionMaxBytes: BATCH_BYTES }), { ...LONG, minBytes: 2 * BATCH_BYTES });
    for (const value of ['A', 'B', 'C']) stage.produced(value, { acks: 1, partition: 1 });
    stage.runFor(50);
    expect(follower.answers).toHaveLength(0);
    stage.produced('A', { acks: 1, partition: 0 });
    stage.until(() => follower.answers.length === 1, 100);
  });
});

test('repl R-29: the broker caps every response', () => {
  const half = batchOf('x'.repeat(700));
  const { stage, follower } = aFollower({ config: { 'fetch.max.bytes': 1024 } });
  for (let i = 0; i < 2; i++) stage.produced('', { acks: 1, records: half });
  expect(follower.poll(0).records).toHaveLength(half.length);
});
