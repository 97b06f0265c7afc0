// Primitives, lengths, tag sections, headers and frames: the codec without any API.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameReader } from '../../src/kafka/codec/frames.ts';
import { encodeResponse, readRequestHeader } from '../../src/kafka/codec/headers.ts';
import { NO_ID, Reader } from '../../src/base/field-reader.ts';
import { Writer } from '../../src/base/field-writer.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { uvarint } from './generic-codec.ts';

const RUNS = { seed: 20_260_802, numRuns: 200 };
const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const read = (text: string, flexible = false) => new Reader(hex(text), flexible);
const decodeError = expect.objectContaining({ name: 'DecodeError' });

function written(flexible: boolean, write: (writer: Writer) => void): Buffer {
  const writer = new Writer(flexible);
  write(writer);
  return Buffer.concat(writer.finish());
}

describe('primitives', () => {
  test.each([
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [16_383, 'ff7f'],
    [4_294_967_295, 'ffffffff0f'],
  ])('wire W-25: the varint of %d is %s', (value, bytes) => {
    expect(written(true, (writer) => writer.uvarint(value)).toString('hex')).toBe(bytes);
    expect(read(bytes).uvarint()).toBe(value);
  });

  test('wire W-25: a fifth byte that announces a sixth is refused', () => {
    expect(() => read('ffffffffff01').uvarint()).toThrow(decodeError);
    expect(() => read('80').uvarint()).toThrow(decodeError);
  });

  test('wire W-22: any byte but 0 is true', () => {
    expect([read('00').bool(), read('01').bool(), read('ff').bool()]).toEqual([false, true, true]);
  });

  test('wire W-22: a uuid is 16 bytes, base64url as text, and no id is all zeros', () => {
    const id = read('000102030405060708090a0b0c0d0e0f').uuid();
    expect(id).toBe('AAECAwQFBgcICQoLDA0ODw');
    expect(written(false, (writer) => writer.uuid(id).uuid('')).toString('hex')).toBe(
      `000102030405060708090a0b0c0d0e0f${'00'.repeat(16)}`,
    );
    expect(read('00'.repeat(16)).uuid()).toBe(NO_ID);
  });

  test('wire W-22: a text that is no uuid never reaches the wire', () => {
    expect(() => written(false, (writer) => writer.uuid('short'))).toThrow('wire W-22');
  });

  test('wire W-29: invalid UTF-8 is read with replacement characters', () => {
    expect(read('0003 61ff62').string()).toBe('a\ufffdb');
  });

  test('an int64 beyond 2^53-1 becomes the nearest safe number', () => {
    expect(read('7fffffffffffffff').int64()).toBe(Number.MAX_SAFE_INTEGER);
    expect(read('8000000000000000').int64()).toBe(Number.MIN_SAFE_INTEGER);
    expect(read('0020000000000000').int64()).toBe(Number.MAX_SAFE_INTEGER);
    expect(read('001fffffffffffff').int64()).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => written(false, (writer) => writer.int64(2 ** 53))).toThrow('wire W-1');
  });
});

describe('lengths', () => {
  test('wire W-23, W-24: the null markers', () => {
    expect(read('ffff').nullableString()).toBeNull();
    expect(read('ffffffff').nullableBytes()).toBeNull();
    expect(read('00', true).nullableString()).toBeNull();
    expect(read('00', true).nullableBytes()).toBeNull();
    expect(read('00', true).nullableStructs(() => 1)).toBeNull();
    expect(read('01', true).nullableStructs(() => 1)).toEqual([]);
  });

  test('wire W-24: null where the field is not nullable is refused', () => {
    expect(() => read('ffff').string()).toThrow(decodeError);
    expect(() => read('00', true).string()).toThrow(decodeError);
    expect(() => read('ffffffff').structs(() => 1)).toThrow(decodeError);
    expect(() => read('00', true).array(() => 1)).toThrow(decodeError);
  });

  test.each(['fffe', '8000'])('wire W-28: a string length of %s is refused', (length) => {
    expect(() => read(`${length} 6161`).nullableString()).toThrow(decodeError);
  });

  test.each(['fffffffe', '80000000', '7fffffff', '00000003'])(
    'wire W-28: a length of %s with two bytes left is refused',
    (length) => {
      expect(() => read(`${length} 6161`).nullableBytes()).toThrow(decodeError);
      let elementCount = 0;
      expect(() => read(`${length} 6161`).array(() => elementCount++)).toThrow(decodeError);
      expect(elementCount).toBe(0);
    },
  );

  test.each(['ffffffff0f', 'ffffffff07', '04'])(
    'wire W-28: a compact length of %s with two bytes left is refused',
    (length) => {
      expect(() => read(`${length} 6161`, true).nullableBytes()).toThrow(decodeError);
      expect(() => read(`${length} 6161`, true).nullableString()).toThrow(decodeError);
      expect(() => read(`${length} 6161`, true).array(() => 1)).toThrow(decodeError);
      expect(() => read(`${length} 6161`, true).tags()).toThrow(decodeError);
    },
  );

  test('wire W-28: a million array elements are the most a request may hold', () => {
    const pairs = Buffer.alloc(4 + 4 * 500_002);
    pairs.writeInt32BE(500_001, 0);
    const reader = new Reader(Buffer.concat([pairs, pairs]), false);
    reader.array(() => reader.int32());
    reader.int32();
    expect(() => reader.array(() => reader.int32())).toThrow('more than 1000000 array elements');
  });
});

