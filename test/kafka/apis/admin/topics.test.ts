// CreateTopics, DeleteTopics and CreatePartitions over the wire, asked of a broker that is not the controller.
import { describe, expect, test } from 'vitest';
import { FETCH, fetchBody, fetchPartition, METADATA, metadataBody, NO_ID } from '../../bodies.ts';
import type { Struct } from '../../generic-codec.ts';
import {
  aServedCluster,
  CREATE_PARTITIONS,
  CREATE_TOPICS,
  creation,
  DELETE_TOPICS,
  deletion,
  newTopic,
} from './served-admin.ts';

const { cluster, ask } = aServedCluster({
  brokers: 3,
  config: { 'num.partitions': 2, 'default.replication.factor': 3 },
});

const structs = (value: unknown): Struct[] => value as Struct[];

async function create(version: number, topics: readonly Struct[], more: Struct = {}): Promise<Struct[]> {
  return structs((await ask(CREATE_TOPICS, version, creation(topics, more)))['topics']);
}

describe('wire W-78: CreateTopics', () => {
  test.each([2, 3, 4, 5, 6, 7])('v%d: numbers, defaults, and what the version returns', async (version) => {
    const name = `created-${version}`;
    const configs = [{ name: 'retention.ms', value: '5000' }];
    const [topic] = await create(version, [newTopic(name, { configs })]);
    expect(topic).toMatchObject({ name, errorCode: 0, errorMessage: null });
    const image = () => cluster().sim.controller!.controller.image.topicNamed(name)!;
    expect(image().partitions.map(({ replicas }) => replicas.length)).toEqual([3, 3]);
    if (version < 5) return;
    expect(topic).toMatchObject({ numPartitions: 2, replicationFactor: 3 });
    const returned = new Map(structs(topic!['configs']).map((config) => [config['name'], config]));
    expect(returned.get('retention.ms')).toEqual({
      ...{ name: 'retention.ms', value: '5000', readOnly: false, configSource: 1, isSensitive: false },
    });
    expect(returned.get('cleanup.policy')).toMatchObject({ value: 'delete', configSource: 5 });
    if (version >= 7) expect(topic!['topicId']).toBe(image().topicId);
  });

  test('a manual assignment, its entries in any order', async () => {
    const assignments = [
      { partitionIndex: 1, brokerIds: [3, 1] },
      { partitionIndex: 0, brokerIds: [2, 3] },
    ];
    const [topic] = await create(7, [newTopic('by-hand', { assignments })]);
    expect(topic).toMatchObject({ errorCode: 0, numPartitions: 2, replicationFactor: 2 });
    const { partitions } = cluster().sim.controller!.controller.image.topicNamed('by-hand')!;
    expect(partitions.map(({ replicas }) => replicas)).toEqual([
      [2, 3],
      [3, 1],
    ]);
  });

  test('named twice is nothing created, also where only one of the two could be', async () => {
    const bad = newTopic('half-good', { configs: [{ name: 'retention.ms', value: null }] });
    const gap = newTopic('half-good', { assignments: [{ partitionIndex: 1, brokerIds: [1] }] });
    for (const topics of [
      [bad, newTopic('half-good')],
      [newTopic('half-good'), gap],
      [bad, gap],
    ]) {
      expect(await create(7, topics)).toMatchObject([{ name: 'half-good', errorCode: 42 }]);
    }
    expect(cluster().sim.controller!.controller.image.topicNamed('half-good')).toBeUndefined();
  });

  test('a bad name is what is told of a topic that has more wrong with it', async () => {
    const configs = [{ name: 'retention.ms', value: null }];
    expect(await create(7, [newTopic('no good', { configs })])).toMatchObject([{ errorCode: 17 }]);
  });

  test("what has more wrong with it is told of in Kafka's order: name, existence, settings, placement", async () => {
    await create(7, [newTopic('stands.here')]);
    const configs = [
      { name: 'retention.ms', value: null },
      { name: 'segment.ms', value: null },
    ];
    const wrong = { configs, assignments: [{ partitionIndex: 1, brokerIds: [1] }] };
    const unsure = { ...wrong, configs: [{ name: 'no.such', value: '1' }] };
    const mixed = { assignments: wrong.assignments, numPartitions: 1 };
    const answers = await create(7, [
      ...[newTopic('stands.here', wrong), newTopic('stands_here', wrong), newTopic('null-and-gap', wrong)],
      ...[newTopic('unknown-and-gap', unsure), newTopic('mixed-and-gap', mixed)],
    ]);
    expect(answers.map(({ name, errorCode }) => [name, errorCode])).toEqual([
      ['stands.here', 36],
      ['stands_here', 17],
      ['null-and-gap', 40],
      ['unknown-and-gap', 40],
      ['mixed-and-gap', 42],
    ]);
    expect(answers[2]!['errorMessage']).toContain('settings without a value: retention.ms, segment.ms');
  });

  test('errors, each of its topic alone', async () => {
    await create(7, [newTopic('there.is')]);
    const gap = [0, 2].map((partitionIndex) => ({ partitionIndex, brokerIds: [1] }));
    const topics = [
      newTopic('there.is'),
      newTopic('there_is'),
      newTopic('no good'),
      newTopic('twice'),
      newTopic('twice'),
      newTopic('config-1', { configs: [{ name: 'no.such', value: '1' }] }),
      newTopic('config-2', { configs: [{ name: 'retention.ms', value: 'long' }] }),
      newTopic('config-3', { configs: [{ name: 'retention.ms', value: null }] }),
      newTopic('none', { numPartitions: 0 }),
      newTopic('too-many-replicas', { numPartitions: 1, replicationFactor: 4 }),
      newTopic('both-forms', { numPartitions: 1, assignments: [{ partitionIndex: 0, brokerIds: [1] }] }),
      newTopic('unknown-broker', { assignments: [{ partitionIndex: 0, brokerIds: [9] }] }),
      newTopic('gap', { assignments: gap }),
      newTopic('good'),
    ];
    const answers = await create(7, topics);
    expect(answers.map(({ name, errorCode }) => [name, errorCode])).toEqual([
      ...[
        ['there.is', 36],
        ['there_is', 17],
        ['no good', 17],
        ['twice', 42],
      ],
      ...[
        ['config-1', 40],
        ['config-2', 40],
        ['config-3', 40],
        ['none', 37],
        ['too-many-replicas', 38],
      ],
      ...[
        ['both-forms', 42],
        ['unknown-broker', 39],
        ['gap', 39],
        ['good', 0],
      ],
    ]);
    for (const { errorCode, errorMessage } of answers) expect(errorMessage === null).toBe(errorCode === 0);
  });

  test('validateOnly changes nothing and says what there would be', async () => {
    const [topic] = await create(7, [newTopic('only-validated')], { validateOnly: true });
    expect(topic).toMatchObject({ errorCode: 0, numPartitions: 2, replicationFactor: 3, topicId: NO_ID });
    expect(cluster().sim.controller!.controller.image.topicNamed('only-validated')).toBeUndefined();
  });
});

