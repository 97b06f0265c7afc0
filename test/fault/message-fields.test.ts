// What filters see of a message: a set of fields for each batch or partition (ux.md 3.2).
import { describe, expect, test } from 'vitest';
import { withError } from '../../src/fault/error-answer.ts';
import { messageFields } from '../../src/fault/message-fields.ts';
import { BATCH_HEADER_BYTES, BATCH_PREFIX_BYTES } from '../../src/protocol/batch-header.ts';

function aBatch(baseOffset: number, lastOffset: number, leaderEpoch: number): Buffer {
  const header = Buffer.alloc(BATCH_HEADER_BYTES);
  header.writeBigInt64BE(BigInt(baseOffset), 0);
  header.writeInt32BE(BATCH_HEADER_BYTES - BATCH_PREFIX_BYTES, 8);
  header.writeInt32BE(leaderEpoch, 12);
  header.writeInt32BE(lastOffset - baseOffset, 23);
  header.writeBigInt64BE(-1n, 43); // of no producer that numbers its batches
  return header;
}

const NAMES = (topicId: string): string | undefined => (topicId === 'id-1' ? 'orders' : undefined);

describe('the fields of a message', () => {
  test('one set for each batch of a fetch response', () => {
    const records = Buffer.concat([aBatch(3, 4, 1), aBatch(5, 9, 2)]);
    const response = { error: 'NONE', partitions: [{ topic: 'orders', partition: 0, error: 'NONE', records }] };
    expect(messageFields(response, { from: 1, to: 2 }, { names: NAMES })).toEqual([
      { from: 1, to: 2, topic: 'orders', partition: 0, leaderEpoch: 1, baseOffset: 3, lastOffset: 4, offset: 3 },
      { from: 1, to: 2, topic: 'orders', partition: 0, leaderEpoch: 2, baseOffset: 5, lastOffset: 9, offset: 5 },
    ]);
  });

  test('a fetch request is about its fetch offset; a topic id is named', () => {
    const asked = { topicId: 'id-1', topic: '', partition: 3, currentLeaderEpoch: 7, fetchOffset: 5 };
    expect(messageFields({ partitions: [asked] }, { from: 2, to: 1 }, { names: NAMES })).toEqual([
      { from: 2, to: 1, topic: 'orders', partition: 3, leaderEpoch: 7, offset: 5 },
    ]);
  });

  test('errors are fields, NONE is not', () => {
    const partitions = [{ topic: 'orders', partition: 0, error: 'NOT_LEADER_OR_FOLLOWER', baseOffset: -1 }];
    expect(messageFields({ partitions }, { from: 1, to: 2 }, { names: NAMES })).toEqual([
      { from: 1, to: 2, topic: 'orders', partition: 0, error: 'NOT_LEADER_OR_FOLLOWER' },
    ]);
  });

  test('a message without partitions has one set', () => {
    expect(messageFields({ brokerId: 1 }, { from: 1, to: 100 }, { names: NAMES })).toEqual([{ from: 1, to: 100 }]);
    expect(messageFields({ partitions: [] }, { from: 1, to: 2 }, { names: NAMES })).toEqual([{ from: 1, to: 2 }]);
  });

  test('an election names its partition', () => {
    expect(
      messageFields({ type: 'elect-to', topic: 'orders', partition: 0, to: 2 }, { from: 1, to: 100 }, { names: NAMES }),
    ).toEqual([{ from: 1, to: 100, topic: 'orders', partition: 0 }]);
  });
});

describe('an answer turned into an error', () => {
  test('every partition says so and tells nothing else; the original is untouched', () => {
    const partition = { topic: 'orders', partition: 0, error: 'NONE', highWatermark: 4, records: Buffer.from('x') };
    const response = { error: 'NONE', partitions: [partition] };
    expect(withError(response, 'UNKNOWN_LEADER_EPOCH')).toEqual({
      error: 'NONE',
      partitions: [
        { topic: 'orders', partition: 0, error: 'UNKNOWN_LEADER_EPOCH', highWatermark: -1, records: Buffer.alloc(0) },
      ],
    });
    expect(partition).toMatchObject({ error: 'NONE', highWatermark: 4 });
  });

  test('of several markers or transactions in one message, each', () => {
    const marker = { producerId: 7, partitions: [{ topic: 'orders', partition: 0, error: 'NONE' }] };
    const refused = { ...marker, partitions: [{ topic: 'orders', partition: 0, error: 'INVALID_PRODUCER_EPOCH' }] };
    expect(withError({ markers: [marker, marker] }, 'INVALID_PRODUCER_EPOCH')).toEqual({ markers: [refused, refused] });
  });

  test('a message without partitions carries it itself', () => {
    expect(withError({ error: 'NONE', isFenced: false }, 'STALE_BROKER_EPOCH')).toEqual({
      error: 'STALE_BROKER_EPOCH',
      isFenced: false,
    });
  });
});

test('a batch of a producer that numbers them has its identity; contents make a set of each record', () => {
  const records = aBatch(0, 1, 0);
  records.writeBigInt64BE(7n, 43);
  records.writeInt16BE(2, 51);
  records.writeInt32BE(5, 53);
  const message = { partitions: [{ topic: 'orders', partition: 0, records }] };
  const contents = () => [
    { key: 'k', value: 'a' },
    { key: undefined, value: 'b' },
  ];
  const sets = messageFields(message, {}, { names: NAMES, contents });
  expect(sets).toEqual([
    expect.objectContaining({ producerId: 7, producerEpoch: 2, sequence: 5, key: 'k', value: 'a' }),
    expect.objectContaining({ producerId: 7, value: 'b' }),
  ]);
  expect(sets[1]).not.toHaveProperty('key');
});
