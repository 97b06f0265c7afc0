// FindCoordinator over the wire: whose address is told, on which listener, at which version (wire W-36, W-82).
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../../../src/base/java-hash.ts';
import type { Struct } from '../../generic-codec.ts';
import { RealCluster } from '../../real-broker.ts';
import { FIND_COORDINATOR, groupCluster, versions } from './support.ts';

const { cluster, ask } = groupCluster({ brokers: 3, outside: true });

const KEYS = ['g', 'my-group', 'групп'];
const body = (keys: string[], keyType = 0): Struct => ({ key: keys[0]!, keyType, coordinatorKeys: keys });
const leaderOf = (key: string) => cluster().leaderOf('__consumer_offsets', coordinatorPartition(key, 5));

describe('FindCoordinator', () => {
  test.each(versions(0, 3))('wire W-82: v%d tells who leads the partition of a group', async (version) => {
    for (const key of KEYS) {
      const nodeId = leaderOf(key);
      const address = { nodeId, host: '127.0.0.1', port: cluster().port(nodeId) };
      const answer = await ask(FIND_COORDINATOR, version, body([key]), 2);
      expect(answer).toEqual({
        ...(version >= 1 && { throttleTimeMs: 0, errorMessage: 'NONE' }),
        ...{ errorCode: 0, ...address },
      });
    }
  });

  test.each(versions(4, 6))('wire W-82: v%d answers each key, in order', async (version) => {
    const answer = await ask(FIND_COORDINATOR, version, body(KEYS), 3);
    const coordinators = KEYS.map((key) => {
      const nodeId = leaderOf(key);
      return { key, nodeId, host: '127.0.0.1', port: cluster().port(nodeId), errorCode: 0, errorMessage: null };
    });
    expect(answer).toEqual({ throttleTimeMs: 0, coordinators });
  });

  test('wire W-36: who asks outside is told an address outside', async () => {
    const { body: answer } = await cluster()
      .client(1, 'outside')
      .ask(FIND_COORDINATOR, 4, body(['g']));
    const nodeId = leaderOf('g');
    expect(answer).toMatchObject({ coordinators: [{ nodeId, port: cluster().port(nodeId, 'outside') }] });
  });

  const nobody = { nodeId: -1, host: '', port: -1 };
  test.each([2, 3, -1])('wire W-82: key type %d is error 42', async (keyType) => {
    const errorMessage = expect.any(String) as string;
    expect(await ask(FIND_COORDINATOR, 3, body(['g'], keyType))).toMatchObject({
      errorCode: 42,
      errorMessage,
      ...nobody,
    });
    const many = await ask(FIND_COORDINATOR, 4, body(['g'], keyType));
    expect(many).toMatchObject({ coordinators: [{ key: 'g', errorCode: 42, errorMessage, ...nobody }] });
  });

  test('wire G-3, W-82: a topic that is not there is created, and error 15 until it is led', async () => {
    const transactional = body(['tx'], 1);
    expect(await ask(FIND_COORDINATOR, 2, transactional)).toMatchObject({ errorCode: 15, ...nobody });
    await cluster().until(() => cluster().sim.isLed('__transaction_state'));
    expect(await ask(FIND_COORDINATOR, 2, transactional)).toMatchObject({ errorCode: 0 });
  });

  test('wire W-82: a coordinator that is dead is no coordinator, until another is elected', async () => {
    const alone = await RealCluster.start({ brokers: 2, config: { 'offsets.topic.replication.factor': 1 } });
    try {
      await alone.client().ask(FIND_COORDINATOR, 0, body(['g']));
      await alone.until(() => alone.sim.isLed('__consumer_offsets'));
      const leader = alone.leaderOf('__consumer_offsets', coordinatorPartition('g', 5));
      const other = leader === 1 ? 2 : 1;
      alone.kill(leader);
      await alone.until(() => alone.sim.broker(other)!.broker.image.brokers.get(leader)?.fenced === true);
      const answer = await alone.client(other).ask(FIND_COORDINATOR, 0, body(['g']));
      expect(answer.body).toEqual({ errorCode: 15, ...nobody });
    } finally {
      await alone.close();
    }
  });
});
