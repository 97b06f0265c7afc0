// One real broker (node 1) on a stage: the controller and the other brokers are scripted, so that a test says each message
// and its moment. The broker, its log, its store and the network are the real ones, in the simulator.
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import type { NodeId } from '../../../src/base/units.ts';
import { createBrokerHost } from '../../../src/host/broker-host.ts';
import type { BrokerHost } from '../../../src/host/broker-host.ts';
import { NO_FAULT_SETTINGS } from '../../../src/host/furnish.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import { configRecord, partitionChangeRecord, partitionRecord, topicRecord } from '../../../src/metadata/records.ts';
import { clusterRecord, registerBrokerRecord, registrationChangeRecord } from '../../../src/metadata/records.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../../src/protocol/apis.ts';
import { nodeConfig, rackOf } from '../../../src/protocol/config.ts';
import type {
  AlteredPartition,
  FetchPartition,
  MetadataRecord,
  ProducedPartition,
} from '../../../src/protocol/generated/index.ts';
import type { Outcome, Runtime } from '../../../src/runtime/ports.ts';
import { World } from '../../../src/sim/world.ts';
import type { Stamped, TraceEvent } from '../../../src/trace/events.ts';
import { ScriptedController } from './scripted-controller.ts';

export const BROKER: NodeId = 1;
export const CLIENT: NodeId = 1001;
export const TOPIC = 'orders';
export const TOPIC_ID = 'topic-id-of-orders';

export interface StageOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly minIsr?: number;
  readonly replicas?: readonly NodeId[];
  readonly isr?: readonly NodeId[];
  readonly leader?: NodeId;
  /** Racks of brokers 1, 2 and 3. */
  readonly racks?: readonly string[];
  readonly partitions?: number;
  readonly safeguardsOff?: readonly string[];
  /** How long a write of the broker's store takes. */
  readonly writeMs?: number;
}

export type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;

export class Stage {
  readonly world: World;
  readonly events: Stamped[] = [];
  readonly controller: ScriptedController;
  readonly options: StageOptions;
  readonly #runtimes = new Map<NodeId, Runtime>();
  host!: BrokerHost;

