// Random lives of a cluster, judged on its metadata log alone: I-8 to I-12, I-14 and I-23 after every record (section 9), the
// fold of the log equal to the controller's image, and restarts anywhere. The seed is fixed; a failure shrinks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MetadataImage, type PartitionRegistration } from '../../src/metadata/image.ts';
import { isUnclean } from '../../src/metadata/records.ts';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';
import { alter, bringUp, createTopic, epochOf, heartbeat, partitionOf, proposal, registration } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const BROKERS = [1, 2, 3, 4] as const;
const TOPICS = ['clean', 'unclean'] as const;
const LEVEL = 'eligible.leader.replicas.version';

const broker = fc.constantFrom(...BROKERS);
const topic = fc.constantFrom(...TOPICS);
const isr = fc.subarray([...BROKERS]);

/** What may happen next. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), broker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('want-fence' as const), broker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('want-shut-down' as const), broker }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('new-process' as const), broker, id: fc.nat(9), clean: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('silence' as const), ms: fc.nat(6000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.nat(30_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('propose' as const), topic, isr, wild: fc.option(broker, { freq: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('elect' as const),
      ...{ topic, type: fc.constantFrom('PREFERRED', 'UNCLEAN', 'TO'), to: broker },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('recreate' as const),
      topic,
      replicas: fc.shuffledSubarray([...BROKERS], { minLength: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('min-isr' as const), topic, value: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      minIsr: fc.constantFrom(1, 1, 2, 3),
      level: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reassign' as const),
      topic,
      replicas: fc.option(fc.shuffledSubarray([...BROKERS], { minLength: 1 }), { freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unregister' as const), broker, really: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('power-loss' as const), back: fc.shuffledSubarray([...BROKERS]) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function create(desk: Desk, name: string, replicas: readonly number[]): void {
  createTopic(desk, name, {
    replicas: [replicas],
    configs: {
      'unclean.leader.election.enable': String(name === 'unclean'),
      // On all brokers it is the cluster's.
      ...(replicas.length === BROKERS.length ? {} : { 'min.insync.replicas': '2' }),
    },
  });
}

/** A leader's proposal, or (`wild`) that of somebody who may have no business with it. */
function propose(desk: Desk, name: string, members: readonly number[], wild: number | null): void {
  const { leader, replicas } = partitionOf(desk, name);
  const sensible = replicas.filter((id) => id === leader || members.includes(id));
  const entry = proposal(desk, name, wild === null ? sensible : members);
  alter(desk, entry, { brokerId: wild ?? Math.max(1, leader) });
}

function play(desk: Desk, next: Step, config: Readonly<Record<string, unknown>>): Desk {
  const has = (name: string): boolean => desk.controller.image.topicNamed(name) !== undefined;
  switch (next.do) {
    case 'heartbeat':
      heartbeat(desk, next.broker);
      break;
    case 'want-fence':
      heartbeat(desk, next.broker, { wantFence: true });
      break;
    case 'want-shut-down':
      heartbeat(desk, next.broker, { wantShutDown: true });
      break;
    case 'new-process':
      desk.call('BrokerRegistration', {
        ...registration(next.broker, `process ${next.id}`),
        previousBrokerEpoch: next.clean ? epochOf(desk, next.broker) : -1,
      });
      break;
    case 'silence':
      desk.run(next.ms);
      break;
    case 'power-loss':
      // Nobody is heard until every session has ended; who comes back was killed.
      desk.run(30_000);
      for (const id of next.back) {
        desk.call('BrokerRegistration', { ...registration(id, `after ${epochOf(desk, id)}`), previousBrokerEpoch: -1 });
        heartbeat(desk, id);
      }
      break;
    case 'pause':
      desk.pause(next.ms);
      break;
    case 'propose':
      if (has(next.topic)) propose(desk, next.topic, next.isr, next.wild);
      break;
    case 'elect':
      desk.call('ElectLeaders', { type: next.type, topic: next.topic, partition: 0, to: next.to });
      break;
    case 'recreate':
      if (has(next.topic)) desk.call('DeleteTopics', { names: [next.topic], topicIds: [] });
      create(desk, next.topic, next.replicas);
      break;
    case 'min-isr': {
      const change = { name: 'min.insync.replicas', operation: 'SET', value: String(next.value), hasValue: true };
      const resource = { type: 'topic', name: next.topic, replace: false, changes: [change] };
      desk.call('AlterConfigs', { resources: [resource], validateOnly: false });
      break;
    }
    case 'restart': {
      // One in ten starts with the other level.
      const level = Number(config[LEVEL]) ^ (next.level === 0 ? 1 : 0);
      return desk.restart({ config: { ...config, 'min.insync.replicas': next.minIsr, [LEVEL]: level } });
    }
    case 'reassign': {
      const replicas = next.replicas === null ? null : { ids: next.replicas };
      const partitions = [{ topic: next.topic, partition: 0, replicas }];
      desk.call('AlterPartitionReassignments', { partitions, allowReplicationFactorChange: true });
      break;
    }
    case 'unregister':
      if (next.really === 0) desk.call('UnregisterBroker', { brokerId: next.broker });
  }
  return desk;
}

