// What `status` says of topics, and how tables show what is long or not known.
import { expect, test } from 'vitest';
import { clusterFacts } from '../../src/cli/cluster-facts.ts';
import { count, few } from '../../src/cli/output.ts';

type Described = NonNullable<Parameters<typeof clusterFacts>[0]>;

function described(partitions: readonly { leader: number; isr: readonly number[] }[]): Described {
  const replicas = [1, 2, 3];
  const all = partitions.map((each, partition) => ({ partition, replicas, ...each }));
  return { clusterId: 'c', controllerEpoch: 4, features: [], topics: [{ name: 'orders', partitions: all }] } as never;
}

test('partitions without a leader are offline, those with too few in sync under-replicated', () => {
  const some = [
    { leader: 1, isr: [1, 2, 3] },
    { leader: 2, isr: [2] },
    { leader: -1, isr: [3] },
  ];
  expect(clusterFacts(described(some))).toMatchObject({
    ...{ topics: 1, partitions: 3, offline: ['orders-2'], underReplicated: ['orders-1'] },
  });
});

test('what a controller that does not answer knows is absent, and not none', () => {
  expect(clusterFacts(undefined)).toEqual({ clusterId: '', controllerEpoch: -1, features: [] });
});

test('a long list names a few and counts the rest', () => {
  expect(few([])).toBe('');
  expect(few(['a', 'b', 'c', 'd', 'e'])).toBe('a,b,c,d,e');
  expect(few(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a,b,c,d,e and 2 more');
});

test('one is singular', () => {
  expect([0, 1, 2].map((number) => count(number, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
});
