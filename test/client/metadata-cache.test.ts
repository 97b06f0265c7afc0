// What a client believes of leaders when answers come from brokers that are ahead and behind.
import { describe, expect, test } from 'vitest';
import { MetadataCache } from '../../src/client/core/metadata-cache.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';

type Partition = readonly [leader: number, leaderEpoch: number, error?: ErrorName];

function answer(partitions: readonly Partition[], more: { topicId?: string; error?: ErrorName } = {}) {
  const { topicId = 'id-1', error = 'NONE' } = more;
  const response: ResponseOf<'Metadata'> = {
    clusterId: 'c',
    metadataOffset: 1,
    transactionVersion: 2,
    brokers: [2, 1].map((id) => ({
      ...{ id, fenced: false, brokerEpoch: 1, inControlledShutdown: false, rack: '' },
      endpoints: [{ name: 'REPLICATION', host: 'h', port: 9000 + id }],
    })),
    topics: [
      {
        ...{ error, name: 't', topicId, isInternal: false, configs: [] },
        partitions: partitions.map(([leader, leaderEpoch, problem = 'NONE'], partition) => ({
          ...{ error: problem, partition, leader, leaderEpoch, replicas: [1, 2], isr: [1, 2], offlineReplicas: [] },
          ...{ partitionEpoch: 0, leaderRecoveryState: 'RECOVERED', elr: [], lastKnownElr: [] },
          ...{ addingReplicas: [], removingReplicas: [] },
        })),
      },
    ],
  };
  return response;
}

describe('metadata cache', () => {
  test('an answer with an older leader epoch of the same topic id is not believed', () => {
    const cache = new MetadataCache();
    expect(cache.apply(answer([[2, 5]]))).toBe(true);
    expect(cache.apply(answer([[1, 4]]))).toBe(false);
    expect(cache.partition('t', 0)).toMatchObject({ leader: 2, leaderEpoch: 5 });
  });

  test('each partition is judged by itself', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5], [1, 0]])); // prettier-ignore
    expect(cache.apply(answer([[1, 4], [2, 1]]))).toBe(true); // prettier-ignore
    expect(cache.topic('t')!.partitions.map(({ leader }) => leader)).toEqual([2, 2]);
  });

  test('the same epoch may lose its leader, and keeps its epoch (wire W-70)', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5]]));
    expect(cache.apply(answer([[-1, 5, 'LEADER_NOT_AVAILABLE']]))).toBe(true);
    expect(cache.partition('t', 0)).toMatchObject({ leader: -1, leaderEpoch: 5 });
  });

  test('a recreated topic has another id and begins anew (repl R-115)', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5]]));
    cache.apply(answer([[1, 0]], { topicId: 'id-2' }));
    expect(cache.partition('t', 0)).toMatchObject({ topicId: 'id-2', leader: 1, leaderEpoch: 0 });
  });

  test('an error in between does not make old epochs believable again', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5]]));
    cache.apply(answer([], { topicId: '', error: 'UNKNOWN_TOPIC_OR_PARTITION' }));
    expect(cache.partition('t', 0)).toBeUndefined();
    expect(cache.topic('t')!.error).toBe('UNKNOWN_TOPIC_OR_PARTITION');
    cache.apply(answer([[1, 4]]));
    expect(cache.partition('t', 0)).toMatchObject({ leader: 2, leaderEpoch: 5 });
  });

  test('an answer that knows fewer partitions does not take any away', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5], [1, 3]])); // prettier-ignore
    cache.apply(answer([[2, 5]]));
    expect(cache.partition('t', 1)).toMatchObject({ leader: 1, leaderEpoch: 3 });
  });

  test('repl R-33: a hint counts if its epoch is newer and its leader lives', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5]]));
    expect(cache.hint('t', 0, 1, 5)).toBe(false);
    expect(cache.hint('t', 0, 9, 6)).toBe(false);
    expect(cache.hint('u', 0, 1, 6)).toBe(false);
    expect(cache.hint('t', 0, 1, 6)).toBe(true);
    expect(cache.partition('t', 0)).toMatchObject({ leader: 1, leaderEpoch: 6 });
    cache.apply(answer([[2, 5]]));
    expect(cache.partition('t', 0)).toMatchObject({ leader: 1, leaderEpoch: 6 });
  });

  test('brokers are listed by id with their gRPC endpoint; the same answer again is no change', () => {
    const cache = new MetadataCache();
    cache.apply(answer([[2, 5]]));
    expect(cache.brokers.map(({ node, endpoint }) => [node, endpoint?.port])).toEqual([[1, 9001], [2, 9002]]); // prettier-ignore
    expect(cache.apply(answer([[2, 5]]))).toBe(false);
  });
});
