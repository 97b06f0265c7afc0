// What a broker does with metadata: topics that go and come back, and the Metadata API.
import { describe, expect, test } from 'vitest';
import { partitionChangeRecord, partitionRecord, removeTopicRecord, topicRecord } from '../../src/metadata/records.ts';
import { configRecord } from '../../src/metadata/records.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { fetched, holding, records, ScriptedLeader } from './support/scripted-leader.ts';
import { Stage, TOPIC, TOPIC_ID, wanted } from './support/stage.ts';

describe('repl R-101, R-115: deltas', () => {
  test('a topic deleted and made again in one delta: the old log goes, the new one is empty', () => {
    const stage = new Stage({ replicas: [1] }).start();
    stage.produced('a');
    stage.commit(
      removeTopicRecord(TOPIC_ID),
      topicRecord(TOPIC, 'second'),
      partitionRecord({ topicId: 'second', partition: 0 }, { replicas: [1], isr: [1], leader: 1 }),
    );
    expect(stage.replica).toMatchObject({ logEndOffset: 0, leaderEpoch: 0, role: 'leader' });
    expect(stage.produced('b')).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.seen('log.deleted')).toMatchObject([{ topicId: TOPIC_ID }]);
  });
  test('T-27: epochs may be jumped over', () => {
    const stage = new Stage({ replicas: [1, 2] });
    const leader = new ScriptedLeader(stage, 2);
    stage.start();
    const place = { topicId: TOPIC_ID, partition: 0 };
    stage.commit(
      partitionChangeRecord(place, { leader: 2, reason: 'clean' }),
      partitionChangeRecord(place, { leader: 1, reason: 'clean' }),
      partitionChangeRecord(place, { leader: 2, reason: 'clean' }),
    );
    expect(stage.seen('leader.started')).toHaveLength(1);
    expect(stage.seen('follower.started')).toMatchObject([{ leaderEpoch: 3, partitionEpoch: 3, leader: 2 }]);
    leader.request(1);
  });
  test("repl R-10: a follower's log rolls by its topic's settings, as they stand", () => {
    const { stage, leader } = holding(['a', 'b'], 0);
    const observed = () => stage.seen('fault.fired').map(({ fields }) => fields['offset']);
    const action = { kind: 'notify', target: 'node', durationMs: 0, error: 'NONE' as const, laterMs: 0 };
    const spec = {
      id: 'f',
      point: 'log.flushed',
      where: [],
      nth: 0,
      times: 0,
      probability: 1,
      ttlMs: 0,
      owner: 'test',
    };
    expect(stage.host.engine.arm({ ...spec, action })).toBe('');
    stage.commit(configRecord(TOPIC, 'segment.bytes', '100'));
    leader.answer([fetched({ records: records(2, 0, 'c') })]);
    leader.request(3);
    expect(observed()).toEqual([2]);
  });
  test('T-7: a leader that never writes has its epoch in the cache', () => {
    const stage = new Stage({ replicas: [1] }).start();
    stage.produced('a');
    stage.change({ leader: 1 });
    expect(stage.replica.epochs).toEqual([
      { epoch: 0, endOffset: 1 },
      { epoch: 1, endOffset: 1 },
    ]);
  });
  test('repl R-64: metadata older than what the controller answered is skipped', () => {
    const stage = new Stage({ replicas: [1, 2], isr: [1], minIsr: 1 }).start();
    new ScriptedFollower(stage, 2).poll(0);
    stage.until(() => stage.controller.proposals.length === 1);
    const state = { leader: 1, leaderEpoch: 0, isr: [1, 2], partitionEpoch: 4, leaderRecoveryState: 'RECOVERED' };
    const answer = { topicId: TOPIC_ID, partition: 0, error: 'NONE' as const, ...state };
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [answer] });
    stage.until(() => stage.replica.isr.length === 2);
    stage.change({ isr: [1] });
    expect(stage.replica.isr).toEqual([1, 2]);
  });
  test('repl R-70: a change of the assignment keeps what is known of the others', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    new ScriptedFollower(stage, 2).poll(0);
    stage.change({ isr: [1, 2] });
    expect(stage.replica.followers).toMatchObject([{ brokerId: 2, logEndOffset: 0 }]);
  });
  test('a leader that is not registered, or none, is not fetched from', () => {
    const stage = new Stage({ replicas: [1, 9], isr: [9], leader: 9 }).start();
    stage.runFor(1000);
    stage.change({ leader: -1 });
    stage.runFor(1000);
    expect(stage.replica).toMatchObject({ role: 'follower', leaderEpoch: 1, logEndOffset: 0 });
    expect(stage.seen('log.line')).toEqual([]); // Who tried would say that nobody answers.
  });
});

