// Moments: when a leader tries its high watermark and when it does not (repl R-46), and how acks=all ends there (repl R-15).
import { describe, expect, test } from 'vitest';
import { configRecord } from '../../src/metadata/records.ts';
import type { FaultSpec, ProducedPartition } from '../../src/protocol/generated/index.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { batchOf, BROKER, CLIENT, Stage, TOPIC } from './support/stage.ts';
import type { StageOptions } from './support/stage.ts';

const aStage = (options: StageOptions = {}): Stage => new Stage(options).start();
const LAG_MS = 1000;
const config = { 'replica.lag.time.max.ms': LAG_MS };

/** Leader 1 alone in the ISR. 2 is proposed and has what 1 has; 3 fetched once, and is waited for until it lags. */
function withStraggler(): Stage & { second?: ScriptedFollower } {
  const stage = aStage({ config, isr: [1], minIsr: 1 });
  const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
  second.poll(0);
  third.poll(0);
  return Object.assign(stage, { second });
}

describe('repl R-46: there is no timer', () => {
  test('a straggler that died holds the high watermark until the next append, which ends what is parked', () => {
    const stage = withStraggler();
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.second!.poll(1);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark: 0 });
    stage.runFor(2 * LAG_MS);
    expect(stage.replica).toMatchObject({ highWatermark: 0 });
    stage.second!.poll(1); // Its recorded end has not changed.
    expect(stage.replica).toMatchObject({ highWatermark: 0 });
    expect(parked.answer).toBeUndefined();
    stage.produced('B', { acks: 1 });
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.replica).toMatchObject({ highWatermark: 1, logEndOffset: 2 });
  });
  test('a fetch is a candidate before the high watermark is tried', () => {
    const stage = aStage({ config, isr: [1], minIsr: 1 });
    new ScriptedFollower(stage, 2).poll(0);
    const refused = stage.altered({ error: 'INELIGIBLE_REPLICA' });
    stage.until(() => stage.controller.proposals.length === 1);
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [refused] });
    stage.until(() => stage.replica.maximalIsr.length === 1);
    stage.produced('A', { acks: 1 });
    expect(stage.replica).toMatchObject({ isr: [1], highWatermark: 0 }); // Held back by 2.
    stage.runFor(2 * LAG_MS);
    new ScriptedFollower(stage, 3).poll(0);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 3], highWatermark: 0 });
  });
  test('who is not caught up and not proposed holds nothing back', () => {
    const stage = aStage({ isr: [1], minIsr: 1 });
    const second = new ScriptedFollower(stage, 2);
    second.poll(0);
    for (const value of ['A', 'B']) stage.produced(value, { acks: 1 });
    new ScriptedFollower(stage, 3).poll(0);
    second.poll(2);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark: 2 });
  });
});

describe('repl R-46, R-47: metadata and answers of the controller', () => {
  test('an ISR that shrinks in the metadata ends what waited for the member', () => {
    const stage = aStage({ replicas: [1, 2], minIsr: 1 });
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.change({ isr: [1] });
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });
  test('an ISR that shrinks on the proposal of the leader, too', () => {
    const stage = aStage({ config, replicas: [1, 2], minIsr: 1 });
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.controller.proposals.length === 1);
    expect(parked.answer).toBeUndefined();
    const answer = stage.altered({ isr: [1], partitionEpoch: 1 });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [answer] });
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });
  test('repl R-63: an answer after the end of the leadership moves nothing', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 2 });
    stage.produced('A', { acks: 1 });
    new ScriptedFollower(stage, 2).poll(1);
    stage.until(() => stage.controller.proposals.length === 1);
    const late = stage.altered({ isr: [1, 2], partitionEpoch: 1 });
    stage.change({ leader: 2, isr: [1, 2] });
    const told = stage.seen('isr').length;
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [late] });
    stage.runFor(100);
    expect(stage.seen('hw')).toEqual([]);
    expect(stage.seen('isr')).toHaveLength(told);
  });
  test('repl R-42: a leader that stays leader keeps what it knows, and waits for no fetch', () => {
    const stage = aStage({ replicas: [1, 2], minIsr: 1 });
    stage.produced('A', { acks: 1 });
    new ScriptedFollower(stage, 2).poll(1);
    stage.change({ leader: 1 });
    expect(stage.replica).toMatchObject({ highWatermark: 1, followers: [{ brokerId: 2, logEndOffset: 1 }] });
    const parked = stage.produce('B', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 2);
    expect(parked.answer).toBeUndefined();
  });
});

