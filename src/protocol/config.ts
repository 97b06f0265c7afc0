// Kafka's configuration names that are honoured, with Kafka's defaults (repl section 8), and the timer profiles.
import { KEPT_SETTINGS } from './kept-settings.ts';
import { KAFKA_RELEASES, newestTransactionVersion, type KafkaRelease } from './kafka-releases.ts';
import { bool, ConfigError, FOREVER, int, parseConfigValue, type ConfigKey } from './config-value.ts';

export { bool, ConfigError, int, parseConfigValue } from './config-value.ts';
export type { ConfigKey } from './config-value.ts';

/** Kafka's selectors of the replica that a consumer reads from, by the names of their classes (KIP-392). */
export const RACK_AWARE_SELECTOR = 'org.apache.kafka.common.replica.RackAwareReplicaSelector';
const LEADER_SELECTOR = 'org.apache.kafka.common.replica.LeaderSelector';

/** Settings of brokers and the controller. Those with `topicName` are defaults for topics. */
export const CONFIG_KEYS = {
  'min.insync.replicas': int(1, 1, 'in-sync replicas needed for acks=all (repl R-11)', {
    topicName: 'min.insync.replicas',
  }),
  'default.replication.factor': int(1, 1, 'replicas of a topic created without a number'),
  'num.partitions': int(1, 1, 'partitions of a topic created without a number'),
  'auto.create.topics.enable': bool(true, 'create a topic when a client asks for it'),
  'delete.topic.enable': bool(true, 'topics can be deleted (wire W-79)'),
  'unclean.leader.election.enable': bool(false, 'elect a leader that may lack committed records (repl R-97)', {
    topicName: 'unclean.leader.election.enable',
  }),
  'unclean.leader.election.interval.ms': int(300_000, 1, 'how often leaderless partitions are looked at for it'),
  'replica.lag.time.max.ms': int(30_000, 1, 'a follower not caught up for this long leaves the ISR (repl R-54)'),
  'replica.fetch.wait.max.ms': int(500, 0, 'longest wait of a follower fetch'),
  'replica.fetch.min.bytes': int(1, 0, 'a follower fetch is answered when this much is there'),
  'replica.fetch.max.bytes': int(1_048_576, 1, 'bytes a partition in a follower fetch'),
  'replica.fetch.response.max.bytes': int(10_485_760, 1, 'bytes of a follower fetch response'),
  'replica.fetch.backoff.ms': int(1000, 0, 'a follower waits this long after an error (repl R-40)'),
  'replica.socket.timeout.ms': int(30_000, 1, 'a follower gives up a fetch after this long'),
  'replica.high.watermark.checkpoint.interval.ms': int(
    5000,
    1,
    'how often high watermarks are written down (repl R-52)',
  ),
  'broker.rack': { type: 'string', default: '', meaning: 'where a broker stands; empty: nowhere (repl R-35)' },
  'replica.selector.class': {
    type: 'string',
    default: '',
    oneOf: ['', LEADER_SELECTOR, RACK_AWARE_SELECTOR],
    meaning: 'which replica consumers are pointed to: by rack, or the leader; empty: the leader (repl R-35)',
  },
  'broker.heartbeat.interval.ms': int(2000, 1, 'how often a broker tells the controller that it lives'),
  'broker.session.timeout.ms': int(9000, 1, 'the controller fences a broker silent for this long'),
  'initial.broker.registration.timeout.ms': int(60_000, 1, 'a broker that cannot register for this long exits'),
  'controlled.shutdown.enable': bool(true, 'move leaders away before a clean stop (repl R-94)'),
  'auto.leader.rebalance.enable': bool(true, 'give leadership back to preferred replicas (repl R-99)'),
  'leader.imbalance.check.interval.seconds': int(300, 1, 'how often'),
  'metadata.log.max.record.bytes.between.snapshots': int(
    20_971_520,
    1,
    'the controller writes a snapshot after so many bytes of the metadata log',
  ),
  'metadata.log.max.snapshot.interval.ms': int(3_600_000, 1, 'and with the first change after this long without one'),
  'message.max.bytes': int(1_048_588, 0, 'largest batch, header included (repl R-4)', {
    topicName: 'max.message.bytes',
  }),
  'log.message.timestamp.type': {
    type: 'string',
    default: 'CreateTime',
    oneOf: ['CreateTime', 'LogAppendTime'],
    topicName: 'message.timestamp.type',
    meaning: 'whose clock stamps records',
  },
  'log.message.timestamp.before.max.ms': int(FOREVER, 0, 'how old a timestamp may be', {
    topicName: 'message.timestamp.before.max.ms',
  }),
  'log.message.timestamp.after.max.ms': int(3_600_000, 0, 'how far ahead a timestamp may be', {
    topicName: 'message.timestamp.after.max.ms',
  }),
  'log.segment.bytes': int(1_073_741_824, 14, 'bytes of a (logical) segment (repl R-10)', {
    topicName: 'segment.bytes',
    max: 2_147_483_647,
  }),
  'log.roll.ms': int(604_800_000, 1, 'age at which a segment is rolled', { topicName: 'segment.ms' }),
  'log.cleanup.policy': {
    type: 'string',
    default: 'delete',
    oneOf: ['delete', 'compact', 'compact,delete', 'delete,compact', ''],
    list: true,
    topicName: 'cleanup.policy',
    meaning: 'what happens to old records',
  },
  'log.retention.ms': int(604_800_000, -1, 'segments older than this are deleted; -1: never (repl R-19)', {
    topicName: 'retention.ms',
  }),
  'log.retention.bytes': int(-1, -1, 'a partition keeps about this much; -1: everything (repl R-19)', {
    topicName: 'retention.bytes',
  }),
  'log.retention.check.interval.ms': int(300_000, 1, 'how often segments to be deleted are looked for'),
  'compression.type': {
    type: 'string',
    default: 'producer',
    oneOf: ['producer'],
    topicName: 'compression.type',
    meaning: 'batches are stored as their producers compressed them (docs/divergence.md)',
  },
  ...KEPT_SETTINGS,
  'log.flush.offset.checkpoint.interval.ms': int(60_000, 1, 'how often flushed offsets are written down'),
  'producer.id.expiration.ms': int(86_400_000, 1, 'a partition forgets a producer silent for this long (txn T-109)'),
  'producer.id.expiration.check.interval.ms': int(600_000, 1, 'how often silent producers are looked for (txn T-109)'),
  'eligible.leader.replicas.version': int(
    1,
    0,
    'feature level of eligible leader replicas: 1 lets them lead when the ISR is empty, 0 keeps its last member (repl R-98)',
    { max: 1 },
  ),
  'transaction.version': int(2, 0, 'feature level of transactions: 2 bumps the epoch with each (txn T-190)', {
    max: 2,
  }),
  'transaction.first.epoch': int(
    0,
    0,
    'epoch of a new transactional id: near its end a scenario need not wait (T-47)',
    {
      max: 32_766,
    },
  ),
  'transaction.state.log.num.partitions': int(50, 1, 'partitions of __transaction_state; fixed for life (txn T-3)'),
  'transaction.state.log.replication.factor': int(
    3,
    1,
    'replicas of __transaction_state; fewer if there are fewer brokers',
  ),
  'transaction.state.log.min.isr': int(2, 1, 'its min.insync.replicas; at most its replicas (txn T-8)'),
  'transaction.state.log.segment.bytes': int(104_857_600, 14, 'its segment.bytes', { max: 2_147_483_647 }),
  'transaction.max.timeout.ms': int(900_000, 1, 'longest transaction timeout a producer may ask for (txn T-41)'),
  'transactional.id.expiration.ms': int(604_800_000, 1, 'an idle transactional id is forgotten after this (txn T-32)'),
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': int(
    10_000,
    1,
    'how often timed-out transactions are looked for (txn T-34)',
  ),
  'transaction.remove.expired.transaction.cleanup.interval.ms': int(
    3_600_000,
    1,
    'how often expired transactional ids are looked for (txn T-32)',
  ),
  'transaction.partition.verification.enable': bool(true, 'leaders verify transactional writes (txn T-124)'),
  'add.partitions.to.txn.retry.backoff.ms': int(20, 1, 'a leader repeats an add after this (txn T-59)'),
  'add.partitions.to.txn.retry.backoff.max.ms': int(100, 0, 'and gives up after this (txn T-59)'),
  'offsets.topic.num.partitions': int(50, 1, 'partitions of __consumer_offsets; fixed for life (wire G-1)'),
  'offsets.topic.replication.factor': int(3, 1, 'replicas of __consumer_offsets; fewer if there are fewer brokers'),
  'offsets.topic.segment.bytes': int(104_857_600, 14, 'its segment.bytes', { max: 2_147_483_647 }),
  'offsets.commit.timeout.ms': int(5000, 1, 'longest wait of an offset commit for its replicas (wire G-33)'),
  'offsets.retention.minutes': int(10_080, 1, 'committed offsets of an idle group are kept for this long (wire G-41)'),
  'offsets.retention.check.interval.ms': int(600_000, 1, 'how often expired offsets are looked for (wire G-41)'),
  'offset.metadata.max.bytes': int(4096, 0, 'longest metadata of a committed offset, UTF-16 units (wire G-33)', {
    max: 10_922,
  }),
  'group.min.session.timeout.ms': int(6000, 1, 'shortest session timeout of a member (wire G-15)'),
  'group.max.session.timeout.ms': int(1_800_000, 1, 'longest session timeout of a member (wire G-15)'),
  'group.initial.rebalance.delay.ms': int(3000, 0, 'a new group waits this long for more members (wire G-20)'),
  'group.max.size': int(2_147_483_647, 1, 'most members of a group (wire G-16)'),
  'log.cleaner.enable': bool(true, 'compact topics whose cleanup.policy says so (txn T-114)'),
  'log.cleaner.backoff.ms': int(15_000, 1, 'how often logs to be cleaned are looked for'),
  'log.cleaner.min.cleanable.ratio': {
    type: 'number',
    default: 0.5,
    min: 0,
    max: 1,
    topicName: 'min.cleanable.dirty.ratio',
    meaning: 'part of a log that must be new before it is cleaned (txn T-114)',
  },
  'log.cleaner.delete.retention.ms': int(86_400_000, 0, 'tombstones and markers are kept for this long', {
    topicName: 'delete.retention.ms',
  }),
  'fetch.max.bytes': int(57_671_680, 1024, 'largest fetch response to a consumer'),
  'max.incremental.fetch.session.cache.slots': int(
    1000,
    0,
    'accepted and ignored: a stream is the session (docs/divergence.md)',
  ),
  'request.timeout.ms': int(30_000, 1, 'how long a broker waits for the controller'),
  'connections.max.idle.ms': int(600_000, 1, 'an idle Kafka connection is closed after this long (wire W-5)'),
  'max.connections': int(10_000, 1, 'Kafka connections of a broker'),
  'socket.request.max.bytes': int(104_857_600, 1, 'largest Kafka request (wire W-3)'),
  'kafka.leader.hints': bool(false, 'tell Kafka clients who leads where they asked the wrong broker (wire W-62)'),
  'kafka.record': {
    type: 'string',
    default: '',
    oneOf: ['', 'hashed', 'plain'],
    meaning: 'record what Kafka clients ask and are told, with values hashed or plain; empty: not at all',
  },
  'kafka.as.version': {
    type: 'string',
    default: '',
    oneOf: ['', ...KAFKA_RELEASES],
    meaning: 'Kafka release whose API versions are advertised to Kafka clients; empty: the newest (wire section 3)',
  },
} as const satisfies Record<string, ConfigKey>;

