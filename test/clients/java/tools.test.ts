// Kafka's own command-line tools against real processes, under both ways of transactions (wire section 14, steps 23 and 24).
import { describe, expect, test } from 'vitest';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { java, javaSide } from '../support/java.ts';
import { until } from '../support/until.ts';

const TOOLS = {
  topics: 'org.apache.kafka.tools.TopicCommand',
  configs: 'org.apache.kafka.tools.ConfigCommand',
  groups: 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  transactions: 'org.apache.kafka.tools.TransactionsCommand',
  offsets: 'org.apache.kafka.tools.GetOffsetShell',
  produce: 'org.apache.kafka.tools.ConsoleProducer',
  consume: 'org.apache.kafka.tools.consumer.ConsoleConsumer',
} as const;
const LIMIT_MS = 280_000;
const side = javaSide();

/** Runs a tool and returns what it printed; throws what it said if it failed. */
async function tool(
  cluster: Highwater,
  name: keyof typeof TOOLS,
  args: readonly string[],
  input = '',
): Promise<string> {
  const { status, stdout, stderr } = await java(TOOLS[name], ['--bootstrap-server', cluster.bootstrap, ...args], input);
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Lines of a table as cells. */
const table = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first !== '');

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

/** Wire ladder 23. */
async function everyday(cluster: Highwater): Promise<void> {
  const topic = ['--topic', 'words'];
  await tool(cluster, 'topics', ['--create', ...topic, '--partitions', '2', '--replication-factor', '3']);
  expect((await tool(cluster, 'topics', ['--list'])).split('\n')).toContain('words');
  await tool(cluster, 'topics', ['--alter', ...topic, '--partitions', '3']);
  const described = () => tool(cluster, 'topics', ['--describe', ...topic]);
  expect(await until('three partitions', described, (text) => text.includes('PartitionCount: 3'))).toMatch(
    /Partition: 2\s+Leader: [123]\s+Replicas: [123],[123],[123]/,
  );
  const entity = ['--entity-type', 'topics', '--entity-name', 'words'];
  await tool(cluster, 'configs', ['--alter', ...entity, '--add-config', 'retention.ms=777000']);
  expect(await tool(cluster, 'configs', ['--describe', ...entity])).toContain('retention.ms=777000');
  await tool(cluster, 'configs', ['--alter', ...entity, '--delete-config', 'retention.ms']);

  // Some in each partition: of one without records the consumer may not know a position to commit when it has read them all.
  const spread = ['--producer-property', 'partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner'];
  await tool(cluster, 'produce', [...topic, ...spread], `${lines(50).join('\n')}\n`);
  const group = ['--group', 'readers'];
  const read = await tool(cluster, 'consume', [...topic, ...group, '--from-beginning', '--max-messages', '50']);
  expect(read.trim().split('\n').sort()).toEqual(lines(50).sort());
  await aboutGroups(cluster, group);
  await tool(cluster, 'topics', ['--delete', ...topic]);
  await until(
    'the topic gone',
    () => tool(cluster, 'topics', ['--list']),
    (text) => !text.includes('words'),
  );
}

async function aboutGroups(cluster: Highwater, group: readonly string[]): Promise<void> {
  expect(await tool(cluster, 'groups', ['--list'])).toContain('readers');
  const rows = table(await tool(cluster, 'groups', ['--describe', ...group])).filter(([name]) => name === 'readers');
  expect(rows.map((cells) => Number(cells[3])).reduce((sum, offset) => sum + offset, 0)).toBe(50);
  expect(rows.map((cells) => Number(cells[5]))).toEqual([0, 0, 0]); // LAG
  const reset = ['--reset-offsets', ...group, '--topic', 'words', '--to-earliest', '--execute'];
  expect(table(await tool(cluster, 'groups', reset)).filter(([name]) => name === 'readers')).toHaveLength(3);
  const again = table(await tool(cluster, 'groups', ['--describe', ...group])).filter(([name]) => name === 'readers');
  expect(again.map((cells) => Number(cells[3]))).toEqual([0, 0, 0]);
  expect(await tool(cluster, 'groups', ['--describe', ...group, '--state'])).toContain('Empty');
  await tool(cluster, 'groups', ['--delete', ...group]);
  expect(await tool(cluster, 'groups', ['--list'])).not.toContain('readers');
}

/** Wire ladder 24: a transaction that hangs, because its partition has its records and its coordinator knows nothing of it. */
async function hanging(cluster: Highwater): Promise<void> {
  const topic = 'hung';
  await tool(cluster, 'topics', ['--create', '--topic', topic, '--partitions', '1', '--replication-factor', '3']);
  const hung = await java('highwater.Hanging', [cluster.bootstrap, topic]);
  expect(hung.status, hung.stderr).toBe(0);
  const { producerId, start } = JSON.parse(hung.stdout) as { producerId: number; start: number };

  const listed = table(await tool(cluster, 'transactions', ['list'])).find(([id]) => id === 'open');
  expect(listed?.[3]).toBe('Ongoing');
  const described = table(await tool(cluster, 'transactions', ['describe', '--transactional-id', 'open']));
  expect(described[1]).toEqual(expect.arrayContaining(['open', 'Ongoing']));
  const at = ['--topic', topic, '--partition', '0'];
  const producers = table(await tool(cluster, 'transactions', ['describe-producers', ...at]));
  expect(producers.find(([id]) => id === String(producerId))?.at(-1)).toBe(String(start));

  const find = ['find-hanging', '--topic', topic, '--max-transaction-timeout', '0'];
  const found = () => tool(cluster, 'transactions', find);
  expect(table(await found()).find((cells) => cells.includes(String(producerId)))).toBeDefined();
  const lso = async () => {
    const { stdout } = await java('highwater.Ends', [cluster.bootstrap, topic]);
    return JSON.parse(stdout) as { lso: number; hw: number };
  };
  expect((await lso()).lso).toBe(start);
  await tool(cluster, 'transactions', ['abort', ...at, '--start-offset', String(start)]);
  const after = await until('the last stable offset past it', lso, (ends) => ends.lso > start);
  expect(after.lso).toBe(after.hw);
}

describe.skipIf('missing' in side).each([2, 1] as const)('transaction.version %i', (transactionVersion) => {
  test(
    'wire ladder 23, 24: everyday tools, and a hanging transaction found and aborted',
    { timeout: LIMIT_MS },
    async () => {
      const config = {
        'transaction.version': String(transactionVersion),
        'offsets.topic.num.partitions': '5',
        'transaction.partition.verification.enable': 'false', // Only so can one hang.
      };
      const cluster = await startHighwater({ config });
      try {
        await everyday(cluster);
        await hanging(cluster);
      } finally {
        await cluster.close();
      }
    },
  );
});
