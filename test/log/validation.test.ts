// Every row of wire 6.3 in its order (repl R-4), and what a leader changes (repl R-5, wire W-95, W-96).
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/base/crc32c.ts';
import { CONTROL, LOG_APPEND_TIME, TRANSACTIONAL } from '../../src/log/attributes.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { encodeBatch, encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import type { BatchFields, OpaqueRecords } from '../../src/log/encode-batch.ts';
import { unpackProduce } from '../../src/log/unpack-produce.ts';
import { validateBatch } from '../../src/log/validate-batch.ts';
import type { TopicConfig } from '../../src/protocol/config.ts';
import { Bench, NOW, append, batchOf, settings } from './bench.ts';

const ANY = { zstdAllowed: true };
const COMPACTED = { 'cleanup.policy': 'compact' };
const APPEND_TIME = { 'message.timestamp.type': 'LogAppendTime' };

/** `batch` after a change, with its CRC made right again. */
function changed(batch: Buffer, change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(batch);
  change(bytes);
  bytes.writeUInt32BE(crc32c(bytes, 21), 17);
  return bytes;
}

function opaque(records: Partial<OpaqueRecords> = {}, fields: BatchFields = {}): Buffer {
  const one = { codec: 'gzip', body: Buffer.from('squeezed'), recordCount: 2, baseTimestamp: NOW, maxTimestamp: NOW };
  return encodeOpaqueBatch({ ...one, ...records } as OpaqueRecords, fields);
}

describe('wire 6.3 [a]: unpacking', () => {
  const batch = batchOf(2);
  test.each<[string, Buffer | null, { zstdAllowed: boolean }, string]>([
    ['null', null, ANY, 'INVALID_RECORD'],
    ['empty', Buffer.alloc(0), ANY, 'INVALID_RECORD'],
    ['shorter than a batch prefix', batch.subarray(0, 11), ANY, 'INVALID_RECORD'],
    ['shorter than magic', batch.subarray(0, 16), ANY, 'INVALID_RECORD'],
    ['shorter than its first batch', batch.subarray(0, batch.length - 1), ANY, 'INVALID_RECORD'],
    ['batch length 13', changed(batch, (b) => b.writeInt32BE(13, 8)), ANY, 'CORRUPT_MESSAGE'],
    ['negative batch length', changed(batch, (b) => b.writeInt32BE(-1, 8)), ANY, 'CORRUPT_MESSAGE'],
    ['magic 3', changed(batch, (b) => b.writeInt8(3, 16)), ANY, 'CORRUPT_MESSAGE'],
    ['magic -1', changed(batch, (b) => b.writeInt8(-1, 16)), ANY, 'CORRUPT_MESSAGE'],
    ['magic 0', changed(batch, (b) => b.writeInt8(0, 16)), ANY, 'INVALID_RECORD'],
    ['magic 1', changed(batch, (b) => b.writeInt8(1, 16)), ANY, 'INVALID_RECORD'],
    ['zstd below Produce 7', opaque({ codec: 'zstd' }), { zstdAllowed: false }, 'UNSUPPORTED_COMPRESSION_TYPE'],
    ['two batches', Buffer.concat([batch, batch]), ANY, 'INVALID_RECORD'],
    [
      'bad length before cut short',
      changed(batch, (b) => b.writeInt32BE(3, 8)).subarray(0, 20),
      ANY,
      'CORRUPT_MESSAGE',
    ],
  ])('%s', (_what, records, options, error) => {
    expect(unpackProduce(records, options)).toMatchObject({ error });
  });

  test.each<[string, Buffer, { zstdAllowed: boolean }]>([
    ['one batch', batch, ANY],
    ['zstd from Produce 7 on', opaque({ codec: 'zstd' }), ANY],
    ['gzip below Produce 7', opaque(), { zstdAllowed: false }],
  ])('%s is taken', (_what, records, options) => {
    expect(unpackProduce(records, options)).toEqual({ batch: records });
  });

  test('a rest that is no whole batch is cut off', () => {
    for (const rest of [Buffer.alloc(5), Buffer.alloc(40), batch.subarray(0, batch.length - 1)]) {
      expect(unpackProduce(Buffer.concat([batch, rest]), ANY)).toEqual({ batch });
    }
  });
});

