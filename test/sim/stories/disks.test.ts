// Disks that fail, fill up or are slow under load: the node says why it stops, and nothing acknowledged is lost (repl R-114).
import { expect, test } from 'vitest';
import { Prng } from '../../../src/base/prng.ts';
import { CONTROLLER_ID, type NodeId } from '../../../src/base/units.ts';

import type { SimDisk } from '../../../src/sim/store/disk.ts';
import { Stage } from './stage.ts';

/** The batches on a disk, of whatever log. */
const batchesOn = (disk: SimDisk) => disk.scan({ gte: Buffer.from([8]), lt: Buffer.from([9]) });

/** What a consumer asks that reads orders-0 from its first record. */
const fromTheStart = (stage: Stage) => ({
  ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 0, minBytes: 1 },
  ...{ maxBytes: 1_000_000, isolationLevel: 0, full: true, forgotten: [], rackId: '', leaderOnly: false },
  partitions: [
    {
      ...{ topic: 'orders', topicId: stage.orders.topicId, partition: 0, fetchOffset: 0, partitionMaxBytes: 1_000_000 },
      ...{ currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1 },
    },
  ],
});

/** Why a node halted; undefined if it did not. */
function haltReason(stage: Stage, id: NodeId): string | undefined {
  return stage.cluster.world.node(id).haltReason;
}

test.each([1, 2])('repl R-114: a failed write stops broker %i, and what was acknowledged stays', (id) => {
  const stage = new Stage({ replicas: [1, 2, 3], minIsr: 2 });
  stage.commit('a', 'b');
  stage.cluster.world.node(id).disk.failNextWrite();
  const unsure = stage.send('c');
  stage.until('it stops', () => haltReason(stage, id) !== undefined);
  expect(haltReason(stage, id)).toMatch(/^cannot write to the data directory: input\/output error/);
  stage.until(
    'the others go on',
    () => stage.orders.leader > 0 && stage.orders.leader !== id && stage.isr.length === 2,
  );
  stage.commit('d');
  stage.endWell();
  const [first, ...others] = [1, 2, 3].map((each) => stage.valuesAt(each));
  expect(others).toEqual([first, first]);
  expect(first!.filter((value) => value !== 'c')).toEqual(['a', 'b', 'd']);
  if (unsure.error === 'NONE') expect(first).toContain('c');
});

test('repl R-114: a full disk stops the leader; with room again it starts from what it had counted', () => {
  const stage = new Stage({ replicas: [1, 2] });
  stage.commit('a');
  const { disk } = stage.cluster.world.node(1);
  disk.budgetBytes = disk.sizeBytes + 10;
  stage.send('b');
  stage.until('it stops', () => haltReason(stage, 1) !== undefined);
  expect(haltReason(stage, 1)).toContain('no space left on device');
  disk.budgetBytes = Infinity;
  stage.until('2 leads', () => stage.orders.leader === 2);
  stage.commit('c');
  stage.endWell();
  expect(stage.valuesAt(1)).toEqual(stage.valuesAt(2));
});

test('repl R-102: a controller that cannot write answers nothing more and stops; the next one knows all it answered', () => {
  const stage = new Stage({ replicas: [1, 2] });
  stage.commit('a');
  stage.cluster.world.node(CONTROLLER_ID).disk.failNextWrite();
  stage.cluster.kill(2); // Its fencing is the next write.
  stage.until('it stops', () => haltReason(stage, CONTROLLER_ID) !== undefined);
  expect(haltReason(stage, CONTROLLER_ID)).toContain('cannot write its metadata log');
  stage.run(500);
  stage.cluster.start(CONTROLLER_ID);
  stage.until('2 is fenced after all', () => stage.isFenced(2));
  stage.commit('b');
  stage.endWell();
});

test('repl R-114: a flipped bit: the broker stops before it serves it, and copies all anew', () => {
  const stage = new Stage({ replicas: [1, 2, 3], minIsr: 2 });
  stage.commit('a', 'b');
  // After a start nothing is in memory.
  stage.cluster.kill(1);
  stage.until('2 leads', () => stage.orders.leader === 2);
  stage.cluster.start(1);
  stage.until('1 is back', () => stage.isr.length === 3);
  const { disk } = stage.cluster.world.node(1);
  for (const { key } of batchesOn(disk)) expect(disk.flipBit(new Prng(7), key)).toBe(true);
  stage.client.network.request(1, 'ConsumerFetch', fromTheStart(stage), 1000, () => undefined);
  stage.until('it stops', () => haltReason(stage, 1) !== undefined);
  expect(haltReason(stage, 1)).toMatch(/^the data directory gives back what was not written: the batch at offset 0 /);
  stage.until('the others go on', () => stage.isr.length === 2);
  stage.commit('c');
  stage.cluster.start(1, { wipe: true });
  stage.endWell();
  expect([1, 2, 3].map((id) => stage.valuesAt(id))).toEqual(Array(3).fill(['a', 'b', 'c']));
});

test('a slow disk makes a follower lag and leave the ISR, and come back', () => {
  const stage = new Stage({ replicas: [1, 2, 3], minIsr: 2, config: { 'replica.lag.time.max.ms': 300 } });
  stage.commit('a');
  const { disk } = stage.cluster.world.node(3);
  disk.slowdown = 10_000;
  stage.send('b');
  stage.until('it is out', () => stage.isr.join() === '1,2');
  stage.commit('c');
  disk.slowdown = 1;
  stage.endWell();
  expect(stage.valuesAt(3)).toEqual(['a', 'b', 'c']);
});
