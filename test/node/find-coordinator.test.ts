// FindCoordinator (txn T-1 to T-6, wire G-3): any broker answers from its metadata, and makes the internal topics when
// somebody first asks (txn T-8).
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../src/base/java-hash.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import { topicLedBy } from './support/scripted-coordinator.ts';
import { Stage, type StageOptions } from './support/stage.ts';

type Coordinators = ResponseOf<'FindCoordinator'>['coordinators'];
const find = (stage: Stage, keyType: string, ...keys: string[]): Coordinators =>
  stage.call('FindCoordinator', { keyType, keys }).coordinators;
const staged = (options: StageOptions = {}): Stage => new Stage(options).start();

describe('txn T-6: the coordinator of an id', () => {
  test('is whoever leads its partition, transaction or group, each by its own topic', () => {
    const stage = staged();
    stage.commit(...topicLedBy('__transaction_state', [1, 2, 3]), ...topicLedBy('__consumer_offsets', [3, 3, 3]));
    const ids = ['billing-1', 'orders-é', 'pay-😀', ''];
    expect(find(stage, 'transaction', ...ids)).toEqual(
      ids.map((key) => {
        const partition = coordinatorPartition(key, 3);
        return { key, error: 'NONE', nodeId: partition + 1, partition };
      }),
    );
    expect(find(stage, 'group', 'g')).toMatchObject([{ key: 'g', error: 'NONE', nodeId: 3 }]);
  });

  test('an empty key is partition 0: nothing is asked of a key', () => {
    const stage = staged();
    stage.commit(...topicLedBy('__transaction_state', [2, 3]));
    expect(find(stage, 'transaction', '')).toMatchObject([{ error: 'NONE', nodeId: 2, partition: 0 }]);
  });

  test('COORDINATOR_NOT_AVAILABLE while its partition has no leader, and while the leader is fenced', () => {
    const stage = staged();
    stage.commit(...topicLedBy('__transaction_state', [-1, 2]));
    const [unled, led] = [keyOf(0), keyOf(1)];
    expect(find(stage, 'transaction', unled, led)).toMatchObject([
      { key: unled, error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1, partition: 0 },
      { key: led, error: 'NONE', nodeId: 2 },
    ]);
    stage.setFenced(2, true);
    stage.untilApplied();
    expect(find(stage, 'transaction', led)).toMatchObject([{ error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1 }]);
    stage.setFenced(2, false);
    stage.untilApplied();
    expect(find(stage, 'transaction', led)).toMatchObject([{ error: 'NONE', nodeId: 2 }]);
  });

  test('INVALID_REQUEST of a kind of key that nobody coordinates; no topic is made for it', () => {
    const stage = staged();
    expect(find(stage, 'share', 'x')).toMatchObject([
      { key: 'x', error: 'INVALID_REQUEST', nodeId: -1, partition: -1 },
    ]);
    stage.runFor(500);
    expect(stage.controller.createdTopics).toEqual([]);
  });

  test('no key, no answer', () => {
    expect(find(staged(), 'group')).toEqual([]);
  });
});

describe('txn T-8, wire G-3: the internal topic', () => {
  const made = (stage: Stage, keyType: string) => {
    expect(find(stage, keyType, 'a', 'b')).toMatchObject([
      { error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1, partition: -1 },
      { error: 'COORDINATOR_NOT_AVAILABLE' },
    ]);
    stage.runFor(500);
    const [topic, ...others] = stage.controller.creations.flatMap(({ topics }) => topics);
    expect(others).toEqual([]);
    return { ...topic!, configs: Object.fromEntries(topic!.configs.map(({ name, value }) => [name, value])) };
  };

  test('__transaction_state has forced settings', () => {
    const stage = staged({ config: { 'transaction.state.log.num.partitions': 7 } });
    expect(made(stage, 'transaction')).toMatchObject({
      ...{ name: '__transaction_state', numPartitions: 7, replicationFactor: 3 },
      configs: {
        'cleanup.policy': 'compact',
        'unclean.leader.election.enable': 'false',
        'min.insync.replicas': '2',
      },
    });
  });

  test('__consumer_offsets is compacted too', () => {
    const stage = staged({ config: { 'offsets.topic.num.partitions': 5 } });
    expect(made(stage, 'group')).toMatchObject({
      ...{ name: '__consumer_offsets', numPartitions: 5, replicationFactor: 3 },
      configs: { 'cleanup.policy': 'compact' },
    });
  });

  test('has as many replicas as there are brokers, and asks for no more of them in sync', () => {
    const stage = staged({ replicas: [1] });
    for (const id of [2, 3]) stage.setFenced(id, true);
    stage.untilApplied();
    expect(made(stage, 'transaction')).toMatchObject({ replicationFactor: 1, configs: { 'min.insync.replicas': '1' } });
    expect(stage.seen('log.line')).toMatchObject([{ level: 'warn' }]);
  });

  test('is asked for again once the controller has answered and it is not there yet', () => {
    const stage = staged();
    made(stage, 'transaction');
    find(stage, 'transaction', 'a');
    stage.runFor(500);
    expect(stage.controller.createdTopics).toEqual(['__transaction_state', '__transaction_state']);
  });
});

/** A key of a partition of two. */
function keyOf(partition: number): string {
  return ['a', 'b', 'c'].find((key) => coordinatorPartition(key, 2) === partition)!;
}
