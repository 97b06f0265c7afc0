// highwater log dump: what stands in a log, batch for batch, in the lines of Kafka's dump tool. Both internal topics and the
// metadata log are decoded. Reads any replica, running or not; what is beyond the high watermark is shown too.
import type { Command } from 'commander';
import { formatPartition, type TopicPartition } from '../../base/units.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { parseCount } from '../duration.ts';
import { batchDocument, batchLines } from '../dump/dump-lines.ts';
import { dumpBatches, type DumpedBatch } from '../dump/dumped-batch.ts';
import { METADATA_TOPIC } from '../dump/metadata-records.ts';
import { printMetadata } from '../dump/metadata-dump.ts';
import { withMetadataSource } from '../dump/metadata-source.ts';
import { withLogSource, type LogFacts, type LogSource, type SourceFlags } from '../dump/log-source.ts';
import { document, say, write } from '../output.ts';
import { partitionArgument, type PartitionFlags } from '../partition-argument.ts';
import { Problem } from '../problem.ts';

interface DumpFlags extends PartitionFlags, SourceFlags {
  readonly from?: string;
  readonly maxBatches?: string;
  readonly printDataLog?: boolean;
  readonly clusterMetadataDecoder?: boolean;
  readonly snapshot?: boolean;
  readonly records: boolean;
}

export function registerLogCommands(program: Command): void {
  const log = program.command('log').description('what stands in the logs of partitions');
  log
    .command('dump [topic-partition]')
    .description("batches and records of one replica, in Kafka's dump format; internal topics decoded")
    .option('--topic <topic>', 'instead of TOPIC-PARTITION, with --partition')
    .option('--partition <p>', 'its partition')
    .option('--broker <id>', 'of this replica; if it is stopped its data directory is read (default: the leader)')
    .option('--data-dir <dir>', 'of a node that does not run, of any cluster: its folder')
    .option('--from <offset>', 'from the batch that holds this offset (default: the log start)')
    .option('--max-batches <n>', 'end after so many batches, or records of the metadata log')
    .option('--print-data-log', 'also keys and payloads of records of other topics')
    .option('--no-records', 'lines of batches only')
    .option('--cluster-metadata-decoder', `the metadata log: the same as ${METADATA_TOPIC}-0`)
    .option('--snapshot', 'of the metadata log: its newest snapshot, which stands for its beginning')
    .action((text: string | undefined, flags: DumpFlags, command: Command) => dump(text, flags, command));
}

async function dump(text: string | undefined, flags: DumpFlags, command: Command): Promise<void> {
  const out = globals(command);
  const max = flags.maxBatches === undefined ? Infinity : parseCount('--max-batches', flags.maxBatches, 1);
  const from = flags.from === undefined ? undefined : parseCount('--from', flags.from, 0);
  const target = targetOf(text, flags);
  const place = formatPartition(target.topic, target.partition);
  if (target.topic === METADATA_TOPIC) {
    const asked = { snapshot: flags.snapshot === true, from, max };
    return withMetadataSource(out.cluster, flags, (source) => printMetadata(source, asked, out));
  }
  await withLogSource(out.cluster, target, flags, async (source) => {
    const { facts } = source;
    const end = facts.logEndOffset;
    if (from !== undefined && end !== undefined && from > end) {
      throw new Problem('HW2501', `--from ${from} is behind the end of ${place}: it ends at ${end}`);
    }
    const told: Dump = { topic: target.topic, from: from ?? facts.logStartOffset, max, flags };
    if (out.json) return printDocument(source, told, { ...target, ...facts });
    say(out, `dumping ${place} ${wordsOf(facts)}`);
    await printLines(source, told, out);
  });
}

/** Which log; the metadata log has one partition. */
function targetOf(text: string | undefined, flags: DumpFlags): TopicPartition {
  const named = text ?? flags.topic;
  const target =
    named === undefined && flags.clusterMetadataDecoder === true
      ? { topic: METADATA_TOPIC, partition: 0 }
      : partitionArgument('log dump', text, flags);
  if (target.topic === METADATA_TOPIC) {
    if (target.partition === 0) return target;
    throw new Problem('HW2201', `${METADATA_TOPIC} has one partition: ${METADATA_TOPIC}-0`);
  }
  const flag = flags.snapshot === true ? '--snapshot' : '--cluster-metadata-decoder';
  if (flags.snapshot !== true && flags.clusterMetadataDecoder !== true) return target;
  throw new Problem('HW2001', `${flag} is for the metadata log, ${METADATA_TOPIC}-0, not for ${target.topic}`);
}

interface Dump {
  readonly topic: string;
  readonly from: number;
  readonly max: number;
  readonly flags: DumpFlags;
}

/** "of broker 1 (leader): start 0, LSO 38, HW 41, LEO 44". */
function wordsOf(facts: LogFacts): string {
  const { broker, role, directory, logStartOffset } = facts;
  const who = broker === undefined ? '' : `of broker ${broker} ${role === undefined ? '(not running)' : `(${role})`}`;
  const where = directory === undefined ? '' : `${who === '' ? '' : ' '}from ${directory}`;
  const ends =
    facts.logEndOffset === undefined
      ? ''
      : `, LSO ${facts.lastStableOffset}, HW ${facts.highWatermark}, LEO ${facts.logEndOffset}`;
  return `${who}${where}: start ${logStartOffset}${ends}`;
}

type Shown = { readonly batch: DumpedBatch } | { readonly warning: string };

/** Batches one by one, and what is odd between them. */
async function* shown(source: LogSource, { topic, from, max, flags }: Dump): AsyncGenerator<Shown> {
  let [position, count, end] = [0, 0, from];
  for await (const { bytes, gap } of source.read(from)) {
    if (gap !== undefined) yield { warning: gap };
    const { batches, trailingBytes } = dumpBatches(bytes, { topic, printData: flags.printDataLog === true, position });
    for (const batch of batches) {
      if (count === max) return yield { warning: `more follows: --from ${batch.header.baseOffset}` };
      count += 1;
      if (count > 1 && batch.header.baseOffset !== end && gap === undefined) {
        yield {
          warning: `offsets ${end} to ${batch.header.baseOffset - 1} are not there: compacted, or cut by a leader`,
        };
      }
      end = batch.header.lastOffset + 1;
      yield { batch };
    }
    if (trailingBytes > 0) yield { warning: `${trailingBytes} bytes behind offset ${end} are no whole batch` };
    position += bytes.length;
  }
}

async function printLines(source: LogSource, told: Dump, out: GlobalOptions): Promise<void> {
  let any = false;
  for await (const each of shown(source, told)) {
    if ('warning' in each) say(out, `warning: ${each.warning}`);
    else {
      any = true;
      await write(`${batchLines(each.batch, told.flags.records).join('\n')}\n`);
    }
  }
  if (!any) say(out, 'no batch stands there');
}

async function printDocument(source: LogSource, told: Dump, facts: Readonly<Record<string, unknown>>): Promise<void> {
  const data: unknown[] = [];
  const warnings: string[] = [];
  for await (const each of shown(source, told)) {
    if ('warning' in each) warnings.push(each.warning);
    else data.push(batchDocument(each.batch, told.flags.records));
  }
  await write(document('log.dump', data, { ...facts, warnings }));
}
