// highwater produce TOPIC and consume TOPIC: a line of stdin a record, a value a line of stdout and nothing else.
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { TopicPartition } from '../../base/units.ts';
import {
  ConsumerError,
  HighwaterError,
  type Consumer,
  type HighwaterClient,
  type Producer,
} from '../../client/index.ts';
import { ConfigError } from '../../protocol/config.ts';
import { connectTo, partitionsOf } from '../connection.ts';
import { collect, globals, type GlobalOptions } from '../command.ts';
import { parseCount } from '../duration.ts';
import { openCluster } from '../cluster.ts';
import { count, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { checkSettings } from '../record-settings.ts';
import { parseSettings } from './topics.ts';

export function registerRecordCommands(program: Command): void {
  program
    .command('produce <topic>')
    .description('send each line of stdin as a record; exit 0 only if every line was acknowledged (acks 0: sent)')
    .option('--acks <acks>', '0, 1 or all', 'all')
    .option('--partition <p>', 'this partition (default: sticky, or by key)')
    .option('--key-separator <text>', 'what stands between key and value in a line (default: lines have no key)')
    .option('--config <name=value>', "producer setting by Kafka's name; repeatable", collect, [])
    .action((topic: string, options: ProduceOptions, command: Command) =>
      withClient(globals(command), { verb: 'produce', ...options }, (client, out) =>
        produce(client, topic, options, out),
      ),
    );
  program
    .command('consume <topic>')
    .description('print the values of a topic, one a line, as they come')
    .option('--from-beginning', 'from the first record (default: only what comes from now on)')
    .option('--offset <n>', 'from this offset; needs --partition unless the topic has one')
    .option('--partition <p>', 'only this partition')
    .option('--max-messages <n>', 'exit 0 after so many')
    .option('--config <name=value>', "consumer setting by Kafka's name; repeatable", collect, [])
    .action((topic: string, options: ConsumeOptions, command: Command) =>
      withClient(globals(command), { verb: 'consume', ...options }, (client, out) =>
        consume(client, topic, options, out),
      ),
    );
}

interface ProduceOptions {
  readonly acks: string;
  readonly partition?: string;
  readonly keySeparator?: string;
  readonly config: readonly string[];
}

interface ConsumeOptions {
  readonly fromBeginning?: boolean;
  readonly offset?: string;
  readonly partition?: string;
  readonly maxMessages?: string;
  readonly config: readonly string[];
}

/** Lines under way at once; stdin waits meanwhile. */
const UNDER_WAY_MAX = 5000;

async function withClient(
  out: GlobalOptions,
  { verb, config: texts }: { readonly verb: 'produce' | 'consume'; readonly config: readonly string[] },
  use: (client: HighwaterClient, out: GlobalOptions) => Promise<void>,
): Promise<void> {
  const settings = parseSettings(texts);
  checkSettings(verb, settings);
  const cluster = openCluster(out.cluster);
  try {
    const config = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    const client = await connectTo(cluster, config);
    try {
      await use(client, out);
    } finally {
      await client.close(1000);
    }
  } catch (error) {
    if (error instanceof ConfigError) throw new Problem('HW2001', error.message);
    if (error instanceof HighwaterError) throw new Problem('HW2501', error.message, EXIT.failed);
    throw error;
  } finally {
    cluster.close();
  }
}

async function produce(
  client: HighwaterClient,
  topic: string,
  options: ProduceOptions,
  out: GlobalOptions,
): Promise<void> {
  if (!['0', '1', 'all', '-1'].includes(options.acks))
    throw new Problem('HW2001', `--acks is 0, 1 or all, not "${options.acks}"`);
  const partitions = await partitionsOf(client, topic);
  const partition =
    options.partition === undefined ? undefined : parsePartitionOf(topic, options.partition, partitions);
  const producer = client.producer({ acks: options.acks });
  const failures: string[] = [];
  let [lines, acknowledged] = [0, 0];
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const number = ++lines;
    const sent = send(producer, { topic, partition, separator: options.keySeparator }, line).then(
      () => void (acknowledged += 1),
      (error: Error) => void failures.push(`line ${number}: ${error.message}`),
    );
    const tracked: Promise<void> = sent.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay);
  }
  await producer.flush();
  await Promise.all(underWay);
  if (failures.length === 0)
    return say(out, `${count(acknowledged, 'record')} ${options.acks === '0' ? 'sent' : 'acknowledged'}`);
  const more = failures.length > 3 ? ` (and ${failures.length - 3} more)` : '';
  throw new Problem(
    'HW2501',
    `${failures.length} of ${count(lines, 'line')} not acknowledged. ${failures.slice(0, 3).join('; ')}${more}`,
    EXIT.failed,
  );
}

