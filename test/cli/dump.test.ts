// What `log dump` makes of stored bytes: Kafka's lines, decoded internal topics, and what is said of bytes that are damaged.
import { describe, expect, test } from 'vitest';
import { batchDocument, batchLines } from '../../src/cli/dump/dump-lines.ts';
import { dumpBatches, type DumpedBatch } from '../../src/cli/dump/dumped-batch.ts';
import { encodeGroupKey, encodeGroupValue } from '../../src/coordinator/group/group-record.ts';
import { encodeOffsetKey, encodeOffsetValue } from '../../src/coordinator/group/offsets/offset-record.ts';
import { loadedEntry, newEntry, type TransactionMetadata } from '../../src/coordinator/txn/metadata.ts';
import { encodeKey, encodeValue } from '../../src/coordinator/txn/record-codec.ts';
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { encodeBatch, encodeOpaqueBatch, type BatchFields } from '../../src/log/encode-batch.ts';

const TIME = 1_700_000_000_000;

function dump(bytes: Buffer, topic = 'orders', printData = false): readonly DumpedBatch[] {
  return dumpBatches(bytes, { topic, printData, position: 100 }).batches;
}

/** Lines of one record with this key and value. */
function lineOf(topic: string, key: Buffer | null, value: Buffer | null): string {
  return batchLines(dump(encodeBatch([{ timestamp: TIME, key, value }]), topic)[0]!)[1]!;
}

describe("a user topic, in Kafka's lines", () => {
  const fields: BatchFields = {
    ...{ baseOffset: 7, leaderEpoch: 3, attributes: TRANSACTIONAL },
    ...{ producerId: 1000, producerEpoch: 2, baseSequence: 2_147_483_647 },
  };
  const records = [
    { timestamp: TIME, key: Buffer.from('k'), value: Buffer.from('a\nb') },
    { timestamp: TIME + 5, key: null, value: null, headers: [{ key: 'trace', value: null }] },
  ];
  const bytes = encodeBatch(records, fields);

  test('txn T-102: sequences wrap inside a batch', () => {
    const crc = bytes.readUInt32BE(17);
    expect(batchLines(dump(bytes)[0]!)).toEqual([
      'baseOffset: 7 lastOffset: 8 count: 2 baseSequence: 2147483647 lastSequence: 0 producerId: 1000 producerEpoch: 2 ' +
        'partitionLeaderEpoch: 3 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty ' +
        `position: 100 CreateTime: ${TIME + 5} size: ${bytes.length} magic: 2 compresscodec: none crc: ${crc} isvalid: true`,
      `| offset: 7 CreateTime: ${TIME} keySize: 1 valueSize: 3 sequence: 2147483647 headerKeys: []`,
      `| offset: 8 CreateTime: ${TIME + 5} keySize: -1 valueSize: -1 sequence: 0 headerKeys: [trace]`,
    ]);
  });

  test('keys and payloads are printed if asked for, a record a line', () => {
    const [, first, second] = batchLines(dump(bytes, 'orders', true)[0]!);
    expect(first).toMatch(/ headerKeys: \[\] key: k payload: a\\nb$/);
    expect(second).toMatch(/ headerKeys: \[trace\]$/);
  });

  test('lines of batches only', () => {
    expect(batchLines(dump(bytes)[0]!, false)).toHaveLength(1);
  });

  test('txn T-115: a marker says what it is, and of which coordinator', () => {
    const marker = encodeMarker(
      { type: 'abort', producerId: 5, producerEpoch: 1, coordinatorEpoch: 12, timestamp: TIME },
      { baseOffset: 9 },
    );
    const [batch, record] = batchLines(dump(marker)[0]!);
    expect(batch).toContain('baseSequence: -1 lastSequence: -1 producerId: 5');
    expect(batch).toContain('isTransactional: true isControl: true');
    expect(record).toBe(
      `| offset: 9 CreateTime: ${TIME} keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] ` +
        'endTxnMarker: ABORT coordinatorEpoch: 12',
    );
  });

  test('--json has the same', () => {
    expect(batchDocument(dump(bytes, 'orders', true)[0]!)).toMatchObject({
      ...{
        baseOffset: 7,
        lastOffset: 8,
        lastSequence: 0,
        partitionLeaderEpoch: 3,
        isTransactional: true,
        isValid: true,
      },
      records: [
        { offset: 7, key: 'k', payload: 'a\nb' },
        { offset: 8, key: null, payload: null, headerKeys: ['trace'] },
      ],
    });
  });
});

describe('bytes that cannot be read', () => {
  test('wire W-98: a compressed batch says how many records it has', () => {
    const bytes = encodeOpaqueBatch({
      ...{ codec: 'gzip', body: Buffer.from('?'), recordCount: 3, baseTimestamp: TIME, maxTimestamp: TIME },
    });
    const [batch, record] = batchLines(dump(bytes)[0]!);
    expect(batch).toContain('count: 3');
    expect(batch).toContain('compresscodec: gzip');
    expect(record).toBe('| 3 records compressed with gzip: not read');
  });

  test('repl R-3: a flipped bit is shown, and what follows is dumped all the same', () => {
    const bytes = Buffer.concat(
      [1, 2].map((n) => encodeBatch([{ timestamp: TIME, key: null, value: Buffer.from([n]) }])),
    );
    bytes[bytes.length / 2 - 1]! ^= 1;
    const [bad, good] = dump(bytes);
    expect(batchLines(bad!)).toEqual([expect.stringMatching(/isvalid: false$/), expect.stringMatching(/^\| the CRC/)]);
    expect(good).toMatchObject({ isValid: true, position: 100 + bytes.length / 2 });
  });

  test('a torn end is counted', () => {
    const bytes = encodeBatch([{ timestamp: TIME, key: null, value: Buffer.from('v') }]);
    const torn = Buffer.concat([bytes, bytes.subarray(0, 30)]);
    expect(dumpBatches(torn, { topic: 'orders', printData: false, position: 0 })).toMatchObject({ trailingBytes: 30 });
  });
});

