// The controller among real brokers in the simulator: pauses and kills of the controller leave a healthy cluster alone, and
// its log is one story whoever was killed while telling it (design section 1, repl R-102, I-24). Many seeds each.
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../src/base/units.ts';
import { SimCluster } from '../../src/sim/cluster.ts';
import type { Stamped } from '../../src/trace/events.ts';

const SESSION_MS = 1000;

interface Run {
  readonly cluster: SimCluster;
  readonly events: Stamped[];
}

/** Three brokers in the fast profile, with a topic. */
function aCluster(seed: number): Run {
  const cluster = new SimCluster({ brokers: 3, seed });
  const events: Stamped[] = [];
  cluster.world.onEvent((event) => void events.push(event));
  cluster.startAll();
  expect(cluster.world.run({ until: () => cluster.ready, maxMs: 10_000 })).toBe(true);
  createOrders(cluster, 1001);
  expect(cluster.world.run({ until: () => leaders(cluster).length === 3, maxMs: 5000 })).toBe(true);
  return { cluster, events };
}

function createOrders(cluster: SimCluster, client: number): void {
  const topic = { name: 'orders', numPartitions: 3, replicationFactor: 3, assignments: [], configs: [] };
  const request = { topics: [topic], validateOnly: false };
  cluster.spawnClient(client, (runtime) => {
    runtime.network.request(CONTROLLER_ID, 'CreateTopics', request, 5000, () => undefined);
  });
}

const leaders = (cluster: SimCluster): number[] =>
  [...cluster.controller!.controller.image.partitions()].map(({ leader }) => leader);

const fenced = (events: readonly Stamped[]): number =>
  events.filter(({ event }) => event.type === 'broker.fenced').length;

test('a controller paused for three sessions fences nobody', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { cluster, events } = aCluster(seed);
    cluster.pause(CONTROLLER_ID);
    cluster.world.runFor(3 * SESSION_MS + seed);
    cluster.resume(CONTROLLER_ID);
    cluster.world.runFor(5 * SESSION_MS);
    expect([seed, fenced(events), leaders(cluster)]).toEqual([seed, 0, [1, 2, 3]]);
  }
});

test('a controller killed and started again fences nobody, and carries on with a higher epoch', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { cluster, events } = aCluster(seed);
    cluster.kill(CONTROLLER_ID);
    cluster.world.runFor(3 * SESSION_MS + seed);
    cluster.start(CONTROLLER_ID);
    cluster.world.runFor(5 * SESSION_MS);
    expect([seed, fenced(events), leaders(cluster)]).toEqual([seed, 0, [1, 2, 3]]);
    expect(cluster.controller!.controller.controllerEpoch).toBe(2);
  }
});

test('repl I-24: killed anywhere while brokers come and go, all tell and hold one log', () => {
  let repeats = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const { cluster, events } = aCluster(seed);
    const random = cluster.world.random('plan');
    for (let round = 0; round < 4; round++) {
      const victim = 1 + random.below(3);
      cluster.kill(victim);
      cluster.world.runFor(random.below(2 * SESSION_MS));
      cluster.kill(CONTROLLER_ID);
      cluster.world.runFor(random.below(300));
      cluster.start(CONTROLLER_ID);
      cluster.start(victim);
      cluster.world.runFor(random.below(2 * SESSION_MS));
    }
    cluster.heal(true);
    cluster.world.runFor(3 * SESSION_MS); // Until then a killed broker may look alive.
    const converged = (): boolean => cluster.ready && isrs(cluster).every((isr) => isr === '1,2,3');
    expect([seed, cluster.world.run({ until: converged, maxMs: 30_000 })]).toEqual([seed, true]);
    cluster.world.runFor(500);
    repeats += judgeStory(cluster, events);
  }
  expect(repeats).toBeGreaterThan(0);
});

const isrs = (cluster: SimCluster): string[] =>
  [...cluster.controller!.controller.image.partitions()].map(({ isr }) => [...isr].sort().join(','));

/** The traced log has no gap and no second version of a record, and everybody's image is its fold. Returns the repeats. */
function judgeStory(cluster: SimCluster, events: readonly Stamped[]): number {
  const records: string[] = [];
  let repeats = 0;
  for (const { event } of events) {
    if (event.type !== 'metadata.committed') continue;
    const text = JSON.stringify(event.record);
    if (event.offset < records.length) {
      repeats += 1;
      expect(text).toBe(records[event.offset]);
    } else {
      expect(event.offset).toBe(records.length);
      records.push(text);
    }
  }
  const { image } = cluster.controller!.controller;
  expect(image.endOffset).toBe(records.length);
  for (const id of cluster.brokerIds) {
    const theirs = cluster.broker(id)!.broker.image;
    expect([...theirs.partitions()]).toEqual([...image.partitions()]);
    expect([...theirs.brokers]).toEqual([...image.brokers]);
  }
  return repeats;
}
