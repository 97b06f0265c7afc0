// Partitions that move in the middle of trouble, and brokers that missed more of the metadata log than is left of it, watched by
// every invariant.
import { describe, expect, test } from 'vitest';
import { CONTROLLER_ID, type NodeId } from '../../../src/base/units.ts';
import { Stage } from './stage.ts';

const values = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
const SMALL = { 'metadata.log.max.record.bytes.between.snapshots': 2000 };
const FIVE = { replicas: [1, 2, 3], brokers: 5, minIsr: 2, config: { 'replica.lag.time.max.ms': 500, ...SMALL } };

function reassign(stage: Stage, ids: readonly NodeId[] | null): void {
  const replicas = ids === null ? null : { ids: [...ids] };
  const request = { partitions: [{ topic: 'orders', partition: 0, replicas }], allowReplicationFactorChange: true };
  const { partitions } = stage.ask(CONTROLLER_ID, 'AlterPartitionReassignments', request);
  expect(partitions[0]).toMatchObject({ error: 'NONE' });
}

function untilOn(stage: Stage, ids: readonly NodeId[]): void {
  const isThere = (): boolean => stage.orders.replicas.join() === ids.join() && stage.orders.removing.length === 0;
  stage.until(`it is on ${ids.join()}`, isThere);
  stage.until('all of them are in sync', () => stage.orders.isr.length === ids.length);
}

/** Everything committed is on these brokers, and on no other. */
function holds(stage: Stage, ids: readonly NodeId[], expected: readonly string[]): void {
  stage.endWell();
  stage.run(2000); // Whoever lost its replica may hear of it late: the controller was away.
  for (const id of stage.cluster.brokerIds) expect(stage.valuesAt(id)).toEqual(ids.includes(id) ? expected : []);
}

describe('repl R-107: a partition moves', () => {
  test('to other brokers: the old ones delete their logs', () => {
    const stage = new Stage(FIVE);
    stage.commit(...values('a', 5));
    reassign(stage, [4, 5, 3]);
    untilOn(stage, [4, 5, 3]);
    stage.until('one of them leads', () => stage.orders.leader !== 1 && stage.cluster.isLed('orders'));
    stage.commit(...values('b', 5));
    holds(stage, [3, 4, 5], [...values('a', 5), ...values('b', 5)]);
  });

  test.each([0, 1, 2, 5, 10, 50])('and its leader is killed %d ms later', (ms) => {
    const stage = new Stage(FIVE);
    stage.commit(...values('a', 8));
    const { leader } = stage.orders;
    reassign(stage, [4, 2, 5]);
    stage.run(ms);
    stage.cluster.kill(leader);
    stage.until('another leads', () => ![-1, leader].includes(stage.orders.leader) && stage.cluster.isLed('orders'));
    stage.commit(...values('b', 3));
    stage.cluster.start(leader);
    untilOn(stage, [4, 2, 5]);
    holds(stage, [2, 4, 5], [...values('a', 8), ...values('b', 3)]);
  });

  test.each([0, 2, 10])('and who is added is killed %d ms later: it waits for it', (ms) => {
    const stage = new Stage(FIVE);
    stage.cluster.kill(5);
    stage.commit(...values('a', 8));
    reassign(stage, [1, 4, 5]);
    stage.run(ms);
    stage.cluster.kill(4);
    stage.until('it is fenced', () => stage.isFenced(4) && stage.isFenced(5));
    stage.run(1000);
    expect(stage.orders.adding).toEqual([4, 5]);
    stage.commit(...values('b', 3));
    for (const id of [4, 5]) stage.cluster.start(id);
    untilOn(stage, [1, 4, 5]);
    holds(stage, [1, 4, 5], [...values('a', 8), ...values('b', 3)]);
  });

  test('and is called off with one of two there: it is gone again', () => {
    const stage = new Stage(FIVE);
    stage.commit(...values('a', 4));
    stage.cluster.kill(5);
    reassign(stage, [1, 4, 5]);
    stage.until('4 is in sync', () => stage.orders.isr.includes(4));
    stage.commit(...values('b', 4));
    reassign(stage, null);
    expect([stage.orders.replicas, stage.orders.adding]).toEqual([[1, 2, 3], []]);
    stage.until('4 has deleted its log', () => stage.valuesAt(4).length === 0);
    stage.cluster.start(5);
    stage.commit(...values('c', 4));
    holds(stage, [1, 2, 3], [...values('a', 4), ...values('b', 4), ...values('c', 4)]);
  });

  test.each([0, 1, 3, 10])('and the controller is killed %d ms later: the next one goes on with it', (ms) => {
    const stage = new Stage(FIVE);
    stage.commit(...values('a', 4));
    reassign(stage, [5, 4, 1]);
    stage.run(ms);
    stage.cluster.kill(CONTROLLER_ID);
    stage.run(500);
    stage.cluster.start(CONTROLLER_ID);
    stage.until('it decides', () => stage.cluster.controller?.controller.controllerEpoch === 2);
    untilOn(stage, [5, 4, 1]);
    stage.commit(...values('b', 4));
    holds(stage, [1, 4, 5], [...values('a', 4), ...values('b', 4)]);
  });
});