describe('wire W-79: DeleteTopics', () => {
  test.each([1, 2, 3, 4, 5, 6])('v%d: by name', async (version) => {
    const name = `deleted-${version}`;
    const topicId = await cluster().createTopic(name);
    const { responses } = await ask(DELETE_TOPICS, version, deletion([name, 'nope']));
    expect(responses).toMatchObject([
      { name, errorCode: 0 },
      { name: 'nope', errorCode: 3 },
    ]);
    if (version >= 6) expect(structs(responses)[0]!['topicId']).toBe(topicId);
    expect(cluster().sim.controller!.controller.image.topicNamed(name)).toBeUndefined();
  });

  test('v6: by id, which means that topic and not its successor; the successor has another id', async () => {
    const topicId = await cluster().createTopic('recreated');
    const first = await ask(DELETE_TOPICS, 6, deletion([], [topicId]));
    expect(first['responses']).toMatchObject([{ name: 'recreated', topicId, errorCode: 0, errorMessage: null }]);
    const again = await cluster().createTopic('recreated');
    expect(again).not.toBe(topicId);
    const late = await ask(DELETE_TOPICS, 6, deletion([], [topicId]));
    expect(late['responses']).toMatchObject([{ name: null, topicId, errorCode: 100 }]);
    const fetch = async (id: string) => {
      const topics = [{ topic: '', topicId: id, partitions: [fetchPartition()] }];
      const answer = await ask(FETCH, 13, fetchBody({ topics }), cluster().leaderOf('recreated', 0));
      return structs(structs(answer['responses'])[0]!['partitions'])[0]!['errorCode'];
    };
    expect([await fetch(topicId), await fetch(again)]).toEqual([100, 0]); // Wire ladder 17.
    expect(cluster().sim.controller!.controller.image.topicNamed('recreated')?.topicId).toBe(again);
  });

  test('v6: both, neither and the same topic twice (answered once) are error 42; the rest goes on', async () => {
    const topicId = await cluster().createTopic('contradicted');
    await cluster().createTopic('other');
    const topics = [
      { name: 'contradicted', topicId },
      { name: null, topicId: NO_ID },
      { name: 'contradicted', topicId: NO_ID },
      { name: null, topicId },
      { name: 'other', topicId: NO_ID },
    ];
    const { responses } = await ask(DELETE_TOPICS, 6, { topics, timeoutMs: 1000 });
    expect(structs(responses).map(({ errorCode }) => errorCode)).toEqual([42, 42, 42, 0]);
  });
});