export type ConfigName = keyof typeof CONFIG_KEYS;
type ValueOf<K extends ConfigName> = (typeof CONFIG_KEYS)[K]['type'] extends 'int' | 'number'
  ? number
  : (typeof CONFIG_KEYS)[K]['type'] extends 'bool'
    ? boolean
    : string;

/** All settings of a node, fully populated. */
export type NodeConfig = { readonly [K in ConfigName]: ValueOf<K> };

/** `fast`: everything that waits is short, so that experiments take seconds. Lag time stays at Kafka's default. */
export const TIMER_PROFILES = {
  kafka: {},
  fast: {
    'broker.heartbeat.interval.ms': 100,
    'broker.session.timeout.ms': 1500,
    'replica.fetch.wait.max.ms': 100,
    'replica.socket.timeout.ms': 1000,
    'request.timeout.ms': 2000,
    'replica.fetch.backoff.ms': 20,
    'replica.high.watermark.checkpoint.interval.ms': 1000,
    'transaction.abort.timed.out.transaction.cleanup.interval.ms': 200,
    'group.min.session.timeout.ms': 500,
    'group.initial.rebalance.delay.ms': 0,
  },
} as const satisfies Record<string, Partial<NodeConfig>>;
export type TimerProfile = keyof typeof TIMER_PROFILES;

