// DeleteRecords: what the leader does at once, what the answer waits for, and who is refused.
import { describe, expect, test } from 'vitest';
import { configRecord, removeTopicRecord } from '../../src/metadata/records.ts';
import type { DeletedRecords } from '../../src/protocol/generated/index.ts';
import { Fleet, TOPIC as ORDERS } from './support/fleet.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { CLIENT, Stage, TOPIC, TOPIC_ID } from './support/stage.ts';

const SECOND = 1000;

/** A leader of ten records that its follower 2 has, and 3 does not: the ISR is 1 and 2. */
function written(config: Readonly<Record<string, string>> = {}) {
  const stage = new Stage({ replicas: [1, 2, 3], isr: [1, 2] });
  for (const [name, value] of Object.entries(config)) stage.controller.commit(configRecord(TOPIC, name, value));
  stage.start();
  const follower = new ScriptedFollower(stage, 2);
  for (let i = 0; i < 10; i++) stage.produced(`v${i}`, { acks: 1 });
  follower.poll(0);
  follower.poll(10, { lastFetchedEpoch: 0 });
  expect(stage.replica).toMatchObject({ highWatermark: 10, logEndOffset: 10 });
  const ask = (offset: number, more: { topic?: string; partition?: number; timeoutMs?: number } = {}) => {
    const { topic = TOPIC, partition = 0, timeoutMs = 30 * SECOND } = more;
    const request = { partitions: [{ topic, partition, offset }], timeoutMs };
    const asked = stage.ask('DeleteRecords', request, CLIENT);
    return {
      get answer(): DeletedRecords | undefined {
        return asked.value?.kind === 'ok' ? asked.value.response.partitions[0] : undefined;
      },
    };
  };
  const refused = (...asked: Parameters<typeof ask>) => {
    const box = ask(...asked);
    stage.until(() => box.answer !== undefined);
    return box.answer!;
  };
  return { stage, follower, ask, refused };
}