interface Row {
  readonly what: string;
  readonly batch: Buffer;
  readonly config?: Partial<TopicConfig>;
  readonly error: string;
  readonly recordErrors?: readonly number[];
}

const two = batchOf(2, { producerId: 5, producerEpoch: 0, baseSequence: 0 });
const noKey = encodeBatch([
  { timestamp: NOW, key: Buffer.from('k'), value: null },
  { timestamp: NOW, key: null, value: null },
]);
const spoiled = (batch: Buffer): Buffer => {
  const bytes = Buffer.from(batch);
  bytes[bytes.length - 1]! ^= 1;
  return bytes;
};

/** In the order of the table. */
const ROWS: readonly Row[] = [
  { what: '[b] base offset is not 0', batch: batchOf(2, { baseOffset: 1 }), error: 'INVALID_RECORD' },
  { what: '[b] negative base offset', batch: batchOf(2, { baseOffset: -1 }), error: 'INVALID_RECORD' },
  {
    ...{ what: '[b] above max.message.bytes', batch: two, error: 'MESSAGE_TOO_LARGE' },
    config: { 'max.message.bytes': two.length - 1 },
  },
  { what: '[b] CRC', batch: spoiled(two), error: 'CORRUPT_MESSAGE' },
  {
    what: '[b] below 61 bytes',
    batch: changed(two, (b) => b.writeInt32BE(40, 8)).subarray(0, 52),
    error: 'CORRUPT_MESSAGE',
  },
  { what: '[b] codec 5', batch: changed(two, (b) => b.writeInt16BE(5, 21)), error: 'INVALID_RECORD' },
  { what: '[b] codec 7', batch: changed(two, (b) => b.writeInt16BE(7, 21)), error: 'INVALID_RECORD' },
  { what: '[c] last offset delta -1', batch: changed(two, (b) => b.writeInt32BE(-1, 23)), error: 'INVALID_RECORD' },
  { what: '[c] record count 0', batch: changed(two, (b) => b.writeInt32BE(0, 57)), error: 'INVALID_RECORD' },
  { what: '[c] count and delta differ', batch: changed(two, (b) => b.writeInt32BE(4, 23)), error: 'INVALID_RECORD' },
  { what: '[c] control bit', batch: batchOf(1, { attributes: CONTROL | TRANSACTIONAL }), error: 'INVALID_RECORD' },
  { what: '[c] producer id without sequence', batch: batchOf(1, { producerId: 5 }), error: 'INVALID_RECORD' },
  { what: '[c] broken record', batch: changed(two, (b) => b.writeUInt8(0x7e, 61)), error: 'INVALID_RECORD' },
  {
    ...{ what: '[c] more records than counted', error: 'INVALID_RECORD' },
    batch: changed(two, (b) => void (b.writeInt32BE(0, 23), b.writeInt32BE(1, 57))),
  },
  {
    what: '[c] offset deltas that are not 0, 1, 2',
    batch: changed(two, (b) => b.writeUInt8(4, 64)),
    error: 'INVALID_RECORD',
  },
  { what: '[c] null key, compacted', batch: noKey, config: COMPACTED, error: 'INVALID_RECORD', recordErrors: [1] },
  {
    ...{ what: '[c] null key, compact,delete', batch: noKey, error: 'INVALID_RECORD', recordErrors: [1] },
    config: { 'cleanup.policy': 'compact,delete' },
  },
  {
    ...{
      what: '[c] too old',
      batch: batchOf(2, { timestamp: NOW - 1001 }),
      error: 'INVALID_TIMESTAMP',
      recordErrors: [0],
    },
    config: { 'message.timestamp.before.max.ms': 1000 },
  },
  {
    ...{ what: '[c] too new', error: 'INVALID_TIMESTAMP', recordErrors: [1] },
    batch: batchOf(2, { timestamp: NOW + 3_600_000 }),
  },
  {
    ...{ what: '[c] one 32 makes the answer 32', error: 'INVALID_TIMESTAMP', recordErrors: [0, 1] },
    config: COMPACTED,
    batch: encodeBatch([
      { timestamp: NOW, key: null, value: null },
      { timestamp: NOW + 4_000_000, key: Buffer.from('k'), value: null },
    ]),
  },
  {
    ...{ what: '[c] marked LogAppendTime on a LogAppendTime topic', config: APPEND_TIME, error: 'INVALID_TIMESTAMP' },
    ...{ batch: batchOf(2, { attributes: LOG_APPEND_TIME }), recordErrors: [0, 1] },
  },
  {
    ...{ what: '[c] marked LogAppendTime without a timestamp', error: 'INVALID_TIMESTAMP', recordErrors: [0] },
    batch: encodeBatch([{ timestamp: -1, key: null, value: null }], { attributes: LOG_APPEND_TIME }),
  },
  {
    ...{ what: '[c] compressed, header too new', error: 'INVALID_TIMESTAMP' },
    batch: opaque({ maxTimestamp: NOW + 4_000_000 }),
  },
  {
    ...{ what: '[e] above segment.bytes', batch: two, error: 'RECORD_LIST_TOO_LARGE' },
    config: { 'segment.bytes': two.length - 1 },
  },
  {
    ...{ what: 'producer state: transactional', error: 'INVALID_TXN_STATE' },
    batch: batchOf(1, { attributes: TRANSACTIONAL, producerId: 5, producerEpoch: 0, baseSequence: 0 }),
  },
];

