// Whom an idempotent producer asks for its producer id while brokers have none at hand (txn T-37, T-39).
import { expect, test } from 'vitest';
import type { SendResult } from '../../src/client/core/producer-record.ts';
import { ScriptedCluster, TOPIC, type Deed } from './support/scripted.ts';
import { text } from './support/wait.ts';

const NONE_AT_HAND: Deed = { kind: 'error', error: 'COORDINATOR_LOAD_IN_PROGRESS' };

/** The brokers that a producer has asked when its first record is acknowledged. */
function asked(seed: number, ...deeds: readonly Deed[]): readonly number[] {
  const cluster = new ScriptedCluster(seed);
  const producer = cluster.client({ 'enable.idempotence': true, 'linger.ms': 0 }).producer();
  cluster.next('InitProducerId', ...deeds);
  let result: SendResult | undefined;
  producer.send({ topic: TOPIC, partition: 0, value: text('a') }, (sent) => (result = sent));
  expect(cluster.world.run({ until: () => result !== undefined, maxMs: 100_000 })).toBe(true);
  expect(result?.kind).toBe('ok');
  return cluster.requests('InitProducerId').map(({ node }) => node);
}

test('txn T-37: one that has none at hand has asked for some, so it is asked again', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const [first, second, ...more] = asked(seed, NONE_AT_HAND);
    expect([second, more]).toEqual([first, []]);
  }
});

test('txn T-37: one that has none the second time gets none, so another is asked', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const [first, second, third] = asked(seed, NONE_AT_HAND, NONE_AT_HAND);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  }
});

test('one that does not answer is left at once', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const [first, second] = asked(seed, { kind: 'silence' });
    expect(second).not.toBe(first);
  }
});
