// What a member does about each answer of its coordinator: a coordinator by script errs once, and the member comes together again,
// or does not.
import { describe, expect, test } from 'vitest';
import type { CommittedResult } from '../../src/client/core/group/committed-offsets.ts';
import type { CommitResult } from '../../src/client/core/group/offset-commits.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { ScriptedGroup } from './support/scripted-group.ts';
import { waitFor } from './support/wait.ts';

const T0 = { topic: 'orders', partition: 0 };
const FIRST = ['FindCoordinator', 'JoinGroup', 'SyncGroup', 'OffsetFetch'];

test('in order: it finds its coordinator, joins, synchronises, and asks where to begin', () => {
  const group = new ScriptedGroup();
  group.settle();
  expect(group.news()).toEqual(FIRST);
  expect(group.member.position(T0)).toBe(5);
  expect(group.member.groupMetadata).toEqual({ groupId: 'g', generationId: 1, memberId: 'm-0', groupInstanceId: '' });
});

describe('JoinGroup', () => {
  test.each<[ErrorName | 'silence', string[]]>([
    ['MEMBER_ID_REQUIRED', ['JoinGroup']],
    ['UNKNOWN_MEMBER_ID', ['JoinGroup']],
    ['REBALANCE_IN_PROGRESS', ['JoinGroup']],
    ['COORDINATOR_LOAD_IN_PROGRESS', ['JoinGroup']],
    ['COORDINATOR_NOT_AVAILABLE', ['FindCoordinator', 'JoinGroup']],
    ['NOT_COORDINATOR', ['FindCoordinator', 'JoinGroup']],
    ['silence', ['FindCoordinator', 'JoinGroup']],
  ])('%s: it joins again', (error, again) => {
    const group = new ScriptedGroup();
    group.next('JoinGroup', error);
    group.settle();
    expect(group.news()).toEqual(['FindCoordinator', 'JoinGroup', ...again, 'SyncGroup', 'OffsetFetch']);
    expect(group.failures).toEqual([]);
  });

  test('wire G-18: the id that it is given is the one it joins with, at once', () => {
    const group = new ScriptedGroup();
    group.next('JoinGroup', 'MEMBER_ID_REQUIRED');
    group.settle();
    const joins = group.asked.filter(({ api }) => api === 'JoinGroup');
    expect(joins.map(({ request }) => (request as { memberId: string }).memberId)).toEqual(['', 'm-1']);
    expect(joins[1]!.at - joins[0]!.at).toBeLessThan(20);
  });

  test.each<ErrorName>(['INCONSISTENT_GROUP_PROTOCOL', 'INVALID_SESSION_TIMEOUT', 'GROUP_MAX_SIZE_REACHED'])(
    '%s: the application is told, and the next poll tries again',
    (error) => {
      const group = new ScriptedGroup();
      group.next('JoinGroup', error);
      group.settle();
      expect(group.failures).toEqual([error]);
      expect(group.news()).toEqual(['FindCoordinator', 'JoinGroup', 'JoinGroup', 'SyncGroup', 'OffsetFetch']);
    },
  );

  test('FENCED_INSTANCE_ID: the application is told for ever, and nothing is asked any more', () => {
    const group = new ScriptedGroup({ 'group.instance.id': 'i' });
    group.next('JoinGroup', 'FENCED_INSTANCE_ID');
    group.world.runFor(3000);
    expect(new Set(group.failures)).toEqual(new Set(['FENCED_INSTANCE_ID']));
    expect(group.failures.length).toBeGreaterThan(2);
    expect(group.news()).toEqual(['FindCoordinator', 'JoinGroup']);
  });
});

describe('SyncGroup', () => {
  test.each<[ErrorName | 'silence', string[]]>([
    ['REBALANCE_IN_PROGRESS', []],
    ['UNKNOWN_MEMBER_ID', []],
    ['ILLEGAL_GENERATION', []],
    ['COORDINATOR_LOAD_IN_PROGRESS', []],
    ['NOT_COORDINATOR', ['FindCoordinator']],
    ['COORDINATOR_NOT_AVAILABLE', ['FindCoordinator']],
    ['silence', ['FindCoordinator']],
  ])('%s: another generation', (error, lookup) => {
    const group = new ScriptedGroup();
    group.next('SyncGroup', error);
    group.settle();
    const again = [...lookup, 'JoinGroup', 'SyncGroup', 'OffsetFetch'];
    expect(group.news()).toEqual(['FindCoordinator', 'JoinGroup', 'SyncGroup', ...again]);
    expect([group.member.groupMetadata.generationId, group.heard]).toEqual([2, ['assigned']]);
  });

  test('an error that waiting does not mend is told', () => {
    const group = new ScriptedGroup();
    group.next('SyncGroup', 'UNKNOWN_SERVER_ERROR');
    group.settle();
    expect(group.failures).toEqual(['UNKNOWN_SERVER_ERROR']);
  });
});