describe('wire 6.3 [b] to [e]: what a leader refuses', () => {
  test.each(ROWS)('$what', ({ batch, config, error, recordErrors }) => {
    const bench = new Bench();
    const log = bench.open();
    const { refusal } = append(log, batch, 4, settings(config));
    expect(refusal).toMatchObject({ error });
    expect(refusal!.message).not.toBe('');
    expect(refusal!.recordErrors.map(({ batchIndex }) => batchIndex)).toEqual(recordErrors ?? []);
    bench.settle();
    expect([log.logEndOffset, log.reservedEndOffset]).toEqual([0, 0]);
    expect(bench.ofType('log.appended')).toEqual([]);
    // The epoch entry comes before the last two rows (repl R-8), and after all others.
    const behindEpoch = error === 'RECORD_LIST_TOO_LARGE' || error === 'INVALID_TXN_STATE';
    expect(log.epochs).toEqual(behindEpoch ? [[4, 0]] : []);
  });

  test('repl R-4: the first failure in the order of the table is the answer', () => {
    // One defect after another is added in front; each time the answer is the one of the defect added last.
    const ordered: readonly [string, (bytes: Buffer) => void][] = [
      ['INVALID_TIMESTAMP', (b) => b.writeBigInt64BE(BigInt(NOW + 9_000_000), 27)],
      ['INVALID_RECORD', (b) => b.writeInt32BE(-7, 53)],
      ['INVALID_RECORD', (b) => b.writeInt32BE(9, 57)],
    ];
    let batch: Buffer = two;
    for (const [error, change] of ordered) {
      batch = changed(batch, change);
      expect(append(new Bench().open(), batch, 0, settings({ 'segment.bytes': 14 })).refusal?.error).toBe(error);
    }
    const open = () => new Bench().open();
    const small = settings({ 'max.message.bytes': 10 });
    expect(append(open(), spoiled(batch)).refusal?.error).toBe('CORRUPT_MESSAGE');
    expect(append(open(), spoiled(batch), 0, small).refusal?.error).toBe('MESSAGE_TOO_LARGE');
    const moved = Buffer.from(spoiled(batch));
    moved.writeBigInt64BE(3n, 0);
    expect(append(open(), moved, 0, small).refusal?.error).toBe('INVALID_RECORD');
  });
});

test('repl R-4: coordinators skip base offset, counts, control bit and sequence, and nothing else', () => {
  const config = settings();
  const judge = (batch: Buffer) => validateBatch({ batch, leaderEpoch: 0, now: NOW, config, origin: 'coordinator' });
  expect(judge(batchOf(1, { attributes: CONTROL | TRANSACTIONAL, producerId: 4, producerEpoch: 0 }))).toHaveProperty(
    'header',
  );
  expect(judge(batchOf(2, { baseOffset: 5 }))).toHaveProperty('header');
  expect(judge(spoiled(two))).toMatchObject({ error: 'CORRUPT_MESSAGE' });
});

