// highwater topics reassign: moves a partition's replicas to other brokers, calls that off, or lists what is under way (repl
// Kafka has kafka-reassign-partitions and files of JSON for it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { formatPartition, parsePartition, type TopicPartition } from '../../base/units.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { OngoingReassignment, PartitionDescription } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { globals } from '../command.ts';
import { parseCount, parseDuration } from '../duration.ts';
import { movesOf } from '../moves.ts';
import { document, printRows, write, type OutputOptions } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { topicNamed } from './topics.ts';

/** Registers it among the other commands of topics. */
export function registerTopicReassignCommand(topics: Command): void {
  topics
    .command('reassign [topic-partition]')
    .description('move replicas to other brokers; the old ones go once the new ones are in sync')
    .option('--to <ids>', 'the brokers it shall be on, the preferred leader first: 1,2,4')
    .option('--cancel', 'back to where it was')
    .option('--list', 'what is under way')
    .option('--wait', 'return when it is done')
    .option('--timeout <duration>', 'how long --wait waits', '60s')
    .action((text: string | undefined, options: ReassignOptions, command: Command) => reassign(text, options, command));
}

interface ReassignOptions {
  readonly to?: string;
  readonly cancel?: boolean;
  readonly list?: boolean;
  readonly wait?: boolean;
  readonly timeout: string;
}

async function reassign(text: string | undefined, options: ReassignOptions, command: Command): Promise<void> {
  const out = globals(command);
  const chosen = [options.to !== undefined, options.cancel === true, options.list === true].filter(Boolean);
  if (chosen.length !== 1) throw new Problem('HW2001', 'topics reassign needs one of --to 1,2,4, --cancel, --list');
  const of = text === undefined ? undefined : parsePartition(text);
  if (text !== undefined && of === undefined) {
    throw new Problem('HW2001', `"${text}" is no partition. Write TOPIC-PARTITION, e.g. orders-0`);
  }
  if (options.list === true) return withCluster(out.cluster, (cluster) => list(cluster, of, out));
  if (of === undefined)
    throw new Problem('HW2001', 'topics reassign needs a partition: TOPIC-PARTITION, e.g. orders-0');
  const ids = options.to?.split(',').map((id) => parseCount('--to', id, 1));
  const waitMs = options.wait === true ? parseDuration('--timeout', options.timeout) : undefined;
  await withCluster(out.cluster, async (cluster) => {
    await topicNamed(cluster, of.topic);
    const replicas = ids === undefined ? null : { ids };
    const request = { partitions: [{ ...of, replicas }], allowReplicationFactorChange: true };
    const { partitions } = await cluster.controller('AlterPartitionReassignments', request);
    const { error, errorMessage } = partitions[0]!;
    const where = formatPartition(of.topic, of.partition);
    if (error !== 'NONE')
      throw new Problem('HW2201', errorMessage || `${where}: ${ERRORS[error].message}`, EXIT.failed);
    await tell(await settled(cluster, of, waitMs), of, out);
  });
}

const LOOK_MS = 100;

/** The partition as it is, once nothing moves any more if `waitMs` says to wait. */
async function settled(
  cluster: Cluster,
  of: TopicPartition,
  waitMs: number | undefined,
): Promise<PartitionDescription> {
  const until = performance.now() + (waitMs ?? 0);
  for (;;) {
    const described = (await topicNamed(cluster, of.topic)).partitions[of.partition]!;
    const { replicas, addingReplicas, removingReplicas, isr } = described;
    if (waitMs === undefined || addingReplicas.length + removingReplicas.length === 0) return described;
    if (performance.now() > until) {
      const missing = replicas.filter((id) => !removingReplicas.includes(id) && !isr.includes(id)).join(', ') || 'none';
      const where = formatPartition(of.topic, of.partition);
      const message = `${where} is still moving; not in sync yet: ${missing}. It goes on: highwater topics reassign --list`;
      throw new Problem('HW2201', message, EXIT.failed);
    }
    await delay(LOOK_MS);
  }
}

async function tell(described: PartitionDescription, of: TopicPartition, out: OutputOptions): Promise<void> {
  const { replicas, addingReplicas, removingReplicas, leader, isr } = described;
  const where = formatPartition(of.topic, of.partition);
  if (out.json) {
    const row = { ...of, replicas, addingReplicas, removingReplicas, leader, isr };
    return write(document('topics.reassign', [row]));
  }
  const moving = movesOf(described);
  await write(
    moving === '' ? `${where} is on ${replicas.join(', ')}, led by ${leader}.\n` : `${where} is moving: ${moving}.\n`,
  );
}

async function list(cluster: Cluster, of: TopicPartition | undefined, out: OutputOptions): Promise<void> {
  const request = { all: of === undefined, partitions: of === undefined ? [] : [of] };
  const { partitions } = await cluster.controller('ListPartitionReassignments', request);
  if (partitions.length === 0 && !out.json) return write('Nothing is moving.\n');
  await printRows(out, 'topics.reassign.list', partitions.map(rowOf), [
    { title: 'TOPIC', of: (each) => each.topic },
    { title: 'PARTITION', of: (each) => each.partition },
    { title: 'REPLICAS', of: (each) => each.replicas },
    { title: 'ADDING', of: (each) => each.addingReplicas },
    { title: 'REMOVING', of: (each) => each.removingReplicas },
  ]);
}

const rowOf = ({ topic, partition, replicas, addingReplicas, removingReplicas }: OngoingReassignment) => {
  return { topic, partition, replicas, addingReplicas, removingReplicas };
};
