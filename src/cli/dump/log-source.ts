// Where `log dump` reads from: a replica of a running broker, or the data directory of one that does not run.
import { inContainers } from '../../agent/home.ts';
import { nodeFolder } from '../../agent/layout.ts';
import { isSameProcess } from '../../agent/process-identity.ts';
import { formatPartition, NO_LEADER, type Offset, type TopicPartition } from '../../base/units.ts';
import { openCluster, withCluster, type Cluster } from '../cluster.ts';
import { topicNamed } from '../commands/topics.ts';
import { brokerArgument } from '../partition-argument.ts';
import { EXIT, Problem } from '../problem.ts';
import { withStoredLog } from './stored-logs.ts';

/** What is said of the log beside its batches. */
export interface LogFacts {
  readonly broker?: number;
  readonly role?: string;
  /** The data directory, if it was read. */
  readonly directory?: string;
  readonly logStartOffset: Offset;
  readonly lastStableOffset?: Offset;
  readonly highWatermark?: Offset;
  readonly logEndOffset?: Offset;
}

/** Bytes of whole batches; `gap`: a batch that stood before them is not there any more. */
export interface LogChunk {
  readonly bytes: Buffer;
  readonly gap?: string;
}

export interface LogSource {
  readonly facts: LogFacts;
  /** From the batch that holds `from`, or what comes next. */
  read(from: Offset): AsyncIterable<LogChunk>;
}

export interface SourceFlags {
  readonly broker?: string;
  readonly dataDir?: string;
}

/** Batches that one answer of a broker may bring. */
const BATCHES_A_CALL = 500;

/** Runs `use` with the log that the flags choose: of the leader, if they choose none. */
export async function withLogSource(
  cluster: string,
  target: TopicPartition,
  flags: SourceFlags,
  use: (source: LogSource) => Promise<void>,
): Promise<void> {
  if (flags.dataDir !== undefined) {
    if (flags.broker !== undefined) throw new Problem('HW2001', '--broker and --data-dir exclude each other');
    return fromDirectory(flags.dataDir, target, {}, use);
  }
  const stopped = stoppedBroker(cluster, flags.broker);
  if (stopped !== undefined) return fromDirectory(stopped.directory, target, { broker: stopped.broker }, use);
  await withCluster(cluster, (opened) => fromBroker(opened, target, flags.broker, use));
}

/** The broker that --broker names, if its process does not run. */
function stoppedBroker(name: string, text: string | undefined): { broker: number; directory: string } | undefined {
  if (text === undefined) return undefined;
  const cluster = openCluster(name);
  const { state } = cluster;
  const broker = brokerArgument(text, cluster.brokerIds())!;
  const node = state.nodes.find(({ id }) => id === broker)!;
  cluster.close();
  if (inContainers(state)) return undefined;
  return isSameProcess(node) ? undefined : { broker, directory: nodeFolder(state.dir, 'broker', broker) };
}

async function fromDirectory(
  directory: string,
  target: TopicPartition,
  about: { readonly broker?: number },
  use: (source: LogSource) => Promise<void>,
): Promise<void> {
  await withStoredLog(directory, target, (log) =>
    use({
      facts: { ...about, directory, logStartOffset: log.logStartOffset },
      read: async function* (from) {
        let end: Offset | undefined;
        for await (const { bytes, baseOffset, lastOffset, previousEnd } of log.batches(from)) {
          const lost = end !== undefined && previousEnd !== end && baseOffset > end;
          yield lost
            ? { bytes, gap: `the batch before offset ${baseOffset} is missing: it ended at ${previousEnd}` }
            : { bytes };
          end = lastOffset + 1;
        }
      },
    }),
  );
}

async function fromBroker(
  cluster: Cluster,
  target: TopicPartition,
  text: string | undefined,
  use: (source: LogSource) => Promise<void>,
): Promise<void> {
  const broker = brokerArgument(text, cluster.brokerIds()) ?? (await leaderOf(cluster, target));
  const ask = async (fromOffset: Offset, maxBatches: number) => {
    const { replicas } = await cluster.broker(broker, 'DescribeReplicas', { ...target, fromOffset, maxBatches });
    if (replicas[0] !== undefined) return replicas[0];
    const place = formatPartition(target.topic, target.partition);
    throw new Problem(
      'HW2201',
      `broker ${broker} holds no replica of ${place}. See: highwater topics describe ${target.topic}`,
    );
  };
  const { role, logStartOffset, lastStableOffset, highWatermark, logEndOffset } = await ask(-1, 0);
  await use({
    facts: { broker, role, logStartOffset, lastStableOffset, highWatermark, logEndOffset },
    read: async function* (from) {
      for (let next = Math.max(from, 0); next >= 0;) {
        const { records, nextOffset } = await ask(next, BATCHES_A_CALL);
        if (records.length > 0) yield { bytes: Buffer.from(records) };
        next = nextOffset;
      }
    },
  });
}

async function leaderOf(cluster: Cluster, { topic, partition }: TopicPartition): Promise<number> {
  const described = await topicNamed(cluster, topic);
  const found = described.partitions.find((each) => each.partition === partition);
  if (found === undefined) {
    throw new Problem('HW2201', `${topic} has partitions 0 to ${described.partitions.length - 1}, not ${partition}`);
  }
  if (found.leader !== NO_LEADER) return found.leader;
  const place = formatPartition(topic, partition);
  const brokers = found.replicas.join(', ');
  throw new Problem(
    'HW2201',
    `${place} has no leader. Choose a replica with --broker (${brokers}); of one that is stopped the data directory is read`,
    EXIT.failed,
  );
}
