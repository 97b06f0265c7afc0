// Every API at every version against the grammar of the specification, in both directions.
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Reader } from '../../src/base/field-reader.ts';
import { Writer } from '../../src/base/field-writer.ts';
import type { VersionRange } from '../../src/kafka/apis/api.ts';
import type { Advertisable } from '../../src/kafka/profile.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { anyStruct, Cursor, decodeStruct, encodeStruct, type Struct, type Value } from './generic-codec.ts';
import { grammarOf, servedVersions, type Field } from './grammar.ts';

/** A `WireApi` as far as this file uses it. */
interface Codec extends Advertisable {
  readonly name: string;
  readonly implemented: VersionRange;
  decode(reader: Reader, version: number): unknown;
  encode(writer: Writer, response: never, version: number): void;
}

const FOLDER = new URL('../../src/kafka/apis/', import.meta.url);
/** Where each API is, by its name. */
const FILES = new Map<string, string>();

/** Every API that a file of src/kafka/apis exports: none is left out because nobody listed it. */
async function allApis(): Promise<readonly Codec[]> {
  const apis: Codec[] = [];
  const paths = (readdirSync(FOLDER, { recursive: true }) as string[]).filter((path) => path.endsWith('.ts'));
  for (const path of paths.sort()) {
    const exported = (await import(new URL(path, FOLDER).href)) as Record<string, unknown>;
    for (const api of Object.values(exported).filter(isCodec)) {
      apis.push(api);
      FILES.set(api.name, path);
    }
  }
  return apis.sort((a, b) => a.key - b.key);
}

function isCodec(value: unknown): value is Codec {
  return typeof value === 'object' && value !== null && 'decode' in value && 'key' in value;
}

const APIS = await allApis();
const keyOf = (name: string): number => APIS.find((api) => api.name === name)!.key;
const RUNS = { seed: 20_260_801, numRuns: 15 };

const rows = APIS.flatMap((api) => {
  const { min, max } = api.implemented;
  return Array.from({ length: max - min + 1 }, (_, i) => ({ name: api.name, version: min + i, api }));
});

describe('the table', () => {
  test('every API is served, in the order of keys', () => {
    expect(WIRE_APIS.map(({ key }) => key)).toEqual(APIS.map(({ key }) => key));
  });

  test.each(APIS.map((api) => [api.name, api] as const))(
    'wire section 3: the versions of %s are those of the specification',
    (_name, { key, advertised, advertisedTv2, implemented }) => {
      expect({ advertised, advertisedTv2: advertisedTv2 ?? advertised, implemented }).toEqual(servedVersions(key));
    },
  );

  test.each(APIS.map((api) => api.name))(
    'wire section 4: the grammar on top of %s is that of the specification',
    (name) => {
      expect(WIRE_APIS.find((api) => api.name === name)?.flexibleFrom).toBe(grammarOf(keyOf(name)).flexibleFrom);
      const path = new URL(FILES.get(name)!, FOLDER);
      const comment = readFileSync(path, 'utf8')
        .replace(/\n\/\/ ?/g, ' ')
        .replace(/\s+/g, ' ');
      const grammar = grammarOf(keyOf(name));
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
      { ...RUNS, numRuns: 3 },
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
      struct[name] = version === 0 && field.nullableFrom === 1 && items.length === 0 ? null : items;
    } else struct[name] = given;
  }
  return struct;
}

function defaultOf(field: Field): Value {
  if (field.shape === 'array') return [];
  if (field.defaultText === 'null') return null;
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
    topicAuthorizedOperations: -2147483648,
    clusterAuthorizedOperations: -2147483648,
    authorizedOperations: -2147483648,
  };
  /** Tagged fields that no rule demands (wire W-27). */
  const NEVER = new Set(['snapshotId', 'zkMigrationReady', 'topicConfigErrorCode']);

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

  /** Fetch has had the place since v12; hints begin at v16 (wire W-62). */
  function isEarlyHint(field: Field, version: number): boolean {
    return field.name === 'currentLeader' && field.tag === 1 && version < 16;
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
      if (field.tag !== undefined && (NEVER.has(field.name) || isEarlyHint(field, version))) continue;
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