/** Folds a log and checks after every record what may be known from the log alone. */
class Judge {
  readonly image = new MetadataImage();
  readonly #leaders = new Map<string, number>();
  readonly #brokerEpochs = new Set<number>();
  /** The level was 0 once: who was the last of an ISR then stays in it. */
  #wasOff = false;
  /** Who holds all that may have been committed, by partition. */
  readonly #holders = new Map<string, Set<number>>();
  /** Clean elections of somebody who was eligible. */
  eligibles = 0;

  judge(record: MetadataRecord): void {
    if (record.clearElr) return this.#judgeClear(record);
    const place = record.partitionChange ?? record.partition;
    const before = place ? this.image.partition(place.topicId, place.partition) : undefined;
    const epochBefore = this.image.brokers.get(record.registerBroker?.brokerId ?? -1)?.brokerEpoch ?? -1;
    this.image.apply(this.image.endOffset, record);
    const after = place ? this.image.partition(place.topicId, place.partition) : undefined;
    this.#wasOff ||= record.featureLevel?.name === LEVEL && record.featureLevel.level === 0;
    if (after !== undefined) {
      this.#judgePartition(record, before, after);
      this.#judgeHolders(record, after);
    }
    if (record.config) for (const partition of this.image.partitions()) this.#commit(partition);
    if (record.registerBroker) this.#judgeEpoch(record.registerBroker.brokerEpoch, epochBefore);
  }

  /** I-11, at rest. */
  judgeRest(): void {
    for (const { isr: members, leader, topic: name } of this.image.partitions()) {
      const lost = members.filter((id) => {
        const registered = this.image.brokers.get(id);
        return registered === undefined || registered.fenced || registered.inControlledShutdown;
      });
      const kept = this.#wasOff ? lost.slice(0, 1) : [];
      if (lost.length > 0) expect([name, members, leader], 'I-11').toEqual([name, kept, -1]);
    }
  }

