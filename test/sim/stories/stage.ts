// The stage of named simulator stories: a cluster watched by every invariant, one topic, and a hand that writes, strikes and
// looks. A story says what happens; the stage says how.
import { expect } from 'vitest';
import { CONTROLLER_ID, type NodeId } from '../../../src/base/units.ts';
import { foundReplica } from '../../../src/chaos/found-records.ts';
import type { ActionKind } from '../../../src/fault/legality.ts';
import { equals, faultSpec } from '../../../src/fault/spec.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import type { PartitionRegistration } from '../../../src/metadata/image.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../../src/protocol/apis.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { Runtime } from '../../../src/runtime/ports.ts';
import { SimCluster, type SimClusterOptions } from '../../../src/sim/cluster.ts';
import type { Violation } from '../../../src/sim/invariants/invariant.ts';
import { notConverged } from '../../../src/sim/invariants/replication/healed-cluster-converges.ts';
import { InvariantSuite } from '../../../src/sim/invariants/suite.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

const CLIENT: NodeId = 1001;

/** What became of one produce. */
export interface Sent {
  error: ErrorName | 'unanswered';
  offset: number;
}

/** A fault at a point of one node. */
export interface Strike {
  readonly at: string;
  readonly on: NodeId;
  readonly action: ActionKind;
  readonly nth?: number;
  readonly forMs?: number;
  /** The receiver of the message; any, if absent. */
  readonly to?: NodeId;
}

export interface StageOptions extends Partial<SimClusterOptions> {
  /** Replicas of orders-0, the first leads. */
  readonly replicas: readonly NodeId[];
  readonly minIsr?: number;
}

export class Stage {
  readonly cluster: SimCluster;
  readonly client: Runtime;
  readonly events: { readonly node: NodeId; readonly event: TraceEvent }[] = [];
  readonly #suite: InvariantSuite;
  #strikes = 0;

  constructor(options: StageOptions) {
    const { replicas, minIsr = 1, ...rest } = options;
    this.cluster = new SimCluster({ seed: 1, brokers: replicas.length, ...rest });
    this.#suite = new InvariantSuite({ onViolation: () => undefined });
    this.cluster.world.onEvent((stamped) => {
      this.#suite.onEvent(stamped);
      this.events.push(stamped);
    });
    this.cluster.startAll();
    this.client = this.cluster.spawnClient(CLIENT, (runtime) => runtime);
    this.until('the brokers are ready', () => this.cluster.ready);
    this.createTopic('orders', replicas, minIsr);
    this.until('orders is led', () => this.cluster.isLed('orders'));
  }

  get now(): number {
    return this.cluster.world.now;
  }

  /** What the invariants have found so far, and what a look at everything finds. */
  get violations(): readonly Violation[] {
    return this.#suite.sweep();
  }

  run(ms: number): void {
    this.cluster.world.runFor(ms);
  }

  until(what: string, holds: () => boolean, maxMs = 30_000): void {
    expect(this.cluster.world.run({ until: holds, maxMs }), what).toBe(true);
  }

  /** orders-0 as the controller has it. */
  get orders(): PartitionRegistration {
    return this.cluster.controller!.controller.image.topicNamed('orders')!.partitions[0]!;
  }

  /** Its ISR, ascending. */
  get isr(): readonly NodeId[] {
    return [...this.orders.isr].sort((a, b) => a - b);
  }

  isFenced(id: NodeId): boolean {
    return this.cluster.controller?.controller.image.brokers.get(id)?.fenced === true;
  }

  /** Asks, and lets time pass until there is an answer. */
  ask<A extends UnaryApi>(to: NodeId, api: A, request: RequestOf<A>): ResponseOf<A> {
    let answer: ResponseOf<A> | undefined;
    this.client.network.request(to, api, request, 5000, (outcome) => {
      if (outcome.kind === 'ok') answer = outcome.response;
    });
    this.until(`${api} is answered`, () => answer !== undefined, 10_000);
    return answer!;
  }