describe('repl R-11, R-13: the minimum', () => {
  test('is the committed ISR, not one that is only proposed (T-1)', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 2 });
    new ScriptedFollower(stage, 2).poll(0);
    expect(stage.replica).toMatchObject({ isr: [1], maximalIsr: [1, 2] });
    expect(stage.produced('A')).toMatchObject({ error: 'NOT_ENOUGH_REPLICAS', baseOffset: -1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 0 });
  });
  test('is never more than the replicas there are', () => {
    const stage = aStage({ replicas: [1, 2], minIsr: 3 });
    const parked = stage.produce('A');
    stage.until(() => stage.replica.logEndOffset === 1);
    new ScriptedFollower(stage, 2).poll(1);
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });
});

/** Every append of partition 1 stops when it is counted. */
const HELD_PARTITION: FaultSpec = {
  ...{ id: 'h', point: 'log.append.leader', where: [{ field: 'partition', op: '=', values: ['1'] }], nth: 0, times: 0 },
  ...{ probability: 1, ttlMs: 0, owner: 'test' },
  action: { kind: 'hold', target: 'node', durationMs: 0, error: 'NONE', laterMs: 0 },
};

describe('repl R-15, R-16: the high watermark has passed, and the minimum was raised since', () => {
  /** One produce to both partitions: 0 is replicated, then `minIsr` rises, then 1 is let go, which stays stuck. */
  function produceBoth(minIsr: number): { stage: Stage; answer: () => readonly ProducedPartition[] | undefined } {
    const stage = aStage({ isr: [1], minIsr: 1, partitions: 2 });
    const second = new ScriptedFollower(stage, 2);
    second.poll(0);
    expect(stage.host.engine.arm(HELD_PARTITION)).toBe('');
    let answer: readonly ProducedPartition[] | undefined;
    const on = {
      message: (response: { partitions: readonly ProducedPartition[] }) => void (answer = response.partitions),
    };
    const stream = stage.runtime(CLIENT).network.open(BROKER, 'Produce', { ...on, closed: () => undefined });
    const partitions = [0, 1].map((partition) => ({ topic: TOPIC, partition, records: batchOf('a') }));
    stream.send({
      correlationId: 1,
      acks: -1,
      timeoutMs: 1000,
      transactionalId: '',
      transactionVersion: 0,
      clientId: '',
      partitions,
    });
    stage.until(() => stage.replica.logEndOffset === 1);
    second.poll(1);
    expect(stage.replica).toMatchObject({ isr: [1], maximalIsr: [1, 2], highWatermark: 1 });
    stage.commit(configRecord(TOPIC, 'min.insync.replicas', String(minIsr)));
    stage.host.engine.disarm('h');
    return { stage, answer: () => answer };
  }
  test('the maximal ISR is large enough: done. The whole answer waits for all, and a result once had is kept', () => {
    const { stage, answer } = produceBoth(2);
    stage.runFor(900);
    expect(answer()).toBeUndefined();
    stage.until(() => answer() !== undefined, 200);
    expect(answer()).toMatchObject([
      { error: 'NONE', baseOffset: 0 },
      { error: 'REQUEST_TIMED_OUT', baseOffset: -1 },
    ]);
  });
  test('it is too small: NOT_ENOUGH_REPLICAS_AFTER_APPEND, and the record stays', () => {
    const { stage, answer } = produceBoth(3);
    stage.until(() => answer() !== undefined, 1200);
    expect(answer()).toMatchObject([{ error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' }, { error: 'REQUEST_TIMED_OUT' }]);
    expect(stage.replica).toMatchObject({ logEndOffset: 1 });
  });
});

test('repl R-41: an offset inside a batch counts as the start of the batch', () => {
  const stage = aStage({ replicas: [1, 2] });
  stage.produced('', { acks: 1, records: batchOf('a', 'b', 'c') });
  new ScriptedFollower(stage, 2).poll(1);
  expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 3 });
  expect(stage.replica.followers).toMatchObject([{ brokerId: 2, logEndOffset: 0 }]);
});