  constructor(options: StageOptions = {}) {
    this.options = options;
    const { writeMs } = options;
    this.world = new World({
      seed: 7,
      disk: writeMs === undefined ? {} : { writeMinMs: writeMs, writeMaxMs: writeMs },
    });
    this.world.onEvent((event) => this.events.push(event));
    this.controller = this.world.spawn(CONTROLLER_ID, (runtime) => new ScriptedController(runtime));
    for (const id of [2, 3, CLIENT]) this.world.spawn(id, (runtime) => void this.#runtimes.set(id, runtime));
    const { partitions = 1, replicas = [1, 2, 3], isr = replicas, leader = BROKER } = options;
    this.controller.commit(clusterRecord('cluster'));
    for (const id of [2, 3]) this.register(id);
    this.controller.commit(topicRecord(TOPIC, TOPIC_ID));
    if (options.minIsr !== undefined) {
      this.controller.commit(configRecord(TOPIC, 'min.insync.replicas', String(options.minIsr)));
    }
    for (let partition = 0; partition < partitions; partition++) {
      this.controller.commit(partitionRecord({ topicId: TOPIC_ID, partition }, { replicas, isr, leader }));
    }
  }

  /** Starts the broker and waits until it runs and knows that it does. */
  start(truncateTail = 0): this {
    this.boot(truncateTail);
    this.until(() => this.host.broker.state === 'RUNNING');
    this.untilApplied();
    return this;
  }

  boot(truncateTail = 0): void {
    const { config: given = {}, racks = [], safeguardsOff = [] } = this.options;
    const config = { ...given, 'broker.rack': rackOf(racks, BROKER) };
    this.host = this.world.spawn(BROKER, (bare) => {
      const host = createBrokerHost(bare, {
        ...{ id: BROKER, config: nodeConfig(config, 'fast'), truncateTail },
        endpoints: [{ name: 'REPLICATION', host: 'localhost', port: 9001 }],
        effects: { kill: () => undefined, pause: () => undefined, elsewhere: () => undefined },
        settings: { ...NO_FAULT_SETTINGS, safeguardsOff },
      });
      host.start();
      return host;
    });
  }

  kill(): void {
    this.world.node(BROKER).kill();
  }

  /** Registers a scripted broker with a new epoch, unfenced. */
  register(id: NodeId, incarnation = `p${id}`): number {
    const brokerEpoch = this.controller.image.endOffset;
    const rack = rackOf(this.options.racks ?? [], id);
    const registration = { id, incarnationId: incarnation, brokerEpoch, fenced: true, rack };
    this.controller.commit(registerBrokerRecord(registration, []));
    this.setFenced(id, false);
    return brokerEpoch;
  }

  setFenced(id: NodeId, fenced: boolean): void {
    this.controller.commit(registrationChangeRecord(this.controller.image.brokers.get(id)!, { fenced }));
  }

  epochOf(id: NodeId): number {
    return this.controller.image.brokers.get(id)!.brokerEpoch;
  }

  /** Commits a change of a partition and waits until the broker has it in force. */
  change(delta: { isr?: NodeId[]; leader?: NodeId }, partition = 0): void {
    this.controller.commit(partitionChangeRecord({ topicId: TOPIC_ID, partition }, { ...delta, reason: 'clean' }));
    this.untilApplied();
  }

  commit(...records: MetadataRecord[]): void {
    this.controller.commit(...records);
    this.untilApplied();
  }

  untilApplied(): void {
    this.until(() => this.host.broker.metadataOffset === this.controller.image.endOffset);
  }

  until(condition: () => boolean, maxMs = 60_000): void {
    if (!this.world.run({ until: condition, maxMs })) throw new Error(`not within ${maxMs} ms`);
  }

  runFor(ms: number): void {
    this.world.runFor(ms);
  }

  runtime(id: NodeId): Runtime {
    return this.#runtimes.get(id)!;
  }

  /** Events of the broker of one type, so far. */
  seen<T extends TraceEvent['type']>(type: T): EventOf<T>[] {
    return this.events
      .filter(({ node, event }) => node === BROKER && event.type === type)
      .map(({ event }) => event as EventOf<T>);
  }

  /** Calls the broker as a client and runs until the answer is there. */
  call<A extends UnaryApi>(api: A, request: RequestOf<A>, from = CLIENT): ResponseOf<A> {
    const outcome = this.ask(api, request, from);
    this.until(() => outcome.value !== undefined);
    if (outcome.value?.kind !== 'ok') throw new Error(`${api}: ${outcome.value?.kind}`);
    return outcome.value.response;
  }

  /** Calls the broker; the answer appears in the result. */
  ask<A extends UnaryApi>(api: A, request: RequestOf<A>, from = CLIENT): { value?: Outcome<ResponseOf<A>> } {
    const result: { value?: Outcome<ResponseOf<A>> } = {};
    this.runtime(from).network.request(BROKER, api, request, 60_000, (outcome) => (result.value = outcome));
    return result;
  }

  /** Sends a produce; its answer appears in the result. */
  produce(value: string, options: ProduceOptions = {}): { answer?: ProducedPartition } {
    const { acks = -1, timeoutMs = 30_000, partition = 0, topic = TOPIC, clientId = '' } = options;
    const { transactionalId = '', transactionVersion = 0 } = options;
    const records = options.records ?? batchOf(value);
    const result: { answer?: ProducedPartition } = {};
    const stream = this.runtime(CLIENT).network.open(BROKER, 'Produce', {
      message: ({ partitions }) => (result.answer = partitions[0]!),
      closed: () => undefined,
    });
    const partitions = [{ topic, partition, records }];
    stream.send({
      correlationId: 1,
      acks,
      timeoutMs,
      transactionalId,
      transactionVersion,
      clientId,
      partitions,
    });
    return result;
  }

  /** Produces and waits for the answer. */
  produced(value: string, options: ProduceOptions = {}): ProducedPartition {
    const result = this.produce(value, options);
    this.until(() => result.answer !== undefined);
    return result.answer!;
  }

  /** The controller's answer to a proposal for partition 0: its state, unless said otherwise. */
  altered(more: Partial<AlteredPartition> = {}): AlteredPartition {
    const { leader, leaderEpoch, isr, partitionEpoch } = this.controller.image.partition(TOPIC_ID, 0)!;
    const state = { leader, leaderEpoch, isr: [...isr], partitionEpoch, leaderRecoveryState: 'RECOVERED' };
    return { topicId: TOPIC_ID, partition: 0, error: 'NONE', ...state, ...more };
  }

  /** What the broker's replica holds. */
  get replica() {
    return this.call('DescribeReplicas', { topic: TOPIC, partition: 0, fromOffset: -1, maxBatches: 0 }).replicas[0]!;
  }
}

export interface ProduceOptions {
  readonly acks?: number;
  readonly timeoutMs?: number;
  readonly partition?: number;
  readonly topic?: string;
  readonly clientId?: string;
  readonly transactionalId?: string;
  readonly transactionVersion?: number;
  readonly records?: Buffer;
}

export function batchOf(...values: string[]): Buffer {
  return encodeBatch(values.map((value) => ({ timestamp: 1, key: null, value: Buffer.from(value) })));
}

/** A follower's ask of one partition, all said. */
export function wanted(fetchOffset: number, more: Partial<FetchPartition> = {}): FetchPartition {
  return {
    ...{ topicId: TOPIC_ID, topic: TOPIC, partition: 0, currentLeaderEpoch: 0, fetchOffset },
    ...{ lastFetchedEpoch: fetchOffset === 0 ? -1 : 0, logStartOffset: 0, partitionMaxBytes: 1_048_576 },
    ...more,
  };
}