describe('tag sections', () => {
  test('wire W-26: unknown tags are skipped, known ones decoded from their own bytes, in any order', () => {
    const known: string[] = [];
    const reader = read('03  2a 02 ffff  00 04 03 616263  05 00  77', true);
    reader.tags({ 0: (tag) => void known.push(String(tag.nullableString())) });
    expect(known).toEqual(['ab']);
    expect(reader.int8()).toBe(0x77);
  });

  test('wire W-26: a known tag may not read beyond its size', () => {
    expect(() => read('01 00 01 05 61626364', true).tags({ 0: (tag) => void tag.nullableString() })).toThrow(
      decodeError,
    );
  });

  test.each(['01', '01 00', '01 00 02 61', '02 00 00'])(
    'wire W-26: a tag section cut short is refused (%s)',
    (bytes) => {
      expect(() => read(bytes, true).tags()).toThrow(decodeError);
    },
  );

  test('wire W-26: plain versions have none', () => {
    const reader = read('01');
    reader.tags();
    expect(reader.remaining).toBe(1);
    expect(written(false, (writer) => writer.tags([{ number: 0, write: (tag) => tag.int8(1) }]))).toHaveLength(0);
  });

  test('wire W-26: a tag is written with its number and size', () => {
    const bytes = written(true, (writer) => writer.tags([{ number: 3, write: (tag) => tag.int32(7).tags() }]));
    expect(bytes.toString('hex')).toBe('0103050000000700');
  });
});

describe('headers', () => {
  test('wire W-8, W-11, W-94: the ApiVersions v3 request, behind a header of version 2', () => {
    const frames = new FrameReader(1000);
    frames.push(hex('000000190012000300000001000474657374000564656d6f04312e3000'));
    const reader = new Reader(frames.next()!, false);
    expect(readRequestHeader(reader)).toEqual({ apiKey: 18, apiVersion: 3, correlationId: 1, clientId: 'test' });
    const body = reader.rest(true);
    body.tags();
    expect([body.string(), body.string()]).toEqual(['demo', '1.0']);
    body.tags();
    expect(body.remaining).toBe(0);
  });

  test('wire W-7: a null client id is ""', () => {
    expect(readRequestHeader(read('0000 0003 ffffffff ffff')).clientId).toBe('');
  });

  test('wire W-9: header v0 is the correlation id, header v1 has an empty tag section', () => {
    const layout = { correlationId: -2, taggedHeader: false, flexible: false };
    const plain = Buffer.concat(encodeResponse(layout, (writer) => writer.int8(5)));
    expect(plain.toString('hex')).toBe('00000005fffffffe05');
    const tagged = encodeResponse({ ...layout, taggedHeader: true, flexible: true }, (writer) => writer.int8(5).tags());
    expect(Buffer.concat(tagged).toString('hex')).toBe('00000007fffffffe000500');
  });

  test('wire W-94: the two batches decode', () => {
    const plain = decodeBatch(
      hex(`000000000000000000000049ffffffff026a8990a30000000000010000018bcfe568000000018bcfe56805ffffffffffffffffffffffffffff
        0000000214000000046b310476310018000a02010476320202680278`),
    );
    expect(
      plain.kind === 'records' && plain.records.map(({ key, value }) => [key?.toString(), value?.toString()]),
    ).toEqual([
      ['k1', 'v1'],
      [undefined, 'v2'],
    ]);
    const marker = decodeBatch(
      hex(`000000000000000a000000420000000302150142690030000000000000018bcfe56be80000018bcfe56be80000000000000fa00001ffffffff
        000000012000000008000000010c00000000000700`),
    );
    expect(marker).toMatchObject({ kind: 'records', header: { baseOffset: 10, leaderEpoch: 3, producerId: 4000 } });
  });
});

