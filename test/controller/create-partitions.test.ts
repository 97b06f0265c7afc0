// More partitions for a topic that exists: which are refused, and what is written of the others.
import { describe, expect, test } from 'vitest';
import type { MorePartitions } from '../../src/protocol/generated/index.ts';
import { bringUp, createTopic, heartbeat } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const more = (name: string, count: number, assignments?: readonly (readonly number[])[]): MorePartitions => ({
  ...{ name, count, hasAssignments: assignments !== undefined },
  assignments: (assignments ?? []).map((ids) => ({ ids: [...ids] })),
});

function aTopic(config: Readonly<Record<string, unknown>> = {}) {
  const desk = new Desk({ config }).start();
  bringUp(desk, 1, 2, 3);
  const replicas = [
    [1, 2],
    [2, 3],
  ];
  createTopic(desk, 'orders', { replicas });
  const partitions = () => desk.controller.image.topicNamed('orders')!.partitions;
  const create = (topics: readonly MorePartitions[], validateOnly = false) =>
    desk.call('CreatePartitions', { topics: [...topics], validateOnly }).topics;
  return { desk, partitions, create };
}

describe('wire W-102: CreatePartitions', () => {
  test('adds partitions of the same replication factor behind those that there are, spread over the brokers', () => {
    const { partitions, create } = aTopic();
    expect(create([more('orders', 5)])).toEqual([{ name: 'orders', error: 'NONE', errorMessage: '' }]);
    expect(partitions().map(({ partition, replicas }) => [partition, replicas.length])).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
    ]);
    expect(new Set(partitions().map(({ leader }) => leader))).toEqual(new Set([1, 2, 3]));
    expect(partitions()[4]).toMatchObject({ leaderEpoch: 0, partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' });
  });

  test('repl R-85: by hand, entry i is the i-th new one, and its first ISR is who is alive', () => {
    const { desk, partitions, create } = aTopic();
    heartbeat(desk, 3, { wantFence: true });
    expect(
      create([
        more('orders', 4, [
          [3, 1],
          [2, 1],
        ]),
      ]),
    ).toMatchObject([{ error: 'NONE' }]);
    expect(partitions().slice(2)).toMatchObject([
      { replicas: [3, 1], isr: [1], leader: 1 },
      { replicas: [2, 1], isr: [2, 1], leader: 2 },
    ]);
  });

  test('validateOnly judges and changes nothing', () => {
    const { desk, create } = aTopic();
    const end = desk.controller.image.endOffset;
    expect(create([more('orders', 5), more('nope', 2)], true)).toMatchObject([
      { error: 'NONE' },
      { error: 'UNKNOWN_TOPIC_OR_PARTITION' },
    ]);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test.each([
    ['as many as there are', more('orders', 2), 'INVALID_PARTITIONS'],
    ['fewer than there are', more('orders', 1), 'INVALID_PARTITIONS'],
    ['an unknown topic', more('nope', 9), 'UNKNOWN_TOPIC_OR_PARTITION'],
    ['more at once than one batch holds', more('orders', 20_000), 'POLICY_VIOLATION'],
    ['fewer assignments than new partitions', more('orders', 4, [[1, 2]]), 'INVALID_REPLICA_ASSIGNMENT'],
    ['none of the assignments', more('orders', 4, []), 'INVALID_REPLICA_ASSIGNMENT'],
    ['an unknown broker', more('orders', 3, [[1, 9]]), 'INVALID_REPLICA_ASSIGNMENT'],
    ['a broker twice', more('orders', 3, [[1, 1]]), 'INVALID_REPLICA_ASSIGNMENT'],
    ['too few brokers', more('orders', 3, [[1]]), 'INVALID_REPLICA_ASSIGNMENT'],
  ])('%s is refused', (_what, wanted, error) => {
    const { partitions, create } = aTopic();
    expect(create([wanted])).toMatchObject([{ error }]);
    expect(partitions()).toHaveLength(2);
  });

  test('a topic named twice is refused twice; the others go on', () => {
    const { desk, partitions, create } = aTopic();
    createTopic(desk, 'other', { replicas: [[1]] });
    expect(create([more('orders', 3), more('other', 2), more('orders', 4)])).toMatchObject([
      { error: 'INVALID_REQUEST' },
      { error: 'NONE' },
      { error: 'INVALID_REQUEST' },
    ]);
    expect(partitions()).toHaveLength(2);
  });

  test('too few live brokers: INVALID_REPLICATION_FACTOR', () => {
    const { desk, create } = aTopic();
    heartbeat(desk, 2, { wantFence: true });
    heartbeat(desk, 3, { wantFence: true });
    expect(create([more('orders', 3)])).toMatchObject([{ error: 'INVALID_REPLICATION_FACTOR' }]);
  });

  test('wire G-1, txn T-3: internal topics keep their partitions for life', () => {
    const { desk, create } = aTopic();
    createTopic(desk, '__consumer_offsets', { replicas: [[1]] });
    expect(create([more('__consumer_offsets', 2)])).toMatchObject([{ error: 'INVALID_PARTITIONS' }]);
  });
});
