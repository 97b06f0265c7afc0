// A whole simulated cluster with one topic, for what only several real brokers and a real controller can show.
import { ClientCore } from '../../../src/client/core/client.ts';
import type { SendResult } from '../../../src/client/core/producer-record.ts';
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import type { NodeId } from '../../../src/base/units.ts';
import { decodeBatch } from '../../../src/log/decode-batch.ts';
import { batchHeaders } from '../../../src/protocol/batch-header.ts';
import type { ReplicaDescription } from '../../../src/protocol/generated/index.ts';
import type { Runtime } from '../../../src/runtime/ports.ts';
import { SimCluster } from '../../../src/sim/cluster.ts';
import type { SimClusterOptions } from '../../../src/sim/cluster.ts';
import type { Stamped } from '../../../src/trace/events.ts';

const CLIENT = 1001;
export const TOPIC = 'orders';

export interface FleetOptions extends Partial<SimClusterOptions> {
  readonly replicas?: readonly NodeId[];
  readonly minIsr?: number;
}

export class Fleet {
  readonly cluster: SimCluster;
  readonly client: ClientCore;
  readonly events: Stamped[] = [];
  readonly #runtime: Runtime;

  constructor(options: FleetOptions = {}) {
    const { replicas = [1, 2, 3], minIsr = 2, ...rest } = options;
    this.cluster = new SimCluster({ seed: 1, brokers: replicas.length, ...rest });
    this.cluster.world.onEvent((event) => this.events.push(event));
    this.cluster.startAll();
    this.until(() => this.cluster.ready);
    const bootstrap = this.cluster.brokerIds;
    this.client = this.cluster.spawnClient(CLIENT, (runtime) => {
      return new ClientCore({ runtime, bootstrap, clientId: 'test', profile: 'fast', config: {} });
    });
    this.#runtime = this.cluster.spawnClient(CLIENT + 1, (runtime) => runtime);
    const configs = [{ name: 'min.insync.replicas', value: String(minIsr) }];
    const topic = {
      name: TOPIC,
      numPartitions: -1,
      replicationFactor: -1,
      assignments: [{ ids: [...replicas] }],
      configs,
    };
    let created = false;
    const request = { topics: [topic], validateOnly: false };
    this.#runtime.network.request(CONTROLLER_ID, 'CreateTopics', request, 10_000, () => (created = true));
    this.until(() => created && this.leader > 0);
  }

  get leader(): NodeId {
    return this.cluster.controller?.controller.image.topicNamed(TOPIC)?.partitions[0]?.leader ?? -1;
  }

  get isr(): readonly NodeId[] {
    return this.cluster.controller?.controller.image.topicNamed(TOPIC)?.partitions[0]?.isr ?? [];
  }

  until(condition: () => boolean, maxMs = 60_000): void {
    if (!this.cluster.world.run({ until: condition, maxMs })) throw new Error(`not within ${maxMs} ms`);
  }

  runFor(ms: number): void {
    this.cluster.world.runFor(ms);
  }

  /** Makes a node leader, cleanly. */
  elect(to: NodeId): void {
    const request = { type: 'TO', topic: TOPIC, partition: 0, to };
    this.#runtime.network.request(CONTROLLER_ID, 'ElectLeaders', request, 10_000, () => undefined);
    this.until(() => this.leader === to);
  }

  /** What a broker's replica holds, its batches from `fromOffset` on (-1: none); undefined if it is not there. */
  replica(id: NodeId, fromOffset = -1): ReplicaDescription | undefined {
    let replica: ReplicaDescription | undefined;
    const request = { topic: TOPIC, partition: 0, fromOffset, maxBatches: 100_000 };
    this.cluster.broker(id)?.api.describeReplicas(request, ({ replicas }) => (replica = replicas[0]));
    return replica;
  }

  /** The values of a replica's log, with the leader epoch of each: "a/0". */
  log(id: NodeId): string[] {
    const records = this.replica(id, 0)?.records ?? Buffer.alloc(0);
    return [...batchHeaders(records)].flatMap((header) => {
      const batch = decodeBatch(records.subarray(header.at, header.at + header.sizeBytes));
      if (batch.kind !== 'records') throw new Error(`unreadable batch: ${batch.kind}`);
      return batch.records.map(({ value }) => `${String(value)}/${header.leaderEpoch}`);
    });
  }

  /** All replicas have the same log, and all of it is committed. */
  get converged(): boolean {
    const replicas = this.cluster.brokerIds.map((id) => this.replica(id));
    return replicas.every(
      (replica) =>
        replica !== undefined &&
        replica.logEndOffset === replicas[0]!.logEndOffset &&
        replica.highWatermark === replica.logEndOffset,
    );
  }

  send(value: string): { result?: SendResult } {
    const sent: { result?: SendResult } = {};
    this.client
      .producer()
      .send({ topic: TOPIC, partition: 0, value: Buffer.from(value) }, (result) => (sent.result = result));
    return sent;
  }
}
