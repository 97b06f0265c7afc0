// What the tests of administration start from: three real brokers and a controller, anew for each file, and bodies by the names
// of the field tables.
import { afterAll, beforeAll } from 'vitest';
import { NO_ID } from '../../bodies.ts';
import type { Struct } from '../../generic-codec.ts';
import { RealCluster, type RealClusterOptions } from '../../real-broker.ts';

export const CREATE_TOPICS = 19;
export const DELETE_TOPICS = 20;
export const DELETE_RECORDS = 21;
export const DESCRIBE_CONFIGS = 32;
export const ALTER_CONFIGS = 33;
export const DESCRIBE_LOG_DIRS = 35;
export const CREATE_PARTITIONS = 37;
export const ELECT_LEADERS = 43;
export const INCREMENTAL_ALTER_CONFIGS = 44;
export const ALTER_PARTITION_REASSIGNMENTS = 45;
export const LIST_PARTITION_REASSIGNMENTS = 46;
export const DESCRIBE_CLUSTER = 60;

export const TOPIC_RESOURCE = 2;
export const BROKER_RESOURCE = 4;

export interface ServedAdmin {
  cluster(): RealCluster;
  /** Asks a broker, by default not the one of the lowest id, which is named as the controller. */
  ask(key: number, version: number, body: Struct, broker?: number): Promise<Struct>;
}

/** Registers the hooks of a test file. */
export function aServedCluster(options: RealClusterOptions = { brokers: 3 }): ServedAdmin {
  let cluster: RealCluster;
  beforeAll(async () => {
    cluster = await RealCluster.start(options);
  });
  afterAll(() => cluster.close());
  return {
    cluster: () => cluster,
    ask: async (key, version, body, broker = cluster.sim.brokerIds.at(-1)!) => {
      const client = cluster.client(broker);
      const { body: answer } = await client.ask(key, version, body);
      client.close();
      return answer;
    },
  };
}

/** A topic to create, with the cluster's defaults. */
export function newTopic(name: string, more: Struct = {}): Struct {
  return { name, numPartitions: -1, replicationFactor: -1, assignments: [], configs: [], ...more };
}

export function creation(topics: readonly Struct[], more: Struct = {}): Struct {
  return { topics: [...topics], timeoutMs: 10_000, validateOnly: false, ...more };
}

/** By name from v6 on and below. */
export function deletion(names: readonly string[], ids: readonly string[] = []): Struct {
  const topics = [
    ...names.map((name) => ({ name, topicId: NO_ID })),
    ...ids.map((topicId) => ({ name: null, topicId })),
  ];
  return { topics, topicNames: [...names], timeoutMs: 10_000 };
}