describe('repl R-4: what a leader takes', () => {
  test.each<[string, Buffer, Partial<TopicConfig>]>([
    ['no timestamp', encodeBatch([{ timestamp: -1, key: null, value: null }]), {}],
    ['at the late edge', batchOf(1, { timestamp: NOW + 3_600_000 }), {}],
    ['at the early edge', batchOf(1, { timestamp: NOW - 1000 }), { 'message.timestamp.before.max.ms': 1000 }],
    ['any timestamp on a LogAppendTime topic', batchOf(1, { timestamp: NOW + 9_000_000 }), APPEND_TIME],
    ['compressed on a compacted topic, unseen (W-98)', opaque(), COMPACTED],
    ['exactly max.message.bytes', two, { 'max.message.bytes': two.length }],
    ['a producer id, stored as it is', two, {}],
  ])('%s', (_what, batch, config) => {
    expect(append(new Bench().open(), batch, 0, settings(config)).refusal).toBeUndefined();
  });
});

describe('wire W-95: what a leader changes', () => {
  function stored(batch: Buffer, config: Partial<TopicConfig> = {}) {
    const bench = new Bench();
    const log = bench.open();
    append(log, batchOf(3));
    const appended = append(log, batch, 6, settings(config));
    bench.settle();
    return { bytes: log.read(3, log.logEndOffset, 1 << 20, true).records, info: appended.info()! };
  }

  test('base offset and leader epoch, and nothing else on a CreateTime topic', () => {
    const batch = batchOf(2);
    const { bytes, info } = stored(batch);
    const expected = Buffer.from(batch);
    expected.writeBigInt64BE(3n, 0);
    expected.writeInt32BE(6, 12);
    expect(bytes.equals(expected)).toBe(true);
    expect(info).toEqual({ baseOffset: 3, lastOffset: 4, logAppendTimeMs: -1, duplicate: false });
  });

  test('a wrong maxTimestamp is put right, and the CRC with it (repl R-3)', () => {
    const lying = changed(batchOf(2), (b) => b.writeBigInt64BE(BigInt(NOW + 77), 35));
    expect(decodeBatch(stored(lying).bytes)).toMatchObject({ kind: 'records', header: { maxTimestamp: NOW + 1 } });
  });

  test('LogAppendTime: bit 3, maxTimestamp = now, new CRC', () => {
    const { bytes, info } = stored(batchOf(2, { timestamp: 5 }), APPEND_TIME);
    const decoded = decodeBatch(bytes);
    expect(decoded).toMatchObject({
      header: { maxTimestamp: NOW, baseTimestamp: 5, attributes: LOG_APPEND_TIME },
      records: [{ timestamp: NOW }, { timestamp: NOW }],
    });
    expect(info.logAppendTimeMs).toBe(NOW);
  });

  test('a batch marked LogAppendTime is re-marked CreateTime on a CreateTime topic', () => {
    const decoded = decodeBatch(stored(batchOf(2, { attributes: LOG_APPEND_TIME })).bytes);
    expect(decoded).toMatchObject({ kind: 'records', header: { attributes: 0, maxTimestamp: NOW + 1 } });
  });

  test('a compressed batch keeps its header maximum', () => {
    const { bytes } = stored(opaque({ maxTimestamp: NOW + 10 }));
    expect(decodeBatch(bytes)).toMatchObject({ kind: 'compressed', header: { maxTimestamp: NOW + 10, baseOffset: 3 } });
  });

  test('the client buffer is neither kept nor changed', () => {
    const bench = new Bench();
    const log = bench.open();
    const batch = batchOf(1);
    const before = Buffer.from(batch);
    append(log, batch, 6);
    expect(batch.equals(before)).toBe(true);
    batch.fill(0);
    bench.settle();
    expect(decodeBatch(log.read(0, 1, 1 << 20, true).records).kind).toBe('records');
  });
});
