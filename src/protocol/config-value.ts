// What one setting accepts, and how its value is read from text. Which settings there are is config.ts's.

/** What a setting accepts. */
export interface ConfigKey {
  readonly type: 'int' | 'number' | 'bool' | 'string';
  readonly default: number | boolean | string;
  /** Inclusive bounds of an int or a number. */
  readonly min?: number;
  readonly max?: number;
  /** Accepted values of a string. */
  readonly oneOf?: readonly string[];
  /** A string that is a list, separated by commas. */
  readonly list?: true;
  /** `topic`: can be set per topic under `topicName`. */
  readonly topicName?: string;
  readonly meaning: string;
}

/** The largest whole number that is exact. */
export const FOREVER = Number.MAX_SAFE_INTEGER;
/** A whole-number setting. */
export const int = (
  value: number,
  min: number,
  meaning: string,
  more: Omit<Partial<ConfigKey>, 'type'> = {},
): ConfigKey & { readonly type: 'int' } => ({
  type: 'int',
  default: value,
  min,
  meaning,
  ...more,
});
/** A setting that is on or off. */
export const bool = (
  value: boolean,
  meaning: string,
  more: Omit<Partial<ConfigKey>, 'type'> = {},
): ConfigKey & { readonly type: 'bool' } => ({
  type: 'bool',
  default: value,
  meaning,
  ...more,
});

/** A value that cannot be accepted, as a sentence that says what may be written instead. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The largest value of a setting of Kafka's. */
const LONG_MAX = 2n ** 63n - 1n;
const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads one value. Durations may be written "30s" where the name ends in ".ms". */
export function parseConfigValue(name: string, key: ConfigKey, raw: unknown): number | boolean | string {
  const text = String(raw).trim();
  switch (key.type) {
    case 'bool':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new ConfigError(`${name} is true or false, not "${text}"`);
    case 'number': {
      const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
      const [min, max] = [key.min ?? 0, key.max ?? FOREVER];
      if (value >= min && value <= max) return value;
      throw new ConfigError(`${name} is a number between ${min} and ${max}, such as ${key.default}, not "${text}"`);
    }
    case 'int': {
      const duration = /^(\d+)\s*(ms|s|m|h)$/.exec(text);
      const value =
        duration !== null && name.endsWith('.ms')
          ? Number(duration[1]) * DURATIONS[duration[2]!]!
          : /^-?\d+$/.test(text)
            ? wholeNumber(text)
            : NaN;
      if (!Number.isSafeInteger(value)) {
        throw new ConfigError(
          `${name} is a whole number${name.endsWith('.ms') ? ' of ms, or a duration such as 30s' : ''}, not "${text}"`,
        );
      }
      const [min, max] = [key.min ?? -FOREVER, key.max ?? FOREVER];
      if (value < min || value > max) {
        throw new ConfigError(
          `${name} is ${value}; it must be ${max === FOREVER ? `at least ${min}` : `between ${min} and ${max}`}`,
        );
      }
      return value;
    }
    case 'string': {
      const value = key.list === true ? text.split(/\s*,\s*/).join(',') : text;
      if (key.oneOf !== undefined && !key.oneOf.includes(value)) {
        const known = key.oneOf.map((one) => `"${one}"`);
        throw new ConfigError(`${name} is ${known.length === 1 ? '' : 'one of '}${known.join(', ')}, not "${text}"`);
      }
      return value;
    }
  }
}

/** Kafka's longest, 9223372036854775807, and what else is beyond exact numbers but not beyond it, is for ever. */
function wholeNumber(text: string): number {
  const value = Number(text);
  return value > FOREVER && BigInt(text) <= LONG_MAX ? FOREVER : value;
}
