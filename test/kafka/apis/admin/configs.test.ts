// DescribeConfigs, AlterConfigs and IncrementalAlterConfigs over the wire, and that what was altered holds at once.
import { describe, expect, test } from 'vitest';
import { batchOf, LIST_OFFSETS, listOffsetsBody, PRODUCE, produceBody } from '../../bodies.ts';
import type { Struct } from '../../generic-codec.ts';
import {
  ALTER_CONFIGS,
  aServedCluster,
  BROKER_RESOURCE,
  DESCRIBE_CONFIGS,
  INCREMENTAL_ALTER_CONFIGS,
  TOPIC_RESOURCE,
} from './served-admin.ts';

const { cluster, ask } = aServedCluster({ brokers: 3, config: { 'log.retention.check.interval.ms': 100 } });

const structs = (value: unknown): Struct[] => value as Struct[];
const [SET, DELETE, APPEND, SUBTRACT] = [0, 1, 2, 3];

function described(resourceType: number, resourceName: string, more: Struct = {}): Struct {
  const resource = { resourceType, resourceName, configurationKeys: null, ...more };
  return { resources: [resource], includeSynonyms: true, includeDocumentation: true };
}

async function describeTopic(name: string, version = 4): Promise<Map<unknown, Struct>> {
  const { results } = await ask(DESCRIBE_CONFIGS, version, described(TOPIC_RESOURCE, name));
  const [{ errorCode, configs }] = structs(results) as [Struct];
  expect(errorCode).toBe(0);
  return new Map(structs(configs).map((config) => [config['name'], config]));
}

function incremental(resourceName: string, ...configs: readonly (readonly [string, number, string | null])[]): Struct {
  const changes = configs.map(([name, configOperation, value]) => ({ name, configOperation, value }));
  return { resources: [{ resourceType: TOPIC_RESOURCE, resourceName, configs: changes }], validateOnly: false };
}

async function alter(resourceName: string, ...configs: Parameters<typeof incremental>[1][]): Promise<number[]> {
  const { responses } = await ask(INCREMENTAL_ALTER_CONFIGS, 1, incremental(resourceName, ...configs));
  await cluster().until(() => {
    const end = cluster().sim.controller!.controller.image.endOffset;
    return cluster().sim.brokerIds.every((id) => cluster().sim.broker(id)!.broker.metadataOffset === end);
  });
  return structs(responses).map(({ errorCode }) => errorCode as number);
}

async function produce(topic: string, acks: number, records = batchOf('a')): Promise<Struct> {
  const answer = await ask(PRODUCE, 7, produceBody(acks, records, topic), cluster().leaderOf(topic, 0));
  return structs(structs(answer['responses'])[0]!['partitionResponses'])[0]!;
}

test('wire W-31: a value that is too long to be quoted is refused for what it is, in its own slot', async () => {
  await cluster().createTopic('quoted');
  const configs = [{ name: 'retention.ms', value: 'x'.repeat(32_767) }];
  const resources = ['quoted', 'no-such-topic'].map((resourceName) => {
    return { resourceType: TOPIC_RESOURCE, resourceName, configs };
  });
  const { responses } = await ask(ALTER_CONFIGS, 1, { resources, validateOnly: false });
  expect(structs(responses)).toMatchObject([{ errorCode: 40 }, { errorCode: 3 }]);
});

