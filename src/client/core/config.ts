// Settings of a client under Kafka's names, with Kafka's defaults (repl section 8), and the timer profiles. One table for
// producers, consumers and admins: each reads what concerns it. Not the settings of nodes, which are src/protocol's.
import { ConfigError, bool, int, parseConfigValue, type ConfigKey, type TimerProfile } from '../../protocol/config.ts';
import { assignorsOf } from './group/assignors.ts';

/** Settings of a client of ours. */
export const CLIENT_CONFIG_KEYS = {
  'request.timeout.ms': int(30_000, 1, 'longest wait for the answer to one request; also the produce wait (repl R-15)'),
  'default.api.timeout.ms': int(60_000, 1, 'longest time of an admin call, retries included'),
  'retry.backoff.ms': int(100, 0, 'wait before the first retry; it doubles with each failure'),
  'retry.backoff.max.ms': int(1000, 0, 'longest wait before a retry'),
  'metadata.max.age.ms': int(300_000, 1, 'metadata older than this is refreshed without a cause'),
  'allow.auto.create.topics': bool(true, 'ask brokers to create unknown topics (wire W-69)'),
  acks: {
    type: 'string',
    default: 'all',
    oneOf: ['all', '-1', '1', '0'],
    meaning: 'who must have a record before a send is answered (repl R-13)',
  },
  'enable.idempotence': bool(
    true,
    'number batches so that a retry appends once (txn T-159); needs acks=all and retries',
  ),
  'transactional.id': {
    type: 'string',
    default: '',
    meaning: 'the name under which a producer writes transactions; a new instance fences the one before (txn T-165)',
  },
  'transaction.timeout.ms': int(
    60_000,
    1,
    'the coordinator aborts a transaction that is open for this long (txn T-34)',
    {
      max: 2_147_483_646,
    },
  ),
  'transaction.version': int(
    2,
    1,
    'newest variant of the transaction protocol spoken; 1: as clients before 4.0 (txn T-191)',
    {
      max: 2,
    },
  ),
  retries: int(2_147_483_647, 0, 'how often a batch is sent again, within delivery.timeout.ms'),
  'delivery.timeout.ms': int(120_000, 1, 'a send is answered, one way or the other, after at most this long'),
  'linger.ms': int(5, 0, 'how long a batch that is not full waits for more records'),
  'batch.size': int(16_384, 0, 'bytes at which a batch is full'),
  'max.in.flight.requests.per.connection': int(5, 1, 'produce requests under way to one broker; 1 keeps order'),
  'max.request.size': int(1_048_576, 0, 'largest produce request, and so the largest record'),
  'buffer.memory': int(33_554_432, 1, 'bytes of records not yet answered; further sends wait'),
  'max.block.ms': int(60_000, 0, 'how long a send may wait for metadata or memory'),
  'isolation.level': {
    type: 'string',
    default: 'read_uncommitted',
    oneOf: ['read_uncommitted', 'read_committed'],
    meaning: 'the bound of a reader: high watermark or last stable offset (repl R-21)',
  },
  'auto.offset.reset': {
    type: 'string',
    default: 'latest',
    oneOf: ['earliest', 'latest', 'none'],
    meaning: 'where to go on without a position, or when the position is gone (repl R-36)',
  },
  'fetch.min.bytes': int(1, 0, 'a fetch is answered when this much is there'),
  'fetch.max.bytes': int(52_428_800, 0, 'bytes of a fetch response (repl R-29)', { max: 2_147_483_647 }),
  'fetch.max.wait.ms': int(500, 0, 'longest wait of a fetch at the broker'),
  'max.partition.fetch.bytes': int(1_048_576, 0, 'bytes a partition in a fetch response', { max: 2_147_483_647 }),
  'client.rack': {
    type: 'string',
    default: '',
    meaning: 'where a consumer stands: a broker with a replica selector may point it to a replica there (repl R-35)',
  },
  'max.poll.records': int(500, 1, 'records of one poll'),
  'group.id': { type: 'string', default: '', meaning: 'the group whose members share the partitions of its topics' },
  'group.instance.id': {
    type: 'string',
    default: '',
    meaning: 'name of a static member: it comes back to its partitions without a rebalance (wire G-23)',
  },
  'session.timeout.ms': int(45_000, 1, 'a member silent for this long is dropped from its group (wire G-28)'),
  'heartbeat.interval.ms': int(3000, 1, 'how often a member says that it lives, and hears of rebalances'),
  'max.poll.interval.ms': int(
    300_000,
    1,
    'a member that does not poll for this long leaves its group; also how long a rebalance waits for it',
    { max: 2_147_483_647 },
  ),
  'partition.assignment.strategy': {
    type: 'string',
    default: 'range,cooperative-sticky',
    meaning: 'assignors in order of preference: range, roundrobin, cooperative-sticky',
  },
  'enable.auto.commit': bool(
    true,
    'commit positions of group members by itself: at polls, at rebalances, when closing',
  ),
  'auto.commit.interval.ms': int(5000, 0, 'how often it does'),
} as const satisfies Record<string, ConfigKey>;

