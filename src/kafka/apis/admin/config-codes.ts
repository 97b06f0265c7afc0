// Kafka's numbers around settings (wire W-67).
import type { ConfigSource, ConfigType } from '../../../node/describe-configs.ts';

const SOURCES: Readonly<Record<ConfigSource, number>> = {
  ...{ TOPIC: 1, DYNAMIC_DEFAULT_BROKER: 3, STATIC_BROKER: 4, DEFAULT: 5 },
};
const TYPES: Readonly<Record<ConfigType, number>> = { BOOLEAN: 1, STRING: 2, INT: 3, LONG: 5, DOUBLE: 6, LIST: 7 };
const RESOURCES: Readonly<Record<number, string>> = {
  2: 'topic',
  4: 'broker',
  8: 'broker logger',
  16: 'client metrics',
  32: 'group',
};

export const configSource = (source: ConfigSource): number => SOURCES[source];
export const configType = (type: ConfigType): number => TYPES[type];

/** What a resource type is called; whatever else is asked for is named by its number. */
export const resourceType = (code: number): string => RESOURCES[code] ?? `resource of type ${code}`;
