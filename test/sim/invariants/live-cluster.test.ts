// The invariants on the traces of real brokers in the simulator: kept through kills, pauses and cuts, with the self-check
// that looking at what an event touched finds what looking at everything finds; and broken as soon as a protection is off.
import { describe, expect, test } from 'vitest';
import { CONTROLLER_ID, type NodeId } from '../../../src/base/units.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import type { ResponseOf } from '../../../src/protocol/apis.ts';
import type { Outcome, Runtime } from '../../../src/runtime/ports.ts';
import { SimCluster, type SimClusterOptions } from '../../../src/sim/cluster.ts';
import { notConverged } from '../../../src/sim/invariants/replication/healed-cluster-converges.ts';
import { InvariantSuite } from '../../../src/sim/invariants/suite.ts';

const CLIENT = 1001;
const BROKERS = [1, 2, 3];

interface Watched {
  readonly cluster: SimCluster;
  readonly suite: InvariantSuite;
  readonly client: Runtime;
}

/** Three brokers with orders-0 on all of them, and a client that keeps producing. */
function aBusyCluster(options: Partial<SimClusterOptions> & { seed: number }, selfCheck: boolean): Watched {
  const cluster = new SimCluster({ brokers: 3, ...options });
  const suite = new InvariantSuite({ onViolation: () => undefined, selfCheck });
  cluster.world.onEvent((stamped) => suite.onEvent(stamped));
  cluster.startAll();
  expect(cluster.world.run({ until: () => cluster.ready, maxMs: 30_000 })).toBe(true);
  const client = cluster.spawnClient(CLIENT, (runtime) => runtime);
  createOrders(cluster, client);
  produceForEver(cluster, client);
  return { cluster, suite, client };
}

function createOrders(cluster: SimCluster, client: Runtime): void {
  let outcome: Outcome<ResponseOf<'CreateTopics'>> | undefined;
  const topic = { name: 'orders', numPartitions: 1, replicationFactor: 3, assignments: [], configs: [] };
  const request = { topics: [topic], validateOnly: false };
  client.network.request(CONTROLLER_ID, 'CreateTopics', request, 5000, (ended) => (outcome = ended));
  cluster.world.run({ until: () => outcome !== undefined, maxMs: 10_000 });
  expect(outcome?.kind === 'ok' && outcome.response.topics[0]?.error).toBe('NONE');
}

/** One record at a time, acks alternating between 1 and all, to whoever leads. */
function produceForEver(cluster: SimCluster, client: Runtime): void {
  let sent = 0;
  const again = (): void => void client.clock.after(10, produce);
  const produce = (): void => {
    const leader = cluster.view.partition({ topic: 'orders', partition: 0 })?.leader ?? -1;
    if (leader < 0) return again();
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      out.abort();
      again();
    };
    const out = client.network.open(leader, 'Produce', { message: end, closed: end });
    client.clock.after(500, end);
    const records = encodeBatch([
      { key: Buffer.from(`${sent % 5}`), value: Buffer.from(`record ${sent}`), headers: [], timestamp: sent * 10 },
    ]);
    out.send({
      correlationId: sent,
      acks: sent++ % 2 === 0 ? 1 : -1,
      timeoutMs: 400,
      transactionalId: '',
      transactionVersion: 0,
      clientId: 'test',
      partitions: [{ topic: 'orders', partition: 0, records }],
    });
  };
  produce();
}

/** Something bad every 300 ms, drawn from the plan of the seed. */
function disturb(cluster: SimCluster, times: number): void {
  const plan = cluster.world.random('plan');
  const node = (): NodeId => BROKERS[plan.below(BROKERS.length)]!;
  for (let i = 0; i < times; i++) {
    cluster.world.runFor(300);
    const [id, other] = [node(), node()];
    const what = plan.below(6);
    if (what === 0) cluster.kill(id);
    else if (what === 1) cluster.pause(id);
    else if (what === 2 && id !== other) cluster.setLink(id, other, true);
    else if (what === 3) cluster.setLink(id, CONTROLLER_ID, true);
    else cluster.heal(true);
  }
}

describe('invariants of a living cluster', () => {
  test.each([1, 2, 3])(
    'hold through kills, pauses and cuts, and it converges (repl I-28); self-checked, seed %i',
    (seed) => {
      const { cluster, suite } = aBusyCluster({ seed }, true);
      disturb(cluster, 20);
      cluster.heal(true);
      cluster.kill(CLIENT);
      const healed = (): boolean => notConverged(suite.view, BROKERS).length === 0;
      cluster.world.run({ until: healed, maxMs: 30_000 });
      expect(notConverged(suite.view, BROKERS)).toEqual([]);
      expect(suite.sweep()).toEqual([]);
      const [orders] = suite.view.partitions();
      expect(orders?.replicas.get(1)?.logEndOffset).toBeGreaterThan(50);
    },
  );

  test.each([11, 12])(
    'hold on a topic that is cleaned on every replica, each on its own (txn T-114); seed %i',
    (seed) => {
      const config = {
        ...{ 'log.cleanup.policy': 'compact', 'log.cleaner.backoff.ms': 100, 'log.roll.ms': 50 },
        ...{ 'log.cleaner.min.cleanable.ratio': 0, 'log.cleaner.delete.retention.ms': 0 },
      };
      const { cluster, suite } = aBusyCluster({ seed, config }, true);
      const cleanedBy = new Set<NodeId>();
      cluster.world.onEvent(({ node, event }) => event.type === 'log.cleaned' && cleanedBy.add(node));
      disturb(cluster, 20);
      cluster.heal(true);
      cluster.kill(CLIENT);
      cluster.world.run({ until: () => notConverged(suite.view, BROKERS).length === 0, maxMs: 30_000 });
      expect(notConverged(suite.view, BROKERS)).toEqual([]);
      expect(suite.sweep()).toEqual([]);
      expect([...cleanedBy].sort()).toEqual(BROKERS);
    },
  );

  test('break without truncation by leader epoch (KIP-101): the switch is the only difference', () => {
    const found = (seed: number, safeguardsOff: readonly string[]): number => {
      const { cluster, suite } = aBusyCluster({ seed, safeguardsOff }, false);
      disturb(cluster, 25);
      return suite.sweep().length;
    };
    const seeds = [5, 6, 7];
    expect(seeds.map((seed) => found(seed, []))).toEqual([0, 0, 0]);
    expect(seeds.filter((seed) => found(seed, ['trunc.leaderEpoch']) > 0)).not.toEqual([]);
  });
});
