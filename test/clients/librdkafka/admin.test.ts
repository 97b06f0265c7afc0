// Administration by confluent-kafka-python against real processes (wire section 14, step 17).
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installed, PYTHON, run } from '../run-client.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';

let cluster: Highwater;
beforeAll(async () => {
  cluster = await startHighwater({ config: { 'offsets.topic.num.partitions': '5' } });
});
afterAll(() => cluster.close());

async function script(name: string, topic: string): Promise<unknown> {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout, stderr } = await run(PYTHON, [path, cluster.bootstrap, topic]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.skipIf(!installed.confluentKafka)(
  'wire ladder 17: confluent-kafka-python creates, describes, alters, grows and deletes',
  async () => {
    expect(await script('confluent-admin.py', 'seventeen')).toEqual({
      validated: { seventeen: null },
      created: { seventeen: null },
      again: { seventeen: 'TOPIC_ALREADY_EXISTS' },
      byHand: { 'seventeen-by-hand': null },
      settings: { 'retention.ms': '60000', 'cleanup.policy': 'delete' },
      altered: { seventeen: null },
      unknownSetting: { seventeen: 'INVALID_CONFIG' },
      settingsAfter: { 'retention.ms': '604800000', 'min.insync.replicas': '2' }, // Replaced as a whole.
      broker: '5',
      grown: { seventeen: null },
      notGrown: { seventeen: 'INVALID_PARTITIONS' },
      partitions: 4,
      deleted: { seventeen: null },
      deletedAgain: { seventeen: 'UNKNOWN_TOPIC_OR_PART' },
      left: ['seventeen-by-hand'],
    });
  },
);

test.skipIf(!installed.confluentKafka)(
  'wire ladder 17: a topic recreated under a running consumer: it refreshes and goes on from the start of the new one',
  async () => {
    const values = (letter: string, count: number) => Array.from({ length: count }, (_, i) => [i, `${letter}${i}`]);
    expect(await script('recreated-topic.py', 'recreated')).toMatchObject({
      before: values('a', 10),
      after: values('b', 4),
    });
  },
);
