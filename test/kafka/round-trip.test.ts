// Every API at every version against the grammar of the specification, in both directions.
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiVersions } from '../../src/kafka/apis/api-versions.ts';
import type { ApiRange, VersionRange } from '../../src/kafka/apis/api.ts';
import { fetch } from '../../src/kafka/apis/fetch.ts';
import { listOffsets } from '../../src/kafka/apis/list-offsets.ts';
import { metadata } from '../../src/kafka/apis/metadata.ts';
import { produce } from '../../src/kafka/apis/produce.ts';
import { Reader } from '../../src/base/field-reader.ts';
import { Writer } from '../../src/base/field-writer.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { anyStruct, Cursor, decodeStruct, encodeStruct, type Struct, type Value } from './generic-codec.ts';
import { grammarOf, type Field } from './grammar.ts';

/** A `WireApi` as far as this file uses it. */
interface Codec extends ApiRange {
  readonly name: string;
  readonly implemented: VersionRange;
  decode(reader: Reader, version: number): unknown;
  encode(writer: Writer, response: never, version: number): void;
}

const APIS: readonly Codec[] = [produce, fetch, listOffsets, metadata, apiVersions];
const FILES: Readonly<Record<string, string>> = {
  Produce: 'produce',
  Fetch: 'fetch',
  InitProducerId: 'init-producer-id',
  ListOffsets: 'list-offsets',
  Metadata: 'metadata',
  ApiVersions: 'api-versions',
};
const RUNS = { seed: 20_260_801, numRuns: 40 };

const rows = APIS.flatMap((api) => {
  const { min, max } = api.implemented;
  return Array.from({ length: max - min + 1 }, (_, i) => ({ name: api.name, version: min + i, api }));
});

describe('the table', () => {
  test('wire section 3: keys, versions and flexible ranges are those of the specification', () => {
    const table = WIRE_APIS.map(({ key, advertised, implemented }) => [
      key,
      `${advertised.min}-${advertised.max}`,
      `${implemented.min}-${implemented.max}`,
    ]);
    expect(table).toEqual([
      [0, '0-9', '3-9'],
      [1, '0-13', '4-13'],
      [2, '0-7', '1-7'],
      [3, '0-12', '0-12'],
      [18, '0-4', '0-4'],
      [22, '0-4', '0-5'],
    ]);
    for (const api of WIRE_APIS) expect(api.flexibleFrom).toBe(grammarOf(api.key).flexibleFrom);
  });

  test.each(APIS.map((api) => api.name))(
    'wire section 4: the grammar on top of %s is that of the specification',
    (name) => {
      const path = new URL(`../../src/kafka/apis/${FILES[name]}.ts`, import.meta.url);
      const comment = readFileSync(path, 'utf8')
        .replace(/\n\/\/ ?/g, ' ')
        .replace(/\s+/g, ' ');
      const grammar = grammarOf(APIS.find((api) => api.name === name)!.key);
      expect(comment).toContain(` Request: ${grammar.requestText}`);
      expect(comment).toContain(` Response: ${grammar.responseText}`);
    },
  );
});

describe('requests', () => {
  test.each(rows)('wire W-22 to W-26: $name v$version is read as it was written', ({ api, version }) => {
    const { request, flexibleFrom } = grammarOf(api.key);
    const mode = { version, flexible: version >= flexibleFrom };
    const tag = fc.option(
      fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
      { nil: undefined },
    );
    fc.assert(
      fc.property(anyStruct(request, version), tag, (value, unknownTag) => {
        const reader = new Reader(encodeStruct(request, value, mode, unknownTag), mode.flexible);
        const read = api.decode(reader, version) as Value;
        expect(reader.remaining).toBe(0);
        expect(read).toEqual(expected(read, value, request, version));
      }),
      RUNS,
    );
  });

  test.each(rows)('wire W-28: $name v$version refuses every truncation', ({ api, version }) => {
    const { request, flexibleFrom } = grammarOf(api.key);
    const mode = { version, flexible: version >= flexibleFrom };
    fc.assert(
      fc.property(anyStruct(request, version), (value) => {
        const bytes = encodeStruct(request, value, mode);
        for (let end = 0; end < bytes.length; end++) {
          const cut = new Reader(bytes.subarray(0, end), mode.flexible);
          expect(() => api.decode(cut, version)).toThrow(expect.objectContaining({ name: 'DecodeError' }));
        }
      }),
      { ...RUNS, numRuns: 8 },
    );
  });
});

