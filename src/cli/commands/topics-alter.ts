// highwater topics alter|delete-records: what changes a topic that exists. Kafka has kafka-configs, kafka-topics --alter and
// kafka-delete-records for it.
import type { Command } from 'commander';
import { formatPartition, NO_LEADER, parsePartition } from '../../base/units.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { ConfigChange } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { collect, globals } from '../command.ts';
import { parseCount } from '../duration.ts';
import { document, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { parseSettings, topicNamed } from './topics.ts';

/** Registers them among the other commands of topics. */
export function registerTopicAlterCommands(topics: Command): void {
  topics
    .command('alter <name>')
    .description('change settings, or the number of partitions')
    .option('--config <name=value>', 'set a topic setting; repeatable', collect, [])
    .option('--delete-config <name>', 'back to the default; repeatable', collect, [])
    .option('--partitions <n>', 'number of partitions, more than there are')
    .action((name: string, options: AlterOptions, command: Command) => alter(name, options, command));
  topics
    .command('delete-records <topic-partition>')
    .description('delete what lies before an offset (DeleteRecords)')
    .requiredOption('--before <offset>', 'first offset that stays, or hw: everything below the high watermark')
    .option('--timeout-ms <ms>', 'how long to wait until all live replicas have followed', '30000')
    .action((partition: string, options: DeleteOptions, command: Command) =>
      deleteRecords(partition, options, command),
    );
}

interface AlterOptions {
  readonly config: readonly string[];
  readonly deleteConfig: readonly string[];
  readonly partitions?: string;
}

async function alter(name: string, options: AlterOptions, command: Command): Promise<void> {
  const out = globals(command);
  const changes: ConfigChange[] = [
    ...parseSettings(options.config).map((setting) => ({ ...setting, operation: 'SET', hasValue: true })),
    ...options.deleteConfig.map((setting) => ({ name: setting, value: '', operation: 'DELETE', hasValue: false })),
  ];
  const count = options.partitions === undefined ? undefined : parseCount('--partitions', options.partitions, 1);
  if (changes.length === 0 && count === undefined) {
    throw new Problem('HW2001', 'topics alter needs --config name=value, --delete-config NAME or --partitions N');
  }
  await withCluster(out.cluster, async (cluster) => {
    await topicNamed(cluster, name);
    if (changes.length > 0) await alterSettings(cluster, name, changes);
    if (count !== undefined) await addPartitions(cluster, name, count);
    const { topicId, partitions, configs } = await topicNamed(cluster, name);
    const row = { topic: name, topicId, partitions: partitions.length, configs };
    const settings = configs.map((config) => `${config.name}=${config.value}`).join(',') || 'none';
    const said = `Altered topic ${name}: ${partitions.length} partitions; settings of its own: ${settings}.\n`;
    await write(out.json ? document('topics.alter', [row]) : said);
  });
}

async function alterSettings(cluster: Cluster, name: string, changes: ConfigChange[]): Promise<void> {
  const resources = [{ type: 'topic', name, replace: false, changes }];
  const { resources: altered } = await cluster.controller('AlterConfigs', { resources, validateOnly: false });
  const { error, errorMessage } = altered[0]!;
  if (error !== 'NONE') throw new Problem('HW2201', errorMessage || ERRORS[error].message);
}

async function addPartitions(cluster: Cluster, name: string, count: number): Promise<void> {
  const topics = [{ name, count, hasAssignments: false, assignments: [] }];
  const { topics: grown } = await cluster.controller('CreatePartitions', { topics, validateOnly: false });
  const { error, errorMessage } = grown[0]!;
  if (error !== 'NONE') throw new Problem('HW2201', errorMessage || ERRORS[error].message);
}

interface DeleteOptions {
  readonly before: string;
  readonly timeoutMs: string;
}

/** Asked instead of an offset: the high watermark (repl R-118). */
const HIGH_WATERMARK = -1;

async function deleteRecords(text: string, options: DeleteOptions, command: Command): Promise<void> {
  const out = globals(command);
  const target = parsePartition(text);
  if (target === undefined) {
    throw new Problem('HW2001', `"${text}" is no partition. Write TOPIC-PARTITION, e.g. orders-0`);
  }
  const offset = options.before === 'hw' ? HIGH_WATERMARK : parseCount('--before', options.before, 0);
  const timeoutMs = parseCount('--timeout-ms', options.timeoutMs, 0);
  await withCluster(out.cluster, async (cluster) => {
    const leader = (await topicNamed(cluster, target.topic)).partitions[target.partition]?.leader ?? NO_LEADER;
    const where = formatPartition(target.topic, target.partition);
    if (leader === NO_LEADER) throw new Problem('HW2201', `${where} does not exist, or has no leader`, EXIT.failed);
    const request = { partitions: [{ ...target, offset }], timeoutMs };
    const { partitions } = await cluster.broker(leader, 'DeleteRecords', request, timeoutMs + GRACE_MS);
    const { error, lowWatermark } = partitions[0]!;
    if (error !== 'NONE') throw new Problem('HW2201', `${where}: ${error}: ${ERRORS[error].message}`, EXIT.failed);
    const row = { ...target, lowWatermark };
    const said = `Deleted what ${where} held before offset ${lowWatermark}.\n`;
    await write(out.json ? document('topics.delete-records', [row]) : said);
  });
}

/** The broker answers at the request's own timeout. */
const GRACE_MS = 5000;