describe('repl R-24 rows 1 to 3', () => {
  test.each([
    [{ topicId: 'unknown' }, 'UNKNOWN_TOPIC_ID'],
    [{ topicId: '', topic: 'unknown' }, 'UNKNOWN_TOPIC_OR_PARTITION'],
    [{ partition: 7 }, 'UNKNOWN_TOPIC_OR_PARTITION'],
    [{ partition: 1 }, 'NOT_LEADER_OR_FOLLOWER'],
  ])('%o: %s', (more, error) => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    stage.commit(partitionRecord({ topicId: TOPIC_ID, partition: 1 }, { replicas: [2], isr: [2], leader: 2 }));
    const partitions = [wanted(0, { currentLeaderEpoch: -1, ...more })];
    const response = stage.call('ConsumerFetch', {
      ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 5000, minBytes: 1 },
      ...{ maxBytes: 1000, isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: false },
    });
    expect(response.partitions).toMatchObject([{ error, highWatermark: -1, lastStableOffset: -1, logStartOffset: -1 }]);
    const hint = error === 'NOT_LEADER_OR_FOLLOWER' ? 2 : -1;
    expect(response.partitions).toMatchObject([{ currentLeader: hint }]);
  });
});

test('repl R-24 row 3: while the log of the predecessor is on its way out, INCONSISTENT_TOPIC_ID', () => {
  const stage = new Stage({ replicas: [1], writeMs: 50 }).start();
  stage.produced('a', { acks: 1 });
  stage.controller.commit(
    removeTopicRecord(TOPIC_ID),
    topicRecord(TOPIC, 'second'),
    partitionRecord({ topicId: 'second', partition: 0 }, { replicas: [1], isr: [1], leader: 1 }),
  );
  stage.until(() => stage.host.api.topicId(TOPIC) === 'second');
  const partitions = [wanted(0, { topicId: 'second', currentLeaderEpoch: -1 })];
  const response = stage.call('ConsumerFetch', {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 0, minBytes: 1 },
    ...{ maxBytes: 1000, isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: false },
  });
  expect(response.partitions).toMatchObject([{ error: 'INCONSISTENT_TOPIC_ID' }]);
  // Who names the topic did not mean the predecessor.
  const end = { topic: TOPIC, partition: 0, currentLeaderEpoch: -1, timestamp: -1 };
  const listed = stage.call('ListOffsets', { replicaId: -1, isolationLevel: 0, partitions: [end] });
  expect(listed.partitions).toMatchObject([{ error: 'NOT_LEADER_OR_FOLLOWER' }]);
});

describe('wire W-68 to W-70: the Metadata API', () => {
  const ask = (stage: Stage, ...topics: string[]) =>
    stage.call('Metadata', { allTopics: topics.length === 0, topics, allowAutoTopicCreation: true });
  test('live brokers only, and partitions as they are', () => {
    const stage = new Stage().start();
    stage.setFenced(3, true);
    stage.untilApplied();
    const { brokers, topics, clusterId } = ask(stage);
    expect(clusterId).toBe('cluster');
    expect(brokers.map(({ id }) => id)).toEqual([2, 1]);
    expect(topics).toMatchObject([{ error: 'NONE', name: TOPIC, topicId: TOPIC_ID, isInternal: false }]);
    expect(topics[0]!.partitions).toMatchObject([{ error: 'NONE', leader: 1, isr: [1, 2, 3], offlineReplicas: [3] }]);
  });
  test('a leader that is not live is none, and its epoch stays', () => {
    const stage = new Stage({ leader: 2 }).start();
    stage.setFenced(2, true);
    stage.untilApplied();
    const [partition] = ask(stage, TOPIC).topics[0]!.partitions;
    expect(partition).toMatchObject({ error: 'LEADER_NOT_AVAILABLE', leader: -1, leaderEpoch: 0 });
  });
  test('missing topics are created on the way, one request at a time', () => {
    const stage = new Stage().start();
    expect(ask(stage, 'new', '..', '__consumer_offsets').topics).toMatchObject([
      { error: 'UNKNOWN_TOPIC_OR_PARTITION', name: 'new' },
      { error: 'INVALID_TOPIC_EXCEPTION', name: '..' },
      { error: 'UNKNOWN_TOPIC_OR_PARTITION', name: '__consumer_offsets', isInternal: true },
    ]);
    stage.until(() => stage.controller.createdTopics.length > 0);
    expect(stage.controller.createdTopics).toEqual(['new']);
  });
  test('not if auto.create.topics.enable is off', () => {
    const stage = new Stage({ config: { 'auto.create.topics.enable': 'false' } }).start();
    ask(stage, 'new');
    stage.runFor(100);
    expect(stage.controller.createdTopics).toEqual([]);
  });
});