export type ClientConfigName = keyof typeof CLIENT_CONFIG_KEYS;
type ValueOf<K extends ClientConfigName> = (typeof CLIENT_CONFIG_KEYS)[K]['type'] extends 'int'
  ? number
  : (typeof CLIENT_CONFIG_KEYS)[K]['type'] extends 'bool'
    ? boolean
    : (typeof CLIENT_CONFIG_KEYS)[K] extends { oneOf: readonly (infer Value)[] }
      ? Value
      : string;

/** All settings of a client, fully populated. */
export type ClientConfig = { readonly [K in ClientConfigName]: ValueOf<K> };

/** `fast` goes with the nodes' profile of that name: what waits is short, so that experiments take seconds. */
export const CLIENT_PROFILES = {
  kafka: {},
  fast: {
    'request.timeout.ms': 2000,
    'default.api.timeout.ms': 20_000,
    'delivery.timeout.ms': 20_000,
    'max.block.ms': 20_000,
    'transaction.timeout.ms': 10_000,
    'fetch.max.wait.ms': 100,
    'session.timeout.ms': 3000,
    'heartbeat.interval.ms': 200,
    'max.poll.interval.ms': 20_000,
    'auto.commit.interval.ms': 500,
    'retry.backoff.ms': 20,
    'retry.backoff.max.ms': 100,
  },
} as const satisfies Record<TimerProfile, Partial<Record<ClientConfigName, number>>>;

/** A client's settings: Kafka's defaults, then the profile, then `overrides`. Throws ConfigError. */
export function clientConfig(
  overrides: Readonly<Record<string, unknown>> = {},
  profile: TimerProfile = 'kafka',
): ClientConfig {
  const config: Values = {};
  for (const [name, key] of Object.entries(CLIENT_CONFIG_KEYS)) config[name] = key.default;
  Object.assign(config, CLIENT_PROFILES[profile]);
  for (const [name, raw] of Object.entries(overrides)) {
    if (!Object.hasOwn(CLIENT_CONFIG_KEYS, name)) {
      throw new ConfigError(`unknown client setting "${name}"; known: ${Object.keys(CLIENT_CONFIG_KEYS).join(', ')}`);
    }
    config[name] = parseConfigValue(name, CLIENT_CONFIG_KEYS[name as ClientConfigName], raw);
  }
  fitDeliveryTimeout(config, 'delivery.timeout.ms' in overrides);
  fitIdempotence(config, 'enable.idempotence' in overrides);
  checkTransactionalId(config, 'transactional.id' in overrides);
  checkGroup(config, 'group.instance.id' in overrides);
  const complete = config as unknown as ClientConfig;
  checkRelations(complete);
  return Object.freeze(complete);
}

