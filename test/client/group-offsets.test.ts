// Where members of a group begin, what they commit, and who may not: on real brokers in the simulated world (wire G-31 to G-35,
// txn T-63, T-70).
import { describe, expect, test } from 'vitest';
import type { TxnResult } from '../../src/client/core/txn/states.ts';
import { faultSpec } from '../../src/fault/spec.ts';
import { aClient } from './support/cluster.ts';
import { aGroup, type TestMember } from './support/members.ts';
import { send, text, waitFor } from './support/wait.ts';

const T0 = { topic: 't', partition: 0 };
const BY_HAND = { 'enable.auto.commit': false };

describe('where to begin', () => {
  test('at what is committed', () => {
    const { member, settled, send, until, commit, close } = aGroup(1, BY_HAND);
    for (const value of ['a', 'b', 'c']) send(value);
    const one = member();
    until('all is read', () => one.values.length === 3);
    expect(commit(one, [{ ...T0, offset: 2 }])).toEqual({ kind: 'ok' });
    close(one);
    const two = member();
    settled(two);
    until('the rest is read', () => two.values.length > 0);
    expect(two.values).toEqual(['c']);
  });

  test('without a commit by auto.offset.reset, which may be none', () => {
    const { member, settled, send, world, until } = aGroup(1, BY_HAND);
    send('a');
    const late = member({ 'group.id': 'latest', 'auto.offset.reset': 'latest' });
    settled(late);
    world.runFor(500);
    send('b');
    until('what came after is read', () => late.values.length > 0);
    expect(late.values).toEqual(['b']);
    const none = member({ 'group.id': 'none', 'auto.offset.reset': 'none' });
    world.runFor(2000);
    expect([none.values, none.consumer.position(T0)]).toEqual([[], undefined]);
    none.consumer.seek(T0, 1);
    until('the application says where', () => none.values.length > 0);
    expect(none.values).toEqual(['b']);
  });

  test('txn T-70: while a transaction that commits an offset is undecided, its outcome is awaited', () => {
    const { member, send: produce, until, client, world } = aGroup(1, BY_HAND);
    for (const value of ['a', 'b']) produce(value);
    const producer = client.producer({ 'transactional.id': 'x', 'batch.size': 0, 'linger.ms': 0 });
    const { transactions: txn } = producer;
    const step = (start: (done: (result: TxnResult) => void) => void): TxnResult => waitFor<TxnResult>(world, start);
    step((done) => txn.init(done));
    txn.begin();
    send(world, producer, { topic: 't', partition: 0, value: text('c') });
    step((done) => txn.sendOffsets([{ ...T0, offset: 1 }], { groupId: 'g' }, done));
    const one = member({ 'isolation.level': 'read_committed' });
    world.runFor(3000);
    expect([one.owns, one.values, one.consumer.isSettled]).toEqual(['t-0', [], false]);
    expect(step((done) => txn.commit(done))).toEqual({ kind: 'ok' });
    until('it reads on from there', () => one.values.length === 2);
    expect(one.values).toEqual(['b', 'c']);
  });
});