/** A node's configuration: Kafka's defaults, then the profile, then `overrides`. Relations are checked. */
export function nodeConfig(
  overrides: Readonly<Record<string, unknown>> = {},
  profile: TimerProfile = 'kafka',
): NodeConfig {
  const config: Record<string, number | boolean | string> = {};
  for (const [name, key] of Object.entries(CONFIG_KEYS)) config[name] = key.default;
  Object.assign(config, TIMER_PROFILES[profile]);
  for (const [name, raw] of Object.entries(overrides)) {
    const key = (CONFIG_KEYS as Record<string, ConfigKey>)[name];
    if (key === undefined)
      throw new ConfigError(`unknown setting "${name}"; known: ${Object.keys(CONFIG_KEYS).join(', ')}`);
    config[name] = parseConfigValue(name, key, raw);
  }
  const complete = config as unknown as NodeConfig;
  if (complete['replica.fetch.wait.max.ms'] > complete['replica.lag.time.max.ms']) {
    throw new ConfigError('replica.fetch.wait.max.ms must not exceed replica.lag.time.max.ms');
  }
  if (complete['broker.heartbeat.interval.ms'] * 2 > complete['broker.session.timeout.ms']) {
    throw new ConfigError('broker.heartbeat.interval.ms must be at most half of broker.session.timeout.ms');
  }
  const release = complete['kafka.as.version'] as KafkaRelease | '';
  if (release !== '' && complete['transaction.version'] > newestTransactionVersion(release)) {
    throw new ConfigError(
      `kafka.as.version ${release} has no transaction.version ${complete['transaction.version']}: set transaction.version=0`,
    );
  }
  return Object.freeze(complete);
}

