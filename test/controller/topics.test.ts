// Creating, placing and deleting topics, and every refusal with its sentence (wire W-78, W-79, repl R-85).
import { describe, expect, test } from 'vitest';
import { PlacementLoad } from '../../src/controller/placement.ts';
import { bringUp, createTopic, heartbeat, newTopic, partitionOf, register, registration, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

function threeBrokers(config: Readonly<Record<string, unknown>> = {}): Desk {
  const desk = new Desk({ config }).start();
  bringUp(desk, 1, 2, 3);
  return desk;
}

const replicasOf = (desk: Desk, topic: string): (readonly number[])[] =>
  desk.controller.image.topicNamed(topic)!.partitions.map(({ replicas }) => replicas);

describe('wire W-78: CreateTopics', () => {
  test('a topic is created whole, in one batch, with an id of its own', () => {
    const desk = threeBrokers();
    const from = desk.controller.image.endOffset;
    const answer = createTopic(desk, 'orders', {
      partitions: 2,
      replicationFactor: 3,
      configs: { 'segment.ms': '30s' },
    });
    expect(answer).toMatchObject({
      error: 'NONE',
      errorMessage: '',
      numPartitions: 2,
      replicationFactor: 3,
      warnings: [],
    });
    const kinds = desk
      .readLog(from)
      .records()
      .map((record) => Object.keys(record)[0]);
    expect(kinds).toEqual(['topic', 'config', 'partition', 'partition']);
    const topic = desk.controller.image.topicNamed('orders')!;
    expect(topic.topicId).toBe(answer.topicId);
    expect([...topic.configs]).toEqual([['segment.ms', '30000']]);
  });

  test('repl R-85: the first leader is the first active replica, the ISR the active ones, both epochs 0', () => {
    const desk = threeBrokers();
    heartbeat(desk, 1, { wantFence: true });
    createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
    expect(state(desk, 'orders')).toBe('2/0/0 [2,3]');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 2, leaderEpoch: 0, reason: 'created' });
  });

  test('-1 means the cluster’s defaults', () => {
    const desk = threeBrokers({ 'num.partitions': '4', 'default.replication.factor': '2' });
    expect(createTopic(desk, 'orders', {})).toMatchObject({ error: 'NONE', numPartitions: 4, replicationFactor: 2 });
  });

  test('settings of Kafka that mean nothing here are kept, the longest time of all as for ever', () => {
    const configs = { 'flush.messages': '9223372036854775807', 'min.compaction.lag.ms': '5', preallocate: 'true' };
    const desk = threeBrokers();
    expect(createTopic(desk, 'orders', { configs })).toMatchObject({ error: 'NONE' });
    const kept = [...desk.controller.image.topicNamed('orders')!.configs];
    expect(kept).toEqual([
      ['flush.messages', String(Number.MAX_SAFE_INTEGER)],
      ['min.compaction.lag.ms', '5'],
      ['preallocate', 'true'],
    ]);
  });

  const bad: [string, Parameters<typeof newTopic>, string, string][] = [
    ['empty name', ['', { partitions: 1 }], 'INVALID_TOPIC_EXCEPTION', 'must not be empty'],
    ['dots', ['..', { partitions: 1 }], 'INVALID_TOPIC_EXCEPTION', 'must not be ".."'],
    ['bad characters', ['a/b', { partitions: 1 }], 'INVALID_TOPIC_EXCEPTION', '"a/b" may contain only'],
    ['too long', ['x'.repeat(250), { partitions: 1 }], 'INVALID_TOPIC_EXCEPTION', 'this one has 250'],
    ['exists', ['known.topic', { partitions: 1 }], 'TOPIC_ALREADY_EXISTS', 'topic "known.topic" exists'],
    ['collides', ['known_topic', { partitions: 1 }], 'INVALID_TOPIC_EXCEPTION', 'collides with topic "known.topic"'],
    ['unknown setting', ['t', { configs: { colour: 'blue' } }], 'INVALID_CONFIG', 'unknown topic setting "colour"'],
    ['bad setting', ['t', { configs: { 'min.insync.replicas': '0' } }], 'INVALID_CONFIG', 'must be at least 1'],
    ['beyond a long', ['t', { configs: { 'flush.ms': '9223372036854775808' } }], 'INVALID_CONFIG', 'a whole number'],
    ['no partitions', ['t', { partitions: 0, replicationFactor: 1 }], 'INVALID_PARTITIONS', 'at least 1'],
    ['no replicas', ['t', { partitions: 1, replicationFactor: 0 }], 'INVALID_REPLICATION_FACTOR', 'at least 1'],
    ['too many at once', ['t', { partitions: 10_001, replicationFactor: 1 }], 'POLICY_VIOLATION', '10001 partitions'],
    ['both forms', ['t', { partitions: 1, replicas: [[1]] }], 'INVALID_REQUEST', 'manual assignment'],
    [
      'nobody in a partition',
      ['t', { replicas: [[1], []] }],
      'INVALID_REPLICA_ASSIGNMENT',
      'partition 1: it has no brokers',
    ],
    ['broker twice', ['t', { replicas: [[1, 1]] }], 'INVALID_REPLICA_ASSIGNMENT', 'named twice'],
    ['unknown broker', ['t', { replicas: [[1, 8]] }], 'INVALID_REPLICA_ASSIGNMENT', 'broker 8 is not registered'],
    [
      'unequal',
      ['t', { replicas: [[1, 2], [1]] }],
      'INVALID_REPLICA_ASSIGNMENT',
      'has 1 brokers, but partition 0 has 2',
    ],
  ];
  test.each(bad)('%s', (_what, [name, wish], error, sentence) => {
    const desk = threeBrokers();
    createTopic(desk, 'known.topic', { partitions: 1, replicationFactor: 1 });
    const end = desk.controller.image.endOffset;
    const answer = createTopic(desk, name, wish!);
    expect(answer).toMatchObject({ name, error, topicId: '', numPartitions: -1, replicationFactor: -1 });
    expect(answer.errorMessage).toContain(sentence);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('a replication factor above the live brokers says what there is and what to type', () => {
    const desk = threeBrokers();
    const wish = { partitions: 1, replicationFactor: 5 };
    expect(createTopic(desk, 'orders', wish)).toMatchObject({
      error: 'INVALID_REPLICATION_FACTOR',
      errorMessage:
        'replication factor 5 needs 5 brokers; 3 are registered (1, 2, 3). Use 3, or: highwater up --brokers 5',
    });
    heartbeat(desk, 3, { wantFence: true });
    expect(createTopic(desk, 'orders', { ...wish, replicationFactor: 3 }).errorMessage).toBe(
      'replication factor 3 needs 3 brokers; 2 of 3 registered are alive (1, 2). Use 2, or: highwater up --brokers 3',
    );
  });

  test('repl R-85: with nobody active the creation fails', () => {
    const desk = new Desk().start();
    register(desk, 1);
    expect(createTopic(desk, 'orders', { replicas: [[1]] })).toMatchObject({ error: 'INVALID_REPLICA_ASSIGNMENT' });
    expect(createTopic(desk, 'orders', { partitions: 1, replicationFactor: 1 })).toMatchObject({
      error: 'INVALID_REPLICATION_FACTOR',
      errorMessage:
        'replication factor 1 needs 1 brokers; 0 of 1 registered are alive. Start brokers, or: highwater up --brokers 1',
    });
  });

  test('min.insync.replicas above the replication factor is a note, not an error', () => {
    const desk = threeBrokers();
    const wish = { partitions: 1, replicationFactor: 2, configs: { 'min.insync.replicas': '3' } };
    expect(createTopic(desk, 'orders', wish)).toMatchObject({
      error: 'NONE',
      warnings: [
        'min.insync.replicas 3 exceeds replication factor 2: ' +
          'Kafka 4 acts as if it were 2, older ones refuse acks=all',
      ],
    });
  });

  test('a name twice in a request is INVALID_REQUEST for both; the others go on', () => {
    const desk = threeBrokers();
    const topics = ['a', 'b', 'a'].map((name) => newTopic(name, { partitions: 1, replicationFactor: 1 }));
    const answer = desk.call('CreateTopics', { topics, validateOnly: false });
    expect(answer.topics.map(({ name, error }) => [name, error])).toEqual([
      ['a', 'INVALID_REQUEST'],
      ['b', 'NONE'],
      ['a', 'INVALID_REQUEST'],
    ]);
  });

  test('validateOnly judges and changes nothing', () => {
    const desk = threeBrokers();
    const end = desk.controller.image.endOffset;
    const topics = [newTopic('orders', { partitions: 3, replicationFactor: 2 }), newTopic('bad name', {})];
    const answer = desk.call('CreateTopics', { topics, validateOnly: true });
    expect(answer.topics).toMatchObject([
      { error: 'NONE', numPartitions: 3, replicationFactor: 2 },
      { error: 'INVALID_TOPIC_EXCEPTION' },
    ]);
    expect(desk.controller.image.endOffset).toBe(end);
  });
});

describe('placement', () => {
  test('leaders, replicas and successors are spread evenly, and equally every time', () => {
    const place = (): (readonly number[])[] => {
      const desk = threeBrokers();
      createTopic(desk, 'orders', { partitions: 6, replicationFactor: 3 });
      return replicasOf(desk, 'orders');
    };
    expect(place()).toEqual([
      [1, 2, 3],
      [2, 3, 1],
      [3, 1, 2],
      [1, 3, 2],
      [2, 1, 3],
      [3, 2, 1],
    ]);
    expect(place()).toEqual(place());
  });

  test('a second topic goes on where the first one ended', () => {
    const desk = threeBrokers();
    createTopic(desk, 'a', { partitions: 1, replicationFactor: 1 });
    createTopic(desk, 'b', { partitions: 1, replicationFactor: 1 });
    createTopic(desk, 'c', { partitions: 1, replicationFactor: 1 });
    expect(['a', 'b', 'c'].map((topic) => partitionOf(desk, topic).leader)).toEqual([1, 2, 3]);
  });

  test('no broker carries more than one leader or one replica above another', () => {
    for (const [brokers, factor, partitions] of [
      [3, 1, 7],
      [4, 2, 10],
      [5, 3, 23],
      [7, 4, 40],
    ] as const) {
      const ids = Array.from({ length: brokers }, (_, i) => i + 1);
      const load = new PlacementLoad(new Desk().controller.image);
      const placed = Array.from({ length: partitions }, () => load.place(ids, factor));
      const spread = (counts: number[]): number => Math.max(...counts) - Math.min(...counts);
      expect(spread(ids.map((id) => placed.filter(([leader]) => leader === id).length))).toBeLessThanOrEqual(1);
      expect(spread(ids.map((id) => placed.filter((replicas) => replicas.includes(id)).length))).toBeLessThanOrEqual(1);
      expect(placed.every((replicas) => new Set(replicas).size === factor)).toBe(true);
    }
  });

  describe('brokers in racks', () => {
    /** Placements of one topic on brokers 1 and up, in these racks. */
    function place(racks: readonly string[], partitions: number, replicationFactor: number): (readonly number[])[] {
      const desk = new Desk().start();
      for (const [at, rack] of racks.entries()) {
        desk.call('BrokerRegistration', { ...registration(at + 1, `p${at}`), rack });
        heartbeat(desk, at + 1);
      }
      createTopic(desk, 'orders', { partitions, replicationFactor });
      return replicasOf(desk, 'orders');
    }

    test('a partition is in as many racks as it has replicas, and leaders and replicas are spread evenly', () => {
      const racks = ['a', 'a', 'b', 'b', 'c', 'c'];
      const placed = place(racks, 12, 3);
      for (const replicas of placed) expect(new Set(replicas.map((id) => racks[id - 1])).size).toBe(3);
      for (const id of [1, 2, 3, 4, 5, 6]) {
        expect(placed.filter(([leader]) => leader === id)).toHaveLength(2);
        expect(placed.filter((replicas) => replicas.includes(id))).toHaveLength(6);
      }
    });

    test('without enough racks each is used alike, before any is used once more', () => {
      const racks = ['a', 'a', 'b', 'b'];
      const inRack = (replicas: readonly number[], rack: string): number =>
        replicas.filter((id) => racks[id - 1] === rack).length;
      for (const replicas of place(racks, 8, 3)) expect(inRack(replicas, 'a') * inRack(replicas, 'b')).toBe(2);
      for (const replicas of place(racks, 8, 4)) expect([...replicas].sort()).toEqual([1, 2, 3, 4]);
    });

    test('racks count alike, whatever their sizes: the only broker of one carries its part', () => {
      const placed = place(['a', 'a', 'a', 'b'], 6, 2);
      expect(placed.every((replicas) => replicas.includes(4))).toBe(true);
      expect(placed.filter(([leader]) => leader === 4)).toHaveLength(3);
      for (const id of [1, 2, 3]) expect(placed.filter((replicas) => replicas.includes(id))).toHaveLength(2);
    });

    test('those without one are one rack', () => {
      for (const replicas of place(['', '', 'b'], 4, 2)) expect(replicas).toContain(3);
    });
  });

  test('fenced brokers get no replicas', () => {
    const desk = threeBrokers();
    heartbeat(desk, 2, { wantFence: true });
    createTopic(desk, 'orders', { partitions: 2, replicationFactor: 2 });
    expect(replicasOf(desk, 'orders')).toEqual([
      [1, 3],
      [3, 1],
    ]);
  });
});

describe('wire W-79: DeleteTopics', () => {
  test('a topic is gone with its partitions; created again it has another id (repl R-115)', () => {
    const desk = threeBrokers();
    const first = createTopic(desk, 'orders', { partitions: 2, replicationFactor: 2, configs: { 'segment.ms': '1' } });
    expect(desk.call('DeleteTopics', { names: ['orders'], topicIds: [] }).topics).toEqual([
      { name: 'orders', topicId: first.topicId, error: 'NONE', errorMessage: '' },
    ]);
    expect(desk.controller.image.topicNamed('orders')).toBeUndefined();
    expect([...desk.controller.image.partitions()]).toEqual([]);
    const second = createTopic(desk, 'orders', { partitions: 1, replicationFactor: 1 });
    expect(second.topicId).not.toBe(first.topicId);
    expect(desk.controller.image.topicNamed('orders')!.configs.size).toBe(0);
  });

  test('unknown, and named twice', () => {
    const desk = threeBrokers();
    createTopic(desk, 'orders', { partitions: 1, replicationFactor: 1 });
    const answer = desk.call('DeleteTopics', { names: ['orders', 'nope', 'orders'], topicIds: [] });
    expect(answer.topics.map(({ error, errorMessage }) => [error, errorMessage])).toEqual([
      ['INVALID_REQUEST', 'the request names topic "orders" more than once'],
      ['UNKNOWN_TOPIC_OR_PARTITION', 'no topic "nope"'],
      ['INVALID_REQUEST', 'the request names topic "orders" more than once'],
    ]);
  });
});
