// Members of a group on real brokers in the simulated world: who reads what, and what they are told when that changes (wire
// sections 9 to 12 from the clients' side).
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../src/base/java-hash.ts';
import { aGroup, type TestMember } from './support/members.ts';

const COOPERATIVE = { 'partition.assignment.strategy': 'cooperative-sticky' };
const NO_AUTO_CREATION = { config: { 'auto.create.topics.enable': false } };
const STATIC = (name: string) => ({ 'group.instance.id': name });

describe('sharing', () => {
  test('a single member reads everything', () => {
    const { member, settled, send, until } = aGroup(2);
    send('a', 0);
    send('b', 1);
    const one = member();
    settled(one);
    expect(one.heard).toEqual(['assigned t-0 t-1']);
    until('both are read', () => one.values.length === 2);
    expect(one.values.sort()).toEqual(['a', 'b']);
  });

  test('wire G-19: a second one joins, and each has one partition; the first gave everything up before', () => {
    const { member, settled } = aGroup(2);
    const one = member();
    settled(one);
    const two = member();
    settled(one, two);
    expect([one.owns, two.owns].sort()).toEqual(['t-0', 't-1']);
    expect(one.heard.slice(0, 2)).toEqual(['assigned t-0 t-1', 'revoked t-0 t-1']);
  });

  test('wire G-28: one dies, and its session ends: the other has it all', () => {
    const { member, settled, world } = aGroup(2);
    const [one, two] = [member(), member()];
    settled(one, two);
    world.node(one.node).kill();
    settled(two);
    expect(two.owns).toBe('t-0 t-1');
  });

  test('wire G-29: one closes, and the other has it all at once', () => {
    const { member, settled, world, close } = aGroup(2);
    const [one, two] = [member(), member()];
    settled(one, two);
    const before = world.now;
    close(one);
    settled(two);
    expect(one.heard.at(-1)).toMatch(/^revoked t-\d$/);
    expect(world.now - before).toBeLessThan(1500); // far less than the session
  });

  test('one that does not poll for max.poll.interval.ms leaves; when it polls again it has lost what it had', () => {
    const { member, settled } = aGroup(2, { 'max.poll.interval.ms': 4000 });
    const [one, two] = [member(), member()];
    settled(one, two);
    const [had, id] = [one.owns, one.consumer.groupMetadata.memberId];
    one.stopPolling();
    settled(two);
    expect(one.heard.at(-1)).toBe(`assigned ${had}`); // nobody polled, so nobody was told
    one.poll();
    settled(one, two);
    expect(one.heard).toContain(`lost ${had}`);
    expect(one.consumer.groupMetadata.memberId).not.toBe(id);
  });

  test('one that waits in a long poll is alive, and has max.poll.interval.ms from its end on', () => {
    const { member, settled, world, send, until } = aGroup(1, { 'max.poll.interval.ms': 4000 });
    const one = member();
    settled(one);
    one.stopPolling();
    one.poll(60_000);
    world.runFor(15_000);
    send('x');
    until('it is read', () => one.values.length === 1);
    one.stopPolling();
    world.runFor(3500);
    one.poll();
    world.runFor(1000);
    expect([one.heard, one.generation]).toEqual([['assigned t-0'], 1]);
  });

  test('a topic that comes to be is shared as soon as its leader knows of it', () => {
    const { member, settled, until, client } = aGroup(1, {}, NO_AUTO_CREATION);
    const one = member({}, ['t', 'later']);
    settled(one);
    client.admin().createTopics([{ name: 'later', partitions: 2, replicationFactor: 3 }], false, () => undefined);
    until('all three are assigned', () => one.consumer.assignment.length === 3);
    expect(one.owns).toBe('later-0 later-1 t-0');
    expect(one.heard).toEqual(['assigned t-0', 'revoked t-0', 'assigned later-0 later-1 t-0']);
  });

  test('another subscription is another generation', () => {
    const { member, settled, until } = aGroup(2, {}, NO_AUTO_CREATION);
    const one = member();
    settled(one);
    one.consumer.subscribe(['t', 'later']);
    until('it has joined again', () => one.generation === 2 && one.consumer.isSettled);
    expect(one.owns).toBe('t-0 t-1');
  });

  test('members that have no protocol in common: the second is told, and tries again', () => {
    const { member, settled, until } = aGroup(1);
    const one = member({ 'partition.assignment.strategy': 'roundrobin' });
    settled(one);
    const two = member({ 'partition.assignment.strategy': 'range' });
    until('it is told twice', () => two.failures.length >= 2);
    expect(new Set(two.failures)).toEqual(new Set(['INCONSISTENT_GROUP_PROTOCOL']));
    expect(one.owns).toBe('t-0');
  });
});

