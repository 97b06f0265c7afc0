// Random lives of a cluster, judged on its metadata log alone: I-8 to I-12 and I-23 after every record (repl section 9), the
// fold of the log equal to the controller's image, and restarts anywhere. The seed is fixed; a failure shrinks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MetadataImage, type PartitionRegistration } from '../../src/metadata/image.ts';
import { isUnclean } from '../../src/metadata/records.ts';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';
import { alter, bringUp, createTopic, heartbeat, partitionOf, proposal, register } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const BROKERS = [1, 2, 3, 4] as const;
const TOPICS = ['clean', 'unclean'] as const;

const broker = fc.constantFrom(...BROKERS);
const topic = fc.constantFrom(...TOPICS);
const isr = fc.subarray([...BROKERS]);

/** What may happen next. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), broker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('want-fence' as const), broker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('want-shut-down' as const), broker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('new-process' as const), broker, id: fc.nat(9) }) },
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function create(desk: Desk, name: string, replicas: readonly number[]): void {
  createTopic(desk, name, {
    replicas: [replicas],
    configs: { 'unclean.leader.election.enable': String(name === 'unclean') },
  });
}

/** A leader's proposal, or (`wild`) that of somebody who may have no business with it. */
function propose(desk: Desk, name: string, members: readonly number[], wild: number | null): void {
  const { leader, replicas } = partitionOf(desk, name);
  const sensible = replicas.filter((id) => id === leader || members.includes(id));
  const entry = proposal(desk, name, wild === null ? sensible : members);
  alter(desk, entry, { brokerId: wild ?? Math.max(1, leader) });
}

function play(desk: Desk, next: Step): Desk {
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
      register(desk, next.broker, `process ${next.id}`);
      break;
    case 'silence':
      desk.run(next.ms);
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
    case 'restart':
      return desk.restart();
  }
  return desk;
}

/** Folds a log and checks after every record what may be known from the log alone. */
class Judge {
  readonly image = new MetadataImage();
  readonly #leaders = new Map<string, number>();
  readonly #brokerEpochs = new Set<number>();

  judge(record: MetadataRecord): void {
    const place = record.partitionChange ?? record.partition;
    const before = place ? this.image.partition(place.topicId, place.partition) : undefined;
    const epochBefore = this.image.brokers.get(record.registerBroker?.brokerId ?? -1)?.brokerEpoch ?? -1;
    this.image.apply(this.image.endOffset, record);
    const after = place ? this.image.partition(place.topicId, place.partition) : undefined;
    if (after !== undefined) this.#judgePartition(record, before, after);
    if (record.registerBroker) this.#judgeEpoch(record.registerBroker.brokerEpoch, epochBefore);
  }

  /** I-11, at rest. */
  judgeRest(): void {
    for (const { isr: members, leader, topic: name } of this.image.partitions()) {
      const lost = members.filter((id) => {
        const registered = this.image.brokers.get(id);
        return registered === undefined || registered.fenced || registered.inControlledShutdown;
      });
      if (lost.length > 0) expect([name, members, leader], 'I-11').toEqual([name, lost.slice(0, 1), -1]);
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
    expect(members.length > 0 && members.every((id) => replicas.includes(id)), 'I-10').toBe(true);
    if (before === undefined) return;
    const change = record.partitionChange!;
    expect(partitionEpoch, 'I-9').toBe(before.partitionEpoch + 1);
    expect(leaderEpoch, 'I-9').toBe(before.leaderEpoch + (change.hasLeader ? 1 : 0));
    if (!change.hasLeader || leader === -1) return;
    if (isUnclean(record)) expect(after.leaderRecoveryState, 'R-97').toBe('RECOVERING');
    else expect(before.isr, 'I-12: clean').toContain(leader);
  }

  #judgeEpoch(epoch: number, before: number): void {
    if (epoch === before) return;
    expect(epoch, 'I-23').toBeGreaterThan(before);
    expect(this.#brokerEpochs.has(epoch), 'I-23: unique').toBe(false);
    this.#brokerEpochs.add(epoch);
  }
}

test('repl I-8 to I-12, I-23: hold in every life', () => {
  const reached = { elections: 0, unclean: 0, shrinks: 0, restarts: 0, leaderless: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      let desk = new Desk().start();
      bringUp(desk, ...BROKERS);
      create(desk, 'clean', [1, 2, 3]);
      create(desk, 'unclean', [2, 3, 4]);
      const judge = new Judge();
      for (const next of steps) {
        desk = play(desk, next);
        for (const record of desk.readLog(judge.image.endOffset).records()) {
          judge.judge(record);
          if (record.partitionChange?.hasLeader) reached.elections += 1;
          if (record.partitionChange?.leader === -1) reached.leaderless += 1;
          if (isUnclean(record)) reached.unclean += 1;
          if (record.partitionChange?.reason === 'isr-shrink') reached.shrinks += 1;
        }
        judge.judgeRest();
        if (next.do === 'restart') reached.restarts += 1;
        expect([...judge.image.partitions()], 'I-24').toEqual([...desk.controller.image.partitions()]);
        expect([...judge.image.brokers], 'I-24').toEqual([...desk.controller.image.brokers]);
      }
    }),
    { seed: 20_241_101, numRuns: 300 },
  );
  // A property over lives in which nothing happens would prove nothing.
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(40);
});