describe('wire W-88: DescribeConfigs', () => {
  test('no keys and an empty list of them both mean all, as in Kafka', async () => {
    await cluster().createTopic('all-keys');
    const namesOf = async (configurationKeys: string[] | null): Promise<unknown[]> => {
      const answer = await ask(DESCRIBE_CONFIGS, 4, described(TOPIC_RESOURCE, 'all-keys', { configurationKeys }));
      return structs(structs(answer['results'])[0]!['configs']).map(({ name }) => name);
    };
    const all = await namesOf(null);
    expect(all).toContain('retention.ms');
    expect(await namesOf([])).toEqual(all);
  });

  test.each([1, 2, 3, 4])('v%d: the effective settings of a topic, and where they come from', async (version) => {
    const name = `described-${version}`;
    await cluster().createTopic(name, { configs: { 'retention.ms': '60000' } });
    const configs = await describeTopic(name, version);
    expect([...configs.keys()]).toEqual(
      expect.arrayContaining([
        ...['cleanup.policy', 'compression.type', 'retention.ms', 'retention.bytes', 'segment.bytes'],
        ...['max.message.bytes', 'min.insync.replicas', 'message.timestamp.type', 'unclean.leader.election.enable'],
      ]),
    );
    expect(configs.get('retention.ms')).toMatchObject({
      ...{ value: '60000', readOnly: false, configSource: 1, isSensitive: false },
      synonyms: [
        { name: 'retention.ms', value: '60000', source: 1 },
        { name: 'log.retention.ms', value: '604800000', source: 5 },
      ],
      ...(version >= 3 ? { configType: 5 } : {}),
    });
    if (version >= 3) {
      expect(configs.get('cleanup.policy')).toMatchObject({ configType: 7, configSource: 5 });
      expect(configs.get('min.insync.replicas')?.['documentation']).not.toBe('');
      expect(configs.get('min.insync.replicas')).toMatchObject({ value: '1', configSource: 3 });
    }
  });

  test('only the keys asked for; no synonyms and no documentation unless asked for', async () => {
    await cluster().createTopic('keys');
    const keys = ['segment.bytes', 'no.such'];
    const resources = [{ resourceType: TOPIC_RESOURCE, resourceName: 'keys', configurationKeys: keys }];
    const body = { resources, includeSynonyms: false, includeDocumentation: false };
    const { results } = await ask(DESCRIBE_CONFIGS, 4, body);
    expect(structs(results)[0]!['configs']).toMatchObject([
      { name: 'segment.bytes', value: '1073741824', configType: 3, synonyms: [], documentation: null },
    ]);
  });

  test('a broker describes itself, read-only, and nobody else', async () => {
    const { results } = await ask(DESCRIBE_CONFIGS, 4, described(BROKER_RESOURCE, '2'), 2);
    const configs = new Map(structs(structs(results)[0]!['configs']).map((config) => [config['name'], config]));
    expect(configs.get('log.retention.check.interval.ms')).toMatchObject({
      ...{ value: '100', readOnly: true, configSource: 4 },
      synonyms: [{ source: 4 }, { source: 5, value: '300000' }],
    });
    const other = await ask(DESCRIBE_CONFIGS, 4, described(BROKER_RESOURCE, '3'), 2);
    expect(other['results']).toMatchObject([{ errorCode: 42, configs: [] }]);
    const defaults = await ask(DESCRIBE_CONFIGS, 4, described(BROKER_RESOURCE, ''), 2);
    // All brokers go by the same one, because eligible leader replicas hang on it (repl R-119).
    const told = { name: 'min.insync.replicas', value: '1', configSource: 3, readOnly: false };
    expect(defaults['results']).toMatchObject([{ errorCode: 0, configs: [told] }]);
    expect(configs.get('min.insync.replicas')).toMatchObject({ ...told, synonyms: [{ source: 3 }, { source: 5 }] });
  });

  test('an unknown topic is 3, a resource that has none is 42', async () => {
    expect((await ask(DESCRIBE_CONFIGS, 1, described(TOPIC_RESOURCE, 'nope')))['results']).toMatchObject([
      { errorCode: 3 },
    ]);
    for (const type of [8, 16, 32, 77]) {
      const { results } = await ask(DESCRIBE_CONFIGS, 1, described(type, 'x'));
      expect(results).toMatchObject([{ errorCode: 42, resourceType: type, resourceName: 'x' }]);
    }
  });
});

describe('wire W-88: altering', () => {
  test.each([0, 1, 2])('AlterConfigs v%d replaces the whole set', async (version) => {
    const name = `replaced-${version}`;
    await cluster().createTopic(name, { configs: { 'retention.ms': '60000' } });
    const configs = [{ name: 'segment.bytes', value: '2000' }];
    const resources = [{ resourceType: TOPIC_RESOURCE, resourceName: name, configs }];
    const { responses } = await ask(ALTER_CONFIGS, version, { resources, validateOnly: false });
    expect(responses).toEqual([{ errorCode: 0, errorMessage: null, resourceType: TOPIC_RESOURCE, resourceName: name }]);
    const own = cluster().sim.controller!.controller.image.topicNamed(name)!.configs;
    expect(Object.fromEntries(own)).toEqual({ 'segment.bytes': '2000' });
  });

  test.each([0, 1])('IncrementalAlterConfigs v%d edits', async (version) => {
    const name = `edited-${version}`;
    await cluster().createTopic(name, { configs: { 'retention.ms': '60000', 'segment.bytes': '2000' } });
    const changes = [
      ['retention.ms', DELETE, null],
      ['cleanup.policy', APPEND, 'compact'],
      ['cleanup.policy', SUBTRACT, 'delete'],
      ['min.insync.replicas', SET, '2'],
    ] as const;
    const [remove, append, subtract, set] = changes;
    await ask(INCREMENTAL_ALTER_CONFIGS, version, incremental(name, remove, append, set));
    await ask(INCREMENTAL_ALTER_CONFIGS, version, incremental(name, subtract));
    const own = cluster().sim.controller!.controller.image.topicNamed(name)!.configs;
    expect(Object.fromEntries(own)).toEqual({
      ...{ 'segment.bytes': '2000', 'cleanup.policy': 'compact', 'min.insync.replicas': '2' },
    });
  });

  test('errors: 40 unknown setting, 42 no value, no such operation or another resource, 3 unknown topic', async () => {
    await cluster().createTopic('refusing');
    expect(await alter('refusing', ['no.such', SET, '1'])).toEqual([40]);
    expect(await alter('refusing', ['retention.ms', SET, null])).toEqual([42]);
    expect(await alter('refusing', ['retention.ms', 9, '1'])).toEqual([42]);
    expect(await alter('nope', ['retention.ms', SET, '1'])).toEqual([3]);
    const configs = [{ name: 'num.partitions', value: '2' }];
    const resources = [{ resourceType: BROKER_RESOURCE, resourceName: '1', configs }];
    const { responses } = await ask(ALTER_CONFIGS, 2, { resources, validateOnly: false });
    expect(responses).toMatchObject([{ errorCode: 42, resourceType: BROKER_RESOURCE, resourceName: '1' }]);
  });
});