function send(
  producer: Producer,
  to: { readonly topic: string; readonly partition: number | undefined; readonly separator: string | undefined },
  line: string,
): Promise<unknown> {
  const at = to.separator === undefined || to.separator === '' ? -1 : line.indexOf(to.separator);
  const record = at < 0 ? { value: line } : { key: line.slice(0, at), value: line.slice(at + to.separator!.length) };
  return producer.send({
    topic: to.topic,
    ...record,
    ...(to.partition === undefined ? {} : { partition: to.partition }),
  });
}

function parsePartitionOf(topic: string, text: string, partitions: readonly number[]): number {
  const partition = parseCount('--partition', text, 0);
  if (partitions.includes(partition)) return partition;
  throw new Problem('HW2201', `${topic} has partitions 0 to ${partitions.length - 1}, not ${partition}`);
}

async function consume(
  client: HighwaterClient,
  topic: string,
  options: ConsumeOptions,
  out: GlobalOptions,
): Promise<void> {
  if (options.fromBeginning === true && options.offset !== undefined)
    throw new Problem('HW2001', '--from-beginning and --offset exclude each other');
  const partitions = await partitionsOf(client, topic);
  const chosen =
    options.partition === undefined ? partitions : [parsePartitionOf(topic, options.partition, partitions)];
  if (options.offset !== undefined && chosen.length > 1)
    throw new Problem('HW2001', `--offset needs --partition: ${topic} has ${partitions.length}`);
  const max = options.maxMessages === undefined ? Infinity : parseCount('--max-messages', options.maxMessages, 1);
  const consumer = client.consumer({
    config: { 'auto.offset.reset': options.fromBeginning === true ? 'earliest' : 'latest' },
    onPosition: (at, why, from, to) => {
      if (why === 'truncated' || why === 'reset')
        say(out, `${at.topic}-${at.partition}: position moved from ${from} to ${to} (${why})`);
    },
  });
  const assignment: TopicPartition[] = chosen.map((partition) => ({ topic, partition }));
  consumer.assign(assignment);
  if (options.offset !== undefined) consumer.seek(assignment[0]!, parseCount('--offset', options.offset, 0));
  await print(consumer, max);
}

async function print(consumer: Consumer, max: number): Promise<void> {
  const end = new AbortController();
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    end.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  let printed = 0;
  try {
    while (printed < max) {
      const deliveries = await consumer.poll({ signal: end.signal });
      const values = deliveries.flatMap(({ records }) => records.map(({ value }) => value?.toString('utf8') ?? ''));
      const taken = values.slice(0, max - printed);
      printed += taken.length;
      if (taken.length > 0) await write(taken.map((value) => `${value}\n`).join(''));
    }
  } catch (error) {
    if (!interrupted) {
      if (error instanceof ConsumerError)
        throw new Problem('HW2501', `${error.message}. Go on elsewhere with --offset or --from-beginning`, EXIT.failed);
      throw error;
    }
    process.exitCode = EXIT.interrupted;
  } finally {
    consumer.close();
  }
}