describe('Heartbeat', () => {
  const after = (error: ErrorName | 'silence', config: Record<string, unknown> = {}): ScriptedGroup => {
    const group = new ScriptedGroup(config);
    group.settle();
    group.news();
    group.next('Heartbeat', error);
    group.world.runFor(error === 'silence' ? 4000 : 1000);
    return group;
  };

  test('REBALANCE_IN_PROGRESS: it gives up what it has, and joins with the same id', () => {
    const group = after('REBALANCE_IN_PROGRESS');
    expect(group.heard).toEqual(['assigned', 'revoked', 'assigned']);
    const join = group.asked.find(({ api }) => api === 'JoinGroup')!;
    expect(join.request).toMatchObject({ memberId: 'm-0' });
  });

  test.each<[ErrorName, string]>([
    ['UNKNOWN_MEMBER_ID', ''],
    ['ILLEGAL_GENERATION', 'm-0'],
  ])('%s: what it had is lost; it commits nothing, and joins as "%s"', (error, memberId) => {
    const group = after(error);
    expect(group.heard).toEqual(['assigned', 'lost', 'assigned']);
    expect(group.asked.find(({ api }) => api === 'JoinGroup')!.request).toMatchObject({ memberId });
    expect(group.news()).not.toContain('OffsetCommit');
  });

  test.each<ErrorName | 'silence'>(['NOT_COORDINATOR', 'COORDINATOR_NOT_AVAILABLE', 'silence'])(
    '%s: it looks its coordinator up, and stays what it is',
    (error) => {
      const group = after(error);
      expect([group.news().slice(0, 1), group.heard]).toEqual([['FindCoordinator'], ['assigned']]);
      expect(group.member.groupMetadata.generationId).toBe(1);
    },
  );

  test('FENCED_INSTANCE_ID ends it', () => {
    const group = after('FENCED_INSTANCE_ID', { 'group.instance.id': 'i' });
    expect(new Set(group.failures)).toEqual(new Set(['FENCED_INSTANCE_ID']));
    expect(group.news()).toEqual([]);
  });
});

describe('OffsetCommit', () => {
  const commit = (error: ErrorName | 'silence', once = false): { result: CommitResult; group: ScriptedGroup } => {
    const group = new ScriptedGroup();
    group.settle();
    group.news();
    group.next('OffsetCommit', error);
    const result = waitFor<CommitResult>(group.world, (done) =>
      group.member.commit([{ ...T0, offset: 9 }], done, { once }),
    );
    return { result, group };
  };

  test.each<ErrorName | 'silence'>([
    ...(['COORDINATOR_LOAD_IN_PROGRESS', 'COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR'] as const),
    ...(['UNKNOWN_TOPIC_OR_PARTITION', 'silence'] as const),
  ])('%s: it is repeated, but not if it goes once', (error) => {
    expect(commit(error).result).toEqual({ kind: 'ok' });
    expect(commit(error, true).result).toMatchObject({ kind: 'failed', errorClass: 'again' });
  });

  test.each<[ErrorName, string, string[]]>([
    ['REBALANCE_IN_PROGRESS', 'rejoin', ['assigned', 'revoked', 'assigned']],
    ['ILLEGAL_GENERATION', 'lost', ['assigned', 'lost', 'assigned']],
    ['UNKNOWN_MEMBER_ID', 'lost', ['assigned', 'lost', 'assigned']],
    ['OFFSET_METADATA_TOO_LARGE', 'refused', ['assigned']],
    ['FENCED_INSTANCE_ID', 'fatal', ['assigned']],
  ])('%s: not committed (%s)', (error, errorClass, heard) => {
    const { result, group } = commit(error);
    expect(result).toMatchObject({ kind: 'failed', error, errorClass, definite: true });
    group.world.runFor(1000);
    expect(group.heard).toEqual(heard);
  });

  test('who is told before a rebalance that it was dropped has lost its partitions', () => {
    const group = new ScriptedGroup({ 'enable.auto.commit': true, 'auto.commit.interval.ms': 600_000 });
    group.settle();
    group.next('Heartbeat', 'REBALANCE_IN_PROGRESS');
    group.next('OffsetCommit', 'UNKNOWN_MEMBER_ID');
    group.world.runFor(1000);
    expect(group.heard).toEqual(['assigned', 'lost', 'assigned']);
  });

  test('without an answer nobody can tell', () => {
    expect(commit('silence', true).result).toMatchObject({ error: 'REQUEST_TIMED_OUT', definite: false });
  });
});