type Values = Record<string, number | boolean | string>;

/** As Kafka does: a delivery timeout nobody asked for gives way to linger and request timeout; one asked for does not. */
function fitDeliveryTimeout(config: Values, asked: boolean): void {
  const least = Number(config['linger.ms']) + Number(config['request.timeout.ms']);
  if (Number(config['delivery.timeout.ms']) >= least) return;
  if (asked) {
    throw new ConfigError(
      `delivery.timeout.ms is ${config['delivery.timeout.ms']}; it must be at least linger.ms + request.timeout.ms (${least})`,
    );
  }
  config['delivery.timeout.ms'] = least;
}

/** Idempotence nobody asked for gives way to acks and retries; one asked for does not, nor to requests in flight (txn T-159). */
function fitIdempotence(config: Values, asked: boolean): void {
  if (config['enable.idempotence'] !== true) return;
  const inFlight = config['max.in.flight.requests.per.connection'];
  if (Number(inFlight) > IDEMPOTENT_IN_FLIGHT_MAX) {
    throw new ConfigError(
      `max.in.flight.requests.per.connection is ${inFlight}; it must be at most ${IDEMPOTENT_IN_FLIGHT_MAX} ` +
        'while enable.idempotence is true, as it is unless set to false',
    );
  }
  const acks = config['acks'];
  const conflict =
    acks !== 'all' && acks !== '-1'
      ? `acks is ${acks}; it must be all`
      : config['retries'] === 0
        ? 'retries is 0; it must be at least 1'
        : undefined;
  if (conflict === undefined) return;
  if (asked) throw new ConfigError(`${conflict} while enable.idempotence is true`);
  config['enable.idempotence'] = false;
}

/** Transactions need numbered batches (txn T-159), and an id. */
function checkTransactionalId(config: Values, given: boolean): void {
  const id = config['transactional.id'];
  if (id === '' && given)
    throw new ConfigError('transactional.id is empty; leave it out for a producer without transactions');
  if (id !== '' && config['enable.idempotence'] !== true) {
    throw new ConfigError('transactional.id needs enable.idempotence, and so acks=all and retries of at least 1');
  }
}

/** A member must be heard several times in a session, and its name must be one. */
function checkGroup(config: Values, named: boolean): void {
  if (named && config['group.instance.id'] === '') {
    throw new ConfigError('group.instance.id is empty; leave it out for a dynamic member');
  }
  const [session, heartbeat] = [config['session.timeout.ms'], config['heartbeat.interval.ms']];
  if (Number(heartbeat) >= Number(session)) {
    throw new ConfigError(
      `heartbeat.interval.ms is ${heartbeat}; it must be less than session.timeout.ms (${session})`,
    );
  }
  assignorsOf(String(config['partition.assignment.strategy']));
}

/** As many batches of a producer as a broker knows again (txn T-98). */
const IDEMPOTENT_IN_FLIGHT_MAX = 5;

function checkRelations(config: ClientConfig): void {
  if (config['retry.backoff.ms'] > config['retry.backoff.max.ms']) {
    throw new ConfigError('retry.backoff.ms must not exceed retry.backoff.max.ms');
  }
  if (config['fetch.max.wait.ms'] >= config['request.timeout.ms']) {
    throw new ConfigError(
      'fetch.max.wait.ms must be less than request.timeout.ms, or every quiet fetch would time out',
    );
  }
}

/** The acks of a produce request: "all" and "-1" are the same. */
export function acksOf(config: ClientConfig): 0 | 1 | -1 {
  return config.acks === '0' ? 0 : config.acks === '1' ? 1 : -1;
}

/** The isolation level of a fetch or ListOffsets request: 0 read_uncommitted, 1 read_committed (wire W-67). */
export function isolationOf(config: ClientConfig): 0 | 1 {
  return config['isolation.level'] === 'read_committed' ? 1 : 0;
}
