// A consumer whose position moves while a fetch is under way: the answer is not for it any more (repl R-36).
import { expect, test } from 'vitest';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { readValues, text } from './support/wait.ts';

const P0 = { topic: TOPIC, partition: 0 };
const batch = (value: string): Buffer => encodeBatch([{ timestamp: 1000, key: null, value: text(value) }]);

function setUp() {
  const cluster = new ScriptedCluster();
  const moves: string[] = [];
  const onPosition = (_of: unknown, why: string, from: number, to: number) => void moves.push(`${why} ${from}>${to}`);
  const consumer = cluster.client().consumer({ 'auto.offset.reset': 'latest' }, { onPosition });
  consumer.assign([P0]);
  for (const value of ['a', 'b']) cluster.append(batch(value));
  /** A fetch from `offset` is on its way. */
  const fetching = (offset: number): void => {
    consumer.seek(P0, offset);
    const before = cluster.requests('ConsumerFetch').length;
    consumer.poll(10_000, () => undefined);
    cluster.world.run({ until: () => cluster.requests('ConsumerFetch').length > before, maxMs: 1000 });
  };
  return { cluster, world: cluster.world, consumer, moves, fetching };
}

test('records from where it was are not delivered', () => {
  const { cluster, world, consumer, fetching } = setUp();
  fetching(2); // Parked: there is nothing yet.
  consumer.seek(P0, 0);
  cluster.append(batch('c'));
  expect(readValues(world, consumer, 3)).toEqual(['a', 'b', 'c']);
});

test('OFFSET_OUT_OF_RANGE of where it was resets nothing', () => {
  const { world, consumer, moves, fetching } = setUp();
  fetching(50);
  consumer.seek(P0, 0);
  expect(readValues(world, consumer, 2)).toEqual(['a', 'b']);
  expect(moves).toEqual(['seek -1>50', 'seek 50>0']);
});

test('repl R-36: where a lookup would begin does not matter to who went elsewhere meanwhile', () => {
  const { cluster, world, consumer, moves } = setUp();
  consumer.poll(10_000, () => undefined);
  world.run({ until: () => cluster.requests('ListOffsets').length > 0, maxMs: 1000 });
  consumer.seek(P0, 0);
  expect(readValues(world, consumer, 2)).toEqual(['a', 'b']);
  expect(moves).toEqual(['seek -1>0']);
});