describe('txn T-9, T-10: __transaction_state', () => {
  const topic = '__transaction_state';
  const entry = newEntry({ transactionalId: 'pay-😀', producerId: 1000, timeoutMs: 60_000, nowMs: TIME });
  const metadata: TransactionMetadata = {
    ...loadedEntry(entry.metadata).metadata,
    ...{ producerEpoch: 4, state: 'PrepareCommit', startTimeMs: TIME - 9, clientTransactionVersion: 2 },
    partitions: [
      { topic: 'a', partition: 0 },
      { topic: 'a', partition: 3 },
    ],
  };

  test.each([0, 1, 2])("a state, written at level %d: Kafka's fields first", (level) => {
    const line = lineOf(topic, encodeKey('pay-😀'), encodeValue(metadata, { level }));
    expect(line).toContain(
      ' key: transaction_metadata::transactionalId=pay-😀 payload: producerId:1000,producerEpoch:4,' +
        `state=PrepareCommit,partitions=[a-0,a-3],txnLastUpdateTimestamp=${TIME},txnTimeoutMs=60000,txnStartTimestamp=${TIME - 9},`,
    );
    expect(line).toMatch(new RegExp(`clientTransactionVersion=${level === 0 ? 0 : 2}$`));
  });

  test('a tombstone', () => {
    expect(lineOf(topic, encodeKey('x'), null)).toMatch(
      / key: transaction_metadata::transactionalId=x payload: <DELETE>$/,
    );
  });

  test('txn T-9: versions that are not known, and nonsense, say so', () => {
    expect(lineOf(topic, Buffer.from([0, 9]), null)).toMatch(/ key: cannot be read \(key version 9\)$/);
    expect(lineOf(topic, encodeKey('x'), Buffer.from([0, 9]))).toMatch(/ key: cannot be read \(value version 9\)$/);
    expect(lineOf(topic, encodeKey('x'), Buffer.from([0, 1, 2]))).toMatch(/ key: cannot be read \(/);
    expect(lineOf(topic, null, null)).toMatch(/ key: cannot be read \(no key\)$/);
  });
});

describe('wire 8.1: __consumer_offsets', () => {
  const topic = '__consumer_offsets';
  const key = encodeOffsetKey({ groupId: 'billing', topic: 'orders', partition: 1 });
  const commit = { offset: 38, leaderEpoch: 4, metadata: 'm', commitTimestamp: TIME, expireTimestamp: -1, topicId: '' };

  test('a committed offset', () => {
    expect(lineOf(topic, key, encodeOffsetValue(commit))).toContain(
      ' key: {"type":"1","data":{"group":"billing","topic":"orders","partition":1}} payload: ' +
        `{"version":"4","data":{"offset":38,"leaderEpoch":4,"metadata":"m","commitTimestamp":${TIME}}}`,
    );
  });

  test('one that expires by itself, and a tombstone', () => {
    const expiring = { ...commit, leaderEpoch: -1, expireTimestamp: TIME + 1 };
    expect(lineOf(topic, key, encodeOffsetValue(expiring))).toMatch(
      /"version":"1".*"expireTimestamp":1700000000001}}$/,
    );
    expect(lineOf(topic, key, null)).toMatch(/ payload: <DELETE>$/);
  });

  test('wire G-40: a generation, with what its members subscribe to and hold', () => {
    const short = (text: string) => [0, text.length, ...Buffer.from(text)];
    const none = [255, 255, 255, 255];
    const member = {
      ...{ memberId: 'c-1', groupInstanceId: '', clientId: 'app', clientHost: '/127.0.0.1' },
      ...{ rebalanceTimeoutMs: 60_000, sessionTimeoutMs: 45_000 },
      subscription: Buffer.from([0, 0, 0, 0, 0, 1, ...short('orders'), ...none]),
      assignment: Buffer.from([0, 0, 0, 0, 0, 1, ...short('orders'), 0, 0, 0, 1, 0, 0, 0, 2, ...none]),
    };
    const group = { generation: 5, protocol: 'range', leader: 'c-1', stateSince: TIME, members: [member] };
    const lines = ['consumer', 'connect'].map((protocolType) =>
      lineOf(topic, encodeGroupKey('billing'), encodeGroupValue({ ...group, protocolType })),
    );
    expect(lines[0]).toMatch(
      / key: {"type":"2","data":{"group":"billing"}} payload: {"version":"3","data":{"protocolType":"consumer","generation":5,/,
    );
    expect(lines[0]).toMatch(/"subscription":\["orders"\],"assignment":\["orders-2"\]}\]}}$/);
    expect(lines[1]).toContain(`"subscription":"${member.subscription.toString('base64')}"`);
  });

  test('records of protocols that are not spoken here', () => {
    expect(lineOf(topic, Buffer.from([0, 6, 0, 0]), null)).toMatch(/ key: cannot be read \(key version 6\)$/);
  });
});
