// kafka-python as a member of a group and as administrator, against real processes (wire section 14, step 7). What it does as
// a plain client is in suite.ts.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installed, kcat, PYTHON, run } from '../run-client.ts';
import { autoCreate } from '../topics.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';

let cluster: Highwater;
beforeAll(async () => {
  cluster = await startHighwater({
    config: { 'offsets.topic.num.partitions': '5', 'num.partitions': '2', 'default.replication.factor': '3' },
  });
});
afterAll(() => cluster.close());

async function script(name: string, ...args: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout, stderr } = await run(PYTHON, [path, cluster.bootstrap, ...args]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.skipIf(!installed.kafkaPython || !installed.kcat)(
  'wire ladder 7: kafka-python joins, commits and leaves at the lowest versions; the next reads on',
  async () => {
    await autoCreate(cluster.ports[0]!, 'seven');
    const sent = Array.from({ length: 20 }, (_, i) => `m${i}`);
    for (const partition of [0, 1]) {
      const lines = sent.filter((_, i) => i % 2 === partition).map((value) => `${value}\n`);
      await kcat(cluster.bootstrap, ['-P', '-t', 'seven', '-p', String(partition), '-X', 'acks=all'], lines.join(''));
    }
    const [first, second] = (await script('kafka-python-group.py', 'ladder-7', 'seven', '8', '12')) as string[][];
    expect([first!.length, second!.length]).toEqual([8, 12]);
    expect([...first!, ...second!].sort()).toEqual(sent.sort());
  },
);

test.skipIf(!installed.kafkaPython)(
  'wire ladder 7: kafka-python creates, describes, alters, grows and deletes',
  async () => {
    expect(await script('kafka-python-admin.py', 'managed')).toEqual({
      created: null,
      again: 'TopicAlreadyExistsError',
      listed: true,
      settings: { 'segment.bytes': '1000000', 'cleanup.policy': 'delete' },
      altered: null,
      settingsAfter: { 'retention.ms': '5000', 'segment.bytes': '1073741824' }, // Replaced as a whole.
      grown: null,
      partitions: 3,
      brokers: [1, 2, 3],
      groups: expect.any(Array) as unknown, // Those of other tests.
      deleted: null,
      deletedAgain: 'UnknownTopicOrPartitionError',
    });
  },
);