describe('wire W-102: CreatePartitions', () => {
  const more = (name: string, count: number, assignments: readonly (readonly number[])[] | null = null): Struct => ({
    ...{ name, count },
    assignments: assignments === null ? null : assignments.map((ids) => ({ brokerIds: [...ids] })),
  });

  test.each([0, 1, 2, 3])('v%d: new partitions have leaders, and every broker tells of them', async (version) => {
    const name = `grown-${version}`;
    await cluster().createTopic(name, { replicas: 2 });
    const { results } = await ask(
      CREATE_PARTITIONS,
      version,
      creation([
        more(name, 3, [
          [3, 2],
          [1, 2],
        ]),
      ]),
    );
    expect(results).toEqual([{ name, errorCode: 0, errorMessage: null }]);
    await cluster().until(() => cluster().sim.isLed(name));
    const seen = await Promise.all(cluster().sim.brokerIds.map((id) => ask(METADATA, 7, metadataBody([name]), id)));
    for (const answer of seen) {
      const { partitions } = structs(answer['topics'])[0]!;
      const leaders = structs(partitions).map(({ errorCode, leaderId }) => [errorCode, leaderId]);
      expect(leaders.slice(1)).toEqual([
        [0, 3],
        [0, 1],
      ]);
    }
  });

  test('errors and validateOnly', async () => {
    await cluster().createTopic('fixed', { replicas: 2 });
    const topics = [more('fixed', 1), more('nope', 2), more('twice', 2), more('twice', 3)];
    const { results } = await ask(CREATE_PARTITIONS, 3, creation(topics));
    expect(structs(results).map(({ errorCode }) => errorCode)).toEqual([37, 3, 42]);
    const short = await ask(CREATE_PARTITIONS, 3, creation([more('fixed', 3, [[1, 2]])]));
    expect(short['results']).toMatchObject([{ errorCode: 39 }]);
    const validated = await ask(CREATE_PARTITIONS, 3, creation([more('fixed', 3)], { validateOnly: true }));
    expect(validated['results']).toMatchObject([{ errorCode: 0 }]);
    expect(cluster().sim.controller!.controller.image.topicNamed('fixed')!.partitions).toHaveLength(1);
  });
});