  createTopic(name: string, replicas: readonly NodeId[], minIsr = 1): void {
    const configs = [{ name: 'min.insync.replicas', value: String(minIsr) }];
    const topic = { name, numPartitions: -1, replicationFactor: -1, assignments: [{ ids: [...replicas] }], configs };
    const created = this.ask(CONTROLLER_ID, 'CreateTopics', { topics: [topic], validateOnly: false });
    expect(created.topics[0]?.error).toBe('NONE');
  }

  /** Writes to orders-0 at a node, the leader if none is named. The outcome comes later. */
  send(value: string, how: { acks?: number; to?: NodeId; timeoutMs?: number } = {}): Sent {
    const { acks = -1, to = this.orders.leader, timeoutMs = 1000 } = how;
    const sent: Sent = { error: 'unanswered', offset: -1 };
    const stream = this.client.network.open(to, 'Produce', {
      message: ({ partitions: [first] }) => {
        if (first === undefined) return;
        sent.error = first.error;
        sent.offset = first.baseOffset;
      },
      closed: () => undefined,
    });
    const records = encodeBatch([{ key: null, value: Buffer.from(value), headers: [], timestamp: 0 }]);
    const partitions = [{ topic: 'orders', partition: 0, records }];
    const who = { transactionalId: '', transactionVersion: 0, clientId: 'story' };
    stream.send({ correlationId: 1, acks, timeoutMs, ...who, partitions });
    return sent;
  }

  /** Writes with acks=all and waits for the acknowledgement; a leader that does not know yet that it leads is asked again. */
  commit(...values: readonly string[]): void {
    for (const value of values) {
      let sent = this.send(value);
      this.until(`"${value}" is answered`, () => {
        if (sent.error === 'NOT_LEADER_OR_FOLLOWER') sent = this.send(value);
        return sent.error !== 'unanswered';
      });
      expect(sent.error, value).toBe('NONE');
    }
  }

  strike({ at, on, action, nth = 1, forMs = 0, to }: Strike): string {
    const id = `strike-${this.#strikes++}`;
    const where = [equals('node', on), ...(to === undefined ? [] : [equals('to', to)])];
    const spec = faultSpec({ id, point: at, where, nth, times: 1, action: { kind: action, durationMs: forMs } });
    expect(this.cluster.arm(spec)).toBe('');
    return id;
  }

  hasFired(strike: string): boolean {
    return this.told((event) => event.type === 'fault.fired' && event.fault === strike);
  }

  /** Whether an event was told that is so. */
  told(isSo: (event: TraceEvent, node: NodeId) => boolean): boolean {
    return this.events.some(({ event, node }) => isSo(event, node));
  }

  /** Waits for such an event from now on. */
  untilTold(what: string, isSo: (event: TraceEvent, node: NodeId) => boolean): void {
    const from = this.events.length;
    this.until(what, () => this.events.slice(from).some(({ event, node }) => isSo(event, node)));
  }

  /** The values in a replica's log of orders-0. */
  valuesAt(id: NodeId): string[] {
    const asked = { topic: 'orders', partition: 0, fromOffset: 0, maxBatches: 10_000 };
    const [replica] = this.ask(id, 'DescribeReplicas', asked).replicas;
    return replica === undefined
      ? []
      : foundReplica(id, replica, replica.records).records.map(({ value }) => value ?? '');
  }

  /** Heals everything, waits for all replicas to agree (repl I-28), and expects that no invariant was broken. */
  endWell(): void {
    this.cluster.heal(true);
    const apart = (): readonly unknown[] => notConverged(this.#suite.view, this.cluster.brokerIds);
    this.cluster.world.run({ until: () => apart().length === 0, maxMs: 20_000 });
    expect(apart()).toEqual([]);
    expect(this.violations).toEqual([]);
  }
}
