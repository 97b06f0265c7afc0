// Members of a group on real brokers in the simulated world: who reads what, and what they are told when that changes (wire
// sections 9 to 12 from the clients' side).
import { describe, expect, test } from 'vitest';
import { aGroup } from './support/members.ts';

const COOPERATIVE = { 'partition.assignment.strategy': 'cooperative-sticky' };

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
    expect(world.now - before).toBeLessThan(3000);
  });

  test('cooperative: what stays is never given up', () => {
    const { member, settled, until } = aGroup(2, COOPERATIVE);
    const one = member();
    settled(one);
    const two = member();
    settled(one, two);
    until('both have one', () => one.consumer.isSettled && two.consumer.isSettled);
    expect(one.heard).toEqual(['assigned t-0 t-1', 'revoked t-1', 'assigned', 'assigned']);
    expect([one.owns, two.owns]).toEqual(['t-0', 't-1']);
  });
});
