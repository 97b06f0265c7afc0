// Settings of topics that Kafka has and clients set (Streams among them), and that mean nothing here: they concern its files, its disks
// and its codecs. They are checked, kept and told as Kafka does, and change nothing (docs/divergence.md).
import { bool, int, type ConfigKey } from './config-value.ts';

const INT_MAX = 2_147_483_647;
const NO_EFFECT = 'kept and told; has no effect here';

const kept = (value: number, min: number, topicName: string, max?: number) =>
  int(value, min, NO_EFFECT, { topicName, ...(max === undefined ? {} : { max }) });

const throttled = (topicName: string): ConfigKey & { readonly type: 'string' } => ({
  ...{ type: 'string', default: '', list: true, topicName, meaning: NO_EFFECT },
});

/** By the name of the node's setting, with Kafka's defaults. */
export const KEPT_SETTINGS = {
  'log.flush.interval.messages': kept(Number.MAX_SAFE_INTEGER, 1, 'flush.messages'),
  'log.flush.interval.ms': kept(Number.MAX_SAFE_INTEGER, 0, 'flush.ms'),
  'log.index.interval.bytes': kept(4096, 0, 'index.interval.bytes', INT_MAX),
  'log.index.size.max.bytes': kept(10_485_760, 4, 'segment.index.bytes', INT_MAX),
  'log.roll.jitter.ms': kept(0, 0, 'segment.jitter.ms'),
  'log.segment.delete.delay.ms': kept(60_000, 0, 'file.delete.delay.ms'),
  'log.preallocate': bool(false, NO_EFFECT, { topicName: 'preallocate' }),
  'log.cleaner.min.compaction.lag.ms': kept(0, 0, 'min.compaction.lag.ms'),
  'log.cleaner.max.compaction.lag.ms': kept(Number.MAX_SAFE_INTEGER, 1, 'max.compaction.lag.ms'),
  'compression.gzip.level': kept(-1, -1, 'compression.gzip.level', 9),
  'compression.lz4.level': kept(9, 1, 'compression.lz4.level', 17),
  'compression.zstd.level': kept(3, -131_072, 'compression.zstd.level', 22),
  'leader.replication.throttled.replicas': throttled('leader.replication.throttled.replicas'),
  'follower.replication.throttled.replicas': throttled('follower.replication.throttled.replicas'),
};
