// Reads the field tables of docs/spec/wire.md section 4, which were compared by script with Kafka's own schemas. The
// generic codec in generic-codec.ts runs on them, so that the hand-written one is tested against the specification.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Field {
  readonly name: string;
  readonly shape: 'single' | 'array';
  /** A primitive type, or the fields of a struct. */
  readonly type: string | readonly Field[];
  /** First version in which null is allowed; undefined: never. */
  readonly nullableFrom: number | undefined;
  readonly from: number;
  readonly to: number;
  readonly tag: number | undefined;
  readonly defaultText: string | undefined;
}

export interface ApiGrammar {
  readonly request: readonly Field[];
  readonly response: readonly Field[];
  readonly requestText: string;
  readonly responseText: string;
  readonly flexibleFrom: number;
}

const SPEC = readFileSync(fileURLToPath(new URL('../../docs/spec/wire.md', import.meta.url)), 'utf8');

/** The grammar of an API, by its key. */
export function grammarOf(key: number): ApiGrammar {
  const pattern = new RegExp(
    `^\\| ${key} \\w+ [^|]*?flex (\\d+\\+|none) \\| Q \\| (.*) \\|\\n\\| \\| R \\| (.*) \\|$`,
    'm',
  );
  const match = pattern.exec(SPEC);
  if (match === null) throw new Error(`no field table for API key ${key}`);
  const [, flexibleFrom, requestText, responseText] = match as unknown as [string, string, string, string];
  return {
    request: parseFields(requestText),
    response: parseFields(responseText),
    ...{ requestText, responseText, flexibleFrom: flexibleFrom === 'none' ? Infinity : Number.parseInt(flexibleFrom) },
  };
}

export interface ServedVersions {
  readonly advertised: { readonly min: number; readonly max: number };
  /** Under transaction.version 2. */
  readonly advertisedTv2: { readonly min: number; readonly max: number };
  readonly implemented: { readonly min: number; readonly max: number };
}

/** The row of an API in the table of section 3: `0–9 [0–12] | 3–9 [3–12]`, `0–13 | 4–13 (4–17 coded)`, or `0`. */
export function servedVersions(key: number): ServedVersions {
  const place = [35, 43, 45, 46].indexOf(key); // One row, whose last entry is for two of them.
  const optional = /^\| 35, 43, 45, 46 \| (.*?) \|/m.exec(SPEC)![1]!.split(', ')[Math.min(place, 2)];
  const row = new RegExp(`^\\| ${key} \\| \\w+ \\| ([^|]+) \\| ([^|]+) \\|`, 'm').exec(SPEC);
  const [advertised, implemented] = place >= 0 ? [optional!, optional!] : [row![1]!, row![2]!];
  const both = ranges(advertised);
  return { advertised: both[0]!, advertisedTv2: both.at(-1)!, implemented: ranges(implemented).at(-1)! };
}

function ranges(text: string): readonly { readonly min: number; readonly max: number }[] {
  return [...text.matchAll(/(\d+)(?:–(\d+))?/g)].map(([, min, max]) => ({ min: Number(min), max: Number(max ?? min) }));
}

function parseFields(text: string): Field[] {
  const fields: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text[i] ?? ';';
    if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === ';' && depth === 0) {
      fields.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return fields.map(parseField);
}

function parseField(text: string): Field {
  const array = /^(\w+)\[\](\?(?:(\d+)\+)?)?\s*(.*)$/s.exec(text);
  if (array !== null) {
    const [, name, nullable, from, rest] = array;
    const { type, suffix } = parseType(rest!);
    return field({ name: name!, shape: 'array', type, nullable, nullableFrom: from, suffix });
  }
  const struct = /^(\w+)(\{.*)$/s.exec(text);
  if (struct !== null) {
    const { type, suffix } = parseType(struct[2]!);
    return field({ name: struct[1]!, shape: 'single', type, nullable: undefined, nullableFrom: undefined, suffix });
  }
  const single = /^(\w+):(\w+?)(\?(?:(\d+)\+)?)?((?:=| ).*)?$/s.exec(text);
  if (single === null) throw new Error(`not a field: ${text}`);
  const [, name, type, nullable, from, suffix] = single;
  return field({ name: name!, shape: 'single', type: type!, nullable, nullableFrom: from, suffix: suffix ?? '' });
}

function parseType(text: string): { type: string | Field[]; suffix: string } {
  if (!text.startsWith('{')) {
    const match = /^(\w+)(.*)$/s.exec(text)!;
    return { type: match[1]!, suffix: match[2]! };
  }
  let depth = 0;
  const end = [...text].findIndex((character) => {
    if (character === '{') depth++;
    if (character === '}') depth--;
    return depth === 0;
  });
  return { type: parseFields(text.slice(1, end)), suffix: text.slice(end + 1) };
}

interface Parsed {
  name: string;
  shape: Field['shape'];
  type: string | Field[];
  nullable: string | undefined;
  nullableFrom: string | undefined;
  suffix: string;
}

function field({ name, shape, type, nullable, nullableFrom, suffix }: Parsed): Field {
  const versions = /@(\d+)(\+|-(\d+))?/.exec(suffix);
  const from = versions === null ? 0 : Number(versions[1]);
  const to = versions === null || versions[2] === '+' ? Infinity : Number(versions[3] ?? versions[1]);
  const tag = /#tag(\d+)/.exec(suffix);
  return {
    ...{ name, shape, type, from, to },
    nullableFrom: nullable === undefined ? undefined : Number(nullableFrom ?? 0),
    tag: tag === null ? undefined : Number(tag[1]),
    defaultText: /^=(\S+)/.exec(suffix)?.[1],
  };
}