/** The rack of a broker in a cluster with these, in order of ids, round and round if there are fewer; empty: none. */
export function rackOf(racks: readonly string[], broker: number): string {
  return racks[(broker - 1) % racks.length] ?? '';
}

/** Settings of a topic under their topic names, with the node's settings as defaults. */
export interface TopicConfig {
  readonly 'min.insync.replicas': number;
  readonly 'unclean.leader.election.enable': boolean;
  readonly 'max.message.bytes': number;
  readonly 'message.timestamp.type': string;
  readonly 'message.timestamp.before.max.ms': number;
  readonly 'message.timestamp.after.max.ms': number;
  readonly 'segment.bytes': number;
  readonly 'segment.ms': number;
  readonly 'cleanup.policy': string;
  readonly 'retention.ms': number;
  readonly 'retention.bytes': number;
  readonly 'compression.type': string;
  readonly 'delete.retention.ms': number;
  readonly 'min.cleanable.dirty.ratio': number;
}

/** Topic settings that exist, by their topic name. */
export const TOPIC_CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = Object.fromEntries(
  Object.values(CONFIG_KEYS as Record<string, ConfigKey>)
    .filter((key) => key.topicName !== undefined)
    .map((key) => [key.topicName!, key]),
);

/** Whether a topic setting is a list, separated by commas. */
export function isListSetting(topicName: string): boolean {
  return TOPIC_CONFIG_KEYS[topicName]?.list === true;
}

/** Checks topic settings as they come from a request. Throws ConfigError. */
export function parseTopicConfigs(
  configs: Iterable<readonly [string, unknown]>,
): Map<string, number | boolean | string> {
  const parsed = new Map<string, number | boolean | string>();
  for (const [name, raw] of configs) {
    const key = TOPIC_CONFIG_KEYS[name];
    if (key === undefined)
      throw new ConfigError(`unknown topic setting "${name}"; known: ${Object.keys(TOPIC_CONFIG_KEYS).join(', ')}`);
    parsed.set(name, parseConfigValue(name, key, raw));
  }
  return parsed;
}

/** The effective settings of a topic. */
export function topicConfig(node: NodeConfig, overrides: ReadonlyMap<string, number | boolean | string>): TopicConfig {
  const config: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(CONFIG_KEYS as Record<string, ConfigKey>)) {
    if (key.topicName !== undefined) config[key.topicName] = overrides.get(key.topicName) ?? node[name as ConfigName];
  }
  return config as unknown as TopicConfig;
}
