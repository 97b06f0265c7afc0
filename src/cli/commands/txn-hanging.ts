// highwater txn describe-producers and find-hanging: open transactions as partitions have them, and which of those no
// coordinator will end (txn T-178, T-180; KIP-664).
import type { Command } from 'commander';
import { formatPartition, NO_LEADER, type NodeId, type TopicPartition } from '../../base/units.ts';
import type { HangingSurvey, HangingTransaction, HighwaterClient } from '../../client/index.ts';
import type { ActiveProducer, TopicDescription } from '../../protocol/generated/index.ts';
import { TRANSACTION_TOPIC } from '../../node/internal-topics.ts';
import { incomplete, PATIENCE_MS, withClient } from '../client-command.ts';
import { globals } from '../command.ts';
import { parseCount, parseDurationOr } from '../duration.ts';
import { durationText, printReport, printRows, say, timeText, type Column } from '../output.ts';
import {
  checkPartition,
  partitionArgument,
  runningBrokerArgument,
  type PartitionFlags,
} from '../partition-argument.ts';
import { EXIT, Problem } from '../problem.ts';
import { watchable } from '../watch.ts';

type ProducerOptions = PartitionFlags & { readonly broker?: string };
type HangingOptions = ProducerOptions & { readonly maxTransactionTimeout: string };

export function registerTxnHanging(txn: Command): void {
  watchable(txn.command('describe-producers [topic-partition]'))
    .description('the producers that a partition knows, and what they have open there')
    .option('--topic <topic>', 'instead of TOPIC-PARTITION, with --partition')
    .option('--partition <p>', 'its partition')
    .option('--broker <id>', 'ask this replica (default: the leader)')
    .action((text: string | undefined, options: ProducerOptions, command: Command) =>
      describeProducers(text, options, command),
    );
  watchable(txn.command('find-hanging'))
    .description('open transactions that no coordinator will end: they hold the last stable offset for ever')
    .option('--topic <topic>', 'only in this topic (default: everywhere, internal topics too)')
    .option('--partition <p>', 'only in this partition of --topic')
    .option('--broker <id>', 'ask this broker about its replicas (default: the leaders)')
    .option(
      '--max-transaction-timeout <duration>',
      'only of producers silent for longer (a plain number is minutes)',
      '15m',
    )
    .action((options: HangingOptions, command: Command) => findHanging(options, command));
}

const PRODUCER_COLUMNS: readonly Column<ProducerRow>[] = [
  { title: 'ProducerId', of: (row) => row.producerId },
  { title: 'ProducerEpoch', of: (row) => row.producerEpoch },
  { title: 'LatestCoordinatorEpoch', of: (row) => row.coordinatorEpoch },
  { title: 'LastSequence', of: (row) => row.lastSequence },
  { title: 'LastTimestamp', of: (row) => timeText(row.lastTimestampMs) },
  { title: 'CurrentTransactionStartOffset', of: (row) => row.currentTxnStartOffset },
];

type ProducerRow = ReturnType<typeof producerRow>;

/** What is not there is left out. */
function producerRow({ topic, partition }: TopicPartition, producer: ActiveProducer) {
  const { producerId, producerEpoch, lastTimestampMs } = producer;
  const given = (value: number): number | undefined => (value < 0 ? undefined : value);
  return {
    ...{ topic, partition, producerId, lastTimestampMs },
    producerEpoch: given(producerEpoch),
    coordinatorEpoch: given(producer.coordinatorEpoch),
    lastSequence: given(producer.lastSequence),
    currentTxnStartOffset: given(producer.currentTxnStartOffset),
  };
}

async function describeProducers(text: string | undefined, options: ProducerOptions, command: Command): Promise<void> {
  const out = globals(command);
  const target = partitionArgument('txn describe-producers', text, options);
  await withClient(out, 'HW2501', async (client, cluster) => {
    const node = await runningBrokerArgument(options.broker, cluster);
    await checkPartition(client, target);
    const choice = node === undefined ? {} : { node };
    const [described] = await client.admin().transactions.describeProducers([target], choice);
    const rows = (described?.producers ?? []).map((producer) => producerRow(target, producer));
    await printRows(out, 'txn.describe-producers', rows, PRODUCER_COLUMNS);
    if (rows.length === 0)
      say(out, `no idempotent producer has written to ${text ?? formatPartition(target.topic, target.partition)}`);
  });
}

interface HangingRow {
  readonly [key: string]: unknown;
  readonly topic: string;
  readonly partition: number;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly coordinatorEpoch?: number;
  readonly startOffset: number;
  readonly lastTimestampMs: number;
  /** Since the producer's last batch, as Kafka has it. */
  readonly durationMs: number;
  /** Whether it is what the last stable offset of the partition stands at. */
  readonly holdsLso: boolean;
  readonly why: HangingTransaction['why'];
}

const HANGING_COLUMNS: readonly Column<HangingRow>[] = [
  { title: 'Topic', of: (row) => row.topic },
  { title: 'Partition', of: (row) => row.partition },
  { title: 'ProducerId', of: (row) => row.producerId },
  { title: 'ProducerEpoch', of: (row) => row.producerEpoch },
  { title: 'CoordinatorEpoch', of: (row) => row.coordinatorEpoch },
  { title: 'StartOffset', of: (row) => row.startOffset },
  { title: 'LastTimestamp', of: (row) => timeText(row.lastTimestampMs) },
  { title: 'Duration', of: (row) => durationText(row.durationMs) },
];

