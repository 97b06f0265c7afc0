// Snapshots of the metadata log: what is in one, when it counts, and what a kill between any two writes leaves (repl R-84,
// I-24).
import { describe, expect, test } from 'vitest';
import { SNAPSHOT_MARK_KEY } from '../../src/controller/log-store.ts';
import { MetadataImage } from '../../src/metadata/image.ts';
import { snapshotOf } from '../../src/metadata/snapshot.ts';
import { alter, bringUp, createTopic, heartbeat, proposal, register, registration } from './fleet.ts';
import { Desk, type DeskOptions } from './lone-controller.ts';

const SMALL: DeskOptions = { config: { 'metadata.log.max.record.bytes.between.snapshots': 1500 } };

/** Everything an image says, in its order. */
function told(image: MetadataImage): unknown {
  const { endOffset, clusterId, nextProducerId } = image;
  const rest = { brokers: [...image.brokers], topics: [...image.topics], features: [...image.features] };
  return { endOffset, clusterId, nextProducerId, ...rest, clusterConfigs: [...image.clusterConfigs] };
}

/** A cluster with a bit of everything in its log. */
function live(desk: Desk): void {
  bringUp(desk, 1, 2, 3, 4);
  createTopic(desk, 'orders', {
    replicas: [
      [1, 2, 3],
      [2, 3, 4],
    ],
    configs: { 'min.insync.replicas': '2' },
  });
  createTopic(desk, 'gone', { replicas: [[1, 2]] });
  desk.call('AllocateProducerIds', { brokerId: 1, brokerEpoch: desk.controller.image.brokers.get(1)!.brokerEpoch });
  const replicas = { ids: [1, 2, 4] };
  const move = { partitions: [{ topic: 'orders', partition: 0, replicas }], allowReplicationFactorChange: true };
  desk.call('AlterPartitionReassignments', move);
  alter(desk, proposal(desk, 'orders', [1, 3]));
  heartbeat(desk, 1, { wantFence: true });
  heartbeat(desk, 3, { wantShutDown: true });
  register(desk, 2, 'another');
  desk.call('DeleteTopics', { names: ['gone'], topicIds: [] });
  desk.call('UnregisterBroker', { brokerId: 4 });
}

/** The image of a broker that reads from `offset` on, having folded `image` so far. */
function follow(desk: Desk, image = new MetadataImage()): MetadataImage {
  const { messages } = desk.readLog(image.endOffset);
  const parts = messages.filter(({ snapshotOffset }) => snapshotOffset > 0);
  if (parts.length > 0) {
    image.load(
      parts[0]!.snapshotOffset,
      parts.flatMap(({ records }) => records),
    );
  }
  for (const { records, snapshotOffset } of messages) {
    if (snapshotOffset === 0) for (const record of records) image.apply(image.endOffset, record);
  }
  return image;
}

const keysOf = (desk: Desk, start: string): number =>
  [...desk.disk.keys()].filter((key) => key.startsWith(start)).length;

test('repl I-24: an image loaded from its snapshot is the image, and goes on alike', () => {
  const desk = new Desk().start();
  live(desk);
  const { image } = desk.controller;
  const loaded = new MetadataImage();
  loaded.load(image.endOffset, snapshotOf(image));
  expect(told(loaded)).toEqual(told(image));
  createTopic(desk, 'next', { replicas: [[1, 3]] });
  for (const record of desk.readLog(loaded.endOffset).records()) loaded.apply(loaded.endOffset, record);
  expect(told(loaded)).toEqual(told(desk.controller.image));
});

test('one is taken after so many bytes; the log goes back to the one before it, and the store holds no more', () => {
  const desk = new Desk(SMALL).start();
  live(desk);
  const taken = desk.traced('metadata.snapshot');
  expect(taken.length).toBeGreaterThan(2);
  const last = taken.at(-1)!;
  expect(last.startOffset).toBe(taken.at(-2)!.endOffset);
  expect(keysOf(desk, 'snapshot/')).toBe(last.records);
  expect(keysOf(desk, 'metadata/')).toBe(desk.controller.image.endOffset - last.startOffset);
});