describe('repl R-118: DeleteRecords', () => {
  test('the log start moves at once; the answer waits for every unfenced follower, in the ISR or not', () => {
    const { stage, follower, ask } = written();
    const deletion = ask(6);
    stage.runFor(SECOND);
    expect(stage.replica).toMatchObject({ logStartOffset: 6, highWatermark: 10 });
    expect(deletion.answer).toBeUndefined();
    follower.poll(10, { lastFetchedEpoch: 0, logStartOffset: 6 });
    stage.runFor(SECOND);
    expect(deletion.answer).toBeUndefined(); // Follower 3 has not fetched: -1 holds it back.
    new ScriptedFollower(stage, 3).poll(10, { lastFetchedEpoch: 0, logStartOffset: 8 });
    stage.runFor(SECOND);
    expect(deletion.answer).toEqual({ topic: TOPIC, partition: 0, error: 'NONE', lowWatermark: 6 });
  });

  test('a fenced follower holds nobody up', () => {
    const { stage, follower, ask } = written();
    const deletion = ask(6);
    follower.poll(10, { lastFetchedEpoch: 0, logStartOffset: 6 });
    stage.setFenced(3, true);
    stage.untilApplied();
    stage.runFor(SECOND);
    expect(deletion.answer).toMatchObject({ error: 'NONE', lowWatermark: 6 });
  });

  test('followers learn the log start from the next answer (repl R-19)', () => {
    const { stage, follower, ask } = written();
    ask(6);
    stage.runFor(SECOND);
    expect(follower.poll(10, { lastFetchedEpoch: 0 })).toMatchObject({ logStartOffset: 6, highWatermark: 10 });
  });

  test('-1 is the high watermark; a lower offset than before is fulfilled already', () => {
    const { stage, follower, ask } = written();
    stage.setFenced(3, true);
    stage.untilApplied();
    const deletion = ask(-1);
    stage.runFor(SECOND);
    follower.poll(10, { lastFetchedEpoch: 0, logStartOffset: 10 });
    stage.runFor(SECOND);
    expect(deletion.answer).toMatchObject({ error: 'NONE', lowWatermark: 10 });
    const again = ask(4);
    stage.runFor(SECOND);
    expect(again.answer).toMatchObject({ error: 'NONE', lowWatermark: 10 });
    expect(stage.replica.logStartOffset).toBe(10);
  });

  test('time is up: REQUEST_TIMED_OUT, low watermark -1, and what was deleted stays deleted', () => {
    const { stage, ask } = written();
    const deletion = ask(6, { timeoutMs: 2 * SECOND });
    stage.runFor(SECOND);
    expect(deletion.answer).toBeUndefined();
    stage.runFor(2 * SECOND);
    expect(deletion.answer).toMatchObject({ error: 'REQUEST_TIMED_OUT', lowWatermark: -1 });
    expect(stage.replica.logStartOffset).toBe(6);
  });

  test('leadership that is lost while it waits: NOT_LEADER_OR_FOLLOWER', () => {
    const { stage, ask } = written();
    const deletion = ask(6);
    stage.runFor(SECOND);
    stage.change({ leader: 2 });
    stage.runFor(SECOND);
    expect(deletion.answer).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER', lowWatermark: -1 });
  });

  test('a topic that is deleted while it waits: UNKNOWN_TOPIC_OR_PARTITION', () => {
    const { stage, ask } = written();
    const deletion = ask(6);
    stage.runFor(SECOND);
    stage.commit(removeTopicRecord(TOPIC_ID));
    stage.runFor(SECOND);
    expect(deletion.answer).toMatchObject({ error: 'UNKNOWN_TOPIC_OR_PARTITION', lowWatermark: -1 });
  });

  test.each([
    ['above the high watermark', 11, {}, 'OFFSET_OUT_OF_RANGE'],
    ['negative and not -1', -2, {}, 'OFFSET_OUT_OF_RANGE'],
    ['an unknown topic', 0, { topic: 'nope' }, 'UNKNOWN_TOPIC_OR_PARTITION'],
    ['an unknown partition', 0, { partition: 7 }, 'UNKNOWN_TOPIC_OR_PARTITION'],
  ] as const)('%s is refused', (_what, offset, more, error) => {
    const { stage, refused } = written();
    expect(refused(offset, more)).toMatchObject({ error, lowWatermark: -1 });
    expect(stage.replica.logStartOffset).toBe(0);
  });

  test('BUG-77: without retention.hwBound as far as the log end', () => {
    const stage = new Stage({ replicas: [1, 2], safeguardsOff: ['retention.hwBound'] }).start();
    stage.produced('a', { acks: 1 });
    expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 1 });
    stage.ask('DeleteRecords', { partitions: [{ topic: TOPIC, partition: 0, offset: 1 }], timeoutMs: SECOND }, CLIENT);
    stage.runFor(10);
    expect(stage.replica).toMatchObject({ logStartOffset: 1, highWatermark: 1 });
  });

  test('a follower refuses', () => {
    const { stage, refused } = written();
    stage.change({ leader: 2 });
    expect(refused(5)).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
  });

  test('cleanup.policy compact is refused, compact,delete is not', () => {
    const { stage, follower, ask, refused } = written();
    stage.setFenced(3, true);
    stage.commit(configRecord(TOPIC, 'cleanup.policy', 'compact'));
    expect(refused(5)).toMatchObject({ error: 'POLICY_VIOLATION' });
    stage.commit(configRecord(TOPIC, 'cleanup.policy', 'compact,delete'));
    const deletion = ask(5);
    follower.poll(10, { lastFetchedEpoch: 0, logStartOffset: 5 });
    stage.runFor(SECOND);
    expect(deletion.answer).toMatchObject({ error: 'NONE' });
  });

  test('wire W-76: a consumer below the new start is out of range, one in the middle of a batch is not', () => {
    const { stage, ask } = written();
    ask(6);
    stage.runFor(SECOND);
    const fetch = (fetchOffset: number) => {
      const at = { topicId: '', topic: TOPIC, partition: 0, currentLeaderEpoch: -1, fetchOffset, lastFetchedEpoch: -1 };
      const partition = { ...at, logStartOffset: -1, partitionMaxBytes: 1_000_000 };
      const request = { replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, isolationLevel: 0 };
      const limits = {
        maxWaitMs: 0,
        minBytes: 1,
        maxBytes: 1_000_000,
        full: true,
        forgotten: [],
        rackId: '',
        leaderOnly: false,
      };
      return stage.call('ConsumerFetch', { ...request, ...limits, partitions: [partition] }).partitions[0]!;
    };
    expect(fetch(5)).toMatchObject({ error: 'OFFSET_OUT_OF_RANGE' });
    expect(fetch(6)).toMatchObject({ error: 'NONE', logStartOffset: 6 });
    const earliest = { topic: TOPIC, partition: 0, currentLeaderEpoch: -1, timestamp: -2 };
    const listed = stage.call('ListOffsets', { replicaId: -1, isolationLevel: 0, partitions: [earliest] });
    expect(listed.partitions).toMatchObject([{ error: 'NONE', offset: 6 }]);
  });

  test('repl R-108: killed after the answer, the leader starts again behind what it said is gone', () => {
    const { stage, follower, ask } = written();
    stage.setFenced(3, true);
    stage.untilApplied();
    const deletion = ask(6);
    follower.poll(10, { lastFetchedEpoch: 0, logStartOffset: 6 });
    stage.until(() => deletion.answer !== undefined);
    stage.kill();
    stage.boot();
    stage.until(() => stage.host.broker.state === 'RUNNING');
    stage.untilApplied();
    expect(stage.replica).toMatchObject({ logStartOffset: 6, logEndOffset: 10 });
  });

  test('real followers follow through fetch, also one that was dead and lies below the new start (repl R-74)', () => {
    const fleet = new Fleet();
    for (let i = 0; i < 20; i++) fleet.send(`v${i}`);
    fleet.until(() => fleet.converged);
    const dead = fleet.cluster.brokerIds.find((id) => id !== fleet.leader)!;
    fleet.cluster.kill(dead);
    fleet.until(() => fleet.isr.length === 2);
    for (let i = 20; i < 30; i++) fleet.send(`v${i}`);
    fleet.until(() => fleet.replica(fleet.leader)?.highWatermark === 30);
    let answer: DeletedRecords | undefined;
    const request = { partitions: [{ topic: ORDERS, partition: 0, offset: 25 }], timeoutMs: 60_000 };
    fleet.cluster.broker(fleet.leader)!.api.admin.deleteRecords(request, ({ partitions }) => (answer = partitions[0]));
    fleet.until(() => answer !== undefined);
    expect(answer).toMatchObject({ error: 'NONE', lowWatermark: 25 });
    const live = fleet.cluster.brokerIds.filter((id) => id !== dead);
    expect(live.map((id) => fleet.replica(id)!.logStartOffset)).toEqual([25, 25]);
    fleet.cluster.start(dead);
    fleet.until(() => fleet.converged && fleet.isr.length === 3);
    expect(fleet.replica(dead)).toMatchObject({ logStartOffset: 25, logEndOffset: 30 });
    expect(fleet.log(dead)).toEqual(fleet.log(fleet.leader));
  });
});
