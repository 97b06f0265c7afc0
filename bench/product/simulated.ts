// Simulated clusters to be timed: one that nobody uses, and one under load whose every event the invariants look at.
import { cpuSeconds } from '../cpu.ts';
import { startClient } from '../../src/workload/client.ts';
import type { OwnSpec } from '../../src/workload/spec.ts';
import { SimCluster } from '../../src/sim/cluster.ts';
import { InvariantSuite, throwViolation } from '../../src/sim/invariants/suite.ts';
import { ClientCore } from '../../src/client/core/client.ts';

const TOPIC = 'orders';
const PARTITIONS = 6;
const PRODUCERS = 4;
const CONSUMERS = 2;
const SENDS = 1500;
const ADMIN_ID = 1000;

function started(seed: number, watched: boolean): SimCluster {
  const cluster = new SimCluster({ seed, brokers: 3 });
  if (watched) {
    const suite = new InvariantSuite({ onViolation: throwViolation });
    cluster.world.onEvent((stamped) => suite.onEvent(stamped));
  }
  cluster.startAll();
  if (!cluster.world.run({ until: () => cluster.ready, maxMs: 30_000 })) throw new Error('the cluster does not start');
  let created = false;
  cluster.spawnClient(ADMIN_ID, (runtime) => {
    const client = new ClientCore({ runtime, bootstrap: cluster.brokerIds, clientId: 'bench', profile: 'fast' });
    const topic = { name: TOPIC, partitions: PARTITIONS, replicationFactor: 3 };
    client.admin().createTopics([topic], false, () => (created = true));
    return client;
  });
  if (!cluster.world.run({ until: () => created, maxMs: 30_000 })) throw new Error('the topic is not created');
  cluster.world.runFor(2000);
  cluster.kill(ADMIN_ID);
  return cluster;
}

function clientSpecs(): OwnSpec[] {
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const producers = Array.from({ length: PRODUCERS }, (_, index): OwnSpec => {
    const values = Array.from({ length: SENDS }, (__, number) => `p${index}-${number}`);
    const id = `producer-${index}`;
    const steps = [{ kind: 'send' as const, values }];
    return { kind: 'produce', id, topic: TOPIC, partitions, acks: -1, steps, inFlight: 5, config: {} };
  });
  const consumers = Array.from({ length: CONSUMERS }, (_, index): OwnSpec => {
    const read = partitions.map((partition) => ({ topic: TOPIC, partition }));
    return { kind: 'consume', id: `consumer-${index}`, partitions: read, from: 'earliest', config: {} };
  });
  return [...producers, ...consumers];
}

/** Handlers of the part "simulator". */
export const simulated = {
  /** Virtual time per CPU time. */
  idle: ({ virtualMs }: { virtualMs: number }): number => {
    const { world } = started(1, false);
    return virtualMs / 1000 / cpuSeconds(() => world.runFor(virtualMs));
  },
  /** Scheduler events a second of CPU time until every record is sent and read. */
  load: ({ seed }: { seed: number }): number => {
    const cluster = started(seed, true);
    const { world } = cluster;
    let answered = 0;
    let read = 0;
    const surroundings = { profile: 'fast', bootstrap: cluster.brokerIds } as const;
    for (const [index, spec] of clientSpecs().entries()) {
      cluster.spawnClient(ADMIN_ID + 1 + index, (runtime) =>
        startClient(spec, surroundings, runtime, (report) => {
          if (report.kind !== 'entry' || report.entry.type !== 'ok') return;
          if (report.entry.f === 'send') answered += 1;
          if (report.entry.f === 'poll') read += report.entry.records?.length ?? 0;
        }),
      );
    }
    const all = PRODUCERS * SENDS;
    const before = world.scheduler.executed;
    const done = (): boolean => answered === all && read === all * CONSUMERS;
    let over = false;
    const seconds = cpuSeconds(() => (over = world.run({ until: done, maxMs: 600_000 })));
    if (!over) throw new Error(`seed ${seed}: ${answered} of ${all} sends were acknowledged, ${read} records read`);
    return (world.scheduler.executed - before) / seconds;
  },
};