describe('automatic commits', () => {
  test('what a poll brought is committed at a later one, every auto.commit.interval.ms', () => {
    const { member, send, until, committed, world } = aGroup(1, { 'auto.commit.interval.ms': 2000 });
    send('a');
    const one = member();
    until('it is read', () => one.values.length === 1);
    world.runFor(1000);
    expect(one.commits).toEqual([]);
    world.runFor(4000);
    expect([...new Set(one.commits)]).toEqual(['t-0@1 ok']);
    expect(committed(one)).toBe(1);
  });

  test('when partitions go, and when the consumer is closed', () => {
    const { member, send, until, settled, close } = aGroup(2, { 'auto.commit.interval.ms': 600_000 });
    send('a', 0);
    send('b', 1);
    const one = member();
    until('both are read', () => one.values.length === 2);
    const two = member();
    settled(one, two);
    expect(one.commits).toEqual(['t-0@1 t-1@1 ok']);
    expect(two.values).toEqual([]);
    send('c', Number(two.owns.slice(-1)));
    until('it is read', () => two.values.length === 1);
    close(two);
    expect(two.commits).toEqual([`${two.commits[0]!.slice(0, 3)}@2 ok`]);
    settled(one);
    expect(one.values.sort()).toEqual(['a', 'b']);
  });

  test('BUG-86: what is about to go is not read on while its commit is under way, so that nothing is read twice', () => {
    const { member, send, until, settled, cluster, world } = aGroup(2, { 'auto.commit.interval.ms': 600_000 });
    send('a', 0);
    send('b', 1);
    const one = member();
    until('both are read', () => one.values.length === 2);
    cluster.arm(faultSpec({ id: 'slow', point: 'rpc.OffsetCommit.request', action: 'hold' }));
    const two = member();
    until('it is asked to give its partitions up', () => cluster.faultStatuses().some(({ holding }) => holding > 0));
    send('c', 0);
    send('d', 1);
    world.runFor(2000);
    expect([one.values.length, two.values.length]).toEqual([2, 0]);
    cluster.disarm('slow');
    settled(one, two);
    until('the rest is read', () => one.values.length + two.values.length === 4);
    world.runFor(2000);
    expect([...one.values, ...two.values].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(two.values).toHaveLength(1);
  });

  test('not with enable.auto.commit=false', () => {
    const { member, send, until, close, committed } = aGroup(1, BY_HAND);
    send('a');
    const one = member();
    until('it is read', () => one.values.length === 1);
    close(one);
    expect(one.commits).toEqual([]);
    expect(committed(member())).toBe(-1);
  });
});

describe('commits by hand', () => {
  test('positions by default, whether it waits or not', () => {
    const { member, send, until, commit, committed, world } = aGroup(1, BY_HAND);
    send('a');
    const one = member();
    until('it is read', () => one.values.length === 1);
    expect(commit(one)).toEqual({ kind: 'ok' });
    expect(committed(one)).toBe(1);
    const ended: string[] = [];
    for (const offset of [5, 3]) {
      one.consumer.commit([{ ...T0, offset }], ({ kind }) => ended.push(`${offset} ${kind}`), { once: true });
    }
    world.runFor(500);
    expect(ended).toEqual(['5 ok', '3 ok']);
    expect(committed(one)).toBe(3); // in order: the last one counts, though it is smaller (wire G-34)
  });

  test('a partition that is not there is refused when its time is over, and the others are committed', () => {
    const { member, settled, commit, committed } = aGroup(1, { ...BY_HAND, 'default.api.timeout.ms': 3000 });
    const one = member();
    settled(one);
    const offsets = [
      { ...T0, offset: 4 },
      { topic: 't', partition: 7, offset: 1 },
    ];
    expect(commit(one, offsets)).toMatchObject({ error: 'UNKNOWN_TOPIC_OR_PARTITION', definite: false });
    expect(committed(one)).toBe(4);
  });

  test('between the end of a rebalance and the poll that tells of it, a commit has to wait for that poll', () => {
    const { member, settled, world, until, commit, committed } = aGroup(2, {
      ...BY_HAND,
      'partition.assignment.strategy': 'cooperative-sticky',
    });
    const one = member();
    settled(one);
    const two = member();
    until('it joins again', () => !one.consumer.isSettled);
    one.stopPolling();
    world.runFor(1000);
    expect([one.generation, one.owns]).toEqual([1, 't-0 t-1']);
    const early = commit(one, [{ ...T0, offset: 3 }]);
    expect(early).toMatchObject({ error: 'ILLEGAL_GENERATION', errorClass: 'rejoin', definite: true });
    one.poll();
    settled(one, two);
    expect(commit(one, [{ ...T0, offset: 3 }])).toEqual({ kind: 'ok' });
    expect(committed(two)).toBe(3);
  });

  test('txn T-63: a member that others took for dead cannot commit, and hears that its partitions are lost', () => {
    const { member, settled, world, commit, committed, send, until } = aGroup(1, BY_HAND);
    send('a');
    const one = member();
    until('it is read', () => one.values.length === 1);
    world.node(one.node).pause();
    const two = member();
    settled(two);
    expect(commit(two, [{ ...T0, offset: 9 }])).toEqual({ kind: 'ok' });
    const results: unknown[] = [];
    one.consumer.commit(undefined, (result) => results.push(result));
    world.node(one.node).resume();
    until('the zombie is told', () => results.length > 0);
    expect(results).toMatchObject([{ error: 'UNKNOWN_MEMBER_ID', errorClass: 'lost', definite: true }]);
    expect(committed(two)).toBe(9);
    until('its partitions are lost', () => one.heard.includes('lost t-0'));
    settledTogether(one, two, until);
  });

  test('txn T-63: nor can it with a transaction: the generation of its group fences it', () => {
    const { member, settled, world, cluster, committed, until } = aGroup(1, BY_HAND);
    const one = member();
    settled(one);
    const zombie = { ...one.consumer.groupMetadata };
    const { transactions: txn } = aClient(cluster, 1300).producer({ 'transactional.id': 'x' });
    const step = (start: (done: (result: TxnResult) => void) => void): TxnResult => waitFor<TxnResult>(world, start);
    step((done) => txn.init(done));
    const two = member();
    settled(one, two);
    txn.begin();
    const refused = step((done) => txn.sendOffsets([{ ...T0, offset: 5 }], zombie, done));
    expect(refused).toMatchObject({ error: 'ILLEGAL_GENERATION', errorClass: 'abortable' });
    step((done) => txn.abort(done));
    txn.begin();
    expect(step((done) => txn.sendOffsets([{ ...T0, offset: 5 }], one.consumer.groupMetadata, done))).toEqual({
      kind: 'ok',
    });
    step((done) => txn.commit(done));
    expect(committed(two)).toBe(5);
    until('nothing changes any more', () => one.consumer.isSettled);
  });
});

/** Of two members one has the only partition. */
function settledTogether(one: TestMember, two: TestMember, until: (what: string, holds: () => boolean) => void): void {
  until('they are together again', () => one.generation === two.generation && one.consumer.isSettled);
  expect([one.owns, two.owns].sort()).toEqual(['', 't-0']);
}

test('a listener holds the poll: nothing is told before it has ended', () => {
  const { member, settled, world, until } = aGroup(1, BY_HAND);
  const one = member();
  settled(one);
  let proceed: (() => void) | undefined;
  one.stopPolling();
  world.runFor(10);
  one.consumer.subscribe(['t'], { revoked: (_partitions, done) => (proceed = done) });
  const ended: unknown[] = [];
  one.consumer.poll(100, (result) => ended.push(result));
  until('it is asked to give up', () => proceed !== undefined);
  world.runFor(2000);
  expect([ended, one.owns]).toEqual([[], 't-0']);
  proceed!();
  world.runFor(10);
  expect([ended.length, one.owns]).toEqual([1, '']);
});
