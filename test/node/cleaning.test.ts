// Which logs a broker cleans, and when (txn T-114). How, is the log's.
import { expect, test } from 'vitest';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { configRecord } from '../../src/metadata/records.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { Stage, TOPIC } from './support/stage.ts';

const BACKOFF_MS = 1000;

/** A leader with one key written 20 times, a segment each. */
function written(config: Readonly<Record<string, unknown>>, policy: string): Stage {
  const options = { replicas: [1], config: { 'log.cleaner.backoff.ms': BACKOFF_MS, 'log.roll.ms': 1, ...config } };
  const stage = new Stage(options);
  stage.controller.commit(configRecord(TOPIC, 'cleanup.policy', policy));
  stage.start();
  for (let i = 0; i < 20; i++) {
    const record = { timestamp: 10 * i, key: Buffer.from('k'), value: Buffer.from(`v${i}`) };
    stage.produced('', { records: encodeBatch([record]) });
  }
  stage.runFor(2 * BACKOFF_MS);
  return stage;
}

const held = (stage: Stage): number => {
  const request = { topic: TOPIC, partition: 0, fromOffset: 0, maxBatches: 100 };
  return stage.call('DescribeReplicas', request).replicas[0]!.records.length;
};

test.each(['compact', 'compact,delete'])(
  'cleanup.policy %s: the log is cleaned after log.cleaner.backoff.ms',
  (policy) => {
    const stage = written({}, policy);
    expect(stage.seen('log.cleaned').at(-1)).toMatchObject({ topic: TOPIC, upTo: 19 });
    expect(stage.replica).toMatchObject({ logStartOffset: 0, logEndOffset: 20 });
    expect(held(stage)).toBeLessThan(3 * 100);
  },
);

test.each([
  ['cleanup.policy delete', {}, 'delete'],
  ['log.cleaner.enable=false', { 'log.cleaner.enable': false }, 'compact'],
])('%s: nothing is cleaned', (_, config, policy) => {
  const stage = written(config, policy);
  expect(stage.seen('log.cleaned')).toEqual([]);
  expect(held(stage)).toBeGreaterThan(15 * 60);
});

/** What is left of a key that was written, deleted, and cleaned around twice: offset 1 is the tombstone. */
function leftOver(options: { readonly replicas: number[]; readonly safeguardsOff?: readonly string[] }): number[] {
  const config = { 'log.cleaner.backoff.ms': BACKOFF_MS, 'log.roll.ms': 1, 'log.cleaner.delete.retention.ms': 0 };
  const stage = new Stage({ ...options, isr: [1], config: { ...config, 'log.cleaner.min.cleanable.ratio': 0 } });
  stage.controller.commit(configRecord(TOPIC, 'cleanup.policy', 'compact'));
  stage.start();
  const put = (at: number, key: string, value: Buffer | null): void => {
    stage.produced('', { records: encodeBatch([{ timestamp: 10 * at, key: Buffer.from(key), value }]) });
  };
  put(0, 'k', Buffer.from('v'));
  put(1, 'k', null);
  for (const at of [2, 3]) {
    put(at, `key${at}`, Buffer.from('v'));
    stage.runFor(2 * BACKOFF_MS);
  }
  put(4, 'end', Buffer.from('v'));
  stage.runFor(2 * BACKOFF_MS);
  const request = { topic: TOPIC, partition: 0, fromOffset: 0, maxBatches: 100 };
  return [...batchHeaders(stage.call('DescribeReplicas', request).replicas[0]!.records)].map(
    ({ baseOffset }) => baseOffset,
  );
}

test('BUG-64, compact.replicaAware: tombstones and markers stay for a replica that is away', () => {
  expect(leftOver({ replicas: [1] })).toEqual([2, 3, 4]);
  expect(leftOver({ replicas: [1, 2] })).toEqual([1, 2, 3, 4]);
  expect(leftOver({ replicas: [1, 2], safeguardsOff: ['compact.replicaAware'] })).toEqual([2, 3, 4]);
});
