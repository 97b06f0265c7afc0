// DescribeProducers (txn T-178): what a replica knows of producers, for whoever looks for transactions that hang.
import { describe, expect, test } from 'vitest';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import { topicLedBy, transactional, type Batch } from './support/scripted-coordinator.ts';
import { Stage, TOPIC, type StageOptions } from './support/stage.ts';

const unverified = { config: { 'transaction.partition.verification.enable': false } };
const staged = (options: StageOptions = {}): Stage =>
  new Stage({ replicas: [1], partitions: 2, ...unverified, ...options }).start();

function describedBy(
  stage: Stage,
  topic = TOPIC,
  ...partitions: number[]
): ResponseOf<'DescribeProducers'>['partitions'] {
  return stage.call('DescribeProducers', { topics: [{ topic, partitions }] }).partitions;
}

function write(stage: Stage, batch: Batch): void {
  const options = { records: transactional(batch), transactionalId: 'id', transactionVersion: 1 };
  expect(stage.produced('', options).error).toBe('NONE');
}

const marker = (more: object) => ({
  ...{ producerId: 7, producerEpoch: 3, committed: true, coordinatorEpoch: 4, transactionVersion: 0 },
  topics: [{ topic: TOPIC, partitions: [0] }],
  ...more,
});

describe('txn T-178: the producers of a partition', () => {
  test('by id, with epoch, last sequence, where their transaction began and who ended the last one', () => {
    const stage = staged();
    write(stage, { producerId: 9, baseSequence: 0 });
    write(stage, { producerId: 7, baseSequence: 0 });
    write(stage, { producerId: 7, baseSequence: 1 });
    const at = stage.world.now;
    expect(describedBy(stage, TOPIC, 0)).toMatchObject([
      {
        ...{ topic: TOPIC, partition: 0, error: 'NONE' },
        producers: [
          { producerId: 7, producerEpoch: 3, lastSequence: 1, coordinatorEpoch: -1, currentTxnStartOffset: 1 },
          { producerId: 9, producerEpoch: 3, lastSequence: 0, coordinatorEpoch: -1, currentTxnStartOffset: 0 },
        ],
      },
    ]);
    stage.call('WriteTxnMarkers', { markers: [marker({})] });
    const [seven] = describedBy(stage, TOPIC, 0)[0]!.producers;
    expect(seven).toMatchObject({ lastSequence: 1, coordinatorEpoch: 4, currentTxnStartOffset: -1 });
    expect(seven!.lastTimestampMs).toBeGreaterThan(at - 1000);
  });

  test('T-93: a marker of another epoch leaves no sequence', () => {
    const stage = staged();
    write(stage, { producerId: 7 });
    stage.call('WriteTxnMarkers', { markers: [marker({ producerEpoch: 4 })] });
    expect(describedBy(stage, TOPIC, 0)[0]!.producers).toMatchObject([{ producerEpoch: 4, lastSequence: -1 }]);
  });

  test('none, partition by partition in the order asked', () => {
    expect(describedBy(staged(), TOPIC, 1, 0)).toEqual([
      { topic: TOPIC, partition: 1, error: 'NONE', producers: [] },
      { topic: TOPIC, partition: 0, error: 'NONE', producers: [] },
    ]);
  });

  test('a partition that is not there, and one that this broker does not host', () => {
    const stage = staged();
    stage.commit(...topicLedBy('elsewhere', [2], [2]));
    expect(describedBy(stage, TOPIC, 7)).toMatchObject([{ error: 'UNKNOWN_TOPIC_OR_PARTITION', producers: [] }]);
    expect(describedBy(stage, 'nothing', 0)).toMatchObject([{ error: 'UNKNOWN_TOPIC_OR_PARTITION' }]);
    expect(describedBy(stage, 'elsewhere', 0)).toMatchObject([{ error: 'NOT_LEADER_OR_FOLLOWER' }]);
  });
});
