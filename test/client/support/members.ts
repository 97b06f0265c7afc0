// Members of a group on real brokers in the simulated world, and what they are told.
import { formatPartition, type TopicPartition } from '../../../src/base/units.ts';
import { ClientCore, type ConfigOverrides } from '../../../src/client/core/client.ts';
import type { CommittedResult } from '../../../src/client/core/group/committed-offsets.ts';
import type { GroupConsumerCore, GroupPollResult } from '../../../src/client/core/group/group-consumer.ts';
import type { CommitResult } from '../../../src/client/core/group/offset-commits.ts';
import type { OffsetToSend } from '../../../src/client/core/txn/requests.ts';
import type { Runtime } from '../../../src/runtime/ports.ts';
import type { SimClusterOptions } from '../../../src/sim/cluster.ts';
import { CLIENT_ID, aCluster, createTopic } from './cluster.ts';
import { send, text, waitFor } from './wait.ts';

const nameOf = ({ topic, partition }: TopicPartition): string => formatPartition(topic, partition);
const names = (partitions: readonly TopicPartition[]): string => partitions.map(nameOf).sort().join(' ');

/** A member that polls for ever, as applications do. */
export class TestMember {
  readonly node: number;
  readonly consumer: GroupConsumerCore;
  /** "assigned t-0 t-1", "revoked t-1", "lost t-0": in order. */
  readonly heard: string[] = [];
  readonly values: string[] = [];
  readonly failures: string[] = [];
  /** "t-0@5 ok": every commit, in the order in which they ended. */
  readonly commits: string[] = [];
  readonly #runtime: Runtime;
  #polls = true;
  /** How long it takes over what it is told. */
  listeningMs = 0;

  constructor(runtime: Runtime, bootstrap: readonly number[], config: ConfigOverrides, topics: readonly string[]) {
    this.#runtime = runtime;
    this.node = runtime.node;
    const client = new ClientCore({ runtime, bootstrap, clientId: `m${this.node}`, profile: 'fast' });
    this.consumer = client.groupConsumer(config, {
      onCommit: (offsets) => (result) => {
        const what = offsets
          .map((one) => `${nameOf(one)}@${one.offset}`)
          .sort()
          .join(' ');
        this.commits.push(`${what} ${result.kind === 'ok' ? 'ok' : result.error}`);
      },
    });
    this.subscribe(topics);
    this.poll();
  }

  subscribe(topics: readonly string[]): void {
    const hear = (what: string) => (partitions: readonly TopicPartition[], proceed: () => void) => {
      this.heard.push(`${what} ${names(partitions)}`.trim());
      if (this.listeningMs === 0) proceed();
      else this.#runtime.clock.after(this.listeningMs, proceed);
    };
    this.consumer.subscribe(topics, { assigned: hear('assigned'), revoked: hear('revoked'), lost: hear('lost') });
  }

  get owns(): string {
    return names(this.consumer.assignment);
  }

  get generation(): number {
    return this.consumer.groupMetadata.generationId;
  }

  stopPolling(): void {
    this.#polls = false;
    this.consumer.cancelPoll();
  }

  poll(maxWaitMs = 1000): void {
    this.#polls = true;
    this.consumer.poll(maxWaitMs, (result) => this.#take(result));
  }

  #take(result: GroupPollResult): void {
    if (result.kind === 'group-failed') {
      this.failures.push(result.failure.error);
      if (result.failure.fatal) return;
    }
    if (result.kind === 'ok') {
      for (const { records } of result.deliveries) {
        this.values.push(...records.map(({ value }) => value?.toString() ?? 'null'));
      }
    }
    if (this.#polls) this.#runtime.clock.after(0, () => this.#polls && this.poll());
  }
}

/** A cluster with topic `t`, and a way to add members of group `g` to it. */
export function aGroup(partitions = 2, config: ConfigOverrides = {}, cluster: Partial<SimClusterOptions> = {}) {
  const made = aCluster(cluster);
  const { world } = made;
  createTopic(made, 't', { partitions });
  const producer = made.client.producer({ 'batch.size': 0, 'linger.ms': 0 });
  let next = CLIENT_ID + 100;
  const member = (more: ConfigOverrides = {}, topics: readonly string[] = ['t']): TestMember => {
    const settings = { 'group.id': 'g', 'auto.offset.reset': 'earliest', ...config, ...more };
    const { brokerIds } = made.cluster;
    return made.cluster.spawnClient(next++, (runtime) => new TestMember(runtime, brokerIds, settings, topics));
  };
  const until = (what: string, holds: () => boolean, maxMs = 60_000): void => {
    if (!world.run({ until: holds, maxMs })) throw new Error(`not within ${maxMs} ms: ${what}`);
  };
  return {
    ...{ ...made, producer, member, until },
    /** Until these members, and no others, share all partitions in one generation. */
    settled: (...members: TestMember[]): void => {
      until('the group settles', () => {
        const generations = new Set(members.map(({ generation }) => generation));
        const owned = members.flatMap(({ consumer }) => consumer.assignment);
        return (
          generations.size === 1 && owned.length === partitions && members.every(({ consumer }) => consumer.isSettled)
        );
      });
    },
    send: (value: string, partition = 0) => send(world, producer, { topic: 't', partition, value: text(value) }),
    commit: (of: TestMember, offsets?: readonly OffsetToSend[]): CommitResult =>
      waitFor<CommitResult>(world, (done) => of.consumer.commit(offsets, done)),
    close: (of: TestMember): void => {
      of.stopPolling();
      waitFor<null>(world, (done) => of.consumer.close(5000, () => done(null)));
    },
    committed: (of: TestMember, partition = 0): number => {
      const result = waitFor<CommittedResult>(world, (done) =>
        of.consumer.committed([{ topic: 't', partition }], done),
      );
      if (result.kind === 'failed') throw new Error(result.message);
      return result.offsets[0]!.offset;
    },
  };
}