describe('OffsetFetch', () => {
  test.each<[ErrorName | 'silence', string[]]>([
    ['UNSTABLE_OFFSET_COMMIT', ['OffsetFetch']],
    ['COORDINATOR_LOAD_IN_PROGRESS', ['OffsetFetch']],
    ['NOT_COORDINATOR', ['FindCoordinator', 'OffsetFetch']],
    ['COORDINATOR_NOT_AVAILABLE', ['FindCoordinator', 'OffsetFetch']],
    ['silence', ['FindCoordinator', 'OffsetFetch']],
  ])('%s: it is asked again', (error, again) => {
    const group = new ScriptedGroup();
    group.next('OffsetFetch', error);
    group.settle();
    expect(group.news()).toEqual([...FIRST, ...again]);
    expect(group.member.position(T0)).toBe(5);
  });

  test('every one requires stable offsets (txn T-70)', () => {
    const group = new ScriptedGroup();
    group.settle();
    const fetches = group.asked.filter(({ api }) => api === 'OffsetFetch');
    expect(fetches.map(({ request }) => request)).toMatchObject([{ requireStable: true }]);
  });

  test('an error that waiting does not mend is told, and asked again', () => {
    const group = new ScriptedGroup();
    group.next('OffsetFetch', 'UNKNOWN_SERVER_ERROR');
    group.settle();
    expect(group.failures).toEqual(['UNKNOWN_SERVER_ERROR']);
  });
});

test('closing: it leaves under its id, and asks nothing more', () => {
  const group = new ScriptedGroup();
  group.settle();
  group.news();
  waitFor<null>(group.world, (done) => group.member.close(2000, () => done(null)));
  const left = group.asked.filter(({ api }) => api === 'LeaveGroup');
  expect(left.map(({ request }) => request)).toMatchObject([{ members: [{ memberId: 'm-0' }] }]);
  group.news();
  group.world.runFor(5000);
  expect([group.asked, group.heard]).toEqual([[], ['assigned', 'revoked']]);
});

describe('coordinators that nobody finds', () => {
  const lost = (): ScriptedGroup => {
    const group = new ScriptedGroup();
    group.settle();
    group.next('Heartbeat', 'NOT_COORDINATOR');
    for (let lookup = 0; lookup < 1000; lookup++) group.next('FindCoordinator', 'COORDINATOR_NOT_AVAILABLE');
    group.world.runFor(5000);
    return group;
  };

  test.each([true, false])('a commit ends in its time all the same (once: %s)', (once) => {
    const { world, member } = lost();
    const result = waitFor<CommitResult>(world, (done) => member.commit(undefined, done, { once }), 60_001);
    expect(result).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT', errorClass: 'again' });
  });

  test('and so does a question about what is committed', () => {
    const { world, member } = lost();
    const result = waitFor<CommittedResult>(world, (done) => member.committed([T0], done), 60_001);
    expect(result).toMatchObject({ kind: 'failed', error: 'REQUEST_TIMED_OUT' });
  });
});

test('what is asked of a member that was closed ends, and was not done', () => {
  const { world, member } = new ScriptedGroup();
  waitFor<null>(world, (done) => member.close(2000, () => done(null)));
  expect(waitFor<CommitResult>(world, (done) => member.commit([{ ...T0, offset: 1 }], done))).toMatchObject({
    ...{ kind: 'failed', errorClass: 'lost', definite: true },
  });
  expect(waitFor<CommittedResult>(world, (done) => member.committed([T0], done))).toMatchObject({ kind: 'failed' });
});
