// DeleteRecords, DescribeCluster, ElectLeaders, DescribeLogDirs and ListPartitionReassignments over the wire, and what is
// said while there is no controller.
import { describe, expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../../../src/base/units.ts';
import { batchOf, FETCH, fetchBody, fetchPartition, PRODUCE, produceBody } from '../../bodies.ts';
import type { Struct } from '../../generic-codec.ts';
import {
  ALTER_PARTITION_REASSIGNMENTS,
  aServedCluster,
  CREATE_TOPICS,
  creation,
  DELETE_RECORDS,
  DESCRIBE_CLUSTER,
  DESCRIBE_LOG_DIRS,
  ELECT_LEADERS,
  LIST_PARTITION_REASSIGNMENTS,
  newTopic,
} from './served-admin.ts';

const { cluster, ask } = aServedCluster();

const structs = (value: unknown): Struct[] => value as Struct[];

async function written(topic: string, count: number): Promise<number> {
  await cluster().createTopic(topic);
  const leader = cluster().leaderOf(topic, 0);
  for (let i = 0; i < count; i++) await ask(PRODUCE, 7, produceBody(-1, batchOf(`v${i}`), topic), leader);
  return leader;
}

function records(topic: string, offset: number, timeoutMs = 10_000): Struct {
  return { topics: [{ name: topic, partitions: [{ partitionIndex: 0, offset }] }], timeoutMs };
}

const only = (answer: Struct): Struct => structs(structs(answer['topics'])[0]!['partitions'])[0]!;

describe('wire W-101: DeleteRecords', () => {
  test.each([0, 1, 2])(
    'v%d: every replica has followed when it is answered; readers below are out of range',
    async (version) => {
      const topic = `deleted-${version}`;
      const leader = await written(topic, 4);
      const answer = await ask(DELETE_RECORDS, version, records(topic, 3), leader);
      expect(only(answer)).toEqual({ partitionIndex: 0, lowWatermark: 3, errorCode: 0 });
      const fetched = await ask(
        FETCH,
        11,
        fetchBody({ topics: [{ topic, partitions: [fetchPartition({ fetchOffset: 2 })] }] }),
        leader,
      );
      expect(structs(structs(fetched['responses'])[0]!['partitions'])[0]).toMatchObject({ errorCode: 1 });
    },
  );

  test('errors: 3, 6, 1, 17, 44, low watermark -1', async () => {
    const leader = await written('errors', 2);
    const code = async (body: Struct, broker = leader) => {
      const { errorCode, lowWatermark } = only(await ask(DELETE_RECORDS, 2, body, broker));
      if (errorCode !== 0) expect(lowWatermark).toBe(-1);
      return errorCode;
    };
    expect(await code(records('nope', 0))).toBe(3);
    expect(
      await code(
        records('errors', 1),
        cluster().sim.brokerIds.find((id) => id !== leader)!,
      ),
    ).toBe(6);
    expect(await code(records('errors', 3))).toBe(1);
    expect(await code(records('errors', -2))).toBe(1);
    await cluster().createTopic('compact', { configs: { 'cleanup.policy': 'compact' } });
    expect(await code(records('compact', 0), cluster().leaderOf('compact', 0))).toBe(44);
    await cluster().createTopic('__consumer_offsets');
    expect(await code(records('__consumer_offsets', 0))).toBe(17);
    expect(await code(records('errors', -1))).toBe(0);
  });
});

test.each([0, 1])('wire W-89: DescribeCluster v%d', async (version) => {
  const answer = await ask(DESCRIBE_CLUSTER, version, { includeClusterAuthorizedOperations: true, endpointType: 1 });
  expect(answer).toMatchObject({ errorCode: 0, errorMessage: null, controllerId: 1 });
  expect(answer['clusterId']).toBe(cluster().sim.broker(1)!.broker.clusterId);
  expect(answer['clusterAuthorizedOperations']).toBe(-2147483648); // wire W-39
  const byId = structs(answer['brokers']).sort((a, b) => Number(a['brokerId']) - Number(b['brokerId']));
  expect(byId).toEqual(
    [1, 2, 3].map((id) => ({ brokerId: id, host: '127.0.0.1', port: cluster().port(id), rack: null })),
  );
});

test('wire W-89: controllers are asked for in vain, 114; other endpoints do not exist, 115', async () => {
  const ofType = (endpointType: number) =>
    ask(DESCRIBE_CLUSTER, 1, { includeClusterAuthorizedOperations: false, endpointType });
  expect(await ofType(2)).toMatchObject({ errorCode: 114, brokers: [] });
  expect(await ofType(3)).toMatchObject({ errorCode: 115, brokers: [] });
});

describe('repl R-99: ElectLeaders', () => {
  const election = (topicPartitions: Struct[] | null, electionType = 0): Struct => {
    return { electionType, topicPartitions, timeoutMs: 5000 };
  };

  test.each([0, 1, 2])('v%d: the preferred leader takes over; who leads already is told so', async (version) => {
    const topic = `elected-${version}`;
    await cluster().createTopic(topic);
    const [preferred, other] = cluster().sim.controller!.controller.image.topicNamed(topic)!.partitions[0]!.replicas;
    await cluster().call(CONTROLLER_ID, 'ElectLeaders', { type: 'TO', topic, partition: 0, to: other! });
    const asked = [{ topic, partitions: [0, 7] }];
    const answer = await ask(ELECT_LEADERS, version, election(asked));
    if (version >= 1) expect(answer['errorCode']).toBe(0);
    const results = structs(structs(answer['replicaElectionResults'])[0]!['partitionResult']);
    expect(results).toMatchObject([
      { partitionId: 0, errorCode: 0, errorMessage: null },
      { partitionId: 7, errorCode: 3 },
    ]);
    expect(cluster().leaderOf(topic, 0)).toBe(preferred);
    const again = await ask(ELECT_LEADERS, version, election(asked));
    expect(structs(structs(again['replicaElectionResults'])[0]!['partitionResult'])[0]).toMatchObject({
      errorCode: 84,
    });
  });

  test('all partitions: only those that needed it are told of; an unclean one of a led partition is not needed', async () => {
    await cluster().createTopic('one-of-all');
    const { replicas } = cluster().sim.controller!.controller.image.topicNamed('one-of-all')!.partitions[0]!;
    const move = { type: 'TO', topic: 'one-of-all', partition: 0, to: replicas[1]! };
    await cluster().call(CONTROLLER_ID, 'ElectLeaders', move);
    const answer = await ask(ELECT_LEADERS, 2, election(null));
    expect(answer['replicaElectionResults']).toMatchObject([
      { topic: 'one-of-all', partitionResult: [{ errorCode: 0 }] },
    ]);
    const unclean = await ask(ELECT_LEADERS, 2, election([{ topic: 'one-of-all', partitions: [0] }], 1));
    expect(structs(unclean['replicaElectionResults'])[0]!['partitionResult']).toMatchObject([{ errorCode: 84 }]);
    expect(await ask(ELECT_LEADERS, 2, election([], 7))).toMatchObject({ errorCode: 42 });
  });
});

test.each([1, 2, 3, 4])('DescribeLogDirs v%d: sizes of the replicas here', async (version) => {
  const topic = `sized-${version}`;
  await written(topic, 2);
  const asked = { topics: [{ topic, partitions: [0, 9] }] };
  const answer = await ask(DESCRIBE_LOG_DIRS, version, asked);
  const partition = { partitionIndex: 0, partitionSize: 2 * batchOf('v0').length, offsetLag: 0, isFutureKey: false };
  expect(answer['results']).toMatchObject([{ errorCode: 0, topics: [{ name: topic, partitions: [partition] }] }]);
  const all = await ask(DESCRIBE_LOG_DIRS, version, { topics: null });
  expect(structs(structs(all['results'])[0]!['topics']).map(({ name }) => name)).toContain(topic);
});

describe('repl R-107: reassignments', () => {
  const asked = (name: string, partitionIndexes: number[]): Struct => ({
    timeoutMs: 5000,
    topics: [{ name, partitionIndexes }],
  });
  const change = (name: string, partitions: [number, number[] | null][]): Struct => ({
    timeoutMs: 5000,
    topics: [{ name, partitions: partitions.map(([partitionIndex, replicas]) => ({ partitionIndex, replicas })) }],
  });
  const replicasOf = (topic: string) => cluster().sim.controller!.controller.image.topicNamed(topic)!.partitions[0]!;

  test('one is listed while its newcomer is dead, called off, begun again, and done once it lives', async () => {
    await cluster().createTopic('moved', { replicas: 2 });
    const [first, second] = replicasOf('moved').replicas;
    const third = cluster().sim.brokerIds.find((id) => id !== first && id !== second)!;
    // A broker that lives is asked.
    const via = (key: number, body: Struct) => ask(key, 0, body, first);
    cluster().kill(third);
    const begun = await via(ALTER_PARTITION_REASSIGNMENTS, change('moved', [[0, [first!, third]]]));
    expect(begun).toMatchObject({ errorCode: 0, errorMessage: null });
    expect(begun['responses']).toEqual([
      { name: 'moved', partitions: [{ partitionIndex: 0, errorCode: 0, errorMessage: null }] },
    ]);
    const lists = { replicas: [first, third, second], addingReplicas: [third], removingReplicas: [second] };
    const moving = [{ name: 'moved', partitions: [{ partitionIndex: 0, ...lists }] }];
    const all = await via(LIST_PARTITION_REASSIGNMENTS, { timeoutMs: 5000, topics: null });
    expect(all).toMatchObject({ errorCode: 0, errorMessage: null, topics: moving });
    expect((await via(LIST_PARTITION_REASSIGNMENTS, asked('moved', [0, 7])))['topics']).toEqual(moving);
    expect((await via(LIST_PARTITION_REASSIGNMENTS, asked('gone', [0])))['topics']).toEqual([]);

    await via(ALTER_PARTITION_REASSIGNMENTS, change('moved', [[0, null]]));
    expect(replicasOf('moved').replicas).toEqual([first, second]);
    await via(ALTER_PARTITION_REASSIGNMENTS, change('moved', [[0, [first!, third]]]));
    await cluster().restart(third);
    await cluster().until(() => replicasOf('moved').removing.length === 0);
    expect(replicasOf('moved')).toMatchObject({ replicas: [first, third], leader: first });
  });

  test('errors of each partition: 3, 85, 39', async () => {
    await cluster().createTopic('still');
    const answer = await ask(
      ALTER_PARTITION_REASSIGNMENTS,
      0,
      change('still', [
        [9, [1]],
        [0, null],
        [0, []],
        [0, [1, 1]],
      ]),
    );
    const results = structs(structs(answer['responses'])[0]!['partitions']);
    expect(results.map(({ partitionIndex, errorCode }) => [partitionIndex, errorCode])).toEqual([
      [9, 3],
      [0, 85],
      [0, 39],
      [0, 39],
    ]);
  });
});

test('wire W-77: without a controller 41 once timeoutMs is over; one that comes back in time decides', async () => {
  cluster().kill(CONTROLLER_ID);
  const refused = await ask(CREATE_TOPICS, 7, creation([newTopic('nobody')], { timeoutMs: 300 }));
  expect(refused['topics']).toMatchObject([{ name: 'nobody', errorCode: 41 }]);
  const all = await ask(ELECT_LEADERS, 2, { electionType: 0, topicPartitions: null, timeoutMs: 300 });
  expect(all).toMatchObject({ errorCode: 41, replicaElectionResults: [] });
  expect(await ask(LIST_PARTITION_REASSIGNMENTS, 0, { timeoutMs: 300, topics: null })).toMatchObject({ errorCode: 41 });
  const patient = ask(CREATE_TOPICS, 7, creation([newTopic('somebody')], { timeoutMs: 20_000 }));
  cluster().sim.start(CONTROLLER_ID);
  expect((await patient)['topics']).toMatchObject([{ name: 'somebody', errorCode: 0 }]);
});