describe('settings hold from the moment they are in force', () => {
  test('min.insync.replicas: raised above the replicas in sync acks=all is refused, lowered it is taken', async () => {
    await cluster().createTopic('min-isr', { replicas: 1 });
    expect(await produce('min-isr', -1)).toMatchObject({ errorCode: 0 });
    await cluster().createTopic('min-isr-2', { replicas: 2 });
    const follower = cluster().sim.brokerIds.find((id) => {
      const { replicas, leader } = cluster().sim.controller!.controller.image.topicNamed('min-isr-2')!.partitions[0]!;
      return replicas.includes(id) && id !== leader;
    })!;
    cluster().kill(follower);
    const isr = () => cluster().sim.controller!.controller.image.topicNamed('min-isr-2')!.partitions[0]!.isr.length;
    await cluster().until(() => isr() === 1);
    await alterLive('min-isr-2', ['min.insync.replicas', SET, '2']);
    expect(await produce('min-isr-2', -1)).toMatchObject({ errorCode: 19 });
    await alterLive('min-isr-2', ['min.insync.replicas', DELETE, null]);
    expect(await produce('min-isr-2', -1)).toMatchObject({ errorCode: 0 });
    await cluster().restart(follower);
  });

  /** As `alter`, while a broker is dead. */
  async function alterLive(name: string, ...configs: Parameters<typeof incremental>[1][]): Promise<void> {
    const leader = cluster().leaderOf(name, 0);
    await ask(INCREMENTAL_ALTER_CONFIGS, 1, incremental(name, ...configs), leader);
    const { broker } = cluster().sim.broker(leader)!;
    await cluster().until(() => broker.metadataOffset === cluster().sim.controller!.controller.image.endOffset);
  }

  test('max.message.bytes: 10', async () => {
    await cluster().createTopic('small');
    await alter('small', ['max.message.bytes', SET, '80']);
    expect(await produce('small', 1, batchOf('x'.repeat(100)))).toMatchObject({ errorCode: 10 });
    await alter('small', ['max.message.bytes', SET, '1000']);
    expect(await produce('small', 1, batchOf('x'.repeat(100)))).toMatchObject({ errorCode: 0 });
  });

  test('segment.bytes: 18 above, and segments roll', async () => {
    await cluster().createTopic('segments');
    await alter('segments', ['segment.bytes', SET, '100']);
    expect(await produce('segments', 1, batchOf('x'.repeat(100)))).toMatchObject({ errorCode: 18 });
    expect(await produce('segments', 1)).toMatchObject({ errorCode: 0 });
  });

  test('message.timestamp.type: the broker stamps', async () => {
    await cluster().createTopic('stamped');
    expect(await produce('stamped', 1)).toMatchObject({ logAppendTimeMs: -1 });
    await alter('stamped', ['message.timestamp.type', SET, 'LogAppendTime']);
    expect((await produce('stamped', 1))['logAppendTimeMs']).toBeGreaterThan(1_700_000_000_000);
  });

  test('cleanup.policy: a compacted topic refuses records without a key', async () => {
    await cluster().createTopic('compacted');
    await alter('compacted', ['cleanup.policy', SET, 'compact']);
    expect(await produce('compacted', 1)).toMatchObject({ errorCode: 87 });
    await alter('compacted', ['cleanup.policy', SET, 'delete']);
    expect(await produce('compacted', 1)).toMatchObject({ errorCode: 0 });
  });

  test('retention.ms and retention.bytes: old segments go, on every replica', async () => {
    await cluster().createTopic('kept', { configs: { 'segment.bytes': '100', 'retention.ms': '-1' } });
    for (let i = 0; i < 5; i++) await produce('kept', -1);
    const starts = () =>
      cluster().sim.brokerIds.map((id) => {
        let start = -1;
        const request = { topic: 'kept', partition: 0, fromOffset: -1, maxBatches: 0 };
        cluster()
          .sim.broker(id)!
          .api.describeReplicas(request, ({ replicas }) => {
            start = replicas[0]!.logStartOffset;
          });
        return start;
      });
    cluster().skip(1000);
    expect(starts()).toEqual([0, 0, 0]);
    await alter('kept', ['retention.bytes', SET, '150']);
    await cluster().until(() => starts().every((start) => start === 2));
    await alter('kept', ['retention.ms', SET, '1000']); // The records are years old.
    await cluster().until(() => starts().every((start) => start === 5));
    const earliest = listOffsetsBody(-2, {
      topics: [{ name: 'kept', partitions: [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp: -2 }] }],
    });
    const listed = await ask(LIST_OFFSETS, 7, earliest, cluster().leaderOf('kept', 0));
    expect(structs(structs(listed['topics'])[0]!['partitions'])[0]).toMatchObject({ offset: 5 });
  });
});