describe('snapshots of the metadata log', () => {
  const startOffset = (stage: Stage): number =>
    Math.max(...stage.events.map(({ event }) => (event.type === 'metadata.snapshot' ? event.startOffset : 0)));

  test('repl R-101, I-24: a broker that was cut off for longer than the log reaches back loads one, and follows', () => {
    const stage = new Stage(FIVE);
    stage.commit(...values('a', 4));
    const before = stage.cluster.broker(3)!.broker.metadataOffset;
    stage.cluster.setLink(CONTROLLER_ID, 3, true);
    for (let i = 0; startOffset(stage) <= before; i++) stage.createTopic(`t${i}`, [1, 2]);
    reassign(stage, [1, 2]);
    stage.cluster.setLink(CONTROLLER_ID, 3, false);
    stage.until('it has caught up', () => {
      const { controller } = stage.cluster.controller!;
      return stage.cluster.broker(3)!.broker.metadataOffset === controller.image.endOffset;
    });
    // It learned from the snapshot that it has a replica less.
    expect(stage.valuesAt(3)).toEqual([]);
    const { image } = stage.cluster.broker(3)!.broker;
    expect([...image.topics]).toEqual([...stage.cluster.controller!.controller.image.topics]);
    holds(stage, [1, 2], values('a', 4));
  });

  test('brokers and a controller that start again begin with one', () => {
    const stage = new Stage(FIVE);
    for (let i = 0; startOffset(stage) === 0; i++) stage.createTopic(`t${i}`, [1, 2]);
    stage.commit(...values('a', 4));
    for (const id of [CONTROLLER_ID, 2, 3]) stage.cluster.kill(id);
    stage.run(200);
    for (const id of [CONTROLLER_ID, 2, 3]) stage.cluster.start(id);
    stage.run(5000);
    stage.until('all are back', () => stage.cluster.ready && stage.orders.isr.length === 3);
    stage.commit(...values('b', 4));
    holds(stage, [1, 2, 3], [...values('a', 4), ...values('b', 4)]);
  });
});

test('repl R-119: a broker that was forgotten while it was dead comes back as a new one, and into the ISR', () => {
  const stage = new Stage(FIVE);
  stage.commit(...values('a', 4));
  stage.cluster.kill(3);
  expect(stage.ask(CONTROLLER_ID, 'UnregisterBroker', { brokerId: 3 }).error).toBe('NONE');
  expect(stage.isr).toEqual([1, 2]);
  stage.commit(...values('b', 4));
  stage.cluster.start(3);
  stage.until('it is in sync again', () => stage.isr.length === 3);
  holds(stage, [1, 2, 3], [...values('a', 4), ...values('b', 4)]);
});

test('repl R-24: whoever reads from a replica that is being deleted is sent away, and not told that its offset is out of range', () => {
  const stage = new Stage({ ...FIVE, disk: { writeMinMs: 20, writeMaxMs: 30 } });
  stage.commit(...values('a', 4));
  const { topicId, leaderEpoch } = stage.orders;
  const errors: string[] = [];
  const partition = { topicId, topic: '', partition: 0, currentLeaderEpoch: leaderEpoch, fetchOffset: 4 };
  const asked = { ...partition, lastFetchedEpoch: -1, logStartOffset: -1, partitionMaxBytes: 1000 };
  const limits = { maxWaitMs: 0, minBytes: 1, maxBytes: 1000, isolationLevel: 0, full: true, forgotten: [] };
  const from = { replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, rackId: '', leaderOnly: false };
  reassign(stage, [3, 2]);
  for (let at = 0; at < 150; at++) {
    stage.client.network.request(1, 'ConsumerFetch', { ...limits, ...from, partitions: [asked] }, 1000, (outcome) => {
      if (outcome.kind === 'ok') errors.push(outcome.response.partitions[0]!.error);
    });
    stage.run(1);
  }
  stage.run(1000);
  expect([...new Set(errors)]).toEqual(['NOT_LEADER_OR_FOLLOWER']);
});