describe('writing', () => {
  test('long byte fields are kept by reference, in their place', () => {
    const long = Buffer.alloc(100_000, 7);
    const writer = new Writer(false);
    writer.int32(1).bytes(long).int8(2);
    const parts = writer.finish();
    expect(parts).toContain(long);
    expect(writer.sizeBytes).toBe(4 + 4 + 100_000 + 1);
    expect(Buffer.concat(parts).subarray(-2).toString('hex')).toBe('0702');
  });

  test('property: bytes fields of any length come out as they went in, sized exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3000 }), { maxLength: 8 }), fc.boolean(), (sizes, flexible) => {
        const fields = sizes.map((size, i) => Buffer.alloc(size, i + 1));
        const writer = new Writer(flexible);
        for (const field of fields) writer.bytes(field);
        const expected = fields.flatMap((field) => {
          const length = Buffer.alloc(4);
          length.writeInt32BE(field.length);
          return [flexible ? uvarint(field.length + 1) : length, field];
        });
        expect(Buffer.concat(writer.finish()).equals(Buffer.concat(expected))).toBe(true);
        expect(writer.sizeBytes).toBe(expected.reduce((sum, part) => sum + part.length, 0));
      }),
      RUNS,
    );
  });
});

describe('frames', () => {
  const framed = (content: Buffer) =>
    Buffer.concat([written(false, (writer) => writer.int32(content.length)), content]);

  test('wire W-2 property: any cut of the stream gives the same frames', () => {
    const contents = fc.array(
      fc.nat({ max: 6000 }).map((size) => Buffer.from(Array.from({ length: size }, (_, i) => i & 0xff))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(contents, fc.infiniteStream(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 5000 }))), (frames, cuts) => {
        const stream = Buffer.concat(frames.map(framed));
        const reader = new FrameReader(10_000);
        const received: Buffer[] = [];
        for (let at = 0; at < stream.length;) {
          const size = 1 + (cuts.next().value as number);
          reader.push(stream.subarray(at, at + size));
          at += size;
          for (let next = reader.next(); next !== undefined; next = reader.next()) received.push(next);
        }
        expect(received.map((frame) => frame.toString('hex'))).toEqual(frames.map((frame) => frame.toString('hex')));
        expect(reader.bufferedBytes).toBe(0);
      }),
      { ...RUNS, numRuns: 100 },
    );
  });

  test('wire W-3: sizes out of bounds are refused as soon as they are read', () => {
    for (const size of ['ffffffff', 'fffffffe', '80000000', '000003e9', '7fffffff', '16030100', '47455420']) {
      const reader = new FrameReader(1000);
      reader.push(hex(size));
      expect(() => reader.next()).toThrow(/a frame of -?\d+ bytes; the limit is 1000/);
    }
  });

  test('wire W-3, W-4: the limit itself and 0 are sizes', () => {
    const reader = new FrameReader(1000);
    reader.push(hex('00000000 000003e8'));
    expect(reader.next()).toHaveLength(0);
    expect(reader.next()).toBeUndefined();
    reader.push(Buffer.alloc(1000, 1));
    expect(reader.next()).toHaveLength(1000);
  });

  test('wire W-2: a hundred thousand single bytes make one frame', () => {
    const reader = new FrameReader(100_000);
    reader.push(hex('000186a0'));
    for (let i = 0; i < 100_000; i++) {
      if (reader.next() !== undefined) throw new Error(`a frame after ${i} bytes`);
      reader.push(Buffer.from([i & 0xff]));
    }
    expect(reader.bufferedBytes).toBe(100_000);
    const frame = reader.next()!;
    expect(frame).toHaveLength(100_000);
    expect(frame.every((byte, i) => byte === (i & 0xff))).toBe(true);
  });
});
