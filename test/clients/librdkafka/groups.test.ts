// kcat as a member of groups, against real processes (wire section 14, steps 11, 14, 15).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { installed, kcat } from '../run-client.ts';
import { autoCreate } from '../topics.ts';
import { commitError, committedOffset, coordinatorOf, describeGroup } from '../support/groups.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { kcatMember, type RunningKcat } from '../support/running-kcat.ts';
import { until } from '../support/until.ts';

const withKcat = test.skipIf(!installed.kcat);
const members: RunningKcat[] = [];
let cluster: Highwater;

beforeAll(async () => {
  cluster = await startHighwater({
    config: { 'offsets.topic.num.partitions': '5', 'num.partitions': '2', 'default.replication.factor': '3' },
  });
});
afterEach(async () => {
  for (const member of members.splice(0)) if (!member.hasEnded) await member.kill();
});
afterAll(() => cluster.close());

function member(group: string, topic: string, ...more: readonly string[]): RunningKcat {
  const started = kcatMember(cluster.bootstrap, group, topic, more);
  members.push(started);
  return started;
}

const lines = (from: number, count: number) => Array.from({ length: count }, (_, i) => `m${from + i}`);
/** Half of the lines to each partition. */
async function produce(topic: string, values: readonly string[]): Promise<void> {
  for (const partition of [0, 1]) {
    const mine = values.filter((_, i) => i % 2 === partition).map((value) => `${value}\n`);
    const args = ['-P', '-t', topic, '-p', String(partition), '-X', 'acks=all'];
    await kcat(cluster.bootstrap, args, mine.join(''));
  }
}

const stableWith = (group: string, count: number) =>
  until(
    `${count} members of ${group}, Stable`,
    () => describeGroup(cluster.ports, group),
    (described) => described?.groupState === 'Stable' && described.members.length === count,
  );

withKcat(
  'wire ladder 11: one member: an id first, an assignment, commits, and it leaves; the next resumes',
  async () => {
    await autoCreate(cluster.ports[0]!, 'eleven');
    await produce('eleven', lines(0, 20));
    const first = member('ladder-11', 'eleven', '-e', '-d', 'cgrp');
    expect(await first.end(), first.said).toBe(0);
    expect([...first.messages].sort()).toEqual(lines(0, 20).sort());
    // It was given an id, and joined again with it (wire G-18).
    expect(first.said).toMatch(/needs a valid member ID/i);
    expect(first.assignments).toEqual(['eleven [0], eleven [1]']);
    // It has left: nobody waits for the end of its session.
    expect(await describeGroup(cluster.ports, 'ladder-11')).toMatchObject({ groupState: 'Empty', members: [] });
    for (const partition of [0, 1]) {
      expect(await committedOffset(cluster.ports, 'ladder-11', { topic: 'eleven', partition })).toBe(10);
    }
    await produce('eleven', lines(20, 6));
    const second = member('ladder-11', 'eleven', '-e');
    expect(await second.end(), second.said).toBe(0);
    expect([...second.messages].sort()).toEqual(lines(20, 6).sort());
  },
);

withKcat(
  'wire ladder 14: a static member comes back to its partitions unnoticed; of twins the older is fenced',
  async () => {
    await autoCreate(cluster.ports[0]!, 'fourteen');
    const staticMember = (id: string) => member('ladder-14', 'fourteen', '-X', `group.instance.id=${id}`);
    const [a, b] = [staticMember('a'), staticMember('b')];
    const before = (await stableWith('ladder-14', 2))!;
    const assignmentOf = (id: string, { members: all }: typeof before) =>
      all.find(({ groupInstanceId }) => groupInstanceId === id)!;
    await Promise.all([a.untilAssigned(1), b.untilAssigned(1)]);
    const [seenByB, had] = [b.assignments.length, a.assignments.at(-1)];
    await a.stop();

    const again = staticMember('a');
    await again.untilAssigned(1);
    const after = (await stableWith('ladder-14', 2))!;
    expect(assignmentOf('a', after).memberAssignment).toEqual(assignmentOf('a', before).memberAssignment);
    expect(assignmentOf('a', after).memberId).not.toBe(assignmentOf('a', before).memberId);
    expect(again.assignments).toEqual([had]);
    expect(b.assignments).toHaveLength(seenByB);

    const twin = staticMember('a');
    await twin.untilAssigned(1);
    await until(
      'the older twin to be fenced',
      () => again.said,
      (said) => /fenced/i.test(said),
    );
    expect(twin.assignments).toEqual([had]);
    expect(b.assignments).toHaveLength(seenByB);
  },
);

withKcat(
  'wire ladder 15: the coordinator of a stable group is killed: the same generation goes on and commits',
  async () => {
    await autoCreate(cluster.ports[0]!, 'fifteen');
    const reader = member('ladder-15', 'fifteen');
    const before = (await stableWith('ladder-15', 1))!;
    await produce('fifteen', lines(0, 10));
    await reader.untilMessages('ten messages', (messages) => messages.length === 10);
    const committed = () => committedOffset(cluster.ports, 'ladder-15', { topic: 'fifteen', partition: 0 });
    await until('the first commit', committed, (offset) => offset === 5);

    const { nodeId } = (await coordinatorOf(cluster.ports, 'ladder-15'))!;
    await cluster.kill(nodeId);
    await produce('fifteen', lines(10, 10));
    await reader.untilMessages('twenty messages', (messages) => messages.length >= 20);
    await until('a commit after the failover', committed, (offset) => offset === 10);
    expect((await coordinatorOf(cluster.ports, 'ladder-15'))!.nodeId).not.toBe(nodeId);

    const after = (await stableWith('ladder-15', 1))!;
    const { memberId } = after.members[0]!;
    expect(memberId).toBe(before.members[0]!.memberId);
    expect(reader.assignments).toHaveLength(1);
    await reader.kill();
    const by = { memberId, generation: 1, topic: 'fifteen' };
    expect(await commitError(cluster.ports, 'ladder-15', by)).toBe(0);
    await cluster.restart(nodeId);
  },
);
