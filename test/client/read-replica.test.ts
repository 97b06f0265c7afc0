// A consumer with a rack, against a cluster by script: it reads from the replica that the leader points to, and goes back to
// the leader for every reason that Kafka's own clients know (repl, KIP-392).
import { describe, expect, test } from 'vitest';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { poll, readValues, text } from './support/wait.ts';

const [LEADER, FOLLOWER] = [1, 2];
const batch = (value: string): Buffer => encodeBatch([{ timestamp: 1000, key: null, value: text(value) }]);

/** Three records, and a consumer that has read them from the follower. */
function reading(config: Record<string, unknown> = {}, safeguardsOff: readonly string[] = []) {
  const cluster = new ScriptedCluster();
  for (const name of safeguardsOff) cluster.world.setSafeguard(name as 'follower.readBounds', false);
  for (const value of ['a', 'b', 'c']) cluster.append(batch(value));
  cluster.follower = { node: FOLLOWER, end: 3 };
  const moves: string[] = [];
  const consumer = cluster
    .client()
    .consumer(
      { 'auto.offset.reset': 'earliest', 'client.rack': 'b', ...config },
      { onPosition: (_of, why, from, to) => moves.push(`${why} ${from}>${to}`) },
    );
  consumer.assign([{ topic: TOPIC, partition: 0 }]);
  expect(readValues(cluster.world, consumer, 3)).toEqual(['a', 'b', 'c']);
  const asked = (): number[] => cluster.requests('ConsumerFetch').map(({ node }) => node);
  return { cluster, world: cluster.world, consumer, asked, moves };
}

test('it says where it stands, and reads on from the replica it was pointed to', () => {
  const { cluster, world, consumer, asked } = reading();
  expect(cluster.requests('ConsumerFetch')[0]).toMatchObject({ request: { rackId: 'b', leaderOnly: false } });
  cluster.append(batch('d'));
  cluster.follower!.end = 4;
  expect(readValues(world, consumer, 1)).toEqual(['d']);
  expect(asked()[0]).toBe(LEADER);
  expect(new Set(asked().slice(1))).toEqual(new Set([FOLLOWER]));
});

test('the high watermark is of a leader epoch if the leader told it, and of none if a follower did (repl I-5)', () => {
  const { cluster, world, consumer } = reading();
  const told = (value: string) => {
    cluster.append(batch(value));
    if (cluster.follower !== undefined) cluster.follower.end += 1;
    for (;;) {
      const result = poll(world, consumer);
      if (result.kind === 'ok' && result.deliveries.length > 0) return result.deliveries[0];
    }
  };
  expect(told('d')).toMatchObject({ highWatermark: 4, highWatermarkEpoch: -1 });
  cluster.follower = undefined;
  expect(told('e')).toMatchObject({ highWatermark: 5, highWatermarkEpoch: cluster.leaderEpoch });
});

test('without a rack it asks the leader', () => {
  const { asked } = reading({ 'client.rack': '' });
  expect(new Set(asked())).toEqual(new Set([LEADER]));
});

test('the word of the leader holds for metadata.max.age.ms; then it is asked again', () => {
  const { world, consumer, asked } = reading({ 'metadata.max.age.ms': 1000 });
  const before = asked().length;
  poll(world, consumer, 3000);
  const later = asked().slice(before);
  expect(later.filter((node) => node === LEADER).length).toBeGreaterThanOrEqual(2);
  expect(later.filter((node) => node === FOLLOWER).length).toBeGreaterThanOrEqual(2);
});

describe('repl R-36: back to the leader', () => {
  const ERRORS: readonly ErrorName[] = [
    ...(['NOT_LEADER_OR_FOLLOWER', 'FENCED_LEADER_EPOCH', 'KAFKA_STORAGE_ERROR', 'OFFSET_NOT_AVAILABLE'] as const),
    ...(['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID', 'INCONSISTENT_TOPIC_ID'] as const),
  ];
  test.each(ERRORS)('%s', (error) => {
    const { cluster, world, consumer, asked } = reading();
    poll(world, consumer, 1);
    const before = asked().length;
    cluster.follower = undefined; // The leader would not point there again.
    cluster.append(batch('d'));
    cluster.next('ConsumerFetch', { kind: 'error', error });
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    expect(asked().slice(before).at(-1)).toBe(LEADER);
  });

  test('UNKNOWN_LEADER_EPOCH is a reason to ask the same again', () => {
    const { cluster, world, consumer, asked } = reading();
    cluster.append(batch('d'));
    cluster.follower!.end = 4;
    cluster.next('ConsumerFetch', { kind: 'error', error: 'UNKNOWN_LEADER_EPOCH' });
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    expect(new Set(asked().slice(1))).toEqual(new Set([FOLLOWER]));
  });

  test('another leader', () => {
    const { cluster, world, consumer, asked } = reading();
    cluster.follower = undefined;
    cluster.elect(3);
    cluster.append(batch('d'));
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    expect(asked().at(-1)).toBe(3);
  });

  test('BUG-34: OFFSET_OUT_OF_RANGE of a follower moves nothing; of a leader it resets', () => {
    const { cluster, world, consumer, asked, moves } = reading();
    cluster.append(batch('d'));
    cluster.follower!.end = 1;
    poll(world, consumer, 1);
    cluster.follower = undefined;
    expect(readValues(world, consumer, 1)).toEqual(['d']);
    expect(asked().at(-1)).toBe(LEADER);
    expect(moves).toEqual(['start -1>0']);
  });

  test('BUG-34: without follower.readBounds the end of a follower is taken for the end of the log', () => {
    const { cluster, world, consumer, moves } = reading({}, ['follower.readBounds']);
    cluster.follower!.end = 1;
    poll(world, consumer, 300);
    expect(moves).toContain('reset 3>0');
  });
});