describe('cooperative', () => {
  test('what stays is never given up, and is read on through both generations', () => {
    const { member, settled } = aGroup(2, COOPERATIVE);
    const one = member();
    settled(one);
    const two = member();
    settled(one, two);
    expect(one.heard).toEqual(['assigned t-0 t-1', 'revoked t-1', 'assigned', 'assigned']);
    expect([one.owns, two.owns]).toEqual(['t-0', 't-1']);
    expect(one.generation).toBe(3);
  });

  test('a partition is never with two members, whoever comes and goes', () => {
    const { member, settled, world, close } = aGroup(6, COOPERATIVE);
    const members: TestMember[] = [];
    /** Looks at every 10 ms, not only in the end. */
    const settle = (): void => {
      for (let look = 0; look < 200; look++) {
        const owned = members.flatMap(({ consumer }) => consumer.assignment.map(({ partition }) => partition));
        expect(new Set(owned).size).toBe(owned.length);
        world.runFor(10);
      }
      settled(...members);
    };
    const sizes = (): number[] => members.map(({ consumer }) => consumer.assignment.length);
    const seen = [2, 3, 4].map(() => {
      members.push(member());
      settle();
      return sizes();
    });
    expect(seen).toEqual([[6], [3, 3], [2, 2, 2]]);
    close(members.shift()!);
    settle();
    expect(sizes()).toEqual([3, 3]);
  });

  test('who is dropped while its listener is at work has lost what it meant to keep', () => {
    const { member, settled, client, until } = aGroup(1, { ...COOPERATIVE, 'max.poll.interval.ms': 4000 });
    client.admin().createTopics([{ name: 'other', partitions: 1, replicationFactor: 3 }], false, () => undefined);
    const one = member({}, ['other', 't']);
    until('it has both', () => one.owns === 'other-0 t-0' && one.consumer.isSettled);
    one.heard.length = 0;
    one.listeningMs = 10_000;
    one.subscribe(['t']);
    const two = member();
    settled(two);
    until('it is told', () => one.heard.length === 2);
    expect(one.heard).toEqual(['revoked other-0', 'lost t-0']);
  });

  test('what a listener holds up is not committed before it is given', () => {
    const { member, settled, send, until } = aGroup(2, {
      ...COOPERATIVE,
      ...{ 'enable.auto.commit': true, 'auto.commit.interval.ms': 600_000 },
    });
    const one = member();
    settled(one);
    one.listeningMs = 500;
    const two = member();
    until('it gives one up', () => one.heard.includes('revoked t-1'));
    send('x', 0);
    settled(one, two);
    until('it is read', () => one.values.length > 0);
    expect(one.commits).toEqual(['t-0@0 t-1@0 ok', 't-1@0 ok', 't-0@0 ok']);
  });
});

describe('static members', () => {
  test('wire G-23: one that restarts within its session has its place again, and nobody else hears of it', () => {
    const { member, settled, world, send, until } = aGroup(2);
    const [one, two] = [member(STATIC('a')), member(STATIC('b'))];
    settled(one, two);
    const [had, generation, heard] = [one.owns, one.generation, [...two.heard]];
    world.node(one.node).kill();
    world.runFor(500);
    const again = member(STATIC('a'));
    settled(again, two);
    expect([again.owns, again.generation]).toEqual([had, generation]);
    expect(two.heard).toEqual(heard);
    send('x', Number(had.slice(-1)));
    until('it reads on', () => again.values.includes('x'));
  });

  test('a close is no farewell: its partitions wait for it until its session ends', () => {
    const { member, settled, world, close } = aGroup(2);
    const [one, two] = [member(STATIC('a')), member(STATIC('b'))];
    settled(one, two);
    close(one);
    world.runFor(1500);
    expect(two.consumer.assignment).toHaveLength(1);
    settled(two);
    expect(two.owns).toBe('t-0 t-1');
  });

  test('FENCED_INSTANCE_ID: of two with one name the older can do nothing more', () => {
    const { member, settled, until, commit, world } = aGroup(1);
    const one = member(STATIC('a'));
    settled(one);
    const two = member(STATIC('a'));
    until('the older is told', () => one.failures.length > 0);
    expect(one.failures).toEqual(['FENCED_INSTANCE_ID']);
    expect(commit(one, [{ topic: 't', partition: 0, offset: 7 }])).toMatchObject({ errorClass: 'fatal' });
    settled(two);
    one.poll();
    world.runFor(2000);
    expect(one.failures).toEqual(['FENCED_INSTANCE_ID', 'FENCED_INSTANCE_ID']);
    expect(two.owns).toBe('t-0');
  });
});

describe('coordinators that go', () => {
  const coordinatorOf = (group: ReturnType<typeof aGroup>): number => {
    const partition = coordinatorPartition('g', 50);
    group.client.metadata.track('__consumer_offsets');
    group.until(
      'the leader is known',
      () => group.client.metadata.partition('__consumer_offsets', partition) !== undefined,
    );
    return group.client.metadata.partition('__consumer_offsets', partition)!.leader;
  };

  test('wire G-7, G-11: it dies, the next one knows the members, and nobody gives anything up', () => {
    const group = aGroup(2);
    const { member, settled, cluster, world, send, until } = group;
    const [one, two] = [member(), member()];
    settled(one, two);
    const [generation, heard] = [one.generation, [...one.heard]];
    cluster.kill(coordinatorOf(group));
    world.runFor(6000); // more than a session
    expect([one.generation, one.heard]).toEqual([generation, heard]);
    send('x', 0);
    until('it is read', () => [...one.values, ...two.values].includes('x'));
  });

  test('it dies during a rebalance: the group comes together at the next one', () => {
    const group = aGroup(2);
    const { member, settled, cluster, world } = group;
    const one = member();
    settled(one);
    const two = member();
    world.runFor(30);
    cluster.kill(coordinatorOf(group));
    settled(one, two);
    expect([one.owns, two.owns].sort()).toEqual(['t-0', 't-1']);
  });
});