async function findHanging(options: HangingOptions, command: Command): Promise<void> {
  const out = globals(command);
  const silentMs = parseDurationOr('m', '--max-transaction-timeout', options.maxTransactionTimeout);
  if (options.partition !== undefined && options.topic === undefined) {
    throw new Problem('HW2001', '--partition needs --topic');
  }
  await withClient(out, 'HW2501', async (client, cluster) => {
    const node = await runningBrokerArgument(options.broker, cluster);
    const topics = await client.admin().describeTopics();
    const scope = await scopeOf(client, topics, { ...options, node });
    const choice = node === undefined ? {} : { node };
    const search = { ...choice, silentMs, patienceMs: PATIENCE_MS };
    const survey = await client.admin().transactions.findSomeHanging(scope.partitions, search);
    const rows = await Promise.all(survey.hanging.map((one) => hangingRow(client, one)));
    const unseen = unseenBy(survey);
    const warnings = [...scope.warnings, ...(rows.length > 0 ? unlistedIds(topics) : []), ...unseen];
    await printReport(out, { schema: 'txn.find-hanging', rows, columns: HANGING_COLUMNS, warnings });
    if (out.json) return;
    for (const row of rows) say(out, `${sentence(row)} Abort it with:\n  ${abortCommand(row, out.cluster)}`);
    if (rows.length === 0 && unseen.length === 0) {
      const { length } = scope.partitions;
      say(
        out,
        `nothing hangs in ${length} partition${length === 1 ? '' : 's'} (silent for over ${durationText(silentMs)})`,
      );
    }
  });
}

/** The partitions to look at, and what cannot be looked at. */
async function scopeOf(
  client: HighwaterClient,
  topics: readonly TopicDescription[],
  of: { readonly topic?: string; readonly partition?: string; readonly node: NodeId | undefined },
): Promise<{ readonly partitions: readonly TopicPartition[]; readonly warnings: readonly string[] }> {
  const index = of.partition === undefined ? undefined : parseCount('--partition', of.partition, 0);
  if (of.topic !== undefined) await checkPartition(client, { topic: of.topic, partition: index ?? 0 });
  const partitions: TopicPartition[] = [];
  const warnings: string[] = [];
  for (const { name, partitions: all } of topics) {
    if (of.topic !== undefined && name !== of.topic) continue;
    for (const { partition, leader, replicas } of all) {
      if (index !== undefined && partition !== index) continue;
      if (of.node !== undefined && !replicas.includes(of.node)) continue;
      if (of.node !== undefined || leader !== NO_LEADER) partitions.push({ topic: name, partition });
      else warnings.push(`${formatPartition(name, partition)} has no leader, so it was not looked at`);
    }
  }
  return { partitions, warnings };
}

/** What brokers that did not answer leave open; the command is inconclusive then. */
function unseenBy({ missed, silent, undecided }: HangingSurvey): string[] {
  const name = ({ topic, partition }: TopicPartition): string => formatPartition(topic, partition);
  const reasons = new Map<string, TopicPartition[]>();
  for (const one of missed) reasons.set(one.message, [...(reasons.get(one.message) ?? []), one]);
  if (reasons.size > 0) process.exitCode = EXIT.inconclusive;
  const open = undecided.map((one) => `${name(one)} at ${one.startOffset} (producer ${one.producerId})`).join(', ');
  return [
    ...[...reasons].map(([message, of]) => `${message}, so these were not looked at: ${of.map(name).join(', ')}`),
    ...(open === '' ? [] : incomplete(silent, `it may own what is open in ${open}`)),
  ];
}

/** Ids that nobody could list make innocent transactions look like hanging ones. */
function unlistedIds(topics: readonly TopicDescription[]): string[] {
  const log = topics.find(({ name }) => name === TRANSACTION_TOPIC);
  const offline = (log?.partitions ?? []).filter(({ leader }) => leader === NO_LEADER);
  if (offline.length === 0) return [];
  const names = offline.map(({ partition }) => formatPartition(TRANSACTION_TOPIC, partition)).join(', ');
  return [
    `ids of ${names} could not be listed (no leader): what they own looks as if it hung. Bring a leader back first`,
  ];
}

async function hangingRow(client: HighwaterClient, one: HangingTransaction): Promise<HangingRow> {
  const { topic, partition, producerId, producerEpoch, startOffset, lastTimestamp, coordinatorEpoch, why } = one;
  const lso = await client.admin().endOffset(one, 'read_committed');
  return {
    ...{ topic, partition, producerId, producerEpoch, startOffset, lastTimestampMs: lastTimestamp, why },
    ...(coordinatorEpoch < 0 ? {} : { coordinatorEpoch }),
    durationMs: Math.max(0, Date.now() - lastTimestamp),
    holdsLso: lso === startOffset,
  };
}

function sentence(row: HangingRow): string {
  const place = formatPartition(row.topic, row.partition);
  const { why } = row;
  const owner =
    why.kind === 'unknown-producer'
      ? `no coordinator knows producer ${row.producerId}`
      : why.kind === 'undescribed'
        ? `its id ${why.transactionalId} is gone`
        : `its id ${why.transactionalId} (${why.state}, epoch ${why.epoch}) has no transaction with ${place}`;
  const holds = row.holdsLso ? `, and it holds the LSO of ${place} at ${row.startOffset}` : '';
  return `${place} at ${row.startOffset} hangs: ${owner}${holds}.`;
}

function abortCommand({ topic, partition, startOffset }: HangingRow, cluster: string): string {
  const flag = cluster === 'default' ? '' : ` --cluster ${cluster}`;
  return `highwater txn abort --topic ${topic} --partition ${partition} --start-offset ${startOffset}${flag}`;
}
