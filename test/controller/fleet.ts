// Brokers as the controller sees them: processes that register, heartbeat and propose. Scripted, so that a test says
// each message; the brokers themselves are tested elsewhere.
import type { BrokerEpoch, NodeId } from '../../src/base/units.ts';
import type { PartitionRegistration } from '../../src/metadata/image.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import type { AlterPartitionEntry } from '../../src/protocol/generated/index.ts';
import type { Desk } from './lone-controller.ts';

/** A broker that has applied everything. */
export const CAUGHT_UP = Number.MAX_SAFE_INTEGER;

export function register(desk: Desk, id: NodeId, incarnation = `p${id}`): ResponseOf<'BrokerRegistration'> {
  return desk.call('BrokerRegistration', registration(id, incarnation));
}

/** Settings of a cluster without eligible leader replicas. */
export const ELR_OFF = { config: { 'eligible.leader.replicas.version': 0 } };

export function registration(brokerId: NodeId, incarnationId: string, clusterId = '') {
  const endpoints = [{ name: 'REPLICATION', host: '127.0.0.1', port: 9000 + brokerId }];
  return { brokerId, clusterId, incarnationId, endpoints, previousBrokerEpoch: -1, rack: '' };
}

export interface Wishes {
  readonly wantFence?: boolean;
  readonly wantShutDown?: boolean;
  /** Metadata offset applied, exclusive. */
  readonly applied?: number;
  readonly epoch?: BrokerEpoch;
}

export function heartbeat(desk: Desk, brokerId: NodeId, wishes: Wishes = {}): ResponseOf<'BrokerHeartbeat'> {
  return desk.call('BrokerHeartbeat', {
    brokerId,
    brokerEpoch: wishes.epoch ?? epochOf(desk, brokerId),
    currentMetadataOffset: wishes.applied ?? CAUGHT_UP,
    wantFence: wishes.wantFence ?? false,
    wantShutDown: wishes.wantShutDown ?? false,
  });
}

export function epochOf(desk: Desk, broker: NodeId): BrokerEpoch {
  return desk.controller.image.brokers.get(broker)?.brokerEpoch ?? -1;
}

/** Registers brokers and brings them up. */
export function bringUp(desk: Desk, ...ids: NodeId[]): void {
  for (const id of ids) {
    register(desk, id);
    heartbeat(desk, id);
  }
}

/** Lets time pass while these brokers heartbeat every second. */
export function live(desk: Desk, seconds: number, ...ids: NodeId[]): void {
  for (let second = 0; second < seconds; second++) {
    desk.run(1000);
    for (const id of ids) heartbeat(desk, id);
  }
}

export interface TopicWish {
  readonly replicas?: readonly (readonly NodeId[])[];
  readonly configs?: Readonly<Record<string, string>>;
  readonly partitions?: number;
  readonly replicationFactor?: number;
}

export function newTopic(name: string, wish: TopicWish = {}) {
  const configs = Object.entries(wish.configs ?? {}).map(([key, value]) => ({ name: key, value }));
  const assignments = (wish.replicas ?? []).map((ids) => ({ ids: [...ids] }));
  const [numPartitions, replicationFactor] = [wish.partitions ?? -1, wish.replicationFactor ?? -1];
  return { name, numPartitions, replicationFactor, assignments, configs };
}

export function createTopic(desk: Desk, name: string, wish: TopicWish): ResponseOf<'CreateTopics'>['topics'][number] {
  return desk.call('CreateTopics', { topics: [newTopic(name, wish)], validateOnly: false }).topics[0]!;
}

export function partitionOf(desk: Desk, topic: string, index = 0): PartitionRegistration {
  return desk.controller.image.topicNamed(topic)!.partitions[index]!;
}

/**
 * "leader/epoch/partitionEpoch [isr]", with the recovery state if it is not RECOVERED, with who is eligible and who led last
 * if anybody: "-1/1/2 [] elr [1] last [1]".
 */
export function show(partition: PartitionRegistration): string {
  const { leader, leaderEpoch, partitionEpoch, isr, elr, lastKnownElr, leaderRecoveryState } = partition;
  const recovery = leaderRecoveryState === 'RECOVERED' ? '' : ` ${leaderRecoveryState}`;
  const eligible = elr.length === 0 ? '' : ` elr [${elr}]`;
  const last = lastKnownElr.length === 0 ? '' : ` last [${lastKnownElr}]`;
  return `${leader}/${leaderEpoch}/${partitionEpoch} [${isr}]${recovery}${eligible}${last}`;
}

export function state(desk: Desk, topic: string, index = 0): string {
  return show(partitionOf(desk, topic, index));
}

/** A proposal of the leader in office for the partition as it stands; `changes` make it wrong. */
export function proposal(
  desk: Desk,
  topic: string,
  isr: readonly NodeId[],
  changes: Partial<AlterPartitionEntry> = {},
): AlterPartitionEntry {
  const { topicId, partition, leaderEpoch, partitionEpoch } = partitionOf(desk, topic);
  const newIsr = isr.map((brokerId) => ({ brokerId, brokerEpoch: epochOf(desk, brokerId) }));
  return { topicId, partition, leaderEpoch, partitionEpoch, newIsr, leaderRecoveryState: 'RECOVERED', ...changes };
}

export function alter(
  desk: Desk,
  entry: AlterPartitionEntry,
  from?: { readonly brokerId?: NodeId; readonly brokerEpoch?: BrokerEpoch },
): ResponseOf<'AlterPartition'> {
  const leader = desk.controller.image.partition(entry.topicId, entry.partition)?.leader ?? 1;
  const brokerId = from?.brokerId ?? leader;
  const brokerEpoch = from?.brokerEpoch ?? epochOf(desk, brokerId);
  return desk.call('AlterPartition', { brokerId, brokerEpoch, ...inOrder(desk), partitions: [entry] });
}

/** The place of the next request among those of its sender. */
export function inOrder(desk: Desk): { readonly sequence: number; readonly controllerEpoch: number } {
  return { sequence: desk.nextSequence++, controllerEpoch: desk.controller.controllerEpoch };
}
