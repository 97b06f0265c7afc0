// Which API versions Kafka's releases speak, as their request schemas say, for brokers that are to look older than they
// are. Only APIs that Highwater serves stand here, and only their newest versions: the oldest never rose before 4.0.

/** Newest version of each API, by key, in 2.8. */
const IN_2_8: Readonly<Record<number, number>> = {
  ...{
    0: 9,
    1: 12,
    2: 6,
    3: 11,
    8: 8,
    9: 7,
    10: 3,
    11: 7,
    12: 4,
    13: 4,
    14: 5,
    15: 5,
    16: 4,
    18: 3,
    19: 7,
    20: 6,
    21: 2,
  },
  ...{ 22: 4, 23: 4, 24: 3, 25: 3, 26: 3, 27: 1, 28: 3, 32: 4, 33: 2, 35: 2, 37: 3, 42: 2, 43: 2, 44: 1, 45: 0, 46: 0 },
  ...{ 47: 0, 60: 0, 61: 0 },
};

/** What each release raised or added. */
const RAISED = [
  ['2.8', {}],
  ['3.0', { 2: 7, 9: 8, 10: 4, 65: 0, 66: 0 }],
  ['3.1', { 1: 13, 3: 12 }],
  ['3.2', { 11: 9, 13: 5, 35: 3 }],
  ['3.3', { 35: 4 }],
  ['3.4', {}],
  ['3.5', { 1: 15, 2: 8 }],
  ['3.6', {}],
  ['3.7', { 0: 10, 1: 16, 8: 9, 9: 9, 60: 1 }],
  ['3.8', { 0: 11, 10: 5, 16: 5, 22: 5, 25: 4, 26: 4, 28: 4, 66: 1 }],
  ['3.9', { 1: 17, 2: 9, 10: 6, 18: 4 }],
] as const satisfies readonly (readonly [string, Readonly<Record<number, number>>])[];

/** Everything that Highwater serves by default is in these: none of them lowers anything. */
const NEWEST = ['4.0', '4.1', '4.2', '4.3', '4.4'] as const;

/** A release that a broker can be told to look like. */
export type KafkaRelease = (typeof RAISED)[number][0] | (typeof NEWEST)[number];

/** All of them, oldest first. */
export const KAFKA_RELEASES: readonly KafkaRelease[] = [...RAISED.map(([release]) => release), ...NEWEST];

/** Newest version of each API, by key, that a release speaks; a key that is missing it does not know. Undefined: no limit. */
export function newestVersions(release: KafkaRelease): ReadonlyMap<number, number> | undefined {
  const at = RAISED.findIndex(([name]) => name === release);
  if (at === -1) return undefined;
  const versions: Record<number, number> = Object.assign(
    {},
    IN_2_8,
    ...RAISED.slice(0, at + 1).map(([, more]) => more),
  );
  return new Map(Object.entries(versions).map(([key, version]) => [Number(key), version]));
}

/** The highest level of `transaction.version` in a release: clients are told of none before 4.0 (wire W-19). */
export function newestTransactionVersion(release: KafkaRelease): 0 | 2 {
  return newestVersions(release) === undefined ? 2 : 0;
}