test('or with the first change after so long', () => {
  const desk = new Desk({ config: { 'metadata.log.max.snapshot.interval.ms': 60_000 } }).start();
  desk.run(59_000);
  register(desk, 1);
  expect(desk.traced('metadata.snapshot')).toEqual([]);
  desk.run(1000);
  expect(desk.traced('metadata.snapshot')).toEqual([]);
  register(desk, 2);
  expect(desk.traced('metadata.snapshot')).toHaveLength(1);
});

describe('repl R-101: brokers', () => {
  test('one that starts gets the newest snapshot and what came since; one that missed little gets that little', () => {
    const desk = new Desk(SMALL).start();
    live(desk);
    const late = follow(desk);
    expect(told(late)).toEqual(told(desk.controller.image));
    createTopic(desk, 'more', { replicas: [[1]] });
    const { startOffset } = desk.traced('metadata.snapshot').at(-1)!;
    const { messages } = desk.readLog(late.endOffset);
    expect(late.endOffset).toBeGreaterThanOrEqual(startOffset);
    expect(messages.map(({ snapshotOffset }) => snapshotOffset)).toEqual([0]);
    expect(told(follow(desk, late))).toEqual(told(desk.controller.image));
  });

  test('a large snapshot comes in parts', () => {
    const desk = new Desk({ config: { 'metadata.log.max.record.bytes.between.snapshots': 50_000 } }).start();
    bringUp(desk, 1);
    const many = Array.from({ length: 1200 }, () => [1]);
    createTopic(desk, 'wide', { replicas: many });
    createTopic(desk, 'wider', { replicas: many });
    const parts = desk.readLog(0).messages.filter(({ snapshotOffset }) => snapshotOffset > 0);
    expect(parts.map(({ baseOffset }) => baseOffset)).toEqual([0, 500, 1000, 1500, 2000]);
    expect(told(follow(desk))).toEqual(told(desk.controller.image));
  });
});

describe('a controller that is killed', () => {
  /** Dies at its n-th write, which is lost, or reaches the disk without its hearing so; then starts again. */
  function killedAt(write: number, isWritten: boolean): { readonly desk: Desk; readonly before: MetadataImage } {
    const desk = new Desk({ ...SMALL, slowDisk: true }).start();
    let written = 0;
    for (let id = 1; ; id++) {
      for (; desk.writes.length > 0; written++) {
        if (written === write) {
          const before = desk.controller.image;
          if (isWritten) desk.writeThenDie();
          return { desk: desk.restart(SMALL), before };
        }
        desk.completeWrite();
        desk.settle();
      }
      desk.send('BrokerRegistration', registration(id, `p${id}`));
    }
  }
  const WRITES = Array.from({ length: 40 }, (_, at) => at + 1);

  test.each(WRITES.flatMap((write) => [[write, false] as const, [write, true] as const]))(
    'at write %i (written: %s) has lost nothing that was committed, and what is half is ignored',
    (write, isWritten) => {
      const { desk, before } = killedAt(write, isWritten);
      const after = desk.controller.image;
      expect(after.endOffset).toBeGreaterThanOrEqual(before.endOffset);
      for (const [id, broker] of before.brokers) expect(after.brokers.get(id)).toEqual(broker);
      expect(told(follow(desk))).toEqual(told(after));
      // Nothing but the marked one is left once it has written again.
      register(desk, 77);
      const mark = desk.disk.get(SNAPSHOT_MARK_KEY.toString('latin1'));
      const { count } = mark === undefined ? { count: 0 } : (JSON.parse(mark.toString()) as { count: number });
      expect(keysOf(desk, 'snapshot/')).toBe(count);
    },
  );

  test('after a snapshot has the same cluster, and goes on with it', () => {
    const desk = new Desk(SMALL).start();
    live(desk);
    const before = told(desk.controller.image);
    const next = desk.restart(SMALL);
    expect(told(next.controller.image)).toEqual(before);
    live(next);
    expect(told(next.restart(SMALL).controller.image)).toEqual(told(next.controller.image));
  });

  test('and whose snapshot is damaged halts, and says why', () => {
    const desk = new Desk(SMALL).start();
    live(desk);
    const key = [...desk.disk.keys()].find((each) => each.startsWith('snapshot/'))!;
    desk.disk.get(key)![10]! ^= 1;
    const next = desk.restart(SMALL);
    expect(next.halted).toMatch(/snapshot of the metadata log at offset \d+ is damaged/);
    desk.disk.delete(key);
    expect(next.restart(SMALL).halted).toMatch(/is damaged/);
  });
});
