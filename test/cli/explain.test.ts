// `highwater explain`: every word of the product's own tables has a meaning, in few lines, and what it points to is there.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explain, nearestWord, wordsByKind } from '../../src/cli/explain/explain.ts';

describe.each(Object.entries(wordsByKind()))('%s', (kind, words) => {
  test.each(words)('%s', (word) => {
    const [found] = explain(word).filter((each) => each.kind === kind);
    expect(found!.says.join(' ').length).toBeGreaterThan(20);
    expect(found!.says.join(' ').length).toBeLessThan(1400);
    for (const file of found!.next.join(' ').match(/scenarios\S+/g) ?? [])
      expect([file, existsSync(file)]).toEqual([file, true]);
  });
});

test.each([
  ['LSO', 'last stable offset', 'term'],
  ['high watermark', 'high watermark', 'term'],
  ['tv2', 'transaction.version', 'term'],
  ['hw2103', 'HW2103', 'error code'],
  ['19', 'NOT_ENOUGH_REPLICAS', 'kafka error'],
  ['not_leader_or_follower', 'NOT_LEADER_OR_FOLLOWER', 'kafka error'],
  ['HW.BOUND', 'hw.bound', 'safeguard'],
  ['lost_write', 'lost-write', 'anomaly'],
  ['bug-1', 'BUG-01', 'failure'],
  ['BUG-01', 'BUG-01', 'failure'],
  ['Retention.ms', 'retention.ms', 'setting'],
  ['min.insync.replicas', 'min.insync.replicas', 'setting'],
  ['min.insync.replicas', 'min.insync.replicas', 'term'],
  ['exactly once', 'transaction', 'term'],
  ['replicas', 'replica', 'term'],
  ['followers', 'replica', 'term'],
])('%s is found as %s', (asked, word, kind) => {
  expect(explain(asked)).toContainEqual(expect.objectContaining({ word, kind }));
});

test('an anomaly says what finds it and what looks like it; a word may have two meanings', () => {
  const [lost] = explain('lost-write');
  expect(lost!.says.join(' ')).toMatch(/Not it: .*acks=1.* It appears without: .*trunc\.leaderEpoch/);
  expect(lost!.next[0]).toMatch(/^highwater run scenarios\/.*\.yaml --sim$/);
  expect(explain('ghost read').map(({ kind }) => kind)).toEqual(['anomaly', 'term']);
});

test('a point says its fields and what may strike there', () => {
  const [point] = explain('replica.fetch.received');
  expect(point!.says.join(' ')).toMatch(/Conditions may name: node, .*partition.* Legal actions: .*hold/);
});

test('a setting says where it is set, what it may be, and what it is unless set', () => {
  expect(explain('min.insync.replicas').find(({ kind }) => kind === 'setting')).toEqual({
    ...{ word: 'min.insync.replicas', kind: 'setting' },
    says: ['In-sync replicas needed for acks=all (repl R-11).', 'Of topics. Values: int, at least 1. Default: 1.'],
    next: ['highwater topics alter TOPIC --config min.insync.replicas=…'],
  });
});

test('a failure says what happened, and is played', () => {
  const [failure] = explain('bug-16');
  expect(failure!.says[0]).toMatch(/^A consumer reads what only the leader has/);
  expect(failure!.next).toEqual(['highwater run scenarios/corpus/bug-16-read-too-far.yaml --sim']);
  expect(explain('bug-999')).toEqual([]);
});

test('an unknown word is nothing, and the nearest one is named', () => {
  expect(explain('lso-lead')).toEqual([]);
  expect(nearestWord('gost-read')).toBe('ghost-read');
  expect(nearestWord('zzzzzzzz')).toBeUndefined();
});