  #judgePartition(
    record: MetadataRecord,
    before: PartitionRegistration | undefined,
    after: PartitionRegistration,
  ): void {
    const { leader, leaderEpoch, partitionEpoch, isr: members, replicas, topicId } = after;
    if (leader !== -1) {
      const key = `${topicId} ${leaderEpoch}`;
      expect(this.#leaders.get(key) ?? leader, 'I-8: one leader an epoch').toBe(leader);
      this.#leaders.set(key, leader);
    }
    expect(leader === -1 || members.includes(leader), 'I-10').toBe(true);
    expect((members.length > 0 || this.image.hasElr) && members.every((id) => replicas.includes(id)), 'I-10').toBe(
      true,
    );
    expect(
      members.filter((id) => after.elr.includes(id)),
      'I-10',
    ).toEqual([]);
    expect(after.elr.every((id) => replicas.includes(id)) && after.lastKnownElr.length <= 1, 'R-98').toBe(true);
    if (leader !== -1) expect(after.lastKnownElr, 'R-98').toEqual([]);
    if (before === undefined) return;
    const change = record.partitionChange!;
    expect(partitionEpoch, 'I-9').toBe(before.partitionEpoch + 1);
    expect(leaderEpoch, 'I-9').toBe(before.leaderEpoch + (change.hasLeader ? 1 : 0));
    if (!change.hasLeader || leader === -1) return;
    if (isUnclean(record)) expect(after.leaderRecoveryState, 'R-97').toBe('RECOVERING');
    else if (change.removingReplicas) expect([...before.isr, ...members], 'I-12: arrived').toContain(leader);
    else if (change.isr?.ids.length !== 1 || before.isr.includes(leader)) expect(before.isr, 'I-12').toContain(leader);
    else {
      expect(before.elr, 'I-12: eligible').toContain(leader);
      this.eligibles += 1;
    }
  }

  /** I-14 of a leader that commits whatever it may at once: who is elected cleanly holds it (repl ). */
  #judgeHolders({ partitionChange }: MetadataRecord, after: PartitionRegistration): void {
    const holders = this.#holdersOf(after);
    const { leader, isr: members } = after;
    if (leader !== -1 && partitionChange?.hasLeader) {
      if (partitionChange.reason === 'unclean' || partitionChange.reason === 'last-known') holders.clear();
      // It may have joined by the very change that elects it: then somebody else of the ISR it joined had everything.
      else if (!partitionChange.removingReplicas) expect([...holders], 'I-14').toContain(leader);
    }
    if (leader !== -1) for (const id of members) holders.add(id);
    this.#commit(after);
  }

  #holdersOf({ topicId, isr: members }: PartitionRegistration): Set<number> {
    const holders = this.#holders.get(topicId) ?? new Set(members);
    this.#holders.set(topicId, holders);
    return holders;
  }

  #commit(partition: PartitionRegistration): void {
    const { leader, isr: members, replicas, topic: name } = partition;
    const configs = [this.image.topicNamed(name)?.configs, this.image.clusterConfigs];
    const minIsr = Number(configs.map((each) => each?.get('min.insync.replicas')).find((value) => value) ?? 1);
    if (leader === -1 || members.length < Math.min(minIsr, replicas.length)) return;
    const holders = this.#holdersOf(partition);
    for (const id of [...holders]) if (!members.includes(id)) holders.delete(id);
  }

  /** I-9 for ClearElr: +1 where there was something to forget. */
  #judgeClear(record: MetadataRecord): void {
    const before = [...this.image.partitions()];
    this.image.apply(this.image.endOffset, record);
    for (const { topicId, partition, elr, lastKnownElr, partitionEpoch } of before) {
      const after = this.image.partition(topicId, partition)!;
      const name = record.clearElr!.topic;
      const isMeant = (name === '' || name === after.topic) && elr.length + lastKnownElr.length > 0;
      expect(after.partitionEpoch, 'I-9').toBe(partitionEpoch + (isMeant ? 1 : 0));
    }
  }

  #judgeEpoch(epoch: number, before: number): void {
    if (epoch === before) return;
    expect(epoch, 'I-23').toBeGreaterThan(before);
    expect(this.#brokerEpochs.has(epoch), 'I-23: unique').toBe(false);
    this.#brokerEpochs.add(epoch);
  }
}

test.each([0, 1])(
  'repl I-8 to I-12, I-14, I-23: hold in every life, with level %i of eligible leader replicas',
  (level) => {
    const config = { [LEVEL]: level };
    const reached = { elections: 0, unclean: 0, shrinks: 0, restarts: 0, leaderless: 0 };
    const eligible = { eligibles: 0, lastKnown: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        let desk = new Desk({ config }).start();
        bringUp(desk, ...BROKERS);
        create(desk, 'clean', [1, 2, 3]);
        create(desk, 'unclean', [2, 3, 4]);
        const judge = new Judge();
        for (const next of steps) {
          desk = play(desk, next, config);
          for (const record of desk.readLog(judge.image.endOffset).records()) {
            judge.judge(record);
            if (record.partitionChange?.hasLeader) reached.elections += 1;
            if (record.partitionChange?.leader === -1) reached.leaderless += 1;
            if (isUnclean(record)) reached.unclean += 1;
            if (record.partitionChange?.reason === 'isr-shrink') reached.shrinks += 1;
            if (record.partitionChange?.reason === 'last-known') eligible.lastKnown += 1;
          }
          judge.judgeRest();
          if (next.do === 'restart') reached.restarts += 1;
          expect([...judge.image.partitions()], 'I-24').toEqual([...desk.controller.image.partitions()]);
          expect([...judge.image.brokers], 'I-24').toEqual([...desk.controller.image.brokers]);
        }
        eligible.eligibles += judge.eligibles;
      }),
      { seed: 20_241_101, numRuns: 300 },
    );
    // A property over lives in which nothing happens would prove nothing.
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(25);
    for (const count of Object.values(eligible)) expect(count > 20).toBe(level === 1);
  },
);