/** What our decoder keeps of a request: the fields it names, with the table's default where the version has none. */
function expected(read: Value, value: Value | undefined, fields: readonly Field[], version: number): Value {
  if (Array.isArray(read) || read === null || typeof read !== 'object' || Buffer.isBuffer(read)) return value as Value;
  const struct: Struct = {};
  for (const [name, kept] of Object.entries(read)) {
    const field = fields.find((candidate) => candidate.name === name)!;
    const given = (value as Struct)[name];
    if (given === undefined) struct[name] = defaultOf(field);
    else if (typeof field.type !== 'string' && Array.isArray(given)) {
      const type = field.type;
      const items = given.map((item, i) => expected((kept as Value[] | null)?.[i] ?? {}, item, type, version));
      // Metadata v0 says "all topics" with an empty list (wire W-68).
      struct[name] = version === 0 && items.length === 0 ? null : items;
    } else struct[name] = given;
  }
  return struct;
}

function defaultOf(field: Field): Value {
  if (field.type === 'uuid') return field.name === 'topicId' && field.from === 13 ? '' : 'AAAAAAAAAAAAAAAAAAAAAA';
  if (field.type === 'str') return '';
  if (field.type === 'bool') return field.defaultText === 'true';
  return Number(field.defaultText ?? 0);
}

describe('responses', () => {
  /** Fields that are the same in every response we send. */
  const CONSTANT: Struct = {
    throttleTimeMs: 0,
    sessionId: 0,
    preferredReadReplica: -1,
    rack: null,
    topicAuthorizedOperations: -2147483648,
    clusterAuthorizedOperations: -2147483648,
  };
  /** Tagged fields that no rule demands (wire W-27). */
  const NEVER = new Set(['currentLeader', 'snapshotId', 'nodeEndpoints', 'zkMigrationReady']);

  test.each(rows)('wire W-10, W-24, W-26: $name v$version is written as the table says', ({ api, version }) => {
    const { response, flexibleFrom } = grammarOf(api.key);
    const mode = { version, flexible: version >= flexibleFrom };
    fc.assert(
      fc.property(anyStruct(response, version, true), (value) => {
        const writer = new Writer(mode.flexible);
        api.encode(writer, ours(api, value) as never, version);
        const bytes = Buffer.concat(writer.finish());
        expect(bytes.length).toBe(writer.sizeBytes);
        const cursor = new Cursor(bytes);
        expect(decodeStruct(response, cursor, mode)).toEqual(onTheWire(response, value, version));
        expect(cursor.at).toBe(bytes.length);
      }),
      RUNS,
    );
  });

  /** A response as our encoder takes it. */
  function ours(api: Codec, value: Struct): unknown {
    if (api.name !== 'ApiVersions') return withoutNullRecords(value);
    const apiKeys = (value['apiKeys'] as Struct[]).map(({ apiKey, minVersion, maxVersion }) => ({
      ...{ key: apiKey, advertised: { min: minVersion, max: maxVersion } },
    }));
    return { ...value, apiKeys };
  }

  /** Records are never null (wire W-46), and neither is clusterId (wire W-37). */
  function withoutNullRecords(value: Value, name = ''): Value {
    if (value === null) return name === 'records' ? Buffer.alloc(0) : name === 'clusterId' ? '' : null;
    if (Array.isArray(value)) return value.map((item) => withoutNullRecords(item));
    if (typeof value !== 'object' || Buffer.isBuffer(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutNullRecords(field, key)]));
  }

  /** Tagged fields are written only if they say something (wire W-26). */
  function isDefault(field: Field, given: Value): boolean {
    return Array.isArray(given) ? given.length === 0 : given === Number(field.defaultText);
  }

  /** What must come out: the fields of the version, the constant ones with their constant. */
  function onTheWire(fields: readonly Field[], value: Struct, version: number): Struct {
    const wire: Struct = {};
    for (const field of fields) {
      if (version < field.from || version > field.to) continue;
      if (field.tag !== undefined && NEVER.has(field.name)) continue;
      const given = field.name in CONSTANT ? CONSTANT[field.name]! : withoutNullRecords(value[field.name]!, field.name);
      if (field.tag !== undefined && isDefault(field, given)) continue;
      if (typeof field.type === 'string' || given === null) wire[field.name] = given;
      else if (Array.isArray(given)) {
        const type = field.type;
        wire[field.name] = given.map((item) => onTheWire(type, item as Struct, version));
      } else wire[field.name] = onTheWire(field.type, given as Struct, version);
    }
    return wire;
  }
});
