// A client against real brokers in the simulated world.
import { ClientCore, type ConfigOverrides } from '../../../src/client/core/client.ts';
import type { World } from '../../../src/sim/world.ts';
import { SimCluster, type SimClusterOptions } from '../../../src/sim/cluster.ts';
import { waitFor } from './wait.ts';

/** Ids of clients begin here. */
export const CLIENT_ID = 1001;

/** A started cluster with a client in it. */
export function aCluster(options: Partial<SimClusterOptions> = {}, config: ConfigOverrides = {}) {
  const cluster = new SimCluster({ seed: 1, brokers: 3, ...options });
  cluster.startAll();
  if (!cluster.world.run({ until: () => cluster.ready, maxMs: 30_000 })) throw new Error('the cluster does not start');
  const client = aClient(cluster, CLIENT_ID, config);
  return { cluster, world: cluster.world, client };
}

export function aClient(cluster: SimCluster, id = CLIENT_ID, config: ConfigOverrides = {}): ClientCore {
  return cluster.spawnClient(
    id,
    (runtime) =>
      new ClientCore({ runtime, bootstrap: cluster.brokerIds, clientId: `client-${id}`, profile: 'fast', config }),
  );
}

/** Creates a topic and waits until a client can write to it. */
export function createTopic(
  { world, client }: { world: World; client: ClientCore },
  name: string,
  shape: { partitions?: number; replicationFactor?: number; configs?: Record<string, string> } = {},
): void {
  const spec = { name, partitions: 1, replicationFactor: 3, ...shape };
  const created = waitFor<unknown>(world, (done) => client.admin().createTopics([spec], false, done));
  client.metadata.track(name);
  const led = () => (client.metadata.partition(name, 0)?.leader ?? -1) > 0;
  if (!waitFor<boolean>(world, (done) => client.metadata.when(led, 30_000, done))) {
    throw new Error(`no leader: ${JSON.stringify(created)}`);
  }
}
